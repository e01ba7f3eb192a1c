"""Typed cells: casts that fit, misfits, and values of every kind that come back."""

from __future__ import annotations

import base64
import math
from datetime import UTC, date, datetime, time, timedelta, timezone
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.cases import for_each

from turnwire import geminidataanalytics as gda
from turnwire.errors import ParseError
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


@for_each(("type_name", "value", "expected"), FITTING)
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
    ("BYTES", "AAF="),
    ("BYTES", "////+x=="),
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


@for_each(("type_name", "value"), MISFITS)
def test_a_cell_that_does_not_fit_stays_as_it_was(type_name: str, value: Any) -> None:
    kept = cell(type_name, value, strict=False)
    assert kept == value
    assert type(kept) is type(value)
    with pytest.raises(ParseError) as caught:
        cell(type_name, value)
    assert caught.value.kind == "value"
    assert caught.value.path == ("data", 0, "c")
    assert len(str(caught.value)) < 300


@for_each("type_name", sorted({case[0] for case in FITTING} | {"RECORD"}))
def test_an_absent_or_null_cell_is_none(type_name: str) -> None:
    result = result_of([{"name": "c", "type": type_name}], {}, {"c": None})
    assert gda.rows_of(result, strict=True) == [{"c": None}, {"c": None}]


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
