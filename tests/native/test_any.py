"""An Any in the native core: as over the pure backend, and not handed back once it is known."""

from __future__ import annotations

import json
import os
import random
from typing import Any

import pytest
from google.protobuf import (
    any_pb2,
    descriptor_pb2,
    descriptor_pool,
    duration_pb2,
    empty_pb2,
    field_mask_pb2,
    message_factory,
    struct_pb2,
    timestamp_pb2,
    wrappers_pb2,
)
from google.protobuf.message import Message
from google.rpc import error_details_pb2, status_pb2
from hypothesis import given
from hypothesis import strategies as st

from turnwire.errors import ParseError
from turnwire.protojson import _pure
from turnwire.protojson._style import Style

if os.environ.get("TURNWIRE_REQUIRE_NATIVE") != "1":
    pytest.importorskip("turnwire_native")

from native.test_native import STYLES, many, outcome, seeds
from turnwire_schema.ces.v1 import message_pb2 as ces_message_pb2
from turnwire_schema.ces.v1 import session_output_pb2, tool_pb2

from native import samples
from turnwire import _native, _native_types


def holding(*held: Message, prefix: str = "type.googleapis.com/") -> Any:
    """A Status with these messages in its details."""
    status = status_pb2.Status(code=3)
    for message in held:
        status.details.add().Pack(message, type_url_prefix=prefix)
    return status


def struct_of(plain: dict[str, Any]) -> Any:
    return samples.value_of(plain).struct_value


HELD_MESSAGES = (
    *(duration_pb2.Duration(seconds=-1), timestamp_pb2.Timestamp(nanos=5), empty_pb2.Empty()),
    *(struct_pb2.Struct(), struct_of({"a": {"": [1.5], "ab": None}, "": "x", "ab": 1.0})),
    *(struct_pb2.Value(null_value=0), struct_pb2.Value(bool_value=True), struct_pb2.ListValue()),
    *(field_mask_pb2.FieldMask(), field_mask_pb2.FieldMask(paths=["a.b_c", "d"])),
    *(wrappers_pb2.StringValue(), wrappers_pb2.Int64Value(value=-7), wrappers_pb2.BoolValue()),
    *(any_pb2.Any(), holding(empty_pb2.Empty()).details[0]),
    holding(wrappers_pb2.BytesValue(value=b"\xff")).details[0],
    error_details_pb2.ErrorInfo(reason="R", domain="d", metadata={"b": "1", "a": "", "ab": "2"}),
    error_details_pb2.RetryInfo(retry_delay=duration_pb2.Duration(seconds=3)),
    error_details_pb2.BadRequest(field_violations=[{"field": "f"}, {}, {"description": "é"}]),
    holding(error_details_pb2.DebugInfo(stack_entries=["", "x" * 300])),
    tool_pb2.ToolCall(id="c", args=struct_of({"rows": [{"n": 1.0, "m": None}] * 3})),
    ces_message_pb2.Message(role="user", chunks=[{"text": "hi"}, {"payload": {}}]),
)


@pytest.mark.parametrize("held", HELD_MESSAGES, ids=lambda held: type(held).__name__)
@pytest.mark.parametrize("prefix", ["type.googleapis.com/", "/", "a/b/é/"])
def test_a_known_type_is_not_handed_back(held: Message, prefix: str) -> None:
    message = holding(held, held, prefix=prefix)
    codec = _native.codec_of(status_pb2.Status)
    # In each round one type more is known, and two nest.
    for _ in range(3):
        text = _native.print_text(message, Style())
    assert codec.print(message) == text == _pure.print_text(message, Style())
    assert codec.print_values(message) == json.loads(text)
    assert codec.print_field(message, "details", None) == json.loads(text)["details"]
    expected = _pure.parse(status_pb2.Status, text, "error", "round")
    assert codec.parse(text, "error", "round") == expected
    assert codec.parse_values(json.loads(text), "error", "round") == expected
    assert codec.parse(json.dumps(json.loads(text), indent=3), "ignore", "round") == expected


def test_an_any_by_itself() -> None:
    message = holding(tool_pb2.ToolCall(id="c")).details[0]
    for _ in range(2):
        text = _native.print_text(message, Style(defaults=True))
    codec = _native.codec_of(any_pb2.Any)
    assert codec.print(message, False, False, True) == text
    assert text == _pure.print_text(message, Style(defaults=True))
    assert codec.parse(text, "error", "round") == message


def test_a_mirrored_name() -> None:
    text = b'{"context":[{"@type":"x/google.cloud.ces.v1beta.ToolCall","id":"c","args":{"b":1}}]}'
    message_class = session_output_pb2.SessionOutput
    for _ in range(2):
        message = _native.parse(message_class, text, "error", "round")
    codec = _native.codec_of(message_class)
    assert codec.parse(text, "error", "round") == message
    assert message.context[0].type_url == "x/google.cloud.ces.v1beta.ToolCall"
    assert codec.print(message) == text


URL = "type.googleapis.com/google.protobuf."
NESTED = f'"@type":"{URL}Any","value":'
TEXTS = (
    *("{}", "[]", '""', "null", '{"@type":null}', '{"@type":1}', '{"@type":""}', '{"@type":"a/"}'),
    *('{"@type":"google.protobuf.Empty"}', '{"@type":"/google.protobuf.Empty"}', '{"seconds":1}'),
    *('{"@type":"a/no.such.Type"}', '{"@type":"a/no.such.Type","x":{"y":1}}', '{"@type":"a/1"}'),
    *('{"@type":"a/google.cloud.ces.v1.NoSuch"}', '{"@type":"\\ud83d/google.protobuf.Empty"}'),
    *(f'{{"@type":"{URL}Duration"}}', f'{{"@type":"{URL}Duration","value":null}}'),
    f'{{"@type":"{URL}Duration","value":"1.5s"}}',
    f'{{"value":"1.5s","@type":"{URL}Duration"}}',
    f'{{"@type":"{URL}Duration","value":"1.5s","value":"1.5s"}}',
    f'{{"@type":"{URL}Duration","value":"1.5s","more":1}}',
    f'{{"@type":"{URL}Duration","more":1,"value":"1.5s"}}',
    f'{{"@type":"{URL}Duration","value":"1.5s","@type":"{URL}Duration"}}',
    f'{{"@type":"{URL}Duration","value":"1.5"}}',
    f'{{"@type":"{URL}Duration","seconds":1}}',
    f'{{"\\u0040type":"{URL}Duration","value":"1.5s"}}',
    '{"@type":"type.googleapis.com\\/google.protobuf.\\u0044uration","value":"1.5s"}',
    f'{{ "@type"\n:\t"{URL}Duration" , "value" : "1.5s" }}',
    *(f'{{"@type":"{URL}Empty"}}', f'{{"@type":"{URL}Empty","value":{{}}}}'),
    *(f'{{"@type":"{URL}Empty",}}', f'{{"@type":"{URL}Empty"', f'{{"@type":"{URL}Empty" "x":1}}'),
    f'{{"@type":"{URL}Empty","@type":"{URL}Empty"}}',
    f'{{"@type":"{URL}Empty","x":1,"x":1}}',
    f'{{"@type":"{URL}Empty","x":{{"@type":1}},"y":[{{"@type":1,"@type":1}}]}}',
    f'{{"@type":"{URL}Empty","[x]":1}}',
    *(f'{{"@type":"{URL}Value","value":null}}', f'{{"@type":"{URL}Value"}}'),
    f'{{"@type":"{URL}Value","value":9007199254740993}}',
    f'{{"@type":"{URL}Struct","value":{{"b":1,"a":{{"":2,"x":3}},"b":4}}}}',
    f'{{"@type":"{URL}Struct","value":{{"b":1,"a":{{"":2,"x":3}},"ba":4}}}}',
    *(f'{{"@type":"{URL}Int32Value","value":{value}}}' for value in ("0", "-0", '"7"', "null")),
    *(f'{{"@type":"{URL}DoubleValue","value":{value}}}' for value in ("-0.0", '"NaN"', "1e400")),
    f'{{"@type":"{URL}Any","value":{{"@type":"{URL}Empty"}}}}',
    *(f'{{"@type":"{URL}Any","value":{value}}}' for value in ("{}", "null", '{"@type":"a/b"}')),
    *(("{" + NESTED) * depth + "{}" + "}" * depth for depth in (10, 47, 48, 49, 99, 100, 101)),
    '{"@type":"/google.rpc.ErrorInfo","metadata":{"b":"1","a":"2","\\u0062":"3"}}',
    '{"@type":"/google.rpc.ErrorInfo","metadata":{"b":"1","a":"2"},"@type":1}',
    '{"@type":"/google.rpc.ErrorInfo","reason":"","domain":null,"zz":0,"@type ":1}',
    '{"@type":"/google.rpc.RetryInfo","retryDelay":{"@type":1}}',
    '{"@type":"/google.rpc.RetryInfo","retry_delay":"1s","retryDelay":"1s"}',
    '{"@type":"/google.cloud.ces.v1.Chunk","text":"a","transcript":"b"}',
    '{"@type":"/google.cloud.ces.v1.Chunk","text":""}',
)


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("unknown", ["error", "ignore", "told"])
@pytest.mark.parametrize("lossy_numbers", ["round", "error"])
def test_texts(text: str, unknown: str, lossy_numbers: Any) -> None:
    for held in HELD_MESSAGES:
        _native.print_text(holding(held), Style())
    told: list[list[Any]] = [[], []]

    def result(parse: Any, paths: list[Any]) -> Any:
        option = paths.append if unknown == "told" else unknown
        document = '{"details":[' + text + ',{"@type":"/google.protobuf.Empty"}]}'
        return outcome(parse, status_pb2.Status, document, option, lossy_numbers)

    # Whether or not its type was known before.
    for _ in range(3):
        assert result(_native.parse, told[0]) == result(_pure.parse, told[1])
    assert told[0] == told[1]


def varint(number: int, padding: int = 0) -> bytes:
    """A varint with so many bytes more than it needs."""
    out = bytearray()
    while number > 127 or padding:
        padding -= number <= 127
        out.append(number & 127 | 128)
        number >>= 7
    return bytes([*out, number])


def fields_of(wire: bytes) -> list[tuple[int, bytes]] | None:
    """The tag and the value of each field, without lengths; None for groups and what is none."""
    fields, at = [], 0

    def number() -> int:
        nonlocal at
        value = shift = 0
        while True:
            value |= (wire[at] & 127) << shift
            shift, at = shift + 7, at + 1
            if wire[at - 1] < 128:
                return value

    try:
        while at < len(wire):
            tag = number()
            start = at
            if tag & 7 == 0:
                number()
            elif tag & 7 in (1, 5):
                at += 8 if tag & 7 == 1 else 4
            elif tag & 7 == 2:
                size = number()
                start, at = at, at + size
            else:
                return None
            if at > len(wire):
                return None
            fields.append((tag, wire[start:at]))
    except IndexError:
        return None
    return fields


def rewritten(rng: random.Random, wire: bytes) -> bytes:
    """The wire format in another form: of the same message, of almost the same, or of none."""
    fields = fields_of(wire)
    if fields is None:
        return wire
    kind = rng.randrange(9)
    if kind == 0:
        rng.shuffle(fields)
    elif kind == 8 and fields:
        # The same bytes as a value of another wire type.
        place = rng.randrange(len(fields))
        tag, value = fields[place]
        wire_type, size = rng.choice(((1, 8), (5, 4)))
        value = varint(len(value)) + value if tag & 7 == 2 else value
        fields[place] = tag & ~7 | wire_type, value.ljust(size, b"\0")[:size]
    elif kind == 1 and fields:
        fields.insert(rng.randrange(len(fields) + 1), rng.choice(fields))
    elif kind == 2:
        # Defaults, packed lists of nothing, messages of nothing, other members of a oneof.
        tag = rng.randrange(1, 1400) << 3
        value = rng.choice(((0, b"\0"), (0, b"\1"), (1, b"\0" * 8), (2, b""), (5, b"\0" * 4)))
        fields.append((tag | value[0], value[1]))
        fields.sort()
    elif kind == 3:
        fields.append((rng.choice((8, 13, 17, 34)), rng.randbytes(rng.choice((1, 4, 8)))))
    elif kind == 4 and fields:
        del fields[rng.randrange(len(fields))]
    out = b""
    for tag, value in fields:
        if tag & 7 == 2 and rng.random() < 0.5:
            value = rewritten(rng, value)
        out += varint(tag, rng.choice((0, 0, 0, 0, 1, 3, 4, 6)) if kind == 5 else 0)
        if tag & 7 == 2:
            out += varint(len(value), rng.choice((0, 0, 0, 0, 1, 3, 4, 6)) if kind == 6 else 0)
        out += value
    if kind == 7:
        out += rng.choice((b"\xf3\x7f\xf4\x7f", b"\xf8\x7f\x01", b"\x0c", b"\0\0", b"\xfa\x7f\0"))
    return out


@many
@given(seeds)
def test_odd_bytes_in_an_any(seed: int) -> None:
    rng = random.Random(seed)
    pool = next(iter(samples.test_classes().values())).DESCRIPTOR.file.pool
    holder_class = samples.test_classes()["turnwire_native_test.proto3.All"]
    name = rng.choice(samples.HELD)
    held_class = samples.held_class(name, pool)
    assert held_class is not None
    wire = samples.fill(rng, held_class()).SerializePartialToString()
    for _ in range(rng.randrange(3)):
        wire = rewritten(rng, wire)
    message: Any = holder_class()
    message.one_Any.type_url, message.one_Any.value = f"/{name}", wire
    style = rng.choice(STYLES)
    for _ in range(2):
        printed = outcome(_native.print_text, message, style)
        assert printed == outcome(_pure.print_text, message, style)
        values = outcome(_native.print_value, message, style)
        assert repr(values) == repr(outcome(_pure.print_value, message, style))


@pytest.mark.parametrize(
    ("name", "wire"),
    [
        ("google.protobuf.Struct", b"\x09\x0a\x02ab\x12\x02\x20\x01"),
        ("google.rpc.ErrorInfo", b"\x19\x0a\x02ab\x12\x02xy"),
        ("google.rpc.ErrorInfo", b"\x1d\x0a\x00\x12\x00"),
        ("google.rpc.ErrorInfo", b"\x18\x00"),
        ("google.rpc.ErrorInfo", b"\x0d\x03abc"),
        ("google.rpc.BadRequest", b"\x09\x0a\x06\x0a\x04abcd"),
    ],
)
def test_bytes_of_another_wire_type_are_no_value_of_a_field(name: str, wire: bytes) -> None:
    message = any_pb2.Any(type_url=f"/{name}", value=wire)
    _native.print_text(any_pb2.Any(type_url=f"/{name}"), Style())
    for _ in range(2):
        assert _native.print_text(message, Style()) == _pure.print_text(message, Style())


@many
@given(st.lists(st.text("ab\0é\U0001f600", max_size=5), min_size=2, max_size=12, unique=True))
def test_maps_in_an_any_are_written_in_protobufs_order(keys: list[str]) -> None:
    held = error_details_pb2.ErrorInfo(metadata=dict.fromkeys(keys, "x"))
    text = _native.print_text(holding(held), Style())
    expected = _pure.parse(status_pb2.Status, text, "error", "round")
    _native.parse(status_pb2.Status, text, "error", "round")
    message = _native.codec_of(status_pb2.Status).parse(text, "error", "round")
    assert message.details[0].value == expected.details[0].value


def _pool_with(*files: descriptor_pb2.FileDescriptorProto) -> descriptor_pool.DescriptorPool:
    pool = descriptor_pool.DescriptorPool()
    pool.AddSerializedFile(any_pb2.DESCRIPTOR.serialized_pb)
    for file in files:
        pool.AddSerializedFile(file.SerializeToString())
    return pool


def _one_field(package: str, name: str, field: str) -> descriptor_pb2.FileDescriptorProto:
    file = descriptor_pb2.FileDescriptorProto(
        name=f"turnwire_native_test/{package}.proto", package=package, syntax="proto3"
    )
    message = file.message_type.add(name=name)
    message.field.add(name=field, number=1, type=9, label=1)
    return file


def test_a_type_that_comes_later() -> None:
    pool = _pool_with()
    message_class = message_factory.GetMessageClass(
        pool.FindMessageTypeByName("google.protobuf.Any")
    )
    text = '{"@type":"/late.Late","seen":"x"}'
    for _ in range(2):
        with pytest.raises(ParseError, match=r"no message type \"late\.Late\" is known"):
            _native.parse(message_class, text, "error", "round")
    pool.AddSerializedFile(_one_field("late", "Late", "seen").SerializeToString())
    codec = _native.codec_of(message_class)
    assert codec.parse(text, "error", "round") is None
    message = _native.parse(message_class, text, "error", "round")
    assert codec.parse(text, "error", "round") == message
    assert codec.print(message) == text.encode()


def test_a_type_of_the_default_pool_may_be_hidden_later() -> None:
    pool = _pool_with()
    message_class = message_factory.GetMessageClass(
        pool.FindMessageTypeByName("google.protobuf.Any")
    )
    text = '{"@type":"/google.rpc.RequestInfo","requestId":"x"}'
    for _ in range(3):
        _native.parse(message_class, text, "error", "round")
    pool.AddSerializedFile(_one_field("google.rpc", "RequestInfo", "hiding").SerializeToString())
    for _ in range(2):
        with pytest.raises(ParseError, match='unknown field "requestId"'):
            _native.parse(message_class, text, "error", "round")
    text = text.replace("requestId", "hiding")
    for _ in range(2):
        message = _native.parse(message_class, text, "error", "round")
        assert _native.print_text(message, Style()) == text.encode()


def test_where_protobuf_sorts_otherwise_several_keys_are_handed_back() -> None:
    held = error_details_pb2.ErrorInfo
    files = _native_types.file_set_of(held.DESCRIPTOR)
    types = _native_types.Types(None)
    types.add("e", files, "google.rpc.ErrorInfo")
    codec = _native.Codec(
        any_pb2.Any, _native_types.file_set_of(any_pb2.Any.DESCRIPTOR), "google.protobuf.Any", types
    )
    one, two = '{"@type":"/e","metadata":{"a":"1"}}', '{"@type":"/e","metadata":{"a":"1","b":"2"}}'
    assert codec.parse(one, "error", "round") is not None
    assert codec.parse(two, "error", "round") is None
    assert codec.print(
        any_pb2.Any(type_url="/e", value=held(metadata={"a": "1"}).SerializeToString())
    )
    assert _native_types.shorter_keys_first() is not None


def test_types_that_are_not_defined_are_refused() -> None:
    types = _native_types.Types(True)
    with pytest.raises(ValueError, match=r"does not define all of google\.rpc\.Status"):
        types.add("google.rpc.Status", b"", "google.rpc.Status")
    assert types.take_missed() is None
