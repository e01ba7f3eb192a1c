"""Scalars, bytes as base64, enums and map keys: JSON values to wire text, and back."""

from __future__ import annotations

import binascii
from collections.abc import Callable
from functools import cache, partial
from typing import Any, NamedTuple

from google.protobuf.descriptor import EnumDescriptor, EnumValueDescriptor, FieldDescriptor
from google.protobuf.descriptor_pb2 import FileDescriptorProto
from google.protobuf.descriptor_pool import DescriptorPool
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass

from turnwire.errors import excerpt
from turnwire.protojson._options import Base64, Style
from turnwire.protojson._pure._numbers import (
    double_of,
    float32_text,
    float32_value,
    integer_of,
    integer_or_text,
    is_integer_text,
    named_double,
    named_float32,
    number_value,
    rounded_double,
)
from turnwire.protojson._pure._problem import Problem
from turnwire.protojson._pure._reading import Reading
from turnwire.protojson._pure._values import wrong_type
from turnwire.protojson._pure._wire import (
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

ScalarPrinter = Callable[[Any], Any]


class ScalarReader(NamedTuple):
    """The reader of a scalar type's values, and their wire type."""

    wire_type: int
    payload: Payload

    @property
    def packable(self) -> bool:
        """Whether several values of a repeated field can lie behind one tag."""
        return self.wire_type != LENGTH_DELIMITED


def scalar_reader(field: FieldDescriptor) -> ScalarReader:
    """Returns the reader of a field that holds scalars or enum values."""
    if field.enum_type is not None:
        return ScalarReader(VARINT, enum_payload(field.enum_type))
    return ScalarReader(*_READERS[field.type])


def scalar_printer(field: FieldDescriptor, style: Style) -> ScalarPrinter:
    """Returns the printer of a field that holds scalars or enum values."""
    if field.enum_type is not None:
        if style.like_json_format and style.enum_numbers:
            # The value of a NullValue is not null there.
            return _same
        return enum_printer(field.enum_type, as_numbers=style.enum_numbers)
    if field.type in _INT64_TYPES:
        return integer_or_text if style.int64_as_numbers else str
    if style.like_json_format:
        if field.type in (_F.TYPE_DOUBLE, _F.TYPE_FLOAT):
            if style.float_digits:
                return partial(rounded_double, digits=style.float_digits)
            return named_double if field.type == _F.TYPE_DOUBLE else named_float32
        if field.type == _F.TYPE_BYTES and style.marks_base64:
            return _marked_base64
    return _PRINTERS.get(field.type, _same)


def map_key_reader(field: FieldDescriptor) -> Callable[[str], str]:
    """Returns the reader of a map's keys: a member name to the key field of the entry."""
    wire_type, payload = _READERS[field.type]
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

    def read_integer(key: str) -> str:
        if not is_integer_text(key):
            raise Problem("value", f"expected a whole number as the key, got {excerpt(key)}")
        return start + payload(key, reading)

    return read_integer


def map_key_printer(field: FieldDescriptor) -> Callable[[Any], str]:
    """Returns the printer of a map's keys: a key to a member name."""
    if field.type == _F.TYPE_BOOL:
        return lambda key: "true" if key else "false"
    return _text if field.type == _F.TYPE_STRING else str


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
    if reading.base64_bytes and isinstance(value, bytes | bytearray | memoryview):
        value = bytes(value).decode("latin-1")
    return delimited(wire_text(_bytes_of(value)))


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
_READERS: dict[int, tuple[int, Callable[[Any, Reading], str]]] = {
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


_to_standard = str.maketrans("-_", "+/")
_padding = ("", "", "==", "=")

# By the length of a group, the characters that may end it, so that the unused bits are zero.
_last_of_group = (None, None, frozenset("AQgw"), frozenset("AEIMQUYcgkosw048"))


def _bytes_of(value: object) -> bytes:
    """Returns the bytes of a base64 text, or bytes from Python as they are.

    Either alphabet is read, but not both in one value. Padding may be left out; where it is given
    it must be complete. Blanks are errors, and so are unused bits that are not zero, save in a
    URL-safe text without padding.
    """
    if not isinstance(value, str):
        if isinstance(value, bytes | bytearray | memoryview):
            return bytes(value)
        raise wrong_type("base64 string", value)
    text = value
    url_safe = "-" in value or "_" in value
    if url_safe:
        if "+" in value or "/" in value:
            raise _not_base64(value, ": it mixes two alphabets")
        text = value.translate(_to_standard)
    padded = value.endswith("=")
    if padded:
        last = value[-4:].rstrip("=")
        rest = len(last)
        if rest not in (2, 3) or len(value) % 4:
            raise _not_base64(value, ": the padding is wrong")
    else:
        last = value[-1:]
        rest = len(value) % 4
        text += _padding[rest]
    # The official conformance suite wants "-_" read: URL-safe, bare, and with bits left over.
    allowed = None if url_safe and not padded else _last_of_group[rest]
    if allowed and last[-1:] not in allowed:
        raise _not_base64(value, ": the last character has bits set that belong to no byte")
    try:
        return binascii.a2b_base64(text, strict_mode=True)
    except ValueError:
        raise _not_base64(value) from None


def _base64_of(value: bytes) -> str:
    """Returns the standard base64 of bytes, with padding."""
    return binascii.b2a_base64(value, newline=False).decode("ascii")


def _not_base64(value: str, why: str = "") -> Problem:
    return Problem("value", f"expected base64, got {excerpt(value)}{why}")


def _same(value: Any) -> Any:
    return value


def _marked_base64(value: bytes) -> str:
    text = _base64_of(value)
    return Base64(text) if len(value) >= _MIN_MARKED else text


def _text(value: str | bytes) -> str:
    # A proto2 string may hold anything; invalid UTF-8 comes as bytes.
    if isinstance(value, str):
        return value
    raise Problem("encoding", "a string holds invalid UTF-8")


_MIN_MARKED = 1024
_INT64_TYPES = (
    *(_F.TYPE_INT64, _F.TYPE_UINT64, _F.TYPE_SINT64),
    *(_F.TYPE_FIXED64, _F.TYPE_SFIXED64),
)
_PRINTERS: dict[int, ScalarPrinter] = {
    _F.TYPE_STRING: _text,
    _F.TYPE_BYTES: _base64_of,
    _F.TYPE_DOUBLE: number_value,
    _F.TYPE_FLOAT: float32_value,
}


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
