"""Messages to JSON values: one printer per message type, compiled from its descriptor."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from google.protobuf.descriptor import Descriptor, FieldDescriptor

from turnwire.errors import excerpt
from turnwire.protojson._caches import make_room
from turnwire.protojson._options import Style
from turnwire.protojson._pure._problem import MAX_DEPTH, Problem, too_deep
from turnwire.protojson._pure._scalars import map_key_printer, scalar_printer
from turnwire.protojson._pure._types import entry_fields, fields_by_name
from turnwire.protojson._pure._wellknown import wellknown_printer

Printer = Callable[[Any, int], Any]
"""Takes a message and the depth of the message that holds it, -1 if none; gives a JSON value."""

_ValuePrinter = Callable[[Any, int], Any]

_MAX_PRINTERS = 512
_printers: dict[tuple[Style, Descriptor], Printer] = {}


def message_printer(descriptor: Descriptor, style: Style) -> Printer:
    """Returns the printer of a message type in one style, compiled on first use."""
    printer = _printers.get((style, descriptor))
    if printer is None:
        # Two threads may compile the same type; either printer will do.
        printer = _compile(descriptor, style)
        make_room(_printers, _MAX_PRINTERS)
        _printers[style, descriptor] = printer
    return printer


def print_one_field(message: Any, name: str, style: Style, absent: Any) -> Any:
    """Returns the JSON value of the field with this name; `absent` if it is not set.

    The other fields are not looked at: they may hold something without a JSON form.

    Args:
        message: The message.
        name: The field's name in JSON or in the schema.
        style: The options.
        absent: The result for a field that is not set or does not exist.
    """
    wanted = fields_by_name(message.DESCRIPTOR).get(name)
    for field, value in message.ListFields():
        if field == wanted:
            try:
                return _field_printer(field, style)(value, 0)
            except Problem as problem:
                raise problem.within(_key_of(field, style), field.full_name) from None
    return absent


def _compile(descriptor: Descriptor, style: Style) -> Printer:
    wellknown = wellknown_printer(descriptor, style, lambda inner: message_printer(inner, style))
    return wellknown or _object_printer(descriptor, style)


def _object_printer(descriptor: Descriptor, style: Style) -> Printer:
    # Filled field by field as they are met, so that a type which contains itself needs no care.
    # Extensions are met here too.
    printers: dict[FieldDescriptor, tuple[str, _ValuePrinter]] = {}
    numbers = {_key_of(field, style): field.number for field in descriptor.fields}
    fields = fields_by_name(descriptor)

    def printer_of(field: FieldDescriptor, key: str) -> tuple[str, _ValuePrinter]:
        if not field.is_extension:
            check_readable(field, key)
        numbers[key] = field.number
        return key, _field_printer(field, style)

    def check_readable(field: FieldDescriptor, key: str) -> None:
        other = fields[key]
        if other != field:
            reason = f"the name {excerpt(key)} would be read as that of the field {other.name}"
            raise Problem("value", reason)

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
                    key = _key_of(field, style)
                    found = printers[field] = printer_of(field, key)
                key, print_value = found
                # Most values are strings, and stay as they are.
                members[key] = value if type(value) is str else print_value(value, depth)
        except Problem as problem:
            raise problem.within(key, field.full_name if field else None) from None
        return members

    if not style.defaults:
        return print_message
    defaults = {
        field: (_key_of(field, style), _default_maker(field, style))
        for field in descriptor.fields
        if field.is_repeated or not field.has_presence
    }

    def print_with_defaults(message: Any, depth: int) -> dict[str, Any]:
        members = print_message(message, depth)
        for field, (key, make) in defaults.items():
            if key not in members:
                try:
                    check_readable(field, key)
                    members[key] = make()
                except Problem as problem:
                    raise problem.within(key, field.full_name) from None
        if style.like_json_format:
            return members
        return dict(sorted(members.items(), key=lambda member: numbers[member[0]]))

    return print_with_defaults


def _default_maker(field: FieldDescriptor, style: Style) -> Callable[[], Any]:
    """Returns a maker of the JSON value of a field without presence that holds its default."""
    if field.is_repeated:
        return list if entry_fields(field) is None else dict
    print_value = _field_printer(field, style)
    return lambda: print_value(field.default_value, 0)


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
    print_scalar = scalar_printer(field, style)
    return lambda value, depth: print_scalar(value)


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
    print_key = map_key_printer(key_field)
    in_order = iter if style.like_json_format else sorted

    def print_map(values: Any, depth: int) -> dict[str, Any]:
        printed: dict[str, Any] = {}
        # Keys are looked at before they are sorted: some may not be text.
        names = {key: print_key(key) for key in values}
        name = ""
        try:
            for key in in_order(names):
                name = names[key]
                printed[name] = print_value(values[key], depth + 1)
        except Problem as problem:
            raise problem.at(name) from None
        return printed

    return print_map
