"""Values of Python's own types in `from_dict`: for the fields that mean them, and nowhere else."""

from __future__ import annotations

import decimal
from collections import UserDict
from datetime import UTC, date, datetime, timedelta, timezone
from decimal import Decimal
from typing import Any

import pytest
from google.protobuf import any_pb2
from support.cases import for_each
from support.everything import EVERYTHING3

import turnwire
from turnwire import from_dict, to_dict

EAST = timezone(timedelta(hours=5, minutes=30))


@for_each(
    ("member", "value", "printed"),
    [
        ("wktTimestamp", datetime(2025, 11, 5, 10, 15, 30, tzinfo=UTC), "2025-11-05T10:15:30Z"),
        ("wktTimestamp", datetime(2025, 11, 5, 1, tzinfo=EAST), "2025-11-04T19:30:00Z"),
        ("wktTimestamp", datetime(1969, 12, 31, 23, 59, 59, 1, UTC), "1969-12-31T23:59:59.000001Z"),
        ("wktTimestamp", datetime.min.replace(tzinfo=UTC), "0001-01-01T00:00:00Z"),
        ("wktTimestamp", datetime.max.replace(tzinfo=UTC), "9999-12-31T23:59:59.999999Z"),
        ("wktDuration", timedelta(seconds=1.5), "1.500s"),
        ("wktDuration", timedelta(microseconds=-1), "-0.000001s"),
        ("wktDuration", timedelta(days=-1, seconds=1), "-86399s"),
        ("wktDuration", timedelta(days=3_652_500), "315576000000s"),
        ("wktDuration", timedelta(0), "0s"),
        ("oneBytes", b"\xff\x00", "/wA="),
        ("oneBytes", bytearray(b"ab"), "YWI="),
        ("oneBytes", memoryview(b"axbx")[::2], "YWI="),
        ("wktBytesvalue", b"", ""),
        ("oneDouble", Decimal("1.25"), 1.25),
        ("oneDouble", Decimal("NaN"), "NaN"),
        ("oneDouble", Decimal("-Infinity"), "-Infinity"),
        ("oneFloat", Decimal("0.1"), 0.1),
        ("oneInt32", Decimal("7.00"), 7),
        ("oneInt64", Decimal("9223372036854775807"), "9223372036854775807"),
        ("oneUint64", Decimal("1E+3"), "1000"),
        ("wktInt64value", Decimal(-5), "-5"),
        ("wktValue", Decimal("0.5"), 0.5),
        ("wktStruct", {"a": [Decimal("1e3")]}, {"a": [1000]}),
    ],
)
def test_values_for_the_fields_that_mean_them(member: str, value: Any, printed: Any) -> None:
    assert to_dict(from_dict(EVERYTHING3, {member: value})) == {member: printed}
    if not isinstance(value, dict):
        many = member.replace("one", "many").replace("wkt", "wkts")
        assert to_dict(from_dict(EVERYTHING3, {many: [value, value]})) == {many: [printed] * 2}


@for_each("number", [1.0 * (2**60 + 2**9), 9.223372036854775e18, 1e17 + 16, 2.0**53 + 2, 2.0**62])
def test_a_whole_float_is_exactly_that_integer(number: float) -> None:
    # The shortest digits that read back as the float may be another integer.
    for sign in (1, -1):
        value = {"oneInt64": sign * number, "manyDouble": [sign * number]}
        message = from_dict(EVERYTHING3, value)
        assert message.one_int64 == sign * int(number)
        assert message.many_double == [sign * number]
        assert from_dict(EVERYTHING3, {"wktInt64value": sign * number}) == from_dict(
            EVERYTHING3, {"wktInt64value": str(sign * int(number))}
        )
    for unsigned in (number, 2.0**63, 2.0**64 - 2**11):
        assert from_dict(EVERYTHING3, {"oneUint64": unsigned}).one_uint64 == int(unsigned)
    for beyond in (2.0**63, -(2.0**63) - 2**11, 1e300):
        with pytest.raises(turnwire.ParseError, match="outside of"):
            from_dict(EVERYTHING3, {"oneInt64": beyond})
    assert from_dict(EVERYTHING3, {"oneInt64": -(2.0**63)}).one_int64 == -(2**63)


@for_each(
    ("member", "value", "kind", "reason"),
    [
        ("wktTimestamp", datetime(2025, 1, 1), "value", "with a time zone"),
        ("wktTimestamp", date(2025, 1, 1), "type", "got a Python date"),
        ("wktTimestamp", datetime.min.replace(tzinfo=EAST), "range", "outside of the years"),
        ("wktTimestamp", timedelta(1), "type", "got a Python timedelta"),
        ("wktDuration", timedelta(days=3_652_501), "range", "longer than"),
        ("wktDuration", datetime.now(UTC), "type", "got a Python datetime"),
        ("wktDuration", 5, "type", "got number"),
        ("oneBytes", Decimal(1), "type", "expected base64"),
        ("oneString", b"text", "type", "got a Python bytes"),
        ("oneString", Decimal(1), "type", "got a Python Decimal"),
        ("oneBool", Decimal(1), "type", "got a Python Decimal"),
        ("oneInt32", Decimal("1.5"), "value", "whole number"),
        ("oneInt32", Decimal("NaN"), "value", "number"),
        ("oneInt32", Decimal("sNaN"), "value", "number"),
        ("oneInt32", Decimal("1e999999"), "range", "does not fit"),
        ("oneDouble", Decimal("sNaN"), "value", "number"),
        ("oneDouble", Decimal("1e400"), "range", "too large"),
        ("colour", Decimal(1), "type", "got a Python Decimal"),
        ("wktStruct", {"a": Decimal("NaN")}, "value", "cannot hold NaN"),
        ("wktStruct", {"a": Decimal("sNaN")}, "value", "cannot hold sNaN"),
        ("wktStruct", {"a": b"x"}, "type", "got a Python bytes"),
        ("wktStruct", {"a": datetime.now(UTC)}, "type", "got a Python datetime"),
        ("wktValue", timedelta(1), "type", "got a Python timedelta"),
    ],
)
def test_values_for_other_fields_are_refused(
    member: str, value: Any, kind: str, reason: str
) -> None:
    with pytest.raises(turnwire.ParseError, match=reason) as caught:
        from_dict(EVERYTHING3, {member: value})
    assert caught.value.kind == kind
    assert caught.value.path[0] == member


@pytest.mark.parametrize("number", [2**53 + 1, Decimal(2**53 + 1), Decimal("9007199254740993.0")])
def test_the_decimal_context_of_the_caller_does_not_matter(number: Any) -> None:
    contexts = (
        decimal.Context(traps=[decimal.FloatOperation, decimal.Inexact, decimal.Rounded]),
        decimal.Context(prec=2, traps=[]),
        decimal.Context(prec=1, Emax=1, Emin=-1, traps=[]),
    )
    for context in contexts:
        with decimal.localcontext(context):
            value = {"wktStruct": {"n": number}}
            with pytest.raises(turnwire.ParseError, match="would be rounded") as caught:
                from_dict(EVERYTHING3, value, lossy_numbers="error")
            assert caught.value.path == ("wktStruct", "n")
            text = f'{{"wktStruct":{{"n":{number}}},"oneInt64":1234567.0e2}}'
            with pytest.raises(turnwire.ParseError, match="would be rounded"):
                turnwire.from_json(EVERYTHING3, text, lossy_numbers="error")
            assert (
                turnwire.from_json(EVERYTHING3, '{"oneInt64":1234567.0e2}').one_int64 == 123456700
            )


@for_each("unknown", ["error", "ignore", "warn", lambda path: str(path)])
@for_each(
    "value",
    [
        {2: 3},
        {"wktAny": {"@type": "a/google.protobuf.Int32Value", "value": 1, 2: 3}},
        {"wktAny": {"@type": "a/google.protobuf.Empty", 2: 3}},
        {"wktAny": {2: 3}},
        {"wktAny": {"@type": "a/no.Such", 2: 3}},
        {"wktAny": {"@type": "a/no.Such", "a": {2: 3}}},
        {"wktStruct": {2: 3}},
        {"wktStruct": {"a": [{None: 3}]}},
        {"byString": {2: {}}},
        {"byInt32": {2: {}}},
        {"self": {b"a": 1}},
        {"zz": {2: 3}},
        {"zz": [{"a": {(1,): {}}}]},
        {"zz": UserDict({"a": {(1, 2): {True: 5}}})},
    ],
)
def test_keys_are_strings_everywhere(value: Any, unknown: Any) -> None:
    if "zz" in value and unknown == "error":
        pytest.skip("the field itself is unknown")
    with pytest.raises(turnwire.ParseError) as caught:
        from_dict(EVERYTHING3, value, unknown=unknown)
    if not (unknown == "error" and "no.Such" in str(value)):
        assert "expected string keys, got a Python" in str(caught.value)
        assert caught.value.kind == "type"


def test_keys_of_an_any_are_strings() -> None:
    with pytest.raises(turnwire.ParseError, match="expected string keys"):
        from_dict(any_pb2.Any, {"@type": "x/google.protobuf.Int32Value", "value": 1, 2: 3})
