"""Merges JSON into a message that may hold something already."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, Literal

from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.message import Message

from turnwire.errors import Path
from turnwire.protojson._types import descriptor_of, entry_fields, extension_named, has_own_form

Lists = Literal["append", "replace"]


def merge(
    message: Message, addition: Message, value: Any, left_out: Collection[Path], lists: Lists
) -> None:
    """Merges a message that was just read from a JSON value.

    `Message.MergeFrom` overlooks whatever the value sets to null or to a default, and joins
    well-known types that JSON gives as one value. So the members of the value decide first which
    fields lose what they hold.

    Args:
        message: What is changed.
        addition: A message of the same class, read from `value`.
        value: The JSON value.
        left_out: The paths of unknown things in it. A field whose value was unknown is kept.
        lists: Whether repeated fields and maps add to what there is, or replace it.
    """
    if message.ByteSize():
        _Clearing(left_out, lists).clear(message, value, ())
    message.MergeFrom(addition)


class _Clearing:
    """One walk through a message beside the JSON value that will be merged into it."""

    def __init__(self, left_out: Collection[Path], lists: Lists) -> None:
        self._left_out = frozenset(left_out)
        self._replaces_lists = lists == "replace"

    def clear(self, message: Message, value: Any, path: Path) -> None:
        """Clears the fields that the value sets as a whole."""
        descriptor = descriptor_of(message)
        if has_own_form(descriptor):
            # An empty object says nothing of an Any.
            if value != {} or descriptor.full_name != "google.protobuf.Any":
                message.Clear()
            return
        for key, member in value.items():
            inside = (*path, key)
            field = _field_of(descriptor, key)
            if field is not None and inside not in self._left_out:
                self._clear_field(message, field, member, inside)

    def _clear_field(self, message: Message, field: FieldDescriptor, value: Any, path: Path) -> None:
        if value is None or not (field.is_repeated or field.message_type is not None):
            _clear(message, field)
        elif field.is_repeated:
            if self._replaces_lists:
                _clear(message, field)
        elif _holds(message, field):
            # A message that is not there has nothing to lose, and asking for it would make it.
            self.clear(_held(message, field), value, path)


def _field_of(descriptor: Descriptor, key: str) -> FieldDescriptor | None:
    by_json_name = {field.json_name: field for field in descriptor.fields}
    return (
        by_json_name.get(key)
        or descriptor.fields_by_name.get(key)
        or extension_named(key, descriptor.full_name, descriptor.file.pool)
    )


def _holds(message: Message, field: FieldDescriptor) -> bool:
    if field.is_extension:
        return message.HasExtension(field)
    return message.HasField(field.name)


def _held(message: Message, field: FieldDescriptor) -> Message:
    held: Message = message.Extensions[field] if field.is_extension else getattr(message, field.name)
    return held


def _clear(message: Message, field: FieldDescriptor) -> None:
    if field.is_extension:
        message.ClearExtension(field)
    else:
        message.ClearField(field.name)
