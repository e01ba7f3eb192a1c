"""Comma-separated values that an analysis gives, as a result."""

from __future__ import annotations

import csv
import io

from turnwire_schema.geminidataanalytics.v1.data_pb2 import DataResult
from turnwire_schema.geminidataanalytics.v1.schema_pb2 import Field, Schema


def result_of_csv(text: str) -> DataResult | None:
    r"""A result with the rows of a CSV text; None for a text without a header.

    The first line names the columns, whose cells are text: a CSV knows no types. A name that
    comes twice gets a number, and so does a column without a name beside the header. A text that
    Python's csv module refuses becomes one cell.

    >>> result = result_of_csv("month,cups\n5,1204\n") or DataResult()
    >>> [field.name for field in result.schema.fields], result.data[0]["cups"]
    (['month', 'cups'], '1204')
    """
    text = text.removeprefix("\ufeff")
    try:
        header, *rows = [row for row in csv.reader(io.StringIO(text, newline="")) if row] or [[]]
    except csv.Error:  # a field beyond the module's limit
        header, rows = ["resultCsvData"], [[text]]
    if not header:
        return None
    names = unique_names([*header, *([""] * (max(map(len, rows), default=0) - len(header)))])
    result = DataResult(schema=Schema(fields=[Field(name=name, type="STRING") for name in names]))
    for row in rows:
        fields = result.data.add().fields
        for name, cell in zip(names, row, strict=False):
            fields[name].string_value = cell
    return result


def unique_names(names: list[str]) -> list[str]:
    """The names, those that come again with a number behind them.

    >>> unique_names(["a", "b", "a"])
    ['a', 'b', 'a_2']
    """
    taken: set[str] = set()
    next_number: dict[str, int] = {}
    unique: list[str] = []
    for name in names:
        candidate = name
        while candidate in taken:
            number = next_number[name] = next_number.get(name, 1) + 1
            candidate = f"{name}_{number}"
        taken.add(candidate)
        unique.append(candidate)
    return unique
