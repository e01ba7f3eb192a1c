"""The well-known types that have a JSON form of their own: their printers."""

from __future__ import annotations

import binascii
from collections.abc import Callable
from typing import Any

from google.protobuf.descriptor import Descriptor
from google.protobuf.message import DecodeError

from turnwire.errors import excerpt
from turnwire.protojson import _types
from turnwire.protojson._depth import MAX_DEPTH, too_deep
from turnwire.protojson._numbers import float32_value, number_value
from turnwire.protojson._problem import Problem
from turnwire.protojson._time_text import duration_text, field_mask_text, timestamp_text
from turnwire.protojson._types import WRAPPERS, has_own_form

_Printer = Callable[[Any, int], Any]


def print_struct(struct: Any, depth: int) -> dict[str, Any]:
    """A Struct as an object, its keys sorted."""
    fields = struct.fields
    printed: dict[str, Any] = {}
    key = ""
    # The entry and its Value nest below the Struct, which nests below its holder.
    if depth + 3 > MAX_DEPTH and len(fields):
        raise too_deep()
    try:
        for key in sorted(fields):
            value = fields[key]
            # Two looks find most values; to ask which kind it is takes longer than both.
            text = value.string_value
            if text:
                printed[key] = text
                continue
            number = value.number_value
            if number and number - number == 0.0:
                whole = -1e16 < number < 1e16 and number.is_integer()
                printed[key] = int(number) if whole else number
                continue
            printed[key] = print_value(value, depth + 2)
    except Problem as problem:
        raise problem.at(key) from None
    return printed


def print_value(value: Any, depth: int) -> Any:
    """A Value as the JSON value that it holds."""
    kind = value.WhichOneof("kind")
    if kind == "string_value":
        return value.string_value
    if kind == "number_value":
        number = value.number_value
        if number - number != 0.0:
            raise Problem("value", f"a Struct cannot hold {number} in JSON")
        return number_value(number)
    if kind == "bool_value":
        return value.bool_value
    if kind == "null_value":
        return None
    if depth + 2 > MAX_DEPTH:
        raise too_deep()
    if kind == "struct_value":
        return print_struct(value.struct_value, depth + 1)
    if kind == "list_value":
        return print_list_value(value.list_value, depth + 1)
    raise Problem("value", "a Value must hold something; set null_value for null")


def print_list_value(values: Any, depth: int) -> list[Any]:
    """A ListValue as an array."""
    printed: list[Any] = []
    if depth + 2 > MAX_DEPTH and len(values.values):
        raise too_deep()
    try:
        for value in values.values:
            printed.append(print_value(value, depth + 1))
    except Problem as problem:
        raise problem.at(len(printed)) from None
    return printed


def _wrapper_printer(name: str) -> _Printer:
    if name in ("google.protobuf.Int64Value", "google.protobuf.UInt64Value"):
        return lambda message, depth: str(message.value)
    if name == "google.protobuf.BytesValue":
        return lambda message, depth: binascii.b2a_base64(message.value, newline=False).decode()
    if name == "google.protobuf.DoubleValue":
        return lambda message, depth: number_value(message.value)
    if name == "google.protobuf.FloatValue":
        return lambda message, depth: float32_value(message.value)
    return lambda message, depth: message.value


def _any_printer(descriptor: Descriptor, printer_for: Callable[[Descriptor], _Printer]) -> _Printer:
    pool = descriptor.file.pool

    def print_any(message: Any, depth: int) -> dict[str, Any]:
        url = message.type_url
        if not url:
            if message.value:
                raise Problem("value", "an Any with a value needs its type_url")
            return {}
        name = _types.type_name_of(url)
        message_class = _types.message_class_named(name, pool)
        if message_class is None:
            reason = f"no message type {excerpt(name)} is known; import its module first"
            raise Problem("unknown", reason).at("@type")
        if depth + 2 > MAX_DEPTH:
            raise too_deep()
        try:
            inner = message_class.FromString(message.value)
        except DecodeError:
            raise Problem("value", f"the value of this Any is no {name}") from None
        inner_descriptor = _types.descriptor_of(message_class)
        printed = printer_for(inner_descriptor)(inner, depth + 1)
        if has_own_form(inner_descriptor):
            return {"@type": url, "value": printed}
        return {"@type": url, **printed}

    return print_any


_FIXED: dict[str, _Printer] = {
    "google.protobuf.Struct": print_struct,
    "google.protobuf.Value": print_value,
    "google.protobuf.ListValue": print_list_value,
    "google.protobuf.Timestamp": lambda m, depth: timestamp_text(m.seconds, m.nanos),
    "google.protobuf.Duration": lambda m, depth: duration_text(m.seconds, m.nanos),
    "google.protobuf.FieldMask": lambda m, depth: field_mask_text(list(m.paths)),
}


def wellknown_printer(
    descriptor: Descriptor, printer_for: Callable[[Descriptor], _Printer]
) -> _Printer | None:
    """The printer of a well-known type with a JSON form of its own, or None for other types."""
    name = descriptor.full_name
    if name in WRAPPERS:
        return _wrapper_printer(name)
    if name == "google.protobuf.Any":
        return _any_printer(descriptor, printer_for)
    return _FIXED.get(name)
