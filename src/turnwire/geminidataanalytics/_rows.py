"""The rows and columns of one data result."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from google.protobuf.struct_pb2 import Struct
from turnwire_schema.geminidataanalytics.v1.data_pb2 import DataResult
from turnwire_schema.geminidataanalytics.v1.query_data_pb2 import ExecutedQueryResult

from turnwire._arguments import require
from turnwire.errors import ParseError
from turnwire.geminidataanalytics._cells import Misfit, columns_for, record_cast
from turnwire.geminidataanalytics._query_results import data_result_of
from turnwire.geminidataanalytics._shapes import Shape, shapes_of
from turnwire.geminidataanalytics._sparse import SparseRow, is_sparse, row_in_order
from turnwire.protojson._columns import Column
from turnwire.protojson._face import print_field, print_rows


def columns_of(result: DataResult | ExecutedQueryResult) -> list[str]:
    """The column names of a result, in order.

    They are the schema's fields in the schema's order. A result without a schema has the keys of
    all of its rows, sorted, because a Struct keeps no order.

    Raises:
        TypeError: The argument is neither a `DataResult` nor an `ExecutedQueryResult`.

    >>> from turnwire import geminidataanalytics as gda
    >>> fields = [gda.Field(name="station"), gda.Field(name="rides", type="INTEGER")]
    >>> columns_of(gda.DataResult(schema=gda.Schema(fields=fields)))
    ['station', 'rides']
    """
    result = data_result_of(result)
    if result.schema.fields:
        return list(dict.fromkeys(field.name for field in result.schema.fields))
    names: set[str] = set()
    for row in result.data:  # one by one: protobuf makes an object for each
        names.update(row.fields)
    return sorted(names)


def rows_of(
    result: DataResult | ExecutedQueryResult, *, strict: bool = False
) -> list[dict[str, Any]]:
    """The rows of a result with typed values: one dict a row, its keys the columns in order.

    The API sends simple values as strings and nested ones as lists and objects; the schema says
    what they mean:

    - INTEGER: int of 64 bits, every digit kept, never a float
    - FLOAT: float
    - NUMERIC, BIGNUMERIC and NUMBER: `decimal.Decimal`, every digit kept
    - BOOLEAN and YESNO: bool
    - DATE, TIME, DATETIME: `datetime.date`, `time`, and `datetime` without a zone
    - TIMESTAMP: `datetime.datetime` with the offset that was written, or in UTC; a number is
      seconds since 1970
    - BYTES: bytes, from base64
    - JSON: the value of the JSON text
    - RECORD, STRUCT and ``STRUCT<a INT64, …>``: a dict of its subfields in their order
    - mode REPEATED and ``ARRAY<…>``: a list of such values
    - any other type, and a result without a schema: the plain JSON value (whole
      numbers below 10**16 are int)

    The names of these types in other data sources, such as ``bigint`` and ``varchar(20)``, mean
    the same; docs/conversational-analytics.md lists them.

    An absent or null cell is None. A cell that does not fit its column's type stays what it was:
    a STRING column's number stays a number, an INTEGER column's ``"n/a"`` stays that string.

    A row of more than 64 columns that has fewer than one in eight of them holds only its own
    cells; any other column of it is None when it is asked for.

    Args:
        result: The result; it is not changed. Of an `ExecutedQueryResult`, which ``:queryData``
            gives, an empty cell is None, but ``""`` in a column of text; a name that comes twice
            gets a number.
        strict: Refuse a cell that does not fit, and a cell of a column that the schema lacks.

    Raises:
        TypeError: The argument is neither a `DataResult` nor an `ExecutedQueryResult`.
        ParseError: With ``strict``: ``path`` is the place, such as ``("data", 3, "rides")``.
        SerializeError: A number in the data is NaN or infinite, which JSON cannot send.

    >>> from turnwire import geminidataanalytics as gda
    >>> fields = [gda.Field(name="station"), gda.Field(name="rides", type="INTEGER")]
    >>> result = gda.DataResult(schema=gda.Schema(fields=fields))
    >>> result.data.add().update({"rides": "9007199254740993", "station": "Mill"})
    >>> rows_of(result)
    [{'station': 'Mill', 'rides': 9007199254740993}]
    """
    result = data_result_of(result)
    shapes = shapes_of(result.schema.fields)
    if not shapes:
        rows = _plain_rows(result, "data")
        names = _names_of(rows)
        # The members of a Struct come sorted, so that rows with all columns are in order already.
        if names is not None and all(len(row) == len(names) for row in rows):
            return rows
        # Each takes the place of the plain row: two lists of rows would be twice the memory.
        for index, row in enumerate(rows):
            rows[index] = SparseRow(row) if names is None else row_in_order(row, names)
        return rows
    if strict:
        return _strict_rows(result, shapes)
    return lenient_rows(result, shapes)


def lenient_rows(result: DataResult, shapes: Mapping[str, Shape]) -> list[dict[str, Any]]:
    """The rows with columns of these shapes; a cell that does not fit stays what it was."""
    if _some_are_sparse(result.data, len(shapes)):
        cast = record_cast(shapes, strict=False)
        rows = _plain_rows(result, "data")
        for index, row in enumerate(rows):
            rows[index] = cast(row)
        return rows
    return print_rows(result, "data", columns_for(shapes, strict=False))


def formatted_rows_of(result: DataResult) -> list[dict[str, Any]]:
    """The rows as the data source formats them for people, such as ``"€1,234.50"``.

    Row ``i`` shows row ``i`` of `rows_of`, with the same columns; there are as many rows. The
    values are strings; the service sends the raw value for a column without a format. What it
    does not send is None. The list is empty when the service applied no format at all.

    Raises:
        TypeError: The argument is not a `DataResult`.
        SerializeError: A number in the rows is NaN or infinite, which JSON cannot send.

    >>> from turnwire import geminidataanalytics as gda
    >>> result = gda.DataResult()
    >>> result.data.add().update({"takings": "1234.50"})
    >>> result.formatted_data.add().update({"takings": "€1,234.50"})
    >>> formatted_rows_of(result)
    [{'takings': '€1,234.50'}]
    """
    require(result, DataResult)
    if not result.formatted_data:
        return []
    columns = columns_of(result)
    known = frozenset(columns)
    formatted: list[dict[str, Any]]
    if _some_are_sparse(result.formatted_data, len(columns)):
        formatted = [
            row_in_order({name: row[name] for name in row if name in known}, columns)
            for row in _plain_rows(result, "formattedData")
        ]
    else:
        formatted = print_rows(result, "formattedData", [Column(name) for name in columns])
    # The index is all that ties a row to its formats: rows without any keep their place.
    missing = len(result.data) - len(formatted)
    formatted += [row_in_order({}, columns) for _ in range(missing)]
    return formatted[: len(result.data)]


def _names_of(rows: list[dict[str, Any]]) -> list[str] | None:
    """Returns the sorted names of all cells; None if there are so many that each row is sparse."""
    longest = max(map(len, rows), default=0)
    names: set[str] = set()
    for row in rows:
        names.update(row)
        if is_sparse(longest, len(names)):
            return None
    return sorted(names)


def _plain_rows(result: DataResult, name: str) -> list[dict[str, Any]]:
    """The rows of a field as plain JSON objects."""
    rows: list[dict[str, Any]] = print_field(result, name, [])
    return rows


def _some_are_sparse(rows: Iterable[Struct], column_count: int) -> bool:
    return is_sparse(0, column_count) and any(
        is_sparse(len(row.fields), column_count) for row in rows
    )


def _strict_rows(result: DataResult, shapes: Mapping[str, Shape]) -> list[dict[str, Any]]:
    cast = record_cast(shapes, strict=True)
    typed: list[dict[str, Any]] = []
    for index, row in enumerate(_plain_rows(result, "data")):
        try:
            typed.append(cast(row))
        except Misfit as misfit:
            raise ParseError(
                misfit.reason,
                kind="value",
                path=("data", index, *misfit.path),
                field=DataResult.DESCRIPTOR.fields_by_name["data"].full_name,
            ) from None
    return typed
