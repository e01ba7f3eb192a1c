"""Rows and columns of a data result, nested and formatted ones too."""

from __future__ import annotations

import math
from collections.abc import Callable
from datetime import date
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnwire import geminidataanalytics as gda
from turnwire.errors import ParseError, SerializeError
from turnwire.protojson import from_dict


def result_of(fields: list[dict[str, Any]], *rows: dict[str, Any]) -> gda.DataResult:
    return from_dict(gda.DataResult, {"schema": {"fields": fields}, "data": list(rows)})


def cell(type_name: str, value: Any, *, strict: bool = True, mode: str = "") -> Any:
    result = result_of([{"name": "c", "type": type_name, "mode": mode}], {"c": value})
    return gda.rows_of(result, strict=strict)[0]["c"]


def test_repeated_columns_are_lists() -> None:
    assert cell("INTEGER", ["1", None, "3"], mode="REPEATED") == [1, None, 3]
    assert cell("DATE", [], mode="repeated") == []
    assert cell("INTEGER", None, mode="REPEATED") is None
    assert cell("INTEGER", ["1", "x"], mode="REPEATED", strict=False) == [1, "x"]
    assert cell("INTEGER", "1", mode="REPEATED", strict=False) == "1"


ORDER = {
    "name": "order",
    "type": "RECORD",
    "mode": "REPEATED",
    "subfields": [
        {"name": "at", "type": "DATE"},
        {
            "name": "item",
            "type": "STRUCT",
            "subfields": [
                {"name": "price", "type": "NUMERIC"},
                {"name": "codes", "type": "INTEGER", "mode": "REPEATED"},
            ],
        },
    ],
}


def test_records_nest_in_the_order_of_the_schema() -> None:
    item = {"codes": ["7"], "price": "1.10"}
    result = result_of([ORDER], {"order": [{"item": item, "at": "2025-05-04"}, {}]})
    first, second = gda.rows_of(result, strict=True)[0]["order"]
    assert first == {"at": date(2025, 5, 4), "item": {"price": Decimal("1.10"), "codes": [7]}}
    assert list(first) == ["at", "item"]
    assert list(first["item"]) == ["price", "codes"]
    assert second == {"at": None, "item": None}


def test_one_bad_leaf_spoils_no_other() -> None:
    item = {"codes": ["7", "?"], "price": "1.10"}
    result = result_of([ORDER], {}, {"order": [{"at": "2025-05-04", "item": item}]})
    (order,) = gda.rows_of(result)[1]["order"]
    assert order == {
        "at": date(2025, 5, 4),
        "item": {"price": Decimal("1.10"), "codes": [7, "?"]},
    }
    with pytest.raises(ParseError) as caught:
        gda.rows_of(result, strict=True)
    assert caught.value.path == ("data", 1, "order", 0, "item", "codes", 1)
    assert str(caught.value) == (
        'expected INTEGER, got string "?" at $.data[1].order[0].item.codes[1] '
        "(turnwire_schema.geminidataanalytics.v1.DataResult.data)"
    )


def test_a_record_without_subfields_stays_an_object() -> None:
    assert cell("RECORD", {"b": "1", "a": 2}) == {"b": "1", "a": 2}


def test_columns_follow_the_schema_and_rows_the_columns() -> None:
    fields = [{"name": "z"}, {"name": "a"}, {"name": "z", "type": "INTEGER"}]
    result = result_of(fields, {"a": "1", "z": "2", "extra": "3"})
    assert gda.columns_of(result) == ["z", "a"]
    assert [list(row.items()) for row in gda.rows_of(result)] == [[("z", "2"), ("a", "1")]]
    with pytest.raises(ParseError) as caught:
        gda.rows_of(result, strict=True)
    assert caught.value.path == ("data", 0, "extra")


def test_without_a_schema_the_columns_are_all_keys_sorted() -> None:
    result = from_dict(gda.DataResult, {"data": [{"b": "1"}, {}, {"a": 2, "b": [1.5]}]})
    assert gda.columns_of(result) == ["a", "b"]
    assert gda.rows_of(result) == [
        {"a": None, "b": "1"},
        {"a": None, "b": None},
        {"a": 2, "b": [1.5]},
    ]
    assert type(gda.rows_of(result)[2]["a"]) is int


def test_rows_without_any_cell_are_still_rows() -> None:
    result = from_dict(gda.DataResult, {"data": [{}, {}]})
    assert gda.columns_of(result) == []
    assert gda.rows_of(result) == [{}, {}]


def test_formatted_rows_run_parallel() -> None:
    result = from_dict(
        gda.DataResult,
        {
            "schema": {"fields": [{"name": "day", "type": "DATE"}, {"name": "takings"}]},
            "data": [{"day": "2025-03-01", "takings": "5"}, {"day": "2025-03-02"}],
            "formattedData": [{"takings": "€5.00", "day": "1 March"}, {"day": "2 March"}],
        },
    )
    formatted = gda.formatted_rows_of(result)
    assert [list(row.values()) for row in formatted] == [["1 March", "€5.00"], ["2 March", None]]
    assert gda.formatted_rows_of(gda.DataResult()) == []


@pytest.mark.parametrize("count", range(4))
def test_there_are_as_many_formatted_rows_as_rows(count: int) -> None:
    result = from_dict(
        gda.DataResult,
        {
            "data": [{"n": "1"}, {"n": "2"}],
            "formattedData": [{"n": f"{number}."} for number in range(1, count + 1)],
        },
    )
    expected = [{"n": "1."}, {"n": "2."}][:count] + [{"n": None}] * (2 - count)
    assert gda.formatted_rows_of(result) == (expected if count else [])
    assert len(result.formatted_data) == count


@pytest.mark.parametrize("read", [gda.rows_of, gda.columns_of, gda.formatted_rows_of])
@pytest.mark.parametrize("wrong", [gda.Message(), gda.DataMessage(), {"data": []}, None])
def test_only_a_result_has_rows(read: Callable[[Any], Any], wrong: object) -> None:
    with pytest.raises(TypeError, match=rf"a DataResult .*got .*{type(wrong).__name__}"):
        read(wrong)


def test_a_number_that_json_has_not_is_an_error_at_its_place() -> None:
    result = result_of([{"name": "gap", "type": "FLOAT64"}], {"gap": 1})
    result.data[0].fields["gap"].number_value = math.nan
    with pytest.raises(SerializeError) as caught:
        gda.rows_of(result)
    assert caught.value.path == ("data", 0, "gap")


def test_formatted_rows_do_not_stop_the_rows() -> None:
    result = gda.DataResult()
    result.data.add().update({"gap": 1})
    result.formatted_data.add().fields["gap"].number_value = math.nan
    assert gda.rows_of(result) == [{"gap": 1}]
    with pytest.raises(SerializeError):
        gda.formatted_rows_of(result)


def test_rows_can_be_changed_without_changing_the_table() -> None:
    columns = [{"name": "n", "type": "INTEGER"}, {"name": "tags", "mode": "REPEATED"}]
    table = gda.Table(result_of(columns, {"n": "1", "tags": ["a"]}))
    table.rows[0]["tags"].append("b")
    table.rows[0]["n"] = 2
    table.rows.clear()
    assert table.rows == [{"n": 1, "tags": ["a"]}]


@pytest.mark.parametrize("nested", [["x"], {"x": ["y"]}, [{"x": "y"}]])
def test_a_row_with_a_cell_that_can_be_changed_has_it_for_itself(nested: Any) -> None:
    """Also where the column has only texts otherwise, and by its type could hold nothing else."""
    columns = [{"name": "a", "type": "STRING"}, {"name": "b", "type": "JSON"}]
    row = {"a": nested, "b": nested}
    table = gda.Table(result_of(columns, {"a": "1"}, row, {"b": "2"}))
    changed = table.rows[1]
    for cell in changed.values():
        cell.clear()
    assert table.rows[1] == row
    assert table.rows[1] is not table.rows[1]


def test_a_table_is_its_result() -> None:
    table = gda.Table(result_of([{"name": "n", "type": "INTEGER"}], {"n": "1"}))
    assert table.rows == [{"n": 1}]
    assert table == gda.Table(table.message)
    assert repr(table) == "Table('', columns=['n'], rows=1)"
    empty = gda.Table(gda.DataResult())
    assert (empty.rows, empty.for_display) == ([], False)


def test_a_wide_table_prints_on_one_line() -> None:
    fields = [{"name": f"column_{index}" * 50} for index in range(1000)]
    assert len(repr(gda.Table(result_of(fields, {})))) < 1000


# Rows of more than 64 columns may be sparse.
@given(st.lists(st.dictionaries(st.text(), st.text(), max_size=4), max_size=16))
def test_columns_without_a_schema_are_sorted_in_every_row(rows: list[dict[str, str]]) -> None:
    result = from_dict(gda.DataResult, {"data": rows})
    columns = sorted({name for row in rows for name in row})
    assert gda.columns_of(result) == columns
    assert [list(row) for row in gda.rows_of(result)] == [columns] * len(rows)
