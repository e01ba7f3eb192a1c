"""Finds the message class that a type URL names, and the extension that a bracketed key names."""

from __future__ import annotations

import importlib
from functools import cache

from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.descriptor_pool import Default, DescriptorPool
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass

from turnwire._mirrors import mirror_name_of

# Installed with Turnwire, so an Any of them can be read whether or not the program imported them.
_ALWAYS_KNOWN = {
    "google.protobuf.": tuple(
        f"google.protobuf.{name}_pb2"
        for name in ("any", "duration", "empty", "field_mask", "struct", "timestamp", "wrappers")
    ),
    "google.rpc.": ("google.rpc.error_details_pb2", "google.rpc.status_pb2"),
}


@cache
def _import_always_known(prefix: str) -> None:
    for module in _ALWAYS_KNOWN[prefix]:
        importlib.import_module(module)


def message_class_named(name: str, pool: DescriptorPool) -> type[Message] | None:
    """The class of a message by its full name, or None when no pool at hand knows it.

    A message of Google's own CES and Conversational Analytics packages is read as Turnwire's
    mirror of it, whether or not Google's client is installed: the mirror has all of its fields.
    """
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
    """The extension field that a key such as ``[package.name]`` names, if it extends the message."""
    if not (key.startswith("[") and key.endswith("]")):
        return None
    try:
        extension = pool.FindExtensionByName(key[1:-1])
    except KeyError:
        return None
    if extension.containing_type.full_name != message_name:
        return None
    return extension
