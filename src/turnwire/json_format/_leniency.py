"""Accepts input that only Google's parser accepts, where that parser loses nothing of it."""

from __future__ import annotations

import base64
import json
import re
import sys
from collections.abc import Callable
from decimal import Decimal, InvalidOperation
from typing import Any

from google.protobuf import json_format as google
from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.descriptor_pool import Default, DescriptorPool
from google.protobuf.message import Message

from turnwire.protojson._pure._types import descriptor_of, entry_fields, has_own_form
from turnwire.protojson._pure._values import ExactNumber

_F = FieldDescriptor
_FLOATS = (_F.TYPE_DOUBLE, _F.TYPE_FLOAT)
_INTEGERS = (
    *(_F.TYPE_INT32, _F.TYPE_SINT32, _F.TYPE_SFIXED32, _F.TYPE_UINT32, _F.TYPE_FIXED32),
    *(_F.TYPE_INT64, _F.TYPE_SINT64, _F.TYPE_SFIXED64, _F.TYPE_UINT64, _F.TYPE_FIXED64),
)
# Half a step above the largest float: what is smaller is rounded to that.
_MAX_FLOAT = 3.4028235677973366e38
_STRUCTS = ("google.protobuf.Struct", "google.protobuf.Value", "google.protobuf.ListValue")


def merge_leniently(
    message: Message,
    read_value: Callable[[], Any],
    ignore_unknown: bool,
    pool: DescriptorPool | None,
    depth: int,
) -> bool:
    """Merges a JSON value by Google's parser, unless it is wrong or would lose something.

    Args:
        message: The message to change.
        read_value: Returns the JSON value, or raises a ValueError.
        ignore_unknown: Whether unknown fields are left out.
        pool: Where the types in an ``Any`` are looked up.
        depth: How many messages may nest.

    Returns:
        Whether it was merged. If not, the message is unchanged.
    """
    trial = type(message)()
    trial.CopyFrom(message)
    try:
        value = read_value()
        google.ParseDict(value, trial, ignore_unknown, pool, depth)
        # Google's parser reads some values that Google's printer refuses.
        google.MessageToDict(trial, descriptor_pool=pool)
    except Exception:
        # Google's functions raise more than their own errors.
        return False
    if _Losses(pool or Default()).in_message(value, descriptor_of(message)):
        return False
    # Not a copy of the trial: it would have another order of the entries of maps.
    google.ParseDict(value, message, ignore_unknown, pool, depth)
    return True


def values_of(text: str | bytes) -> Any:
    """Returns the JSON value of a text; a repeated key is a ValueError."""
    return json.loads(text, object_pairs_hook=_object_of, parse_float=ExactNumber.of)


def _object_of(members: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(members)
    if len(found) < len(members):
        raise ValueError("a key comes more than once")
    return found


class _Losses:
    """Reports what Google's parser reads without keeping all of it.

    Each method takes a value that Google's parser accepts.
    """

    def __init__(self, pool: DescriptorPool) -> None:
        self._pool = pool

    def in_message(self, value: Any, descriptor: Descriptor) -> bool:
        if descriptor.full_name == "google.protobuf.Any":
            return self._in_any(value)
        if descriptor.full_name in _STRUCTS:
            return False
        if descriptor.full_name == "google.protobuf.Duration":
            return _in_duration(value)
        if descriptor.full_name == "google.protobuf.Timestamp":
            # Google's parser takes a second sign for a part of the offset.
            return len(re.findall("[+-]", value.rpartition("T")[2])) > 1
        if descriptor.file.name == "google/protobuf/wrappers.proto":
            return self._in_one(value, descriptor.fields_by_name["value"])
        # An empty list or string in the place of an object holds nothing that could be lost. The
        # strings of times and masks are read as a whole, or not at all.
        return isinstance(value, dict) and self._in_members(value, descriptor)

    def _in_members(self, members: dict[str, Any], descriptor: Descriptor) -> bool:
        by_json_name = {field.json_name: field for field in descriptor.fields}
        seen: set[str] = set()
        for key, value in members.items():
            field = by_json_name.get(key) or descriptor.fields_by_name.get(key)
            if field is None:
                # It is unknown, or an extension: the options decide on it.
                continue
            if value is None and not _takes_null(field):
                # It clears the field, also of what another spelling set.
                if field.full_name in seen:
                    return True
                continue
            places = {field.full_name, (field.containing_oneof or field).full_name}
            # A second spelling of a field, or a second member of a oneof, replaces the first.
            if not seen.isdisjoint(places) or self._in_field(value, field):
                return True
            seen |= places
        return False

    def _in_field(self, value: Any, field: FieldDescriptor) -> bool:
        if not field.is_repeated:
            return self._in_one(value, field)
        entry = entry_fields(field)
        if entry is not None:
            keys = {_key_of(key, entry[0]) for key in value}
            return (
                len(keys) < len(value)
                or any(self._in_one(key, entry[0]) for key in value)
                or any(self._in_one(item, entry[1]) for item in value.values())
            )
        return any(self._in_one(item, field) for item in value)

    def _in_one(self, value: Any, field: FieldDescriptor) -> bool:
        if field.message_type is not None:
            return self.in_message(value, field.message_type)
        if field.enum_type is not None:
            return _in_enum(value)
        if field.type in _FLOATS:
            return _in_float(value, field)
        if field.type in _INTEGERS:
            return _in_integer(value)
        return field.type == _F.TYPE_BYTES and _in_bytes(value)

    def _in_any(self, value: dict[str, Any]) -> bool:
        if not value:
            return False
        descriptor = self._pool.FindMessageTypeByName(value["@type"].rpartition("/")[2])
        members = {key: member for key, member in value.items() if key != "@type"}
        if has_own_form(descriptor):
            return len(members) > 1 or self.in_message(members["value"], descriptor)
        return self.in_message(members, descriptor)


def _takes_null(field: FieldDescriptor) -> bool:
    """Reports whether null is a value of a field instead of its absence."""
    held = field.message_type or field.enum_type
    return held is not None and held.full_name in (
        "google.protobuf.Value",
        "google.protobuf.NullValue",
    )


def _key_of(text: str, field: FieldDescriptor) -> str | int:
    if field.type in (_F.TYPE_STRING, _F.TYPE_BOOL):
        return text
    try:
        return int(text)
    except ValueError:
        return int(float(text))


def _in_enum(value: Any) -> bool:
    """Reports a boolean, a fraction or a number that no enum can hold."""
    if isinstance(value, str):
        try:
            value = int(value)
        except ValueError:
            # It is a name.
            return False
    return (
        isinstance(value, bool)
        or value != int(value)
        or not -(2**31) <= value < 2**31
        or _in_integer(value)
    )


def _in_integer(value: Any) -> bool:
    """Reports a number that becomes another integer on its way through a double."""
    text = value.text if isinstance(value, ExactNumber) else value
    if not isinstance(text, str):
        # Google's parser cuts the fraction of a `Decimal` off.
        return bool(text != int(text))
    try:
        int(text)
    except ValueError:
        return Decimal(text) != int(float(text))
    return False


def _in_duration(text: str) -> bool:
    """Reports an exponent, which becomes a part of the fraction, and parts of a nanosecond."""
    if "e" in text.lower():
        return True
    try:
        return (Decimal(text[:-1]) * 10**9) % 1 != 0
    except InvalidOperation:
        return True


def _in_float(value: Any, field: FieldDescriptor) -> bool:
    """Reports a boolean, or a number in quotes that becomes an infinity."""
    if isinstance(value, bool):
        return True
    if not isinstance(value, str) or "inf" in value.lower():
        return False
    limit = _MAX_FLOAT if field.type == _F.TYPE_FLOAT else sys.float_info.max
    return abs(float(value)) > limit


def _in_bytes(value: Any) -> bool:
    """Reports text of which Google's decoder skips more than blanks, or bits at the end."""
    if not isinstance(value, str):
        return True
    data = "".join(value.split()).rstrip("=").replace("+", "-").replace("/", "_")
    try:
        decoded = base64.urlsafe_b64decode(data + "=" * (-len(data) % 4))
    except ValueError:
        return True
    return base64.urlsafe_b64encode(decoded).decode().rstrip("=") != data
