"""Fills messages from the values of rows.

It goes by the values and not by the types of columns: a message may come as a dict or, where it
stands inside itself or is a Struct, as JSON text.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from google.protobuf.descriptor import Descriptor, EnumDescriptor, FieldDescriptor

from turnwire.arrow._columns import JSON_TYPES, NANOS, TIME_TYPES, case_name, real_oneofs
from turnwire.arrow._misfits import Misfit
from turnwire.errors import ParseError
from turnwire.protojson import from_dict, from_json
from turnwire.protojson._pure._time import FIRST_SECOND, LAST_SECOND, MAX_SECONDS
from turnwire.protojson._pure._types import WRAPPERS, entry_fields

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
            except (TypeError, ValueError) as error:
                raise Misfit(str(error)).within(name, field.full_name) from None
        for column, oneof in cases.items():
            case, member = values.get(column), message.WhichOneof(oneof)
            # A member is null, beside its name, if it was a misfit.
            if case is not None and member is not None and case != member:
                reason = f"the row has a value in {member}, and {case} here"
                raise Misfit(reason, kind="oneof").within(column, f"{descriptor.full_name}.{oneof}")

    return fill


def _setter(field: FieldDescriptor) -> Fill:
    entry = entry_fields(field)
    if entry is not None:
        return _map_setter(field.name, entry[1])
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

    return set_list


def _map_setter(name: str, value_field: FieldDescriptor) -> Fill:
    kind = value_field.message_type
    fill_one = None if kind is None else message_filler(kind)
    scalar_of = _scalar_reader(value_field)

    def set_map(message: Any, pairs: Any) -> None:
        held = getattr(message, name)
        for pair in pairs:
            # Libraries without maps make lists of structs of them.
            key, value = pair.values() if isinstance(pair, dict) else pair
            try:
                if value is None:
                    raise Misfit("a value of a map cannot be null")
                if key in held:
                    raise Misfit("the key comes twice", kind="duplicate")
                if fill_one is None:
                    held[key] = scalar_of(value)
                else:
                    fill_one(held[key], value)
            except Misfit as misfit:
                raise misfit.within(str(key)) from None

    return set_map


def _scalar_reader(field: FieldDescriptor) -> Callable[[Any], Any]:
    return _same if field.enum_type is None else _enum_reader(field.enum_type)


def _same(value: Any) -> Any:
    return value


def _enum_reader(enum: EnumDescriptor) -> Callable[[Any], int]:
    numbers = {value.name: value.number for value in enum.values}

    def number_of(name: str) -> int:
        number = numbers.get(name)
        if number is not None:
            return number
        try:
            return int(name)
        except ValueError:
            raise Misfit(f"{name!r} is not a value of {enum.full_name}", kind="unknown") from None

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
