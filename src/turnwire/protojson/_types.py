"""Finds the message class that a type URL names, and the extension that a bracketed key names."""

from __future__ import annotations

import importlib
import re
from functools import cache
from typing import cast

from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.descriptor_pool import Default, DescriptorPool
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass

from turnwire._apis import mirror_name_of
from turnwire.errors import excerpt
from turnwire.protojson._problem import Problem


def _names(*names: str) -> frozenset[str]:
    return frozenset(f"google.protobuf.{name}" for name in names)


WRAPPERS = _names(
    *("BoolValue", "BytesValue", "StringValue", "DoubleValue", "FloatValue"),
    *("Int32Value", "Int64Value", "UInt32Value", "UInt64Value"),
)
"""The full names of the wrappers, whose JSON is that of the value in them."""

_OWN_FORM = WRAPPERS | _names(
    *("Any", "Duration", "FieldMask", "ListValue", "Struct", "Timestamp", "Value")
)


def has_own_form(descriptor: Descriptor) -> bool:
    """Whether a message type has a JSON form that is not the object of its fields."""
    return descriptor.full_name in _OWN_FORM


# Installed with Turnwire, so an Any of them can be read whether or not the program imported them.
_ALWAYS_KNOWN = {
    "google.protobuf.": tuple(
        f"google.protobuf.{name}_pb2"
        for name in ("any", "duration", "empty", "field_mask", "struct", "timestamp", "wrappers")
    ),
    "google.rpc.": ("google.rpc.error_details_pb2", "google.rpc.status_pb2"),
}


# The pools take nothing else, and raise what is no KeyError.
_full_name = re.compile(r"[A-Za-z_][A-Za-z0-9_]*(?:\.[A-Za-z_][A-Za-z0-9_]*)*").fullmatch


def descriptor_of(message: Message | type[Message]) -> Descriptor:
    """A message's descriptor, under the type that the rest of protobuf's API gives it."""
    return cast(Descriptor, message.DESCRIPTOR)


def entry_fields(field: FieldDescriptor) -> tuple[FieldDescriptor, FieldDescriptor] | None:
    """The key and the value field of a map, or None for a field that is no map."""
    entry = field.message_type
    if entry is None or not entry.GetOptions().map_entry:
        return None
    return entry.fields_by_name["key"], entry.fields_by_name["value"]


@cache
def _import_always_known(prefix: str) -> None:
    for module in _ALWAYS_KNOWN[prefix]:
        importlib.import_module(module)


def type_name_of(url: str) -> str:
    """The full name at the end of a type URL, or a Problem."""
    _, slash, name = url.rpartition("/")
    if slash and name:
        return name
    example = "type.googleapis.com/package.Message"
    reason = f"expected a type URL such as {example}, got {excerpt(url)}"
    raise Problem("value", reason).at("@type")


def message_class_named(name: str, pool: DescriptorPool) -> type[Message] | None:
    """The class of a message by its full name, or None when no pool at hand knows it.

    A message of Google's own CES and Conversational Analytics packages is read as Turnwire's
    mirror of it, whether or not Google's client is installed: the mirror has all of its fields.
    """
    if not _full_name(name):
        return None
    mirror = mirror_name_of(name)
    if mirror is not None:
        name, pool = mirror, Default()
    for prefix in _ALWAYS_KNOWN:
        if name.startswith(prefix):
            _import_always_known(prefix)
    for place in (pool, Default()):
        try:
            return GetMessageClass(place.FindMessageTypeByName(name))
        except KeyError:
            continue
    return None


def extension_named(key: str, message_name: str, pool: DescriptorPool) -> FieldDescriptor | None:
    """The extension of a message that a key such as ``[package.name]`` names, or None."""
    if not (key.startswith("[") and key.endswith("]") and _full_name(key[1:-1])):
        return None
    try:
        extension = pool.FindExtensionByName(key[1:-1])
    except KeyError:
        return None
    extended = extension.containing_type
    return extension if extended is not None and extended.full_name == message_name else None
