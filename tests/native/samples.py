"""Random messages and JSON texts of any message class."""

from __future__ import annotations

import json
import random
import struct
from typing import Any

from google.protobuf import (
    descriptor_pool,
    duration_pb2,
    message_factory,
    struct_pb2,
)
from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message
from native.classes import WELL_KNOWN, F

WORDS = (
    *(
        "",
        "a",
        "hello",
        "key",
        "Café – größer",
        "日本語テキスト",
        "😀😀😀",
        'q"uote',
        "back\\slash",
    ),
    *(
        "line\nbreak",
        "\t\r\b\f",
        "\x00\x01\x1f",
        "\x7f\u2028",
        "x" * 7,
        "y" * 8,
        "z" * 15,
        "w" * 16,
    ),
    *("v" * 17, "u" * 33, "sixteen chars ok" + '"', "t" * 127, "s" * 128, "r" * 300, "true", "1"),
    *("2014-10-02T15:01:23Z", "1.5s", "AQID", "NaN", "@type", "value", "a,b", "/", "ü" * 9),
)
DOUBLES = (
    *(0.0, -0.0, 1.0, -1.0, 0.1, 0.5, 12.34, -99.99, 1e15, 1e16, 1e17, 1e21, 1e22, 1e23, 1e100),
    *(5e-324, 1.7976931348623157e308, 1e-4, 1e-5, 1.5e-7, 2.0**53, 2.0**53 + 2, 123456789.125),
    *(9999999999999998.0, 1 / 3, 100.0, 1e-10, 0.07, 4.35, 1e14 + 0.5, 1e13 + 0.01),
)
INTEGERS = (0, 1, -1, 2, 7, 10, 127, 128, 255, 300, 16_384, 2**31 - 1, -(2**31), 2**31, 2**32 - 1)
WIDE = (2**53, 2**53 + 1, 2**63 - 1, -(2**63), 2**64 - 1, 10**18, 999_999_999_999)


def random_double(rng: random.Random) -> float:
    """A finite double: a notable one, an amount, or any bit pattern."""
    kind = rng.randrange(4)
    if kind == 0:
        return rng.choice(DOUBLES)
    if kind == 1:
        return round(rng.uniform(-1e6, 1e6), rng.randrange(6))
    if kind == 2:
        return rng.uniform(-1, 1) * 10.0 ** rng.randrange(-20, 25)
    while True:
        value: float = struct.unpack("<d", rng.randbytes(8))[0]
        if value - value == 0:
            return value


def random_float(rng: random.Random) -> float:
    """A float of 32 bits, finite."""
    while True:
        value: float = struct.unpack("<f", rng.randbytes(4))[0]
        if value - value == 0:
            return value


def _integer(rng: random.Random, low: int, high: int) -> int:
    while True:
        value = rng.choice(INTEGERS + WIDE) if rng.random() < 0.7 else rng.randint(low, high)
        if low <= value <= high:
            return value


def _scalar(rng: random.Random, field: FieldDescriptor) -> Any:
    kind = field.type
    if field.enum_type is not None:
        if not field.enum_type.is_closed and rng.random() < 0.2:
            return _integer(rng, -(2**31), 2**31 - 1)
        return rng.choice(field.enum_type.values).number
    if kind == F.TYPE_STRING:
        return rng.choice(WORDS)
    if kind == F.TYPE_BYTES:
        return rng.randbytes(rng.choice((0, 1, 2, 3, 4, 15, 16, 50)))
    if kind == F.TYPE_BOOL:
        return rng.random() < 0.5
    if kind == F.TYPE_DOUBLE:
        special = (float("nan"), float("inf"), float("-inf"))
        return rng.choice(special) if rng.random() < 0.1 else random_double(rng)
    if kind == F.TYPE_FLOAT:
        special = (float("nan"), float("inf"), 0.5, 16777216.0, 2.0 ** rng.randrange(-126, 127))
        return rng.choice(special) if rng.random() < 0.5 else random_float(rng)
    if kind in (F.TYPE_INT32, F.TYPE_SINT32, F.TYPE_SFIXED32):
        return _integer(rng, -(2**31), 2**31 - 1)
    if kind in (F.TYPE_INT64, F.TYPE_SINT64, F.TYPE_SFIXED64):
        return _integer(rng, -(2**63), 2**63 - 1)
    if kind in (F.TYPE_UINT32, F.TYPE_FIXED32):
        return _integer(rng, 0, 2**32 - 1)
    return _integer(rng, 0, 2**64 - 1)


def random_plain(rng: random.Random, depth: int = 0) -> Any:
    """A JSON value as a Struct holds it."""
    kind = rng.randrange(8 if depth < 4 else 5)
    if kind == 0:
        return rng.choice((None, True, False))
    if kind < 3:
        return rng.choice(WORDS)
    if kind < 5:
        return random_double(rng)
    count = rng.choice((0, 1, 2, 3, 30 if rng.random() < 0.1 else 4))
    if kind == 5:
        return [random_plain(rng, depth + 1) for _ in range(count)]
    return {
        rng.choice(WORDS) + rng.choice(("", str(index))): random_plain(rng, depth + 1)
        for index in range(count)
    }


def _set_value(value: Any, plain: Any) -> None:
    if plain is None:
        value.null_value = 0
    elif isinstance(plain, bool):
        value.bool_value = plain
    elif isinstance(plain, str):
        value.string_value = plain
    elif isinstance(plain, float):
        value.number_value = plain
    elif isinstance(plain, list):
        value.list_value.SetInParent()
        for item in plain:
            _set_value(value.list_value.values.add(), item)
    else:
        value.struct_value.SetInParent()
        for key, item in plain.items():
            _set_value(value.struct_value.fields[key], item)


def value_of(plain: Any) -> Any:
    """A JSON value as a Value."""
    message = struct_pb2.Value()
    _set_value(message, plain)
    return message


def _fill_well_known(rng: random.Random, message: Any, name: str, depth: int) -> None:
    if name == "Struct":
        for key in rng.sample(WORDS, rng.randrange(6)):
            _set_value(message.fields[key], random_plain(rng, 1))
    elif name == "Value":
        _set_value(message, random_plain(rng))
    elif name == "ListValue":
        for _ in range(rng.randrange(4)):
            _set_value(message.values.add(), random_plain(rng, 1))
    elif name == "Timestamp":
        message.seconds = rng.choice(
            (0, -1, 253_402_300_799, -62_135_596_800, rng.randrange(-(10**10), 10**11))
        )
        message.nanos = rng.choice((0, 1, 5_000_000, 120_000, 999_999_999))
    elif name == "Duration":
        sign = rng.choice((1, -1))
        message.seconds = sign * rng.choice((0, 1, 59, 315_575_999_999))
        message.nanos = sign * rng.choice((0, 1, 500_000_000, 1_000, 999_999_999))
    elif name == "FieldMask":
        message.paths.extend(rng.sample(("a", "foo_bar", "a.b_c", "x9"), rng.randrange(3)))
    elif name == "Any":
        _fill_any(rng, message, depth)
    elif name.endswith("Value"):
        message.value = _scalar(rng, message.DESCRIPTOR.fields_by_name["value"])


HELD = (
    *(f"google.protobuf.{name}" for name in WELL_KNOWN),
    *(f"turnwire_native_test.{syntax}.All" for syntax in ("proto2", "proto3", "editions")),
    *("turnwire_native_test.proto2.Extendable", "google.rpc.ErrorInfo", "google.rpc.BadRequest"),
    *("google.cloud.ces.v1.ToolCall", "turnwire_schema.ces.v1.Message"),
)
"""The names of messages that an Any may hold."""
ODD_URLS = (
    *("", "/", "a/", "google.protobuf.Duration", "a/no.such.Message", "a/1", "a/a..b", "a/ b"),
    *("a/google.cloud.ces.v1.NoSuch", "a/google.protobuf.Empty", "a/google.protobuf.Value"),
)


def held_class(name: str, pool: descriptor_pool.DescriptorPool) -> type[Message] | None:
    """The class of a name in HELD, where this pool or the default one has it."""
    for place in (pool, descriptor_pool.Default()):
        try:
            found = place.FindMessageTypeByName(name.replace("google.cloud.", "turnwire_schema."))
        except KeyError:
            continue
        return message_factory.GetMessageClass(found)
    return None


def _fill_any(rng: random.Random, message: Any, depth: int) -> None:
    kind = rng.randrange(10)
    if kind == 0:
        return
    if kind == 1:
        message.type_url, message.value = rng.choice(ODD_URLS), rng.randbytes(rng.randrange(3))
        return
    name = rng.choice(HELD if depth < 3 else HELD[: len(WELL_KNOWN)])
    message_class = held_class(name, message.DESCRIPTOR.file.pool) or duration_pb2.Duration
    value = fill(rng, message_class(), depth + 2).SerializePartialToString()
    if kind == 2:
        value = damage(rng, value)
    elif kind == 3:
        # Fields that must be merged, or that are unknown.
        value += rng.choice((value, b"\xf8\xff\x07\x01", b"\x0a\x00", b"\x08\x00", b"\x12\x00"))
    prefix = rng.choice(("type.googleapis.com", "", "example.com/a/b", "é"))
    message.type_url, message.value = f"{prefix}/{name}", value


def fill(rng: random.Random, message: Any, depth: int = 0) -> Any:
    """Sets random fields of a message to random values."""
    descriptor = message.DESCRIPTOR
    if descriptor.full_name.startswith("google.protobuf."):
        _fill_well_known(rng, message, descriptor.name, depth)
        return message
    fields = list(descriptor.fields)
    for field in rng.sample(fields, min(len(fields), rng.choice((0, 1, 3, 8, 12)))):
        value = field.message_type
        if value is not None and depth > 3 and not value.full_name.startswith("google."):
            continue
        repeated = field.is_repeated
        if value is not None and value.GetOptions().map_entry:
            _fill_map(rng, getattr(message, field.name), value, depth)
        elif value is None and repeated:
            getattr(message, field.name).extend(
                _scalar(rng, field) for _ in range(rng.randrange(4))
            )
        elif value is None:
            setattr(message, field.name, _scalar(rng, field))
        elif repeated:
            for _ in range(rng.randrange(4)):
                fill(rng, getattr(message, field.name).add(), depth + 1)
        else:
            getattr(message, field.name).SetInParent()
            fill(rng, getattr(message, field.name), depth + 1)
    return message


def _fill_map(rng: random.Random, target: Any, entry: Any, depth: int) -> None:
    value_field = entry.fields_by_name["value"]
    for _ in range(rng.choice((0, 1, 2, 5, 20))):
        key = _scalar(rng, entry.fields_by_name["key"])
        if value_field.message_type is None:
            target[key] = _scalar(rng, value_field)
        else:
            target[key].SetInParent()
            fill(rng, target[key], depth + 1)


ODD_TEXTS = (
    *(
        "null",
        "true",
        "1",
        "1e2",
        "1.0",
        "1.5",
        "-1",
        "0",
        "-0",
        '""',
        '"1"',
        '"1.0"',
        '"-0"',
        "{}",
        "[]",
    ),
    *("0e99999999999999999999", "1e99999999999999999999", '"-1e-99999999999999999999"', '"3.0"'),
    *("1e400", "1e-400", "-0.0", "18446744073709551615", "9223372036854775808", "3.5e38", "NaN"),
    *(
        '"NaN"',
        '"Infinity"',
        '"-Infinity"',
        '" 1"',
        '"01"',
        "01",
        "+1",
        '"+1"',
        ".5",
        "1.",
        '"RED"',
    ),
    *("[null]", '[1,"2"]', '{"a":1}', '{"a":1,"a":2}', '{"a":null}', '"GRUEN"', '"AQID"', '"_-8"'),
    *('"2014-10-02T15:01:23.5+01:30"', '"1.5s"', '"-0.000000001s"', '"a.b,cD"', '"\\u00e9"'),
    *(
        '"\\ud83d\\ude00"',
        '"\\ud83d"',
        '"\\/"',
        '"\\u0041Q=="',
        "9007199254740993",
        "1e15",
        "12345",
    ),
    *(
        '{"1":"a","1.0":"b"}',
        '{"true":"x"}',
        '{"@type":"a"}',
        "3.4028235677973366e38",
        "1E+2",
        "0e9",
    ),
    *('{"zz":{"zz":1,"y":[{}]}}', "16777217", '"16777217"', "0.1", "1e23", "tru", '"open', "[1,]"),
)
_ENCODERS = (
    json.JSONEncoder(ensure_ascii=False, separators=(",", ":")),
    json.JSONEncoder(ensure_ascii=True, indent=2),
    json.JSONEncoder(ensure_ascii=True, separators=(" ,\n", "\t: ")),
)


def respell(rng: random.Random, value: Any) -> str:
    """The value as JSON text: in some style, and perhaps with something odd somewhere in it."""
    odd = rng.random() < 0.8
    marker = "<<here>>"
    if odd:
        value = _with_marker(rng, value, marker)
    text = rng.choice(_ENCODERS).encode(value)
    return text.replace(f'"{marker}"', rng.choice(ODD_TEXTS)) if odd else text


def with_odd_value(rng: random.Random, value: Any, odd: Any) -> Any:
    """A copy of the value in which some part is another."""
    marker = "<<here>>"

    def put(item: Any) -> Any:
        if isinstance(item, list):
            return [put(inner) for inner in item]
        if isinstance(item, dict):
            return {key: put(inner) for key, inner in item.items()}
        return odd if item == marker else item

    return put(_with_marker(rng, value, marker))


def _with_marker(rng: random.Random, value: Any, marker: str) -> Any:
    if isinstance(value, list) and value and rng.random() < 0.9:
        index = rng.randrange(len(value))
        inner = _with_marker(rng, value[index], marker)
        return [*value[:index], inner, *value[index + 1 :]]
    if isinstance(value, dict) and value and rng.random() < 0.9:
        key = rng.choice(list(value))
        if rng.random() < 0.15:
            items = list(value.items())
            rng.shuffle(items)
            return {**dict(items), rng.choice((key + "x", "[" + key + "]", "_" + key)): marker}
        return {**value, key: _with_marker(rng, value[key], marker)}
    return marker


def damage(rng: random.Random, data: bytes) -> bytes:
    """The bytes with one small accident."""
    at = rng.randrange(len(data) + 1)
    kind = rng.randrange(4)
    if kind == 0:
        return data[:at]
    if kind == 1:
        return data[:at] + data[at + 1 :]
    if kind == 2:
        return data[:at] + bytes([rng.choice(b'"\\{}[],:0 -e.\x00\x80\xc3\xffnt')]) + data[at:]
    end = min(len(data), at + rng.randrange(20))
    return data[:at] + data[at:end] + data[at:]
