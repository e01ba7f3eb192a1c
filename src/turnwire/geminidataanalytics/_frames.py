"""Frames and files of tables."""

from __future__ import annotations

import csv
import io
import os
from collections.abc import Iterable, Iterator
from decimal import Context, Decimal, Inexact, InvalidOperation
from functools import partial
from pathlib import Path
from typing import Any

from turnwire._replacing import replacing
from turnwire.arrow._options import pyarrow
from turnwire.errors import MissingExtra

_EXACT = Context(prec=76, traps=[Inexact, InvalidOperation])
_MAX_DIGITS = 38
"""The digits of the decimals of polars."""

_DIGITS_OF_NUMERIC = (23, 38)
"""The digits of decimals in pandas. Quotients of two columns and a product with an integer fit the
76 digits of Arrow up to the first number, sums and a product with an integer up to the second."""

_SCALE_OF_NUMERIC = 9


def to_pandas(table: Any, types_mapper: Any) -> Any:
    """Returns an Arrow table as a frame of pandas; `Table.to_pandas` has the rules."""
    try:
        import pandas  # pyright: ignore[reportMissingImports]
    except ImportError:
        raise MissingExtra("pandas", "pandas") from None
    if types_mapper is None:
        table, types_mapper = _with_decimals_for_arithmetic(table), partial(_pandas_type, pandas)
    # In lists, pandas would make floats of integers beside a null, and take zones off.
    plain = [
        field.name
        for field in table.schema
        if pyarrow().types.is_nested(field.type) and types_mapper(field.type) is None
    ]
    frame = table.drop_columns(plain).to_pandas(types_mapper=types_mapper)
    for place, name in enumerate(table.column_names):
        if name in plain:
            cells = table.column(name).to_pylist()
            frame.insert(place, name, pandas.Series(cells, dtype=object, index=frame.index))
    return frame


def _pandas_type(pandas: Any, kind: Any) -> Any:
    """Returns the type of pandas for a column; None for the one that pyarrow chooses.

    pyarrow makes floats of integers beside a null, and objects of Python of what numpy lacks.
    """
    types = pyarrow().types
    if types.is_int64(kind):
        return pandas.Int64Dtype()
    if types.is_boolean(kind):
        return pandas.BooleanDtype()
    checks = (types.is_decimal, types.is_date, types.is_time, types.is_binary)
    return pandas.ArrowDtype(kind) if any(check(kind) for check in checks) else None


def _with_decimals_for_arithmetic(table: Any) -> Any:
    """Returns the table with decimals of the fewest digits that hold them, of 256 bits.

    Arrow gives results room for every digit that there could be. With 38 digits of 128 bits that is
    too much for any sum of two columns.
    """
    pa = pyarrow()
    for place, field in enumerate(table.schema):
        if not pa.types.is_decimal(field.type):
            continue
        for digits in _DIGITS_OF_NUMERIC:
            try:
                column = table.column(place).cast(pa.decimal256(digits, _SCALE_OF_NUMERIC))
            except pa.ArrowInvalid:
                continue
            table = table.set_column(place, field.with_type(column.type), column)
            break
    return table


def to_polars(table: Any) -> Any:
    """Returns an Arrow table as a frame of polars, which has no decimals of 256 bits."""
    try:
        import polars  # pyright: ignore[reportMissingImports]
    except ImportError:
        raise MissingExtra("polars", "polars") from None
    pa = pyarrow()
    for index, field in enumerate(table.schema):
        if "decimal256" in str(field.type):
            values = table.column(index).to_pylist()
            leaf = _leaf_type(list(_decimals(values)))
            array = pa.array(_replaced(values, leaf), _with_leaf(field.type, leaf))
            table = table.set_column(index, field.with_type(array.type), array)
    return polars.DataFrame(table)


def _decimals(value: Any) -> Iterator[Decimal]:
    if isinstance(value, Decimal):
        yield value
    elif isinstance(value, list | dict):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from _decimals(inner)


def _leaf_type(decimals: list[Decimal]) -> Any:
    """Returns the type of 128 bits that holds all of these exactly; text if there is none."""
    pa = pyarrow()
    scale = max((_scale(number) for number in decimals), default=0)
    whole = max((number.adjusted() + 1 for number in decimals if number), default=0)
    exact = scale + max(whole, 0) <= _MAX_DIGITS
    return pa.decimal128(_MAX_DIGITS, scale) if exact else pa.string()


def _scale(number: Decimal) -> int:
    """Returns the number of digits after the point, without zeros at the end."""
    _, digits, exponent = number.as_tuple()
    zeros = len(digits) - len("".join(map(str, digits)).rstrip("0"))
    return max(-int(exponent) - zeros, 0) if number else 0


def _with_leaf(kind: Any, leaf: Any) -> Any:
    pa = pyarrow()
    if pa.types.is_struct(kind):
        return pa.struct([field.with_type(_with_leaf(field.type, leaf)) for field in kind])
    if pa.types.is_list(kind):
        return pa.list_(_with_leaf(kind.value_type, leaf))
    return leaf if pa.types.is_decimal256(kind) else kind


def _replaced(value: Any, leaf: Any) -> Any:
    if isinstance(value, list):
        return [_replaced(item, leaf) for item in value]
    if isinstance(value, dict):
        return {name: _replaced(member, leaf) for name, member in value.items()}
    if isinstance(value, Decimal):
        # Arrow gives all 38 digits behind the point, of which the last ones may be zeros.
        exact = value.quantize(Decimal(1).scaleb(-_scale(value)), context=_EXACT)
        return format(exact, "f") if pyarrow().types.is_string(leaf) else exact
    return value


def write_parquet(table: Any, path: str | os.PathLike[str]) -> None:
    """Writes an Arrow table as a Parquet file."""
    import pyarrow.parquet as parquet

    with replacing(Path(path)) as file:
        parquet.write_table(table, file)


def write_csv(
    names: Iterable[str], rows: Iterable[Iterable[str | None]], path: str | os.PathLike[str]
) -> None:
    """Writes rows of texts as a CSV file in UTF-8; None is an empty cell."""
    with replacing(Path(path)) as file:
        text = io.TextIOWrapper(file, encoding="utf-8", newline="")
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(names)
        writer.writerows(rows)
        text.detach()
