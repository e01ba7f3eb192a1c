"""The native core accepts nothing that the pure backend refuses, and makes the same of the rest."""

from __future__ import annotations

import base64
import json
import os
import random
import threading
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.cases import for_each

from turnwire.errors import TurnwireError
from turnwire.protojson import _pure
from turnwire.protojson._options import Style

if os.environ.get("TURNWIRE_REQUIRE_NATIVE") != "1":
    pytest.importorskip("turnwire_native")

import turnwire_native
from native.classes import classes_by_name
from support.analytics import gda
from turnwire_schema.ces.v1 import media_pb2, session_pb2
from turnwire_schema.ces.v1 import message_pb2 as ces_message_pb2

from native import core_first, samples
from turnwire.protojson._accelerator import codec_of, file_set_of

CLASSES = (
    *classes_by_name().values(),
    *(ces_message_pb2.Message, session_pb2.RunSessionResponse),
    *(gda.Message, gda.ChatRequest),
)
STYLES = tuple(
    Style(proto_names, enum_numbers, defaults)
    for proto_names in (False, True)
    for enum_numbers in (False, True)
    for defaults in (False, True)
)
seeds = st.integers(0, 2**64 - 1)


def outcome(function: Any, *args: Any) -> Any:
    """The result of a function, or everything that a caller can see of its error."""
    try:
        result = function(*args)
    except TurnwireError as error:
        return type(error), str(error), error.__dict__
    if hasattr(result, "SerializePartialToString"):
        # NaN is not equal to itself, but its bytes are.
        return result.SerializePartialToString(deterministic=True)
    return result


def random_message(rng: random.Random) -> Any:
    return samples.fill(rng, rng.choice(CLASSES)())


def printed(message: Any, style: Style) -> bytes | None:
    try:
        return _pure.print_text(message, style)
    except TurnwireError:
        return None


@given(seeds)
def test_printing(seed: int) -> None:
    rng = random.Random(seed)
    message, style = random_message(rng), rng.choice(STYLES)
    assert outcome(core_first.print_text, message, style) == outcome(
        _pure.print_text, message, style
    )
    args = message, style, rng.choice((0, 1, 2, 3, 4, 8, 63, 64, 65, 300))
    assert outcome(core_first.print_indented, *args) == outcome(_pure.print_indented, *args)
    # An int and a float that are equal are not the same JSON.
    values = outcome(core_first.print_value, message, style)
    assert repr(values) == repr(outcome(_pure.print_value, message, style))


@for_each(
    "plain",
    [
        *({}, [], "", 1.5, True, {"a": {}}, {"a": [], "b": [[]]}, [[], {}], [[[1.0]]], ["[", "{"]),
        *('"', "\\", '\\"', '{"a":[1,2]}', "a,b:c", "\n", "\x00", "\u2028", "é", "😀"),
        *({"{": "}"}, {'"': "]"}, {"": [None, "\\", "x" * 100]}, [1e22, -0.0, 5e-324, 3.0]),
    ],
)
def test_indenting(plain: Any) -> None:
    message: Any = samples.value_of(plain)
    codec = codec_of(type(message))
    for indent in (*range(12), 100, 256):
        expected = _pure.print_indented(message, Style(), indent)
        assert codec.print_indented(message, indent) == expected
        assert expected.decode() == json.dumps(
            _pure.print_value(message, Style()), ensure_ascii=False, indent=indent
        )
    for indent in (257, 10**6, 2**64):
        assert codec.print_indented(message, indent) is None
    assert core_first.print_indented(message, Style(), 257) == _pure.print_indented(
        message, Style(), 257
    )


@given(seeds)
def test_one_field(seed: int) -> None:
    rng = random.Random(seed)
    message = random_message(rng)
    field = rng.choice(message.DESCRIPTOR.fields)
    expected = outcome(_pure.print_value, message, Style())
    native = outcome(core_first.print_field, message, field.json_name, "absent")
    assert repr(native) == repr(outcome(_pure.print_field, message, field.json_name, "absent"))
    if isinstance(expected, dict):
        assert repr(native) == repr(expected.get(field.json_name, "absent"))


@given(seeds)
def test_parsing(seed: int) -> None:
    rng = random.Random(seed)
    message = random_message(rng)
    text = printed(message, rng.choice(STYLES))
    if text is None:
        return
    respelled = samples.respell(rng, json.loads(text)).encode("utf-8", "surrogatepass")
    for data in (text, text.decode(), bytearray(text), respelled, samples.damage(rng, text)):
        args = type(message), data, rng.choice(("error", "ignore")), rng.choice(("round", "error"))
        assert outcome(core_first.parse, *args) == outcome(_pure.parse, *args)


@for_each(
    "text",
    [
        '{"oneColor":"MAUVE"}',
        '{"oneColor":"MAUVE","oneColor":"RED"}',
        '{"colorList":["MAUVE","RED","PUCE"]}',
        '{"colorList":["MAUVE"]}',
        '{"toColor":{"a":"MAUVE","b":"RED","c":"PUCE"}}',
        '{"toColor":{"a":"MAUVE","a":"RED"}}',
        '{"null":"MAUVE"}',
    ],
)
@for_each("syntax", ["proto2", "proto3", "editions"])
def test_unknown_enum_names_are_ignored_in_the_core(syntax: str, text: str) -> None:
    message_class = classes_by_name()[f"turnwire_native_test.{syntax}.All"]
    expected = outcome(_pure.parse, message_class, text, "ignore", "round")
    assert outcome(core_first.parse, message_class, text, "ignore", "round") == expected
    codec = codec_of(message_class)
    is_error = isinstance(expected, tuple)
    assert (codec.parse(text, "ignore", "round") is None) == is_error
    assert codec.parse(text, "error", "round") is None


ODD_VALUES = (
    *(None, True, 0, 1, -1, 2**53 + 1, 2**70, 1.0, -0.0, 2.5, 1e16, 1e300, 3.5e38, float("nan")),
    *("", "1e2", "\ud83d", "RED", b"x", (1, 2), [None], {"a": [1]}, {1: 2}, {"a": float("inf")}),
)


@given(seeds)
def test_values(seed: int) -> None:
    rng = random.Random(seed)
    message = random_message(rng)
    text = printed(message, Style())
    if text is None:
        return
    value = json.loads(text)
    odd = samples.with_odd_value(rng, value, rng.choice(ODD_VALUES))
    for item in (value, odd):
        args = type(message), item, rng.choice(("error", "ignore")), rng.choice(("round", "error"))
        assert outcome(core_first.read_value, *args) == outcome(_pure.read_value, *args)


def nested_text(rng: random.Random, depth: int) -> str:
    """Objects that have few and short keys, some of them twice."""
    if depth == 0 or rng.random() < 0.3:
        return rng.choice(("1", "[]", "{}", '"s"'))
    if rng.random() < 0.2:
        return "[" + ",".join(nested_text(rng, depth - 1) for _ in range(3)) + "]"
    keys = rng.sample(("x", "y", "z", "\\u0078", "long key of more than 8"), rng.randrange(1, 4))
    if rng.random() < 0.1:
        keys.append(rng.choice(keys))
    return "{" + ",".join(f'"{key}":{nested_text(rng, depth - 1)}' for key in keys) + "}"


@given(seeds)
def test_repeated_keys(seed: int) -> None:
    rng = random.Random(seed)
    rows = ",".join("{" + f'"k":{nested_text(rng, 4)}' + "}" for _ in range(4))
    # Only in a long text are keys remembered.
    end = "]}" + " " * rng.choice((0, 3000))
    for text in ('{"data":[' + rows + end, '{"other":[' + rows + end):
        args = gda.DataResult, text, "ignore", "round"
        assert outcome(core_first.parse, *args) == outcome(_pure.parse, *args)


def test_the_core_decides_almost_everything() -> None:
    """The comparisons above would also hold for a core that never decides."""
    rng = random.Random(1)
    messages = [samples.fill(rng, rng.choice(CLASSES[-4:])()) for _ in range(200)]
    undecided = 0
    for message in messages:
        text = printed(message, Style())
        # Only Python knows the types in an Any.
        if text is None or b'"@type"' in text:
            continue
        codec = codec_of(type(message))
        parsed = codec.parse(text, "error", "round")
        if codec.print(message) is None or parsed is None:
            undecided += 1
            continue
        assert parsed == _pure.parse(type(message), text, "error", "round")
        assert codec.print_values(message) is not None
        assert codec.parse_values(json.loads(text), "error", "round") == parsed
    assert undecided < 10


def test_every_double_and_float_looks_the_same() -> None:
    rng = random.Random(2)
    doubles = [samples.random_double(rng) for _ in range(20_000)]
    doubles += [sign * 2.0**power for power in range(-1074, 1024) for sign in (1, -1)]
    doubles += [cents / 100 for cents in range(-3000, 3000)]
    floats = [samples.random_float(rng) for _ in range(20_000)]
    floats += [sign * 2.0**power for power in range(-149, 128) for sign in (1, -1)]
    message_class = classes_by_name()["turnwire_native_test.proto3.All"]
    message: Any = message_class(double_list=doubles, float_list=floats)
    text = codec_of(message_class).print(message)
    assert text == _pure.print_text(message, Style())
    assert codec_of(message_class).parse(text, "error", "round") == message


@given(st.binary(max_size=200), seeds)
def test_arbitrary_bytes_are_survived(data: bytes, seed: int) -> None:
    rng = random.Random(seed)
    codec = codec_of(rng.choice(CLASSES))
    wire = random_message(rng).SerializePartialToString()
    for item in (data, wire, samples.damage(rng, wire)):
        for style in STYLES[:2]:
            text = codec.wire_to_json(item, *style[:3])
            assert text is None or json.loads(text) is not None
        assert isinstance(codec.json_to_wire(item, True), bytes | None)


@pytest.mark.parametrize(
    "text",
    [
        "[" * 1_000_000,
        '{"args":' * 100_000,
        '{"id":"' + "x" * 14_000,
        '{"id":' + "9" * 1_000_000 + "}",
        '{"args":{"n":' + "9" * 100_000 + "}}",
        '{"zz":' + "[" * 5_000 + "]" * 5_000 + "}",
        '{"args":{"k":' + '{"k":' * 60 + "1" + "}" * 60 + "}}",
        '{"id":"\ud83d"}',
        "\ufeff{}",
        "{}\0",
        '{"args":{' + ",".join(f'"{n}":{n}' for n in range(3000)) + ',"7":1}}',
        "{" + ",".join(f'"u{n}":{n}' for n in range(300)) + "}",
    ],
)
def test_hostile_texts(text: str) -> None:
    from turnwire_schema.ces.v1 import tool_pb2

    for unknown in ("error", "ignore"):
        args = tool_pb2.ToolCall, text, unknown, "round"
        assert outcome(core_first.parse, *args) == outcome(_pure.parse, *args)


@pytest.mark.parametrize("size", [12_287, 12_288, 12_290, 50_000])
@pytest.mark.parametrize("alphabet", ["+/", "-_"])
def test_long_base64(size: int, alphabet: str) -> None:
    data = random.Random(size).randbytes(size)
    text = base64.b64encode(data, alphabet.encode()).decode()
    body = '{"mimeType":"é","data":"DATA","mimeType2":"ü"}'
    good = body.replace("DATA", text).encode()
    middle = good.index(text.encode()) + len(text) // 2
    faults = [
        good,
        good.replace(b"=", b""),
        good.replace("é".encode(), b"\xc3"),
        good.replace("ü".encode(), b"\xfc"),
        good[:middle] + b"\xff" + good[middle + 1 :],
        good[:middle] + b"\\u0041" + good[middle + 1 :],
        good[:middle] + b'"' + good[middle + 1 :],
        good[:middle] + b"-+" + good[middle + 2 :],
        good[:middle],
        body.replace("DATA", text + "A").encode(),
    ]
    for fault in faults:
        args = media_pb2.Image, fault, "ignore", "round"
        assert outcome(core_first.parse, *args) == outcome(_pure.parse, *args)
    assert codec_of(media_pb2.Image).parse(good, "ignore", "round").data == data


def test_every_prefix_is_an_error_or_the_same() -> None:
    rng = random.Random(4)
    message = samples.fill(rng, samples.fill(rng, CLASSES[0]()))
    text = _pure.print_text(message, Style())
    for end in range(0, len(text), max(1, len(text) // 300)):
        args = type(message), text[:end], "error", "round"
        assert outcome(core_first.parse, *args) == outcome(_pure.parse, *args)


def test_a_large_output_after_a_small_one() -> None:
    """The room for outputs is a guess, which must be right in the end."""
    message_class = classes_by_name()["turnwire_native_test.proto3.All"]
    codec = turnwire_native.Codec(
        message_class,
        file_set_of(message_class.DESCRIPTOR),
        "turnwire_native_test.proto3.All",
    )
    for count in (0, 1, 100, 10_000, 300_000):
        message: Any = message_class(fixed64_list=range(count), color_list=[100_000] * count)
        text = codec.print(message)
        assert text == _pure.print_text(message, Style())
        assert codec.parse(text, "error", "round") == message


def test_threads_share_a_codec() -> None:
    rows = [{"id": number, "name": f"row {number}"} for number in range(2000)]
    text = json.dumps({"data": rows}).encode()
    expected = _pure.parse(gda.DataResult, text, "error", "round")
    failures: list[object] = []

    def work() -> None:
        for _ in range(10):
            message = core_first.parse(gda.DataResult, text, "error", "round")
            if message != expected or core_first.print_value(message, Style()) != {"data": rows}:
                failures.append(message)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures


def test_an_incomplete_descriptor_set_is_refused() -> None:
    with pytest.raises(ValueError, match="does not define"):
        turnwire_native.Codec(gda.DataResult, b"", "turnwire_schema.DataResult")
