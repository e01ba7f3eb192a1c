"""Text and values are those of google's module, byte for byte."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest
from google.protobuf import json_format as google
from google.protobuf.message import Message
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from support.cases import for_each
from support.everything import EDITION, EVERYTHING2, EVERYTHING3, GROUP
from support.messages import message_classes, random_message

from turnwire import ces, json_format
from turnwire.json_format._text import json_text

seeds = st.integers(0, 2**32 - 1)
quick = settings(max_examples=10, deadline=None, suppress_health_check=list(HealthCheck))
every_class = for_each(
    "message_class",
    [*message_classes(), EVERYTHING2, EVERYTHING3, GROUP, EDITION],
    ids=lambda c: c.DESCRIPTOR.full_name,
)

DICT_OPTIONS: tuple[dict[str, Any], ...] = (
    {},
    {"preserving_proto_field_name": True},
    {"use_integers_for_enums": True},
    {"always_print_fields_with_no_presence": True},
)
TEXT_OPTIONS: tuple[dict[str, Any], ...] = (
    *DICT_OPTIONS,
    {"indent": None},
    {"indent": 0},
    {"indent": 7},
    {"indent": -1},
    {"indent": "\t"},
    {"sort_keys": True},
    {"ensure_ascii": False},
    {"indent": None, "ensure_ascii": False, "always_print_fields_with_no_presence": True},
)


@every_class
@quick
@given(seed=seeds)
def test_the_same_text(message_class: type[Message], seed: int) -> None:
    message = random_message(message_class, seed)
    for options in ({}, TEXT_OPTIONS[seed % len(TEXT_OPTIONS)]):
        theirs = google.MessageToJson(message, **options)
        assert json_format.MessageToJson(message, **options) == theirs, options


def plain(value: Any) -> Any:
    """Makes dicts of what google's module gives as an OrderedDict: the members of an Any."""
    if isinstance(value, dict):
        return {key: plain(member) for key, member in value.items()}
    return [plain(item) for item in value] if isinstance(value, list) else value


@every_class
@quick
@given(seed=seeds)
def test_the_same_values_in_the_same_order(message_class: type[Message], seed: int) -> None:
    message = random_message(message_class, seed)
    for options in ({}, DICT_OPTIONS[seed % len(DICT_OPTIONS)]):
        theirs = google.MessageToDict(message, **options)
        # repr tells apart 3 and 3.0, and shows the order.
        ours = json_format.MessageToDict(message, **options)
        assert repr(ours) == repr(plain(theirs)), options


@quick
@given(number=st.floats(width=32))
def test_the_same_digits_of_a_float(number: float) -> None:
    message = EVERYTHING3(one_float=number, many_double=[number])
    assert json_format.MessageToJson(message) == google.MessageToJson(message)


@settings(deadline=None)
@given(number=st.floats())
def test_the_same_digits_of_a_double(number: float) -> None:
    message = EVERYTHING3(one_double=number)
    assert json_format.MessageToJson(message) == google.MessageToJson(message)


@settings(deadline=None)
@given(text=st.text())
def test_the_same_escapes(text: str) -> None:
    message = ces.Message(role=text.encode("utf-8", "replace").decode())
    for ensure_ascii in (True, False):
        ours = json_format.MessageToJson(message, ensure_ascii=ensure_ascii)
        assert ours == google.MessageToJson(message, ensure_ascii=ensure_ascii)


@settings(deadline=None)
@given(number=st.integers(-(2**63), 2**63 - 1))
def test_integers_that_a_double_holds_may_go_without_quotes(number: int) -> None:
    message = EVERYTHING3(one_int64=number, many_uint64=[number % 2**64])
    printed = json_format.MessageToDict(message, unquote_int64_if_possible=True)
    for value in (printed.get("oneInt64", 0), printed["manyUint64"][0]):
        assert isinstance(value, int) == (float(value) == int(value))
    if number:
        assert int(printed["oneInt64"]) == number


def test_a_value_without_a_kind_is_null() -> None:
    message = EVERYTHING3()
    message.wkt_value.SetInParent()
    message.wkts_value.add()
    assert json_format.MessageToDict(message) == {"wktValue": None, "wktsValue": [None]}
    assert json_format.MessageToJson(message) == google.MessageToJson(message)


def test_float_precision() -> None:
    message = EVERYTHING3(one_float=1.23456789, one_double=1.23456789)
    assert json_format.MessageToDict(message, float_precision=3) == {
        "oneFloat": 1.23,
        "oneDouble": 1.23,
    }


values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=30,
)


@settings(deadline=None)
@given(value=values, indent=st.integers(0, 5), ensure_ascii=st.booleans())
def test_the_writer_is_json_dumps(value: Any, indent: int, ensure_ascii: bool) -> None:
    theirs = json.dumps(value, indent=indent, ensure_ascii=ensure_ascii)
    assert json_text(value, indent, False, ensure_ascii) == theirs


@pytest.mark.parametrize("text", ["a" * 5000, "a" * 5000 + '"', "é" * 5000, "\x7f" * 5000])
def test_the_writer_escapes_long_texts(text: str) -> None:
    for ensure_ascii in (True, False):
        theirs = json.dumps([text], indent=2, ensure_ascii=ensure_ascii)
        assert json_text([text], 2, False, ensure_ascii) == theirs


@pytest.mark.parametrize("size", [1023, 1024, 100_000])
def test_large_bytes(size: int) -> None:
    message = EVERYTHING3(one_bytes=bytes(range(256)) * (size // 256 + 1), many_bytes=[b"?" * size])
    message.wkt_bytesvalue.value = b">" * size
    for options in TEXT_OPTIONS:
        theirs = google.MessageToJson(message, **options)
        assert json_format.MessageToJson(message, **options) == theirs, options
    values = json_format.MessageToDict(message)
    assert type(values["oneBytes"]) is str


@quick
@given(seed=seeds)
def test_wide_rows_keep_their_keys_in_order(seed: int) -> None:
    r = random.Random(seed)
    names = [r.choice("abcdefgh") * r.randrange(1, 40) for _ in range(r.randrange(5, 20))]
    widths = [r.randrange(len(names) + 1) for _ in range(5)]
    values = (1.5, None, True, "", "a", "north", "sixteen letters.", "größer", [1], {"b": "north"})
    message = EVERYTHING3()
    for _ in range(20):
        row = {name: r.choice(values) for name in names[: r.choice(widths)]}
        json_format.ParseDict(row, message.wkts_struct.add())
    for number in range(100):
        message.wkts_stringvalue.add().value = f"{number % 7} of a long list of texts"
    printed = json_format.MessageToDict(message)
    assert repr(printed) == repr(google.MessageToDict(message))
    assert json_format.ParseDict(printed, EVERYTHING3()) == message
