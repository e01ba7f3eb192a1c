"""Lists every message class of the schema, and makes random messages of any class."""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from typing import Any

from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message

from turnwire import schema

_F = FieldDescriptor


def message_classes() -> list[type[Message]]:
    """Returns every message class of the schema, sorted by full name."""
    return [schema.message_class(name) for name in schema.message_names()]


_TEXTS = (
    "",
    "a",
    "hello",
    "Crème brûlée 🍮",
    'quote " and \\ and \n\t\x01\x7f',
    "\u2028",
    "x" * 200,
)
_INTS = {
    32: (0, 1, -1, 7, 2**31 - 1, -(2**31)),
    64: (0, 1, -1, 2**53 + 1, 2**63 - 1, -(2**63)),
}
_UINTS = {32: (0, 1, 2**32 - 1), 64: (0, 1, 2**53 + 1, 2**64 - 1)}
_DOUBLES = (0.0, -0.0, 1.0, 3.0, -2.5, 0.1, 1e15, 1e16, 1e22, 1e-7, 5e-324, 1.7976931348623157e308)
# The largest and the smallest float are left out: json_format prints the largest and then refuses
# to read it, and prints more digits of the smallest than it has.
_FLOATS = (0.0, 1.0, -2.5, 0.10000000149011612, 16777216.0, 3e38)

_SCALARS: dict[int, Callable[[random.Random], Any]] = {
    _F.TYPE_STRING: lambda r: r.choice(_TEXTS),
    _F.TYPE_BYTES: lambda r: r.randbytes(r.choice((0, 1, 2, 3, 50))),
    _F.TYPE_BOOL: lambda r: r.random() < 0.5,
    _F.TYPE_DOUBLE: lambda r: r.choice((*_DOUBLES, math.inf, -math.inf, r.uniform(-1e6, 1e6))),
    _F.TYPE_FLOAT: lambda r: r.choice((*_FLOATS, math.inf)),
    **{t: lambda r: r.choice(_INTS[32]) for t in (_F.TYPE_INT32, _F.TYPE_SINT32, _F.TYPE_SFIXED32)},
    **{t: lambda r: r.choice(_INTS[64]) for t in (_F.TYPE_INT64, _F.TYPE_SINT64, _F.TYPE_SFIXED64)},
    **{t: lambda r: r.choice(_UINTS[32]) for t in (_F.TYPE_UINT32, _F.TYPE_FIXED32)},
    **{t: lambda r: r.choice(_UINTS[64]) for t in (_F.TYPE_UINT64, _F.TYPE_FIXED64)},
}


def _fill_wellknown(message: Any, r: random.Random, depth: int) -> bool:
    """Fills a well-known type, whose fields have rules; returns whether the message was one."""
    name = message.DESCRIPTOR.full_name
    if name == "google.protobuf.Timestamp":
        message.seconds = r.choice((0, -62_135_596_800, 253_402_300_799, 1_700_000_000))
        message.nanos = r.choice((0, 1, 500_000_000, 999_999_999, 120_000))
    elif name == "google.protobuf.Duration":
        sign = r.choice((1, -1))
        message.seconds = sign * r.choice((0, 1, 3600, 315_576_000_000))
        message.nanos = sign * r.choice((0, 1, 500_000_000))
    elif name == "google.protobuf.FieldMask":
        message.paths.extend(r.sample(["a", "b_c", "d.e_f"], 2))
    elif name == "google.protobuf.Value":
        kind = r.choice(("null", "number", "string", "bool", "struct", "list"))
        if depth > 4 and kind in ("struct", "list"):
            kind = "null"
        match kind:
            case "null":
                message.null_value = 0
            case "number":
                message.number_value = r.choice((*_DOUBLES, r.uniform(-1e9, 1e9)))
            case "string":
                message.string_value = r.choice(_TEXTS)
            case "bool":
                message.bool_value = r.random() < 0.5
            case "struct":
                message.struct_value.SetInParent()
                fill(message.struct_value, r, depth + 1)
            case "list":
                message.list_value.SetInParent()
                fill(message.list_value, r, depth + 1)
    elif name == "google.protobuf.Any":
        inner = r.choice(message_classes())()
        fill(inner, r, depth + 1)
        message.type_url = "type.googleapis.com/" + inner.DESCRIPTOR.full_name
        message.value = inner.SerializeToString(deterministic=True)
    else:
        return False
    return True


def fill(message: Any, r: random.Random, depth: int = 0) -> None:
    """Sets about half of the fields of a message, and fewer at each deeper level."""
    if _fill_wellknown(message, r, depth):
        return
    # Without this, a type with dozens of fields of the same type would grow without end.
    wide = len(message.DESCRIPTOR.fields) > 20
    chance = 0.5 / (5 if wide else 1.3) ** depth
    for field in message.DESCRIPTOR.fields:
        if r.random() < chance:
            set_field(message, field, r, depth)


def set_field(message: Any, field: FieldDescriptor, r: random.Random, depth: int = 0) -> None:
    """Sets one field of a message to a random value."""
    target = getattr(message, field.name)
    entry = field.message_type
    if entry is not None and entry.GetOptions().map_entry:
        key, value = entry.fields_by_name["key"], entry.fields_by_name["value"]
        for _ in range(r.randrange(3)):
            name = _SCALARS[key.type](r)
            if value.message_type is None:
                target[name] = _scalar(value, r)
            elif depth < 5:
                fill(target[name], r, depth + 1)
    elif entry is not None:
        if depth >= 5:
            return
        if field.is_repeated:
            for _ in range(r.randrange(3)):
                fill(target.add(), r, depth + 1)
        else:
            target.SetInParent()
            fill(target, r, depth + 1)
    elif field.is_repeated:
        target.extend(_scalar(field, r) for _ in range(r.randrange(4)))
    else:
        setattr(message, field.name, _scalar(field, r))


def _scalar(field: FieldDescriptor, r: random.Random) -> Any:
    if field.enum_type is not None:
        return r.choice([value.number for value in field.enum_type.values])
    return _SCALARS[field.type](r)


def random_message(message_class: type[Message], seed: int) -> Message:
    """Returns a message that depends only on the class and the seed."""
    message = message_class()
    fill(message, random.Random(seed))
    return message
