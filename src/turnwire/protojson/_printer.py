"""Messages to JSON values: one printer per message type, compiled from its descriptor."""

from __future__ import annotations

import binascii
import threading
from collections.abc import Callable
from typing import Any

from google.protobuf.descriptor import Descriptor, EnumDescriptor, FieldDescriptor

from turnwire.protojson._depth import MAX_DEPTH, too_deep
from turnwire.protojson._numbers import float32_value, number_value
from turnwire.protojson._problem import Problem
from turnwire.protojson._style import Style
from turnwire.protojson._types import entry_fields
from turnwire.protojson._wellknown_printer import wellknown_printer


class LargeBytes:
    """A large bytes value, not yet in base64."""

    __slots__ = ("value",)

    def __init__(self, value: bytes) -> None:
        self.value = value

    def base64(self) -> bytes:
        """The base64 of the value."""
        return binascii.b2a_base64(self.value, newline=False)


_LARGE = 32 * 1024

Printer = Callable[[Any, int], Any]
"""Takes a message and the depth of the message that holds it, -1 if none; gives a JSON value."""

_ValuePrinter = Callable[[Any, int], Any]

_printers: dict[tuple[Style, Descriptor], Printer] = {}
_compiling = threading.RLock()


def message_printer(descriptor: Descriptor, style: Style) -> Printer:
    """The printer of a message type in one style, compiled on first use."""
    printer = _printers.get((style, descriptor))
    if printer is None:
        with _compiling:
            printer = _printers.get((style, descriptor))
            if printer is None:
                printer = _compile(descriptor, style)
                _printers[style, descriptor] = printer
    return printer


def print_one_field(message: Any, name: str, style: Style, absent: Any) -> Any:
    """The JSON value of the field with this JSON name; `absent` if it is not set.

    The other fields are not looked at: they may hold what JSON cannot.
    """
    for field, value in message.ListFields():
        if not field.is_extension and field.json_name == name:
            try:
                return _field_printer(field, style)(value, 0)
            except Problem as problem:
                raise problem.within(_key_of(field, style), field.full_name) from None
    return absent


def _compile(descriptor: Descriptor, style: Style) -> Printer:
    wellknown = wellknown_printer(descriptor, lambda inner: message_printer(inner, style))
    return wellknown or _object_printer(descriptor, style)


def _object_printer(descriptor: Descriptor, style: Style) -> Printer:
    # Filled field by field as they are met, so that a type which contains itself needs no care.
    # Extensions are met here too.
    printers: dict[FieldDescriptor, tuple[str, _ValuePrinter]] = {}
    numbers = {_key_of(field, style): field.number for field in descriptor.fields}

    def print_message(message: Any, depth: int) -> dict[str, Any]:
        depth += 1
        if depth > MAX_DEPTH:
            raise too_deep()
        members: dict[str, Any] = {}
        key: str = ""
        field: Any = None
        try:
            for field, value in message.ListFields():
                found = printers.get(field)
                if found is None:
                    found = printers[field] = _key_of(field, style), _field_printer(field, style)
                    numbers[found[0]] = field.number
                key, print_value = found
                # Most values are strings, and are what they are.
                members[key] = value if type(value) is str else print_value(value, depth)
        except Problem as problem:
            raise problem.within(key, field.full_name if field else None) from None
        return members

    if not style.defaults:
        return print_message
    defaults = {
        _key_of(field, style): _default_maker(field, style)
        for field in descriptor.fields
        if field.is_repeated or not field.has_presence
    }

    def print_with_defaults(message: Any, depth: int) -> dict[str, Any]:
        members = print_message(message, depth)
        for key in defaults.keys() - members.keys():
            members[key] = defaults[key]()
        return dict(sorted(members.items(), key=lambda member: numbers[member[0]]))

    return print_with_defaults


def _default_maker(field: FieldDescriptor, style: Style) -> Callable[[], Any]:
    """What makes the JSON value of a field without presence that holds its default."""
    if field.is_repeated:
        return list if entry_fields(field) is None else dict
    printed = _field_printer(field, style)(field.default_value, 0)
    return lambda: printed


def _key_of(field: FieldDescriptor, style: Style) -> str:
    if field.is_extension:
        return f"[{field.full_name}]"
    return str(field.name if style.proto_names else field.json_name)


def _field_printer(field: FieldDescriptor, style: Style) -> _ValuePrinter:
    entry = entry_fields(field)
    if entry is not None:
        return _map_printer(*entry, style)
    print_one = _value_printer(field, style)
    return _list_printer(print_one) if field.is_repeated else print_one


def _value_printer(field: FieldDescriptor, style: Style) -> _ValuePrinter:
    if field.message_type is not None:
        return message_printer(field.message_type, style)
    if field.enum_type is not None:
        return _enum_printer(field.enum_type, style)
    if style.large_bytes_apart and field.type == _F.TYPE_BYTES:
        return _base64_or_large
    return _SCALARS[field.type]


def _list_printer(print_one: _ValuePrinter) -> _ValuePrinter:
    def print_list(values: Any, depth: int) -> list[Any]:
        printed: list[Any] = []
        append = printed.append
        try:
            for value in values:
                append(print_one(value, depth))
        except Problem as problem:
            raise problem.at(len(printed)) from None
        return printed

    return print_list


def _map_printer(
    key_field: FieldDescriptor, value_field: FieldDescriptor, style: Style
) -> _ValuePrinter:
    print_value = _value_printer(value_field, style)
    print_key = _KEYS.get(key_field.type, _text_of_integer)

    def print_map(values: Any, depth: int) -> dict[str, Any]:
        printed: dict[str, Any] = {}
        # Keys are looked at before they are sorted: some may be no text.
        names = {key: print_key(key, depth) for key in values}
        name = ""
        try:
            for key in sorted(names):
                name = names[key]
                printed[name] = print_value(values[key], depth + 1)
        except Problem as problem:
            raise problem.at(name) from None
        return printed

    return print_map


def _enum_printer(enum: EnumDescriptor, style: Style) -> _ValuePrinter:
    if enum.full_name == "google.protobuf.NullValue":
        return lambda value, depth: None
    if style.enum_numbers:
        return lambda value, depth: value
    # An alias is a second name of a number; the first one is printed.
    names: dict[int, str] = {}
    for value in enum.values:
        names.setdefault(value.number, value.name)
    return lambda value, depth: names.get(value, value)


def _same(value: Any, depth: int) -> Any:
    return value


def _text(value: str | bytes, depth: int) -> str:
    # A proto2 string may hold anything; what is no UTF-8 comes as bytes.
    if isinstance(value, str):
        return value
    raise Problem("encoding", "a string holds invalid UTF-8")


def _text_of_integer(value: int, depth: int) -> str:
    return str(value)


def _text_of_bool(value: bool, depth: int) -> str:
    return "true" if value else "false"


def _base64(value: bytes, depth: int) -> str:
    return binascii.b2a_base64(value, newline=False).decode("ascii")


def _base64_or_large(value: bytes, depth: int) -> str | LargeBytes:
    return LargeBytes(value) if len(value) >= _LARGE else _base64(value, depth)


_F = FieldDescriptor
_SCALARS: dict[int, _ValuePrinter] = {
    _F.TYPE_STRING: _text,
    _F.TYPE_BOOL: _same,
    _F.TYPE_BYTES: _base64,
    _F.TYPE_DOUBLE: lambda value, depth: number_value(value),
    _F.TYPE_FLOAT: lambda value, depth: float32_value(value),
    **dict.fromkeys(
        (_F.TYPE_INT32, _F.TYPE_UINT32, _F.TYPE_SINT32, _F.TYPE_FIXED32, _F.TYPE_SFIXED32), _same
    ),
    **dict.fromkeys(
        (_F.TYPE_INT64, _F.TYPE_UINT64, _F.TYPE_SINT64, _F.TYPE_FIXED64, _F.TYPE_SFIXED64),
        _text_of_integer,
    ),
}
_KEYS: dict[int, Callable[[Any, int], str]] = {_F.TYPE_STRING: _text, _F.TYPE_BOOL: _text_of_bool}
