"""Fills messages from the values of rows.

It goes by the values and not by the types of columns: a message may come as a dict or, where it
stands inside itself or is a Struct, as JSON text.
"""

from __future__ import annotations

import re
import reprlib
import struct
from collections.abc import Callable
from decimal import Decimal
from typing import Any

from google.protobuf.descriptor import Descriptor, EnumDescriptor, FieldDescriptor

from turnwire.arrow._columns import JSON_TYPES, NANOS, TIME_TYPES, case_name, real_oneofs
from turnwire.arrow._misfits import Misfit
from turnwire.errors import ParseError
from turnwire.protojson import from_dict, from_json
from turnwire.protojson._pure._time import FIRST_SECOND, LAST_SECOND, MAX_SECONDS
from turnwire.protojson._pure._types import WRAPPERS, entry_fields

_F = FieldDescriptor
_TYPE_NAMES = {
    number: name.removeprefix("TYPE_").lower()
    for name, number in vars(_F).items()
    if name.startswith("TYPE_")
}
_DIGITS = re.compile(r"0|-?[1-9][0-9]*")

Fill = Callable[[Any, Any], None]
"""Takes a message, and the value of its cell, which is not null."""


def message_filler(descriptor: Descriptor) -> Fill:
    """Returns the function that fills messages of a type; it raises a Misfit for other values."""
    name = descriptor.full_name
    if name in WRAPPERS:
        return _fill_wrapper
    if name in TIME_TYPES:
        return _fill_time
    if name in JSON_TYPES:
        return _fill_from_json
    if not descriptor.fields:
        return lambda message, value: message.SetInParent()
    return _struct_filler(descriptor)


def _struct_filler(descriptor: Descriptor) -> Fill:
    fields = descriptor.fields_by_name
    cases = {case_name(oneof): oneof.name for oneof in real_oneofs(descriptor)}
    # A message type may stand inside itself, so that each is made when a value needs it.
    setters: dict[str, Fill] = {}

    def fill(message: Any, values: Any) -> None:
        if isinstance(values, str):
            _fill_from_json(message, values)
            return
        if not isinstance(values, dict):
            raise Misfit(f"expected a struct or JSON text, got {type(values).__name__}")
        message.SetInParent()
        for name, value in values.items():
            if value is None or name in cases:
                continue
            field = fields.get(name)
            if field is None:
                reason = f"{descriptor.full_name} has no field for this column"
                raise Misfit(reason, kind="unknown").within(name)
            try:
                setter = setters.get(name)
                if setter is None:
                    setter = setters[name] = _setter(field)
                setter(message, value)
            except Misfit as misfit:
                raise misfit.within(name, field.full_name) from None
            except (TypeError, ValueError, ArithmeticError):
                raise _unfit(field, value).within(name, field.full_name) from None
        for column, oneof in cases.items():
            case, member = values.get(column), message.WhichOneof(oneof)
            # A member is null, beside its name, if it was a misfit.
            if case is not None and member is not None and case != member:
                reason = f"the row has a value in {member}, and {case} here"
                raise Misfit(reason, kind="oneof").within(column, f"{descriptor.full_name}.{oneof}")

    return fill


def _unfit(field: FieldDescriptor, value: Any) -> Misfit:
    message = field.message_type
    name = _TYPE_NAMES[field.type] if message is None else message.full_name
    return Misfit(f"expected {name}, got {reprlib.repr(value)}")


def _setter(field: FieldDescriptor) -> Fill:
    entry = entry_fields(field)
    if entry is not None:
        return _map_setter(field.name, *entry)
    if field.is_repeated:
        return _list_setter(field)
    set_one = _singular_setter(field)
    oneof = field.containing_oneof
    if oneof is None:
        return set_one

    def set_member(message: Any, value: Any) -> None:
        other = message.WhichOneof(oneof.name)
        if other is not None:
            reason = f"the row also has a value in {other}, of the same oneof {oneof.name}"
            raise Misfit(reason, kind="oneof")
        set_one(message, value)

    return set_member


def _singular_setter(field: FieldDescriptor) -> Fill:
    name = field.name
    if field.message_type is not None:
        fill_one = message_filler(field.message_type)
        return lambda message, value: fill_one(getattr(message, name), value)
    scalar_of = _scalar_reader(field)
    return lambda message, value: setattr(message, name, scalar_of(value))


def _list_setter(field: FieldDescriptor) -> Fill:
    name = field.name
    fill_one = None if field.message_type is None else message_filler(field.message_type)
    scalar_of = _scalar_reader(field)

    def set_list(message: Any, values: Any) -> None:
        if not isinstance(values, list):
            raise Misfit(f"expected a list, got {reprlib.repr(values)}")
        held = getattr(message, name)
        for index, value in enumerate(values):
            try:
                if value is None:
                    raise Misfit("an element of a repeated field cannot be null")
                if fill_one is None:
                    held.append(scalar_of(value))
                else:
                    fill_one(held.add(), value)
            except Misfit as misfit:
                raise misfit.within(index) from None
            except (TypeError, ValueError, ArithmeticError):
                raise _unfit(field, value).within(index) from None

    return set_list


def _map_setter(name: str, key_field: FieldDescriptor, value_field: FieldDescriptor) -> Fill:
    kind = value_field.message_type
    fill_one = None if kind is None else message_filler(kind)
    scalar_of = _scalar_reader(value_field)

    def set_map(message: Any, pairs: Any) -> None:
        held = getattr(message, name)
        for pair in _pairs(pairs):
            key, value = pair
            try:
                if value is None:
                    raise Misfit("a value of a map cannot be null")
                if _is_key(held, key, key_field):
                    raise Misfit("the key comes twice", kind="duplicate")
                if fill_one is None:
                    held[key] = scalar_of(value)
                else:
                    fill_one(held[key], value)
            except Misfit as misfit:
                raise misfit.within(str(key)) from None
            except (TypeError, ValueError, ArithmeticError):
                raise _unfit(value_field, value).within(str(key)) from None

    return set_map


def _pairs(pairs: Any) -> list[tuple[Any, Any]]:
    """Returns the keys and values of a map; libraries without maps make lists of structs of it."""
    found: list[tuple[Any, Any]] = []
    for pair in pairs if isinstance(pairs, list) else [pairs]:
        if isinstance(pair, tuple):
            found.append(pair)
        elif isinstance(pair, dict) and pair.keys() == {"key", "value"}:
            found.append((pair["key"], pair["value"]))
        else:
            raise Misfit(f"expected pairs of key and value, got {reprlib.repr(pair)}")
    return found


def _is_key(held: Any, key: Any, key_field: FieldDescriptor) -> bool:
    try:
        return key in held
    except (TypeError, ValueError):
        raise _unfit(key_field, key) from None


def _scalar_reader(field: FieldDescriptor) -> Callable[[Any], Any]:
    if field.enum_type is not None:
        return _enum_reader(field.enum_type)
    return _READERS.get(field.type, _same)


def _same(value: Any) -> Any:
    return value


def _truth(value: Any) -> bool:
    # Protobuf takes any integer for a boolean.
    if value not in (0, 1):
        raise ValueError
    return bool(value)


def _double(value: Any) -> float:
    if type(value) is float:
        return value
    if isinstance(value, bool) or not isinstance(value, int | Decimal):
        raise TypeError
    number = float(value)
    if isinstance(value, int) and number != value:
        raise ValueError
    return number


def _float(value: Any) -> float:
    number = _double(value)
    # Protobuf makes infinity of a number that is too large.
    struct.pack("<f", number)
    return number


_READERS: dict[int, Callable[[Any], Any]] = {
    _F.TYPE_BOOL: _truth,
    _F.TYPE_DOUBLE: _double,
    _F.TYPE_FLOAT: _float,
}
"""Checks of the values that protobuf would take and change, by the type of their field."""


def _enum_reader(enum: EnumDescriptor) -> Callable[[Any], int]:
    numbers = {value.name: value.number for value in enum.values}

    def number_of(name: str) -> int:
        number = numbers.get(name)
        if number is not None:
            return number
        if isinstance(name, int) or _DIGITS.fullmatch(name):
            return int(name)
        raise Misfit(f"{name!r} is not a value of {enum.full_name}", kind="unknown")

    return number_of


def _fill_wrapper(message: Any, value: Any) -> None:
    message.SetInParent()
    message.value = value


def _fill_time(message: Any, value: Any) -> None:
    if isinstance(value, str):
        try:
            message.CopyFrom(from_dict(type(message), value))
        except ParseError as error:
            raise Misfit.of(error) from None
        message.SetInParent()
        return
    seconds, nanos = divmod(value, NANOS)
    if message.DESCRIPTOR.name == "Timestamp":
        lowest, highest = FIRST_SECOND, LAST_SECOND
    else:
        lowest, highest = -MAX_SECONDS, MAX_SECONDS
        if seconds < 0 and nanos:
            # Both parts of a duration have the same sign.
            seconds, nanos = seconds + 1, nanos - NANOS
    if not lowest <= seconds <= highest:
        raise Misfit(f"{seconds} seconds are too many or too few", kind="range")
    message.SetInParent()
    message.seconds, message.nanos = seconds, nanos


def _fill_from_json(message: Any, text: Any) -> None:
    if not isinstance(text, str):
        raise Misfit(f"expected JSON text, got {type(text).__name__}")
    try:
        message.CopyFrom(from_json(type(message), text))
    except ParseError as error:
        raise Misfit.of(error) from None
    message.SetInParent()
