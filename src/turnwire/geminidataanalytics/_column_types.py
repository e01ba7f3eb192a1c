"""The column types of results as one table of data, from which everything else derives."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, NamedTuple

from turnwire.geminidataanalytics import _scalars
from turnwire.protojson._columns import Form


class ColumnType(NamedTuple):
    """A scalar type of columns.

    Attributes:
        names: Its names in upper case: BigQuery's first, then those of other data sources.
            Parameters such as ``(10, 2)`` are not part of a name.
        cast: Turns a plain JSON value into the typed one. It raises ValueError or ArithmeticError
            for a value that does not fit.
        python: The Python value, for the documentation.
        spelling: The accepted spelling of a cell, for the documentation.
        arrow: The Arrow type, as pyarrow writes it.
        form: The promise of the cast to the native core.
    """

    names: tuple[str, ...]
    cast: Callable[[Any], Any]
    python: str
    spelling: str
    arrow: str
    form: Form | None = None


TEXT: Final = ColumnType(
    (
        *("STRING", "TEXT", "CHAR", "CHARACTER", "VARCHAR", "CHARACTER VARYING", "NCHAR"),
        *("NVARCHAR", "TINYTEXT", "MEDIUMTEXT", "LONGTEXT", "UUID"),
    ),
    _scalars.string,
    "str",
    "any text; a number stays a number",
    "string",
    "text",
)

TYPES: Final = (
    ColumnType(
        (
            *("INTEGER", "INT64", "INT", "BIGINT", "SMALLINT", "TINYINT", "BYTEINT", "MEDIUMINT"),
            *("INT2", "INT4", "INT8", "INT32", "INT16", "SERIAL", "BIGSERIAL"),
            *("INTEGER UNSIGNED", "INT UNSIGNED", "BIGINT UNSIGNED", "SMALLINT UNSIGNED"),
            *("TINYINT UNSIGNED", "MEDIUMINT UNSIGNED"),
        ),
        _scalars.integer,
        "int of 64 bits, every digit kept",
        '`"12"`, `"1e2"`, `"5.0"`',
        "int64",
        "integer",
    ),
    ColumnType(
        (
            *("FLOAT", "FLOAT64", "FLOAT32", "FLOAT4", "FLOAT8"),
            *("DOUBLE", "DOUBLE PRECISION", "REAL"),
        ),
        _scalars.floating,
        "float",
        'any JSON number, `"NaN"`, `"Infinity"`, `"-inf"`',
        "double",
        "double",
    ),
    ColumnType(
        ("NUMERIC", "DECIMAL", "DEC"),
        _scalars.decimal,
        "`decimal.Decimal`, every digit kept",
        "any JSON number",
        "decimal128(38, 9)",
        "decimal",
    ),
    ColumnType(
        ("BIGNUMERIC", "BIGDECIMAL"),
        _scalars.decimal,
        "`decimal.Decimal`, every digit kept",
        "any JSON number",
        "decimal256(76, 38)",
        "decimal",
    ),
    ColumnType(
        ("NUMBER",),
        _scalars.decimal,
        "`decimal.Decimal`, every digit kept",
        "any JSON number",
        "double",
        "decimal",
    ),
    ColumnType(
        ("BOOLEAN", "BOOL"),
        _scalars.boolean,
        "bool",
        '`"true"`, `"False"`',
        "bool",
        "boolean",
    ),
    ColumnType(
        ("YESNO",),
        _scalars.yes_or_no,
        "bool",
        '`"Yes"`, `"no"`, `"true"`',
        "bool",
        "yes_no",
    ),
    ColumnType(
        ("DATE",),
        _scalars.day,
        "`datetime.date`",
        '`"2025-05-04"`',
        "date32[day]",
        "date",
    ),
    ColumnType(
        ("TIME", "TIME WITHOUT TIME ZONE"),
        _scalars.wall_time,
        "`datetime.time`",
        '`"10:00:00"`, up to 6 digits of a second',
        "time64[us]",
        "time",
    ),
    ColumnType(
        ("DATETIME", "TIMESTAMP WITHOUT TIME ZONE"),
        _scalars.wall_datetime,
        "`datetime.datetime` without a zone",
        '`"2025-05-04T10:00:00"`, or with a blank for the T',
        "timestamp[us]",
        "datetime",
    ),
    ColumnType(
        ("TIMESTAMP", "TIMESTAMP WITH TIME ZONE", "TIMESTAMPTZ"),
        _scalars.instant,
        "`datetime.datetime` with the offset written, else in UTC",
        "a DATETIME with `Z`, ` UTC`, `+02:00` or nothing; a number of seconds since 1970",
        "timestamp[us, tz=UTC]",
        "instant",
    ),
    ColumnType(
        ("BYTES",),
        _scalars.octets,
        "bytes",
        "base64, standard alphabet",
        "binary",
        "bytes",
    ),
    ColumnType(
        ("JSON", "JSONB"),
        _scalars.json_value,
        "the value of the JSON text",
        "any JSON",
        "string",
    ),
    TEXT,
)

TYPE_BY_NAME: Final = {name: each for each in TYPES for name in each.names}
"""Each scalar type by each of its names. A type without a cast, such as GEOGRAPHY, has no entry."""

RECORD_NAMES: Final = frozenset({"RECORD", "STRUCT"})
"""The names of the type whose cells are objects of subfields."""
