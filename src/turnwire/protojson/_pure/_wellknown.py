"""The well-known types with a JSON form other than the object of their fields."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from google.protobuf.descriptor import Descriptor

from turnwire.protojson._options import Style
from turnwire.protojson._pure._any import Printer, Reader, any_printer, any_reader
from turnwire.protojson._pure._masks import field_mask_of, field_mask_text
from turnwire.protojson._pure._reading import Reading
from turnwire.protojson._pure._scalars import scalar_printer, scalar_reader
from turnwire.protojson._pure._structs import (
    read_list_value,
    read_struct,
    read_value,
    struct_printers,
)
from turnwire.protojson._pure._time import (
    duration_of,
    duration_text,
    timestamp_of,
    timestamp_text,
)
from turnwire.protojson._pure._types import WRAPPERS
from turnwire.protojson._pure._wire import delimited, signed_varint, tag


def wellknown_reader(
    descriptor: Descriptor, reader_for: Callable[[Descriptor], Reader]
) -> Reader | None:
    """Returns the reader of a type with a JSON form of its kind, or None for other types."""
    name = descriptor.full_name
    if name in WRAPPERS:
        return _wrapper_reader(descriptor)
    if name == "google.protobuf.Any":
        return any_reader(descriptor, reader_for)
    return _READERS.get(name)


def wellknown_printer(
    descriptor: Descriptor, style: Style, printer_for: Callable[[Descriptor], Printer]
) -> Printer | None:
    """Returns the printer of a type with a JSON form of its kind, or None for other types."""
    name = descriptor.full_name
    if name in WRAPPERS:
        print_scalar = scalar_printer(descriptor.fields_by_name["value"], style)
        return lambda message, depth: print_scalar(message.value)
    if name == "google.protobuf.Any":
        return any_printer(descriptor, printer_for, style.pool)
    structs = _LIKE_JSON_FORMAT if style.like_json_format else _STRUCTS
    return structs.get(name) or _PRINTERS.get(name)


def _wrapper_reader(descriptor: Descriptor) -> Reader:
    read = scalar_reader(descriptor.fields_by_name["value"])
    start, payload = tag(1, read.wire_type), read.payload

    def read_wrapper(value: Any, reading: Reading, depth: int) -> str | None:
        body = payload(value, reading)
        return None if body is None else start + body

    return read_wrapper


def _seconds_and_nanos(parse: Callable[[object], tuple[int, int]]) -> Reader:
    def read(value: Any, reading: Reading, depth: int) -> str:
        seconds, nanos = parse(value)
        out = "\x08" + signed_varint(seconds) if seconds else ""
        return out + "\x10" + signed_varint(nanos) if nanos else out

    return read


def _read_field_mask(value: Any, reading: Reading, depth: int) -> str:
    return "".join("\x0a" + delimited(path) for path in field_mask_of(value))


_READERS: dict[str, Reader] = {
    "google.protobuf.Struct": read_struct,
    "google.protobuf.Value": read_value,
    "google.protobuf.ListValue": read_list_value,
    "google.protobuf.Timestamp": _seconds_and_nanos(timestamp_of),
    "google.protobuf.Duration": _seconds_and_nanos(duration_of),
    "google.protobuf.FieldMask": _read_field_mask,
}
_STRUCTS = struct_printers(like_json_format=False)
_LIKE_JSON_FORMAT = struct_printers(like_json_format=True)
_PRINTERS: dict[str, Printer] = {
    "google.protobuf.Timestamp": lambda m, depth: timestamp_text(m.seconds, m.nanos),
    "google.protobuf.Duration": lambda m, depth: duration_text(m.seconds, m.nanos),
    "google.protobuf.FieldMask": lambda m, depth: field_mask_text(list(m.paths)),
}
