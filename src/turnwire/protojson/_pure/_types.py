"""Finds fields, extensions and message classes by the names that stand in JSON."""

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
from turnwire.protojson._pure._problem import Problem


def _names(names: str) -> frozenset[str]:
    return frozenset(f"google.protobuf.{name}" for name in names.split())


WRAPPERS = _names(
    "BoolValue BytesValue StringValue DoubleValue FloatValue "
    "Int32Value Int64Value UInt32Value UInt64Value"
)
"""The full names of the wrappers, whose JSON is that of the value in them."""

_OWN_FORM = WRAPPERS | _names("Any Duration FieldMask ListValue Struct Timestamp Value")


def has_own_form(descriptor: Descriptor) -> bool:
    """Returns whether a message type has a JSON form other than the object of its fields."""
    return descriptor.full_name in _OWN_FORM


# Installed with Turnwire, so an Any of them can be read whether or not the program imported them.
_ALWAYS_KNOWN = {
    "google.protobuf.": tuple(
        f"google.protobuf.{name}_pb2"
        for name in ("any", "duration", "empty", "field_mask", "struct", "timestamp", "wrappers")
    ),
    "google.rpc.": ("google.rpc.error_details_pb2", "google.rpc.status_pb2"),
}


# For any other name, a pool may raise an error that is not a KeyError.
_full_name = re.compile(r"[A-Za-z_][A-Za-z0-9_]*(?:\.[A-Za-z_][A-Za-z0-9_]*)*").fullmatch


def descriptor_of(message: Message | type[Message]) -> Descriptor:
    """Returns a message's descriptor, with the type that the rest of protobuf's API gives it."""
    return cast(Descriptor, message.DESCRIPTOR)


def entry_fields(field: FieldDescriptor) -> tuple[FieldDescriptor, FieldDescriptor] | None:
    """Returns the key and the value field of a map, or None for any other field."""
    entry = field.message_type
    if entry is None or not entry.GetOptions().map_entry:
        return None
    return entry.fields_by_name["key"], entry.fields_by_name["value"]


def fields_by_name(descriptor: Descriptor) -> dict[str, FieldDescriptor]:
    """Returns the fields of a message type by each name that is read.

    A JSON name goes before another field's name in the schema.
    """
    fields = {field.name: field for field in descriptor.fields}
    fields.update({field.json_name: field for field in descriptor.fields})
    return fields


@cache
def _import_always_known(prefix: str) -> None:
    for module in _ALWAYS_KNOWN[prefix]:
        importlib.import_module(module)


def type_name_of(url: str) -> str:
    """Returns the full name at the end of a type URL, or raises a Problem."""
    _, slash, name = url.rpartition("/")
    if slash and name:
        return name
    example = "type.googleapis.com/package.Message"
    reason = f"expected a type URL such as {example}, got {excerpt(url)}"
    raise Problem("value", reason).at("@type")


def message_class_named(name: str, *pools: DescriptorPool | None) -> type[Message] | None:
    """Returns the class of a message by its full name, or None where no pool knows it.

    A message of Google's own CES and Conversational Analytics packages is read as Turnwire's
    mirror of it, whether or not Google's client is installed: the mirror has all of its fields.

    Args:
        name: The full name.
        pools: The pool that the caller named, before everything else, and that of the message
            which holds the Any; the default pool is the last one.
    """
    if not _full_name(name):
        return None
    named, *others = pools
    found = class_in(named, name)
    if found is not None:
        return found
    mirror = mirror_name_of(name)
    if mirror is not None:
        return class_in(Default(), mirror)
    for prefix in _ALWAYS_KNOWN:
        if name.startswith(prefix):
            _import_always_known(prefix)
    for pool in (*others, Default()):
        found = class_in(pool, name)
        if found is not None:
            return found
    return None


def class_in(pool: DescriptorPool | None, name: str) -> type[Message] | None:
    """Returns the class of a message that one pool knows, or None."""
    if pool is None:
        return None
    try:
        return GetMessageClass(pool.FindMessageTypeByName(name))
    except KeyError:
        return None


def extension_named(
    key: str, message_name: str, *pools: DescriptorPool | None
) -> FieldDescriptor | None:
    """Returns the extension of a message that a key such as ``[package.name]`` names, or None.

    Args:
        key: A member's name.
        message_name: The full name of the message that is extended.
        pools: Where to look, in this order.
    """
    name = key[1:-1]
    if not (key.startswith("[") and key.endswith("]") and _full_name(name)):
        return None
    for pool in pools:
        if pool is None:
            continue
        try:
            extension = pool.FindExtensionByName(name)
        except KeyError:
            continue
        extended = extension.containing_type
        # The pool also finds an extension of a MessageSet by the name of its type.
        if (
            extension.full_name == name
            and extended is not None
            and extended.full_name == message_name
        ):
            return extension
    return None
