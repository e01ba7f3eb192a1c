"""Rows, columns and typed cells of a data result."""

from __future__ import annotations

import base64
import math
from collections.abc import Callable
from datetime import UTC, date, datetime, time, timedelta, timezone
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


INDIA = timezone(timedelta(hours=5, minutes=30))
NEWFOUNDLAND = timezone(-timedelta(hours=3, minutes=30))

FITTING: list[tuple[str, Any, Any]] = [
    ("STRING", "0042", "0042"),
    ("STRING", "", ""),
    ("INTEGER", "9007199254740993", 9007199254740993),
    ("INT64", "-9223372036854775808", -(2**63)),
    ("INTEGER", "-0", 0),
    ("INTEGER", "1e2", 100),
    ("INTEGER", "5.0", 5),
    ("INTEGER", 5.0, 5),
    ("INTEGER", 7, 7),
    ("FLOAT", "18.25", 18.25),
    ("FLOAT64", "1e2", 100.0),
    ("FLOAT64", "3", 3.0),
    ("FLOAT64", 3, 3.0),
    ("FLOAT64", "-Infinity", -math.inf),
    ("FLOAT64", "inf", math.inf),
    ("NUMERIC", "12.50", Decimal("12.50")),
    ("BIGNUMERIC", "1" + "0" * 37 + ".01", Decimal("1" + "0" * 37 + ".01")),
    ("NUMERIC", 0.1, Decimal("0.1")),
    ("NUMERIC", 3, Decimal("3")),
    ("BOOLEAN", "true", True),
    ("BOOL", "False", False),
    ("BOOL", True, True),
    ("DATE", "2024-02-29", date(2024, 2, 29)),
    ("TIME", "23:59:59", time(23, 59, 59)),
    ("TIME", "10:00:00.5", time(10, 0, 0, 500000)),
    ("DATETIME", "2025-05-04T10:00:00", datetime(2025, 5, 4, 10)),
    ("DATETIME", "2025-05-04 10:00:00.000001", datetime(2025, 5, 4, 10, 0, 0, 1)),
    ("DATETIME", "2025-05-04T10:00:00.123456000", datetime(2025, 5, 4, 10, 0, 0, 123456)),
    ("TIMESTAMP", "2025-05-04 10:00:00 UTC", datetime(2025, 5, 4, 10, tzinfo=UTC)),
    ("TIMESTAMP", "2025-05-04T10:00:00Z", datetime(2025, 5, 4, 10, tzinfo=UTC)),
    ("TIMESTAMP", "2025-05-04 10:00:00", datetime(2025, 5, 4, 10, tzinfo=UTC)),
    ("TIMESTAMP", "2025-05-04 10:00:00+00", datetime(2025, 5, 4, 10, tzinfo=UTC)),
    ("TIMESTAMP", "2025-05-04T10:00:00.25+05:30", datetime(2025, 5, 4, 10, 0, 0, 250000, INDIA)),
    ("TIMESTAMP", "2025-05-04T10:00:00-0330", datetime(2025, 5, 4, 10, tzinfo=NEWFOUNDLAND)),
    ("TIMESTAMP", "1.7463528E9", datetime(2025, 5, 4, 10, tzinfo=UTC)),
    ("TIMESTAMP", "1746352800.123456", datetime(2025, 5, 4, 10, 0, 0, 123456, UTC)),
    ("TIMESTAMP", "-0.5", datetime(1969, 12, 31, 23, 59, 59, 500000, UTC)),
    ("TIMESTAMP", 1746352800, datetime(2025, 5, 4, 10, tzinfo=UTC)),
    ("TIMESTAMP", "0e999999999", datetime(1970, 1, 1, tzinfo=UTC)),
    ("INTEGER", "0e999999999", 0),
    ("INTEGER", "-0.000e-999999999", 0),
    ("BYTES", "+/8=", b"\xfb\xff"),
    ("BYTES", "", b""),
    (
        "JSON",
        '{"b": 9007199254740993, "a": [null, "x"]}',
        {"b": 9007199254740993, "a": [None, "x"]},
    ),
    ("JSON", "null", None),
    ("JSON", '"text"', "text"),
    ("JSON", {"a": ["1"]}, {"a": ["1"]}),
    ("GEOGRAPHY", "POINT(1 2)", "POINT(1 2)"),
    ("", 5, 5),
    ("integer", "5", 5),
]


@pytest.mark.parametrize(("type_name", "value", "expected"), FITTING)
def test_a_cell_becomes_a_value_of_its_type(type_name: str, value: Any, expected: Any) -> None:
    typed = cell(type_name, value)
    assert typed == expected
    assert type(typed) is type(expected)
    assert str(typed) == str(expected)  # 12.50 and 12.5 are equal Decimals, and not the same
    assert cell(type_name, value, strict=False) == expected


MISFITS: list[tuple[str, Any]] = [
    ("STRING", 5),
    ("STRING", True),
    ("INTEGER", "n/a"),
    ("INTEGER", "5.5"),
    ("INTEGER", 5.5),
    ("INTEGER", True),
    ("INTEGER", "true"),
    ("INTEGER", "9223372036854775808"),
    ("INTEGER", "1e999999999"),
    ("INTEGER", "0042"),
    ("INTEGER", "+3"),
    ("INTEGER", "1_000"),
    ("INTEGER", " 3"),
    ("INTEGER", "٣"),
    ("INTEGER", ["3"]),
    ("FLOAT", "1e400"),
    ("FLOAT", "1_0"),
    ("FLOAT", "infinity"),
    ("FLOAT", False),
    ("NUMERIC", "NaN"),
    ("NUMERIC", "€5"),
    ("NUMERIC", True),
    ("BOOL", "1"),
    ("BOOL", 1),
    ("BOOL", "yes"),
    ("DATE", "2025-02-30"),
    ("DATE", "20250504"),
    ("DATE", "2025-W18-7"),
    ("DATE", 20250504),
    ("TIME", "24:00:00"),
    ("TIME", "10:00"),
    ("DATETIME", "2025-05-04T10:00:00Z"),
    ("DATETIME", "2025-05-04T10:00:00.1234567"),
    ("DATETIME", "2025-05-04"),
    ("TIMESTAMP", "2025-05-04 10:00:00 PST"),
    ("TIMESTAMP", "2025-05-04 10:00:00 +02:00:00"),
    ("TIMESTAMP", "2025-05-04 10:00:00+25:00"),
    ("TIMESTAMP", "1746352800000000"),
    ("TIMESTAMP", "2025-05-04 10:00:00+00:99"),
    ("TIMESTAMP", "2025-05-04 10:00:00-0060"),
    ("TIMESTAMP", "2025-05-04 10:00:00+24"),
    ("TIMESTAMP", "1746352800.1234560000000000000000001"),
    ("TIMESTAMP", "1e-7"),
    ("TIMESTAMP", "1e-999999999"),
    ("INTEGER", "10000000000000000000000000001e-28"),
    ("NUMERIC", "1e99999999999999999999"),
    ("TIMESTAMP", True),
    ("BYTES", "a"),
    ("BYTES", "YW Jj"),
    ("BYTES", "é"),
    ("BYTES", 5),
    ("JSON", "{"),
    ("JSON", "NaN"),
    ("JSON", "[1e400]"),
    ("JSON", "-1e400"),
    ("JSON", "9" * 5000),
    ("JSON", '{"a": 1, "b": {"c": 1, "c": 2}}'),
    ("JSON", '{"a": 1, "\\u0061": 1}'),
    ("JSON", '"\\ud83d"'),
    ("JSON", '[{"\\uDE00": "\\uD83D\\uDE00"}]'),
    ("JSON", '{"a": ["\\uDE00\\uD83D"]}'),
    ("JSON", ""),
    ("JSON", "[" * 100_000),
    ("RECORD", "x"),
    ("STRUCT", ["x"]),
]


@pytest.mark.parametrize(("type_name", "value"), MISFITS)
def test_a_cell_that_does_not_fit_stays_as_it_was(type_name: str, value: Any) -> None:
    kept = cell(type_name, value, strict=False)
    assert kept == value
    assert type(kept) is type(value)
    with pytest.raises(ParseError) as caught:
        cell(type_name, value)
    assert caught.value.kind == "value"
    assert caught.value.path == ("data", 0, "c")
    assert len(str(caught.value)) < 300


@pytest.mark.parametrize("type_name", sorted({case[0] for case in FITTING} | {"RECORD"}))
def test_an_absent_or_null_cell_is_none(type_name: str) -> None:
    result = result_of([{"name": "c", "type": type_name}], {}, {"c": None})
    assert gda.rows_of(result, strict=True) == [{"c": None}, {"c": None}]


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


@given(st.lists(st.dictionaries(st.text(), st.text(), max_size=4)))
def test_columns_without_a_schema_are_sorted_in_every_row(rows: list[dict[str, str]]) -> None:
    result = from_dict(gda.DataResult, {"data": rows})
    columns = sorted({name for row in rows for name in row})
    assert gda.columns_of(result) == columns
    assert [list(row) for row in gda.rows_of(result)] == [columns] * len(rows)


@given(st.integers(-(2**63), 2**63 - 1))
def test_every_integer_keeps_its_digits(number: int) -> None:
    assert cell("INT64", str(number)) == number


@given(st.decimals(allow_nan=False, allow_infinity=False, places=9))
def test_every_decimal_keeps_its_digits(number: Decimal) -> None:
    text = f"{number:f}"
    assert str(cell("NUMERIC", text)) == str(Decimal(text))


@given(st.floats())
def test_every_float_comes_back(number: float) -> None:
    typed = cell("FLOAT64", repr(number))
    assert typed == number or (math.isnan(typed) and math.isnan(number))


@given(st.binary())
def test_every_byte_string_comes_back(data: bytes) -> None:
    assert cell("BYTES", base64.b64encode(data).decode()) == data


@given(st.datetimes())
def test_every_datetime_comes_back(moment: datetime) -> None:
    assert cell("DATETIME", moment.isoformat()) == moment
    assert cell("TIMESTAMP", f"{moment.isoformat(' ')} UTC") == moment.replace(tzinfo=UTC)
    assert cell("DATE", moment.date().isoformat()) == moment.date()
    assert cell("TIME", moment.time().isoformat()) == moment.time()


PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


@given(st.sampled_from([case[0] for case in FITTING]), st.sampled_from(["", "REPEATED"]), PLAIN)
def test_reading_never_fails_and_never_changes_the_result(
    type_name: str, mode: str, value: Any
) -> None:
    field = {"name": "c", "type": type_name, "mode": mode}
    result = result_of([field, {"name": "missing"}], {"c": value, "other": 1})
    before = result.SerializeToString(deterministic=True)
    gda.rows_of(result)
    gda.columns_of(result)
    gda.formatted_rows_of(result)
    assert result.SerializeToString(deterministic=True) == before
