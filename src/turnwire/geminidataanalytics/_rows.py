"""The rows and columns of one data result."""

from __future__ import annotations

from typing import Any

from turnwire_schema.geminidataanalytics.v1.data_pb2 import DataResult

from turnwire import _core
from turnwire._arguments import require
from turnwire.errors import ParseError
from turnwire.geminidataanalytics._cells import Misfit, columns_for, record_cast
from turnwire.protojson._columns import Column


def columns_of(result: DataResult) -> list[str]:
    """The column names of a result, in order.

    They are the schema's fields in the schema's order. A result without a schema has the keys of
    all of its rows, sorted, because a Struct keeps no order.

    Raises:
        TypeError: It is no `DataResult`.

    >>> from turnwire import geminidataanalytics as gda
    >>> fields = [gda.Field(name="station"), gda.Field(name="rides", type="INTEGER")]
    >>> columns_of(gda.DataResult(schema=gda.Schema(fields=fields)))
    ['station', 'rides']
    """
    require(result, DataResult)
    if result.schema.fields:
        return list(dict.fromkeys(field.name for field in result.schema.fields))
    return sorted(set[str]().union(*(row.fields for row in result.data)))


def rows_of(result: DataResult, *, strict: bool = False) -> list[dict[str, Any]]:
    """The rows of a result with typed values: one dict a row, its keys the columns in order.

    The API sends simple values as strings and nested ones as lists and objects; the schema says
    what they mean:

    - INTEGER and INT64: int of 64 bits, every digit kept, never a float
    - FLOAT and FLOAT64: float
    - NUMERIC and BIGNUMERIC: `decimal.Decimal`, every digit kept
    - BOOLEAN and BOOL: bool
    - DATE, TIME, DATETIME: `datetime.date`, `time`, and `datetime` without a zone
    - TIMESTAMP: `datetime.datetime` with the offset that was written, or in UTC; a number is
      seconds since 1970
    - BYTES: bytes, from base64
    - JSON: the value that the JSON text means
    - RECORD and STRUCT: a dict of its subfields in their order
    - mode REPEATED: a list of such values
    - any other type, and a result without a schema: the plain JSON value (whole
      numbers below 10**16 are int)

    An absent or null cell is None. A cell that does not fit its column's type stays what it was:
    a STRING column's number stays a number, an INTEGER column's ``"n/a"`` stays that string.

    Args:
        result: The result; it is not changed.
        strict: Refuse a cell that does not fit, and a cell of a column that the schema lacks.

    Raises:
        TypeError: It is no `DataResult`.
        ParseError: With ``strict``: ``path`` is the place, such as ``("data", 3, "rides")``.
        SerializeError: A number in the data is NaN or infinite, which JSON cannot send.

    >>> from turnwire import geminidataanalytics as gda
    >>> fields = [gda.Field(name="station"), gda.Field(name="rides", type="INTEGER")]
    >>> result = gda.DataResult(schema=gda.Schema(fields=fields))
    >>> result.data.add().update({"rides": "9007199254740993", "station": "Mill"})
    >>> rows_of(result)
    [{'station': 'Mill', 'rides': 9007199254740993}]
    """
    require(result, DataResult)
    fields = result.schema.fields
    if strict and fields:
        return _strict_rows(result)
    return _core.print_rows(result, "data", columns_for(fields, strict=False) or None)


def formatted_rows_of(result: DataResult) -> list[dict[str, Any]]:
    """The rows as the data source formats them for people, such as ``"€1,234.50"``.

    Row ``i`` shows row ``i`` of `rows_of`, with the same columns; there are as many rows. The
    values are strings; the service sends the raw value for a column without a format. What it
    does not send is None. The list is empty when the service applied no format at all.

    Raises:
        TypeError: It is no `DataResult`.
        SerializeError: A number in the rows is NaN or infinite, which JSON cannot send.

    >>> from turnwire import geminidataanalytics as gda
    >>> result = gda.DataResult()
    >>> result.data.add().update({"takings": "1234.50"})
    >>> result.formatted_data.add().update({"takings": "€1,234.50"})
    >>> formatted_rows_of(result)
    [{'takings': '€1,234.50'}]
    """
    require(result, DataResult)
    columns = columns_of(result)
    formatted = _core.print_rows(result, "formattedData", [Column(name) for name in columns])
    if not formatted:
        return []
    # The index is all that ties a row to its formats: rows without any keep their place.
    missing = len(result.data) - len(formatted)
    formatted += [dict.fromkeys(columns) for _ in range(missing)]
    return formatted[: len(result.data)]


def _strict_rows(result: DataResult) -> list[dict[str, Any]]:
    cast = record_cast(result.schema.fields, strict=True)
    rows: list[dict[str, Any]] = _core.print_field(result, "data", [])
    typed: list[dict[str, Any]] = []
    for index, row in enumerate(rows):
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
