"""The well-known types that have a JSON form of their own: their readers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from google.protobuf.descriptor import Descriptor
from google.protobuf.message import DecodeError

from turnwire.errors import excerpt
from turnwire.protojson import _types
from turnwire.protojson._depth import MAX_DEPTH, too_deep
from turnwire.protojson._problem import Problem
from turnwire.protojson._reading import Reading
from turnwire.protojson._scalar_reader import plain_scalar
from turnwire.protojson._struct_reader import read_list_value, read_struct, read_value
from turnwire.protojson._time_text import duration_of, field_mask_of, timestamp_of
from turnwire.protojson._types import WRAPPERS, has_own_form
from turnwire.protojson._values import as_object, wrong_type
from turnwire.protojson._wire import (
    LENGTH_DELIMITED,
    delimited,
    signed_varint,
    tag,
    utf8,
    wire_text,
)

_Reader = Callable[[Any, Reading, int], str | None]
_ReaderFor = Callable[[Descriptor], _Reader]


def _seconds_and_nanos(parse: Callable[[str], tuple[int, int]], expected: str) -> _Reader:
    def read(value: Any, reading: Reading, depth: int) -> str:
        if not isinstance(value, str):
            raise wrong_type(expected, value)
        seconds, nanos = parse(value)
        out = "\x08" + signed_varint(seconds) if seconds else ""
        return out + "\x10" + signed_varint(nanos) if nanos else out

    return read


def _read_field_mask(value: Any, reading: Reading, depth: int) -> str:
    if not isinstance(value, str):
        raise wrong_type("string of field paths", value)
    return "".join("\x0a" + delimited(path) for path in field_mask_of(value))


def _wrapper_reader(descriptor: Descriptor) -> _Reader:
    wire_type, payload = plain_scalar(descriptor.fields_by_name["value"])
    start = tag(1, wire_type)

    def read_wrapper(value: Any, reading: Reading, depth: int) -> str:
        return start + payload(value, reading)

    return read_wrapper


def _any_reader(descriptor: Descriptor, reader_for: _ReaderFor) -> _Reader:
    pool = descriptor.file.pool

    def read_any(value: Any, reading: Reading, depth: int) -> str | None:
        members = value if type(value) is dict else as_object(value)
        if not members:
            return ""
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
        message_class = _types.message_class_named(name, pool)
        if message_class is None:
            if reading.ignore:
                return None
            reason = f"no message type {excerpt(name)} is known; import its module first"
            raise Problem("unknown", reason).at("@type")
        if depth >= MAX_DEPTH:
            raise too_deep()
        body = _read_any_body(
            members, _types.descriptor_of(message_class), reader_for, reading, depth + 1
        )
        if body is None:
            return None
        try:
            # Parsed and written again, equal content gives equal bytes in whatever order it came.
            inner = message_class.FromString(body.encode("latin-1"))
            body = wire_text(inner.SerializePartialToString(deterministic=True))
        except DecodeError:
            raise too_deep() from None
        start = tag(1, LENGTH_DELIMITED) + delimited(url_text)
        return start + tag(2, LENGTH_DELIMITED) + delimited(body) if body else start

    return read_any


def _read_any_body(
    members: Mapping[str, Any],
    descriptor: Descriptor,
    reader_for: _ReaderFor,
    reading: Reading,
    depth: int,
) -> str | None:
    read = reader_for(descriptor)
    if not has_own_form(descriptor):
        inner = {key: item for key, item in members.items() if key != "@type"}
        return _read_members(read, members, inner, reading, depth)
    for key in members:
        if key not in ("@type", "value"):
            reading.unknown_field(members, key, descriptor.full_name)
    if "value" not in members:
        reason = f'the JSON of {descriptor.full_name} stands in the member "value" of its Any'
        raise Problem("value", reason)
    try:
        return read(members["value"], reading, depth)
    except Problem as problem:
        raise problem.at("value") from None


def _read_members(
    read: _Reader, members: Mapping[str, Any], inner: dict[str, Any], reading: Reading, depth: int
) -> str | None:
    before = reading.mark()
    body = read(inner, reading, depth)
    # What was left out stands in the caller's object, not in the copy without "@type".
    reading.moved(inner, members, before)
    return body


_read_timestamp = _seconds_and_nanos(timestamp_of, "RFC 3339 string")
_read_duration = _seconds_and_nanos(duration_of, "duration string")

_FIXED: dict[str, _Reader] = {
    "google.protobuf.Struct": read_struct,
    "google.protobuf.Value": read_value,
    "google.protobuf.ListValue": read_list_value,
    "google.protobuf.Timestamp": _read_timestamp,
    "google.protobuf.Duration": _read_duration,
    "google.protobuf.FieldMask": _read_field_mask,
}


def wellknown_reader(descriptor: Descriptor, reader_for: _ReaderFor) -> _Reader | None:
    """The reader of a well-known type with a JSON form of its own, or None for other types."""
    name = descriptor.full_name
    if name in WRAPPERS:
        return _wrapper_reader(descriptor)
    if name == "google.protobuf.Any":
        return _any_reader(descriptor, reader_for)
    return _FIXED.get(name)
