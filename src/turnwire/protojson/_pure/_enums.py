"""Enum values: their names in JSON, read and printed."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from google.protobuf.descriptor import EnumDescriptor, EnumValueDescriptor
from google.protobuf.descriptor_pb2 import FileDescriptorProto
from google.protobuf.descriptor_pool import DescriptorPool
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass

from turnwire.errors import excerpt
from turnwire.protojson._pure._numbers import integer_of, is_integer_text
from turnwire.protojson._pure._problem import Problem
from turnwire.protojson._pure._reading import Reading
from turnwire.protojson._pure._values import wrong_type
from turnwire.protojson._pure._wire import signed_varint


def enum_payload(enum: EnumDescriptor) -> Callable[[Any, Reading], str | None]:
    """Returns the reader of an enum's values; it gives None for an unknown one to be left out."""
    numbers = _numbers_by_name(enum)
    encoded = {name: signed_varint(number) for name, number in numbers.items()}
    known = frozenset(value.number for value in enum.values)
    takes_null = enum.full_name == "google.protobuf.NullValue"

    def payload(value: Any, reading: Reading) -> str | None:
        if isinstance(value, str):
            found = encoded.get(value)
            if found is not None:
                return found
            # A number in quotes stands for itself. Any other text is the name of a value that a
            # newer schema may have, whatever it begins with.
            if not is_integer_text(value):
                if reading.ignore:
                    return None
                reason = f"{excerpt(value)} is not a value of the enum {enum.full_name}"
                raise Problem("unknown", reason)
        elif value is None and takes_null:
            return "\x00"
        elif isinstance(value, bool) or not isinstance(value, int | float):
            raise wrong_type("enum name or number", value)
        number = integer_of(value, -(2**31), 2**31 - 1, reading.source)
        if enum.is_closed and number not in known:
            if reading.ignore:
                return None
            reason = f"{number} is not a value of the closed enum {enum.full_name}"
            raise Problem("unknown", reason)
        return signed_varint(number)

    return payload


def enum_printer(enum: EnumDescriptor, *, as_numbers: bool) -> Callable[[int], int | str | None]:
    """Returns the printer of an enum's values."""
    if enum.full_name == "google.protobuf.NullValue":
        # Another number than 0 can come from the wire, and would be read back as 0.
        return lambda number: number or None
    if as_numbers:
        return lambda number: number
    numbers = _numbers_by_name(enum)
    names: dict[int, str] = {}
    # An alias is a second name of a number; the first one is printed.
    for value in reversed(enum.values):
        name = json_name_of(value)
        names[value.number] = value.name if name is None else name
    printed = {number: name for number, name in names.items() if numbers[name] == number}
    return lambda number: printed.get(number, number)


def _numbers_by_name(enum: EnumDescriptor) -> dict[str, int]:
    """Returns the number of each name that is read; JSON names go before names in the schema."""
    numbers = {value.name: value.number for value in enum.values}
    for value in reversed(enum.values):
        name = json_name_of(value)
        if name is not None:
            numbers[name] = value.number
    return numbers


def json_name_of(value: EnumValueDescriptor) -> str | None:
    """Returns the JSON name that the option ``(pb.enumvalue.json)`` gives an enum value."""
    if not value.has_options:
        return None
    # Whether protobuf has parsed the option depends on imports and versions; its bytes do not.
    options: Any = _options_class().FromString(value.GetOptions().SerializePartialToString())
    return options.json.string if options.json.HasField("string") else None


@cache
def _options_class() -> type[Message]:
    """Makes a message class with that option alone."""
    file = FileDescriptorProto(name="json_enum_value.proto", package="turnwire", syntax="proto2")
    options = file.message_type.add(name="EnumValueOptions")
    options.field.add(name="json", number=998, label=1, type=11, type_name=".turnwire.JsonName")
    named = file.message_type.add(name="JsonName")
    named.field.add(name="string", number=1, label=1, type=9)
    pool = DescriptorPool()
    pool.AddSerializedFile(file.SerializeToString())
    return GetMessageClass(pool.FindMessageTypeByName("turnwire.EnumValueOptions"))
