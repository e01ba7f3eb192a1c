"""Text and values are those of google's module, byte for byte."""

from __future__ import annotations

import inspect
import json
import math
import random
import struct
from typing import Any

import pytest
from google.protobuf import json_format as google
from google.protobuf import struct_pb2
from google.protobuf.message import Message
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from support.cases import for_each
from support.everything import EDITION, EVERYTHING2, EVERYTHING3, GROUP, POOL
from support.messages import message_classes, random_message

from turnwire import ces, json_format
from turnwire.json_format._text import json_text

EXTENSION = GROUP.DESCRIPTOR.file.extensions_by_name["ext_number"]
seeds = st.integers(0, 2**32 - 1)
# A third of the examples, since there are a hundred classes.
quick = settings(
    max_examples=settings().max_examples // 3,
    deadline=None,
    suppress_health_check=list(HealthCheck),
)
every_class = for_each(
    "message_class",
    [*message_classes(), EVERYTHING2, EVERYTHING3, GROUP, EDITION],
    ids=lambda c: c.DESCRIPTOR.full_name,
)

# The values of each option of google's functions, in all versions from 6.31 on.
DICT_OPTIONS: dict[str, tuple[Any, ...]] = {
    "preserving_proto_field_name": (True,),
    "use_integers_for_enums": (True,),
    "always_print_fields_with_no_presence": (True,),
    "descriptor_pool": (POOL,),
    "unquote_int64_if_possible": (True,),
    "float_precision": (0, 1, 4, 9, 15, 17),
}
TEXT_OPTIONS = {
    **DICT_OPTIONS,
    "indent": (None, 0, 1, 7, -1, "\t", "--"),
    "sort_keys": (True,),
    "ensure_ascii": (False,),
}


def some_options(function: Any, choices: dict[str, tuple[Any, ...]], seed: int) -> dict[str, Any]:
    """Returns a choice of the options that this version of google's function has."""
    r = random.Random(seed)
    known = inspect.signature(function).parameters
    chosen = [name for name in choices if name in known and r.random() < 0.3]
    return {name: r.choice(choices[name]) for name in chosen}


def unlikely(message: Message, seed: int) -> None:
    """Adds what random messages lack: extensions, unknown enum numbers, odd numbers, wide maps."""
    r = random.Random(seed)
    odd = (0.1, 1e7, 1e16, 1e-5, 123456789.0, math.nan, struct.unpack("<f", r.randbytes(4))[0])
    if isinstance(message, GROUP):
        message.Extensions[EXTENSION] = r.choice((0, 1, -(2**60)))
    if isinstance(message, EVERYTHING3):
        message.colour = r.choice((0, 5, -7))
        message.wkt_any.Pack(struct_pb2.Value(number_value=1.25))
        message.one_float, message.wkt_floatvalue.value = r.choice(odd), r.choice(odd)
        message.many_double.extend(struct.unpack("<3d", r.randbytes(24)))
        for number in range(12):
            message.by_int32[r.choice((number, -number, 2**31 - 1))].one_string = "é"
            message.by_uint64[r.choice((number, 2**64 - 1))].one_bool = True
            message.by_string[f"{number}\x7f"].one_bytes = r.randbytes(number)


def printed(function: Any, message: Message, options: dict[str, Any]) -> Any:
    try:
        return function(message, **options)
    except (TypeError, google.Error):
        # A pool need not have the types in an Any.
        assert "descriptor_pool" in options
        return "refused"


@every_class
@quick
@given(seed=seeds)
def test_the_same_text(message_class: type[Message], seed: int) -> None:
    message = random_message(message_class, seed)
    unlikely(message, seed)
    for options in ({}, some_options(google.MessageToJson, TEXT_OPTIONS, seed)):
        theirs = printed(google.MessageToJson, message, options)
        assert printed(json_format.MessageToJson, message, options) == theirs, options


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
    unlikely(message, seed)
    for options in ({}, some_options(google.MessageToDict, DICT_OPTIONS, seed)):
        theirs = printed(google.MessageToDict, message, options)
        # repr tells apart 3 and 3.0, and shows the order.
        ours = printed(json_format.MessageToDict, message, options)
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
    message.wkt_struct["n"] = 1.23456789
    message.wkt_doublevalue.value = math.inf
    assert json_format.MessageToDict(message, float_precision=3) == {
        "oneFloat": 1.23,
        "oneDouble": 1.23,
        "wktStruct": {"n": 1.23},
        "wktDoublevalue": "Infinity",
    }


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
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
    for seed in range(50):
        options = some_options(google.MessageToJson, TEXT_OPTIONS, seed)
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
