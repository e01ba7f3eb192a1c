"""Random fillings of the fields that a message has here and in Google's client."""

from __future__ import annotations

import random
import struct
from typing import Any

from google.protobuf import any_pb2, duration_pb2, struct_pb2, timestamp_pb2
from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.message import Message

DEEPEST = 3


def fill(message: Message, other: Descriptor, rng: random.Random, depth: int = 0) -> None:
    """Sets random fields of a message, of those whose number the other descriptor has as well."""
    for field in message.DESCRIPTOR.fields:
        twin = other.fields_by_number.get(field.number)
        if twin is None or rng.random() < 0.3:
            continue
        if field.message_type is None:
            fill_scalars(message, field, rng)
        elif field.message_type.GetOptions().map_entry:
            getattr(message, field.name)[text(rng)] = text(rng)
        elif depth < DEEPEST:
            children = (
                [getattr(message, field.name).add() for _ in range(rng.randrange(3))]
                if field.is_repeated
                else [getattr(message, field.name)]
            )
            for child in children:
                child.SetInParent()
                fill_message(child, twin.message_type, rng, depth + 1)


def fill_scalars(message: Message, field: FieldDescriptor, rng: random.Random) -> None:
    if field.is_repeated:
        values = [scalar(field, rng) for _ in range(rng.randrange(3))]
        getattr(message, field.name).extend(values)
    else:
        setattr(message, field.name, scalar(field, rng))


def fill_message(message: Message, other: Descriptor, rng: random.Random, depth: int) -> None:
    """Fills a submessage; the well-known types get values that have a JSON form."""
    if isinstance(message, timestamp_pb2.Timestamp):
        message.seconds = rng.randrange(-62135596800, 253402300800)
        message.nanos = rng.choice([0, 1_000_000, 1_000, 1])
    elif isinstance(message, duration_pb2.Duration):
        message.FromNanoseconds(rng.randrange(-(10**15), 10**15))
    elif isinstance(message, struct_pb2.Struct):
        message.update({text(rng): json_value(rng, 0) for _ in range(rng.randrange(4))})
    elif isinstance(message, any_pb2.Any):
        message.Pack(duration_pb2.Duration(seconds=rng.randrange(100)))
    else:
        fill(message, other, rng, depth)


def scalar(field: FieldDescriptor, rng: random.Random) -> Any:
    if field.enum_type is not None:
        # Enums of proto3 are open: a number that is not known yet goes through as well.
        return rng.choice([*field.enum_type.values_by_number, 99])
    if field.type == FieldDescriptor.TYPE_STRING:
        return text(rng)
    if field.type == FieldDescriptor.TYPE_BYTES:
        return rng.randbytes(rng.randrange(8))
    if field.type == FieldDescriptor.TYPE_BOOL:
        return rng.random() < 0.5
    if field.type == FieldDescriptor.TYPE_INT32:
        return rng.choice([0, 1, -1, 2**31 - 1, -(2**31), rng.randrange(1000)])
    if field.type == FieldDescriptor.TYPE_INT64:
        return rng.choice([0, 1, -1, 2**63 - 1, -(2**63), rng.randrange(1000)])
    if field.type == FieldDescriptor.TYPE_FLOAT:
        return struct.unpack("f", struct.pack("f", rng.uniform(-1e9, 1e9)))[0]
    if field.type == FieldDescriptor.TYPE_DOUBLE:
        return rng.choice([0.0, float("inf"), rng.uniform(-1e300, 1e300)])
    raise AssertionError(f"no values for fields like {field.full_name}")


def text(rng: random.Random) -> str:
    return "".join(rng.choice('aZ é"\\\n\u2028東😀<') for _ in range(rng.randrange(6)))


def json_value(rng: random.Random, depth: int) -> Any:
    kinds: list[Any] = [None, True, False, 0, -1.5, 1e300, rng.randrange(2**53), text(rng)]
    if depth < DEEPEST:
        kinds.append([json_value(rng, depth + 1) for _ in range(rng.randrange(3))])
        kinds.append({text(rng): json_value(rng, depth + 1) for _ in range(rng.randrange(3))})
    return rng.choice(kinds)
