"""The well-known types with a JSON form other than the object of their fields."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from string import ascii_uppercase
from typing import Any

from google.protobuf.descriptor import Descriptor
from google.protobuf.descriptor_pool import DescriptorPool
from google.protobuf.message import DecodeError

from turnwire.errors import excerpt
from turnwire.protojson._options import Style
from turnwire.protojson._pure import _types
from turnwire.protojson._pure._problem import MAX_DEPTH, Problem, too_deep
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
from turnwire.protojson._pure._values import as_object, check_key, wrong_type
from turnwire.protojson._pure._wire import (
    LENGTH_DELIMITED,
    delimited,
    signed_varint,
    tag,
    utf8,
    wire_text,
)

Reader = Callable[[Any, Reading, int], str | None]
Printer = Callable[[Any, int], Any]


def wellknown_reader(
    descriptor: Descriptor, reader_for: Callable[[Descriptor], Reader]
) -> Reader | None:
    """Returns the reader of a type with a JSON form of its kind, or None for other types."""
    name = descriptor.full_name
    if name in _types.WRAPPERS:
        return _wrapper_reader(descriptor)
    if name == "google.protobuf.Any":
        return _any_reader(descriptor, reader_for)
    return _READERS.get(name)


def wellknown_printer(
    descriptor: Descriptor, style: Style, printer_for: Callable[[Descriptor], Printer]
) -> Printer | None:
    """Returns the printer of a type with a JSON form of its kind, or None for other types."""
    name = descriptor.full_name
    if name in _types.WRAPPERS:
        print_scalar = scalar_printer(descriptor.fields_by_name["value"], style)
        return lambda message, depth: print_scalar(message.value)
    if name == "google.protobuf.Any":
        return _any_printer(descriptor, printer_for, style.pool)
    return struct_printers(style).get(name) or _PRINTERS.get(name)


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
    return "".join("\x0a" + delimited(path) for path in _field_mask_of(value))


def _any_reader(descriptor: Descriptor, reader_for: Callable[[Descriptor], Reader]) -> Reader:
    """Returns the reader of Any, which finds the readers of other types by `reader_for`."""
    own_pool = descriptor.file.pool

    def read_any(value: Any, reading: Reading, depth: int) -> str | None:
        members = value if type(value) is dict else as_object(value)
        if not members:
            return ""
        for key in members:
            check_key(key)
        if "@type" not in members:
            raise Problem("value", 'an Any needs its type in the member "@type"')
        url = members["@type"]
        if not isinstance(url, str):
            raise wrong_type("type URL", url).at("@type")
        name = _types.type_name_of(url)
        try:
            url_text = utf8(url)
        except Problem as problem:
            raise problem.at("@type") from None
        message_class = _types.message_class_named(name, reading.pool, own_pool)
        if message_class is None:
            if reading.ignore:
                return None
            reason = f"the message type {excerpt(name)} is not known; import its module first"
            raise Problem("unknown", reason).at("@type")
        if depth >= reading.max_depth:
            raise too_deep(reading.max_depth)
        held = _types.descriptor_of(message_class)
        body = _read_held(members, held, reader_for(held), reading, depth + 1)
        if body is None:
            return None
        try:
            # Parsed and written again, equal content gives equal bytes in whatever order it came.
            inner = message_class.FromString(body.encode("latin-1"))
            body = wire_text(inner.SerializePartialToString(deterministic=True))
        except (DecodeError, UnicodeDecodeError):
            raise too_deep() from None
        start = tag(1, LENGTH_DELIMITED) + delimited(url_text)
        return start + tag(2, LENGTH_DELIMITED) + delimited(body) if body else start

    return read_any


def _read_held(
    members: Mapping[str, Any], held: Descriptor, read: Reader, reading: Reading, depth: int
) -> str | None:
    if not _types.has_own_form(held):
        inner = {key: item for key, item in members.items() if key != "@type"}
        before = reading.left_out.mark()
        body = read(inner, reading, depth)
        reading.left_out.moved(inner, members, before)
        return body
    for key in members:
        if key not in ("@type", "value"):
            reading.unknown_field(members, key, held.full_name)
    if "value" not in members:
        reason = f'the JSON of {held.full_name} stands in the member "value" of its Any'
        raise Problem("value", reason)
    try:
        return read(members["value"], reading, depth)
    except Problem as problem:
        raise problem.at("value") from None


def _any_printer(
    descriptor: Descriptor,
    printer_for: Callable[[Descriptor], Printer],
    pool: DescriptorPool | None,
) -> Printer:
    """Returns the printer of Any, which finds the printers of other types by `printer_for`.

    Args:
        descriptor: The descriptor of Any.
        printer_for: Returns the printer of a type.
        pool: The pool in which types are looked for first.
    """
    own_pool = descriptor.file.pool

    def print_any(message: Any, depth: int) -> dict[str, Any]:
        url = message.type_url
        if not url:
            if message.value:
                raise Problem("value", "an Any with a value needs its type_url")
            return {}
        name = _types.type_name_of(url)
        message_class = _types.message_class_named(name, pool, own_pool)
        if message_class is None:
            reason = f"the message type {excerpt(name)} is not known; import its module first"
            raise Problem("unknown", reason).at("@type")
        if depth + 2 > MAX_DEPTH:
            raise too_deep()
        try:
            inner = message_class.FromString(message.value)
        except (DecodeError, UnicodeDecodeError):
            raise Problem("value", f"the value of this Any is not a {name}") from None
        held = _types.descriptor_of(message_class)
        printed = printer_for(held)(inner, depth + 1)
        if _types.has_own_form(held):
            return {"@type": url, "value": printed}
        if "@type" in printed:
            reason = f"the member @type of {name} would be taken for the type of its Any"
            raise Problem("value", reason)
        return {"@type": url, **printed}

    return print_any


# AIP-161 has "*" for all fields, or for all elements of a list or map.
_SEGMENT = r"(?:[A-Za-z0-9]++|\*)"
_PATH = rf"{_SEGMENT}(?:\.{_SEGMENT})*+"
_path = re.compile(_PATH).fullmatch
_paths = re.compile(rf"(?:{_PATH}(?:,{_PATH})*+)?").fullmatch
_snake_case = str.maketrans({capital: "_" + capital.lower() for capital in ascii_uppercase})


def _field_mask_of(value: object) -> list[str]:
    """Returns the paths of a FieldMask, in proto names."""
    if not isinstance(value, str):
        raise wrong_type("string of field paths", value)
    if not _paths(value):
        reason = f"expected lowerCamelCase paths with commas between, got {excerpt(value)}"
        raise Problem("value", reason)
    return value.translate(_snake_case).split(",") if value else []


def _field_mask_text(paths: list[str]) -> str:
    """Returns the text of a FieldMask; a path that would not read back as itself is a problem."""
    names = []
    for path in paths:
        name = re.sub("_([a-z])", lambda match: match.group(1).upper(), path)
        if not _path(name) or name.translate(_snake_case) != path:
            raise Problem("value", f"the path {excerpt(path)} has no JSON form that reads back")
        names.append(name)
    return ",".join(names)


_READERS: dict[str, Reader] = {
    "google.protobuf.Struct": read_struct,
    "google.protobuf.Value": read_value,
    "google.protobuf.ListValue": read_list_value,
    "google.protobuf.Timestamp": _seconds_and_nanos(timestamp_of),
    "google.protobuf.Duration": _seconds_and_nanos(duration_of),
    "google.protobuf.FieldMask": _read_field_mask,
}
_PRINTERS: dict[str, Printer] = {
    "google.protobuf.Timestamp": lambda m, depth: timestamp_text(m.seconds, m.nanos),
    "google.protobuf.Duration": lambda m, depth: duration_text(m.seconds, m.nanos),
    "google.protobuf.FieldMask": lambda m, depth: _field_mask_text(list(m.paths)),
}
