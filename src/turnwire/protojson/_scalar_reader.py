"""Scalars, enums and map keys: one JSON value to wire text."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, NamedTuple

from google.protobuf.descriptor import EnumDescriptor, FieldDescriptor

from turnwire.errors import excerpt
from turnwire.protojson._bytes_text import bytes_of
from turnwire.protojson._numbers import double_of, float32_text, integer_of
from turnwire.protojson._problem import Problem
from turnwire.protojson._reading import Reading
from turnwire.protojson._values import wrong_type
from turnwire.protojson._wire import (
    FIXED32,
    FIXED64,
    LENGTH_DELIMITED,
    ONE_BYTE,
    VARINT,
    delimited,
    fixed,
    signed_varint,
    tag,
    utf8,
    varint,
    wire_text,
    zigzag_varint,
)

Payload = Callable[[Any, Reading], str | None]
"""Gives None for an unknown enum name that is to be left out."""


class ScalarReader(NamedTuple):
    """How the values of a scalar type are read, and how they lie on the wire."""

    wire_type: int
    payload: Payload

    @property
    def packable(self) -> bool:
        """Whether several values of a repeated field can lie behind one tag."""
        return self.wire_type != LENGTH_DELIMITED


_double = fixed("<d")
_int32_range = (-(2**31), 2**31 - 1)
_int64_range = (-(2**63), 2**63 - 1)
_uint32_range = (0, 2**32 - 1)
_uint64_range = (0, 2**64 - 1)


def _string(value: Any, reading: Reading) -> str:
    if not isinstance(value, str):
        raise wrong_type("string", value)
    text = value if value.isascii() else utf8(value)
    size = len(text)
    return (ONE_BYTE[size] if size < 128 else varint(size)) + text


def _bytes(value: Any, reading: Reading) -> str:
    return delimited(wire_text(bytes_of(value)))


def _bool(value: Any, reading: Reading) -> str:
    if value is True:
        return "\x01"
    if value is False:
        return "\x00"
    raise wrong_type("true or false", value)


def _double_payload(value: Any, reading: Reading) -> str:
    return _double(double_of(value, reading.source))


def _float_payload(value: Any, reading: Reading) -> str:
    return float32_text(double_of(value, reading.source))


def _integer(
    bounds: tuple[int, int], encode: Callable[[int], str]
) -> Callable[[Any, Reading], str]:
    low, high = bounds

    def payload(value: Any, reading: Reading) -> str:
        return encode(integer_of(value, low, high, reading.source))

    return payload


_F = FieldDescriptor
_SCALARS: dict[int, tuple[int, Callable[[Any, Reading], str]]] = {
    _F.TYPE_STRING: (LENGTH_DELIMITED, _string),
    _F.TYPE_BYTES: (LENGTH_DELIMITED, _bytes),
    _F.TYPE_BOOL: (VARINT, _bool),
    _F.TYPE_DOUBLE: (FIXED64, _double_payload),
    _F.TYPE_FLOAT: (FIXED32, _float_payload),
    _F.TYPE_INT32: (VARINT, _integer(_int32_range, signed_varint)),
    _F.TYPE_INT64: (VARINT, _integer(_int64_range, signed_varint)),
    _F.TYPE_UINT32: (VARINT, _integer(_uint32_range, varint)),
    _F.TYPE_UINT64: (VARINT, _integer(_uint64_range, varint)),
    _F.TYPE_SINT32: (VARINT, _integer(_int32_range, zigzag_varint)),
    _F.TYPE_SINT64: (VARINT, _integer(_int64_range, zigzag_varint)),
    _F.TYPE_FIXED32: (FIXED32, _integer(_uint32_range, fixed("<I"))),
    _F.TYPE_FIXED64: (FIXED64, _integer(_uint64_range, fixed("<Q"))),
    _F.TYPE_SFIXED32: (FIXED32, _integer(_int32_range, fixed("<i"))),
    _F.TYPE_SFIXED64: (FIXED64, _integer(_int64_range, fixed("<q"))),
}


def plain_scalar(field: FieldDescriptor) -> tuple[int, Callable[[Any, Reading], str]]:
    """The wire type of a field that is neither message nor enum, and what reads its values."""
    return _SCALARS[field.type]


def scalar_reader(field: FieldDescriptor) -> ScalarReader:
    """The reader of a field that is no message."""
    if field.enum_type is not None:
        return ScalarReader(VARINT, _enum_payload(field.enum_type))
    return ScalarReader(*plain_scalar(field))


_looks_numeric = re.compile(r"[-+0-9.\s]").match


def _enum_payload(enum: EnumDescriptor) -> Payload:
    numbers = {value.name: value.number for value in enum.values}
    encoded = {name: signed_varint(number) for name, number in numbers.items()}
    known = frozenset(numbers.values())
    low, high = _int32_range
    takes_null = enum.full_name == "google.protobuf.NullValue"

    def payload(value: Any, reading: Reading) -> str | None:
        if isinstance(value, str):
            found = encoded.get(value)
            if found is not None:
                return found
            # A quoted number is the enum number in a string, as it is for every integer.
            if not _looks_numeric(value):
                if reading.ignore:
                    return None
                reason = f"{excerpt(value)} is no value of the enum {enum.full_name}"
                raise Problem("unknown", reason)
        elif value is None and takes_null:
            return "\x00"
        elif isinstance(value, bool) or not isinstance(value, int | float):
            raise wrong_type("enum name or number", value)
        number = integer_of(value, low, high, reading.source)
        if enum.is_closed and number not in known:
            if reading.ignore:
                return None
            reason = f"{number} is no value of the closed enum {enum.full_name}"
            raise Problem("unknown", reason)
        return signed_varint(number)

    return payload


def map_key_reader(field: FieldDescriptor) -> Callable[[str], str]:
    """The reader of a map's keys: a member name to the key field of the entry."""
    wire_type, payload = plain_scalar(field)
    start = tag(1, wire_type)
    if field.type == _F.TYPE_STRING:
        return lambda key: start + delimited(utf8(key))
    if field.type == _F.TYPE_BOOL:
        named = {"true": start + "\x01", "false": start + "\x00"}

        def read_bool(key: str) -> str:
            found = named.get(key)
            if found is None:
                raise Problem("value", f'expected the key "true" or "false", got {excerpt(key)}')
            return found

        return read_bool
    reading = Reading("error", "round", None)
    return lambda key: start + payload(key, reading)
