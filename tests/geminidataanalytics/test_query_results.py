"""Results of executed queries as rows and tables."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal
from typing import Any

import pyarrow as pa
import pytest
from support.analytics import gda

import turnwire


def executed(columns: list[tuple[str, str]], *rows: list[str]) -> gda.ExecutedQueryResult:
    json = {
        "columns": [{"name": name, "type": kind} for name, kind in columns],
        "rows": [{"values": [{"value": value} for value in row]} for row in rows],
    }
    return turnwire.from_dict(gda.ExecutedQueryResult, json)


CELLS: list[tuple[str, str, Any]] = [
    ("INT64", "9007199254740993", 2**53 + 1),
    ("NUMERIC", "1.50", Decimal("1.50")),
    ("BOOL", "true", True),
    ("VARCHAR", "x", "x"),
    (
        "TIMESTAMP",
        "2025-05-04T10:00:00.123456000Z",
        dt.datetime(2025, 5, 4, 10, 0, 0, 123456, dt.UTC),
    ),
    ("TIMESTAMP", "2025-05-04T10:00:00.123456789Z", "2025-05-04T10:00:00.123456789Z"),
    ("JSON", '{"a": [1]}', {"a": [1]}),
    ("FROB", "5", "5"),
]


def test_rows_are_typed() -> None:
    columns = [(f"c{place}", kind) for place, (kind, _, _) in enumerate(CELLS)]
    result = executed(columns, [cell for _, cell, _ in CELLS])
    [row] = gda.rows_of(result)
    assert list(row.values()) == [value for _, _, value in CELLS]
    assert gda.columns_of(result) == list(row) == [name for name, _ in columns]
    assert gda.Table(result).rows == [row]


def test_empty_cells() -> None:
    result = executed([("n", "INT64"), ("s", "STRING"), ("f", "FROB")], ["", "", ""], ["7"], [])
    none = {"n": None, "s": None, "f": None}
    assert gda.rows_of(result, strict=True) == [none | {"s": ""}, none | {"n": 7}, none]


def test_names_that_come_twice() -> None:
    result = executed([("n", "INT64"), ("n", "STRING"), ("", "BOOL")], ["7", "8", "true"])
    assert gda.rows_of(result) == [{"n": 7, "n_2": "8", "": True}]
    assert gda.Table(result).to_arrow().to_pylist() == [{"n": 7, "n_2": "8", "": True}]


def test_cells_beyond_the_columns() -> None:
    result = executed([("n", "INT64")], ["7"], ["8", ""])
    assert gda.rows_of(result) == [{"n": 7}, {"n": 8}]
    with pytest.raises(turnwire.ParseError) as caught:
        gda.rows_of(result, strict=True)
    assert caught.value.path == ("data", 1, "")


def test_tables() -> None:
    result = executed([("n", "INT64"), ("at", "TIMESTAMP")], ["7", ""])
    before = turnwire.to_json(result)
    table = gda.Table(result)
    assert table.to_arrow().schema.types == [pa.int64(), pa.timestamp("us", "UTC")]
    assert (table.row_count, table.for_display, table.name) == (1, True, "")
    assert [column.type for column in table.column_types] == ["INT64", "TIMESTAMP"]
    assert table == gda.Table(table.message)
    assert turnwire.to_json(result) == before


def test_a_query_that_failed_has_no_rows() -> None:
    failed = gda.ExecutedQueryResult(query_execution_error="permission denied for table sales")
    assert (gda.rows_of(failed), gda.columns_of(failed)) == ([], [])
    assert gda.Table(failed).to_arrow().num_rows == 0


@pytest.mark.parametrize("take", [gda.rows_of, gda.columns_of, gda.Table])
def test_other_objects(take: Any) -> None:
    with pytest.raises(TypeError, match="expected a DataResult or ExecutedQueryResult"):
        take({"rows": []})
