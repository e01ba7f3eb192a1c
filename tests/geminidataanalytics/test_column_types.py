"""The table of column types: names of all data sources, composed types, and the documentation."""

from __future__ import annotations

import decimal
from datetime import UTC, date, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.cases import for_each

from turnwire import from_dict
from turnwire import geminidataanalytics as gda
from turnwire.geminidataanalytics._column_types import TYPES

PAGE = Path(__file__).parents[2] / "docs" / "conversational-analytics.md"


def cell(type_name: str, value: Any, mode: str = "") -> Any:
    field = {"name": "c", "type": type_name, "mode": mode}
    result = from_dict(gda.DataResult, {"schema": {"fields": [field]}, "data": [{"c": value}]})
    [row] = gda.rows_of(result, strict=True)
    assert gda.rows_of(result) == [row]
    return row["c"]


def test_the_page_lists_every_type_with_its_names() -> None:
    rows = [f"| {', '.join(each.names)} | {each.python} | {each.spelling} |" for each in TYPES]
    page = PAGE.read_text(encoding="utf-8").splitlines()
    start = page.index("| Type of the column | Python value | Accepted spelling |") + 2
    assert page[start : start + len(rows)] == rows


def test_no_name_means_two_types() -> None:
    names = [name for each in TYPES for name in each.names]
    assert len(names) == len(set(names))
    assert all(name == name.upper() for name in names)


@for_each(
    ("type_name", "value", "expected"),
    [
        ("numeric(10,2)", "12.50", Decimal("12.50")),
        ("DECIMAL", "1.5", Decimal("1.5")),
        ("BigDecimal(50, 3)", "1.5", Decimal("1.5")),
        ("bigint", "9007199254740993", 9007199254740993),
        ("int(11)", "3", 3),
        ("bigint(20) unsigned", "3", 3),
        ("int  Unsigned", "3", 3),
        ("SMALLINT", 3, 3),
        ("double precision", "1e2", 100.0),
        ("REAL", "0.5", 0.5),
        ("float32", "0.5", 0.5),
        ("character varying(20)", "007", "007"),
        ("STRING(MAX)", "x", "x"),
        ("TIMESTAMP(12)", "2025-05-04 10:00:00 UTC", datetime(2025, 5, 4, 10, tzinfo=UTC)),
        ("timestamp with time zone", "2025-05-04T10:00:00Z", datetime(2025, 5, 4, 10, tzinfo=UTC)),
        ("timestamp(6)  WITH time zone", "0", datetime(1970, 1, 1, tzinfo=UTC)),
        ("timestamp without time zone", "2025-05-04 10:00:00", datetime(2025, 5, 4, 10)),
        ("number", "9007199254740993", Decimal(9007199254740993)),
        ("yesno", "Yes", True),
        ("yesno", "no", False),
        ("yesno", False, False),
        ("date", "2025-05-04", date(2025, 5, 4)),
        ("ARRAY<INT64>", ["1", None], [1, None]),
        ("array< numeric(3, 1) >", ["1.5"], [Decimal("1.5")]),
        ("int[]", ["1"], [1]),
        ("text[][]", [["a"]], [["a"]]),
        (
            "STRUCT<a INT64, `b` ARRAY<STRUCT<c NUMERIC(10, 2), d BOOL>>>",
            {"b": [{"d": "true", "c": "1.50"}], "a": "7"},
            {"a": 7, "b": [{"c": Decimal("1.50"), "d": True}]},
        ),
        ("STRUCT<INT64, STRING>", {"_0": "7"}, {"_0": "7"}),
        ("RANGE<DATE>", "[2025-05-04, UNBOUNDED)", "[2025-05-04, UNBOUNDED)"),
        ("INTERVAL", "1-2 3 4:5:6", "1-2 3 4:5:6"),
        ("GEOGRAPHY", "POINT(1 2)", "POINT(1 2)"),
        ("", "7", "7"),
    ],
)
def test_types_of_all_data_sources(type_name: str, value: Any, expected: Any) -> None:
    typed = cell(type_name, value)
    assert typed == expected
    assert type(typed) is type(expected)
    if not isinstance(value, list):
        assert cell(type_name, [value], "REPEATED") == [expected]


@given(st.text("ARYSTUCINGaint<>()[], `64", max_size=60))
def test_any_text_is_a_type(text: str) -> None:
    assert gda.rows_of(from_dict(gda.DataResult, {"data": [{"c": "x"}]})) == [{"c": "x"}]
    field = {"name": "c", "type": text}
    result = from_dict(gda.DataResult, {"schema": {"fields": [field]}, "data": [{"c": {}}]})
    assert list(gda.rows_of(result)[0]) == ["c"]


@pytest.mark.parametrize("text", ["ARRAY<" * 5000 + ">" * 5000, "int" + "[]" * 5000, "STRUCT<"])
def test_a_type_that_nests_too_deeply_is_unknown(text: str) -> None:
    field = {"name": "c", "type": text}
    result = from_dict(gda.DataResult, {"schema": {"fields": [field]}, "data": [{"c": "x"}]})
    assert gda.rows_of(result) == [{"c": "x"}]


def test_a_context_of_decimals_that_rounds_and_traps_changes_nothing() -> None:
    with decimal.localcontext() as context:
        context.prec = 3
        context.traps = dict.fromkeys(context.traps, True)
        assert cell("NUMERIC", "12345.678") == Decimal("12345.678")
        assert cell("INTEGER", "12345e2") == 1234500
        assert cell("TIMESTAMP", "1746352800.123456").microsecond == 123456


class TestSparse:
    """Memory and time are in proportion to the input, whatever rows and columns it has."""

    COUNT = 300

    def check(self, rows: list[dict[str, Any]], columns: list[str], given: int) -> None:
        assert len(columns) == self.COUNT
        assert sum(map(len, rows)) <= max(64 * len(rows), 8 * given)
        for row in rows:
            assert {name: row[name] for name in columns} == {**dict.fromkeys(columns), **row}

    @pytest.mark.parametrize("typed", [False, True])
    def test_every_row_has_another_column(self, typed: bool) -> None:
        names = [f"c{n:03}" for n in range(self.COUNT)]
        fields = [{"name": name, "type": "INTEGER"} for name in names] if typed else []
        rows = [{name: "1"} for name in names]
        json = {"schema": {"fields": fields}, "data": rows, "formattedData": rows}
        table = gda.Table(from_dict(gda.DataResult, json))
        self.check(table.rows, table.columns, self.COUNT)
        self.check(table.formatted_rows, table.columns, self.COUNT)
        self.check(gda.rows_of(table.message, strict=True), table.columns, self.COUNT)
        assert [row[name] for row, name in zip(table.rows, names, strict=True)] == [
            1 if typed else "1"
        ] * self.COUNT
        table.rows[0]["c000"] = 2
        assert table.rows[0]["c000"] != 2

    def test_empty_rows_and_rows_without_formats(self) -> None:
        fields = [{"name": f"c{n:03}"} for n in range(self.COUNT)]
        json = {
            "schema": {"fields": fields},
            "data": [{}] * self.COUNT,
            "formattedData": [{"c000": "x", "other": "y"}],
        }
        table = gda.Table(from_dict(gda.DataResult, json))
        self.check(table.rows, table.columns, 0)
        self.check(table.formatted_rows, table.columns, 1)
        assert table.formatted_rows[:2] == [{"c000": "x"}, {}]

    def test_records_in_lists(self) -> None:
        members = [{"name": f"c{n:03}"} for n in range(self.COUNT)]
        field = {"name": "r", "type": "RECORD", "mode": "REPEATED", "subfields": members}
        json = {"schema": {"fields": [field]}, "data": [{"r": [{"c001": "x"}] * self.COUNT}]}
        [row] = gda.rows_of(from_dict(gda.DataResult, json))
        self.check(row["r"], [member["name"] for member in members], self.COUNT)

    def test_rows_with_an_eighth_of_the_columns_have_all_of_them(self) -> None:
        names = [f"c{n:03}" for n in range(self.COUNT)]
        fields = [{"name": name} for name in names]
        row = dict.fromkeys(names[: self.COUNT // 8 + 1], "x")
        json = {"schema": {"fields": fields}, "data": [row]}
        assert gda.rows_of(from_dict(gda.DataResult, json)) == [{**dict.fromkeys(names), **row}]
