"""The results of executed queries as data results."""

from __future__ import annotations

from turnwire_schema.geminidataanalytics.v1.data_pb2 import DataResult
from turnwire_schema.geminidataanalytics.v1.query_data_pb2 import ExecutedQueryResult
from turnwire_schema.geminidataanalytics.v1.schema_pb2 import Field, Schema

from turnwire._arguments import require
from turnwire.geminidataanalytics._column_types import TEXT
from turnwire.geminidataanalytics._csv import unique_names
from turnwire.geminidataanalytics._shapes import shape_of


def data_result_of(result: DataResult | ExecutedQueryResult) -> DataResult:
    """A data result as it is, or one with the rows of an executed query.

    Cells of an executed query have places in place of names, so a name that comes twice gets a
    number. An empty cell is absent, save in a column of text: the service does not tell null and
    the empty text apart. A cell beyond the columns is one of a column that the schema lacks.

    Raises:
        TypeError: The argument is neither.

    >>> from turnwire import from_dict, geminidataanalytics as gda
    >>> rides = {"columns": [{"name": "n"}], "rows": [{"values": [{"value": "7"}]}]}
    >>> data_result_of(from_dict(gda.ExecutedQueryResult, rides)).data[0]["n"]
    '7'
    """
    if isinstance(result, DataResult):
        return result
    require(result, DataResult, ExecutedQueryResult)
    fields = [Field(name=column.name, type=column.type) for column in result.columns]
    longest = max((len(row.values) for row in result.rows), default=0)
    known = [field.name for field in fields]
    names = unique_names([*known, *([""] * (longest - len(fields)))])
    for field, name in zip(fields, names, strict=False):
        field.name = name
    is_text = [shape_of(field).scalar is TEXT for field in fields]
    is_kept = [*is_text, *([True] * (len(names) - len(fields)))]
    made = DataResult(schema=Schema(fields=fields))
    for row in result.rows:
        cells = made.data.add().fields
        for name, cell, keeps_empty in zip(names, row.values, is_kept, strict=False):
            if cell.value or keeps_empty:
                cells[name].string_value = cell.value
    return made
