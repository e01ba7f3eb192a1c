"""Merges JSON into a message that may hold something already."""

from __future__ import annotations

from collections.abc import Callable, Collection
from copy import deepcopy
from functools import partial
from typing import TYPE_CHECKING, Any, Literal

from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.descriptor_pool import DescriptorPool
from google.protobuf.message import Message

from turnwire.errors import Path
from turnwire.protojson import _pure
from turnwire.protojson._accelerator import CORE_DEPTHS, NO_CODEC, codec_of, codecs
from turnwire.protojson._arguments import check_message, check_options
from turnwire.protojson._face import Reading
from turnwire.protojson._options import LossyNumbers, Unknown, UnknownPlaces
from turnwire.protojson._pure._text import text_of, values_of
from turnwire.protojson._pure._types import (
    descriptor_of,
    extension_named,
    fields_by_name,
    has_own_form,
)

if TYPE_CHECKING:
    from turnwire._backend import Codec

_Options = tuple[LossyNumbers, int | None, DescriptorPool | None]

Lists = Literal["append", "replace"]
"""The treatment of repeated fields and maps: add to what there is, or replace it."""


def merge_json(
    message: Message,
    data: str | bytes | bytearray | memoryview,
    *,
    lists: Lists = "append",
    unknown: Unknown = "error",
    lossy_numbers: LossyNumbers = "round",
    max_depth: int | None = None,
    pool: DescriptorPool | None = None,
    check_required: bool | None = None,
) -> None:
    """Reads JSON text into a message that may hold something already.

    Members that the text does not name stay. null clears a field, a scalar replaces the one that
    was there, and messages are merged member by member. The well-known types that are one value in
    JSON, such as ``Timestamp`` and ``Struct``, are replaced as a whole.

    Args:
        message: The message to change.
        data: One JSON value, as text or as UTF-8 bytes.
        lists: Whether repeated fields ``"append"`` and maps add their keys, as ``MergeFrom`` of
            protobuf does, or the new ones ``"replace"`` the old, as ``json_format`` does.
        unknown: As for `from_json`.
        lossy_numbers: As for `from_json`.
        max_depth: As for `from_json`.
        pool: As for `from_json`.
        check_required: Whether a required field that the merged message lacks is an error.

    Raises:
        ParseError: The data is not the JSON of such a message. The message is unchanged.
        TypeError: ``message`` is not a protobuf message, or the data is not text.

    >>> from turnwire import ces
    >>> message = ces.Message(role="user", chunks=[ces.Chunk(text="a")])
    >>> merge_json(message, '{"role": null, "chunks": [{"text": "b"}]}')
    >>> message.role, [chunk.text for chunk in message.chunks]
    ('', ['a', 'b'])
    """
    _check_lists(lists)
    plain = max_depth in CORE_DEPTHS and pool is None and not check_required
    if plain and unknown != "warn":
        codec = _codec_if_empty(message)
        if codec.parse_into(message, data, unknown, lossy_numbers) is not None:
            return
    options = lossy_numbers, max_depth, pool
    _merge(message, Reading.of_text, data, _value_of, lists, unknown, check_required, options)


def merge_dict(
    message: Message,
    value: Any,
    *,
    lists: Lists = "append",
    unknown: Unknown = "error",
    lossy_numbers: LossyNumbers = "round",
    max_depth: int | None = None,
    pool: DescriptorPool | None = None,
    check_required: bool | None = None,
) -> None:
    """Reads JSON values in Python into a message, by the rules of `merge_json` and `from_dict`.

    Args:
        message: The message to change.
        value: The JSON value, a dict for most messages; it is not changed.
        lists: As for `merge_json`.
        unknown: As for `from_json`.
        lossy_numbers: As for `from_json`.
        max_depth: As for `from_json`.
        pool: As for `from_json`.
        check_required: Whether a required field that the merged message lacks is an error.

    Raises:
        ParseError: The value is not the JSON of such a message. The message is unchanged.
        TypeError: ``message`` is not a protobuf message.

    >>> from turnwire import ces
    >>> call = ces.ToolCall(id="c1")
    >>> merge_dict(call, {"displayName": "Find seats"})
    >>> call.id, call.display_name
    ('c1', 'Find seats')
    """
    _check_lists(lists)
    options = lossy_numbers, max_depth, pool
    if not _core_merged(message, value, unknown, check_required, options):
        _merge(message, Reading.of_value, value, _same, lists, unknown, check_required, options)


def merge_dict_like_json_format(
    message: Message,
    value: Any,
    *,
    unknown: Unknown,
    max_depth: int | None = None,
    pool: DescriptorPool | None = None,
) -> None:
    """Does what `merge_dict` does, but lists replace others, and bytes in Python are base64."""
    options: _Options = "round", max_depth, pool
    if not _core_merged(message, value, unknown, None, options):
        read = partial(Reading.of_value, base64_bytes=True)
        _merge(message, read, value, _same, "replace", unknown, None, options)


def _core_merged(
    message: Message,
    value: Any,
    unknown: Unknown,
    check_required: bool | None,
    options: _Options,
) -> bool:
    """Returns whether the core has read a JSON value into a message, which was empty."""
    lossy_numbers, max_depth, pool = options
    if max_depth not in CORE_DEPTHS or pool is not None or check_required or unknown == "warn":
        return False
    codec = _codec_if_empty(message)
    return codec.parse_values_into(message, value, unknown, lossy_numbers) is not None


def _check_lists(lists: Lists) -> None:
    if lists not in ("append", "replace"):
        raise ValueError(f'lists must be "append" or "replace", not {lists!r}')


def _codec_if_empty(message: Message) -> Codec:
    """Returns the codec of a message's class; one that decides nothing if it holds something."""
    codec = codecs.get(type(message))
    if codec is None:
        check_message(message)
        codec = codec_of(type(message))
    return codec if _is_empty(message) else NO_CODEC


def _value_of(data: str | bytes | bytearray | memoryview) -> Any:
    return values_of(text_of(data))


def _same(value: Any) -> Any:
    return value


def _is_empty(message: Message) -> bool:
    # ByteSize() raises an error if a required field is missing.
    return not message.SerializePartialToString()


def _merge(
    message: Message,
    read: Callable[..., Message],
    data: Any,
    value_of: Callable[[Any], Any],
    lists: Lists,
    unknown: Unknown,
    check_required: bool | None,
    options: _Options,
) -> None:
    """Merges data into a message.

    Args:
        message: The message to change.
        read: The method of `Reading` that reads such data, or one like it.
        data: The data.
        value_of: Returns the JSON value of such data.
        lists: As for `merge_json`.
        unknown: As for `from_json`.
        check_required: As for `merge_json`.
        options: The options of a `Reading` after `unknown`, but the last.
    """
    check_message(message)
    message_class = type(message)
    check_options(unknown, options[0])
    tell = UnknownPlaces(message_class) if unknown == "warn" else unknown
    if _is_empty(message):
        reading = Reading(message_class, tell, *options, check_required)
        try:
            # Not into another message: `MergeFrom` changes the order of a map.
            reading.finish(read(reading, data, message), stacklevel=3)
        except BaseException:
            message.Clear()
            raise
    else:
        left_out: list[Path] = []
        seen: Unknown = "error" if unknown == "error" else left_out.append
        addition = read(Reading(message_class, seen, *options, None), data)
        # A message that lacks a required field after all stays as it was.
        merged = deepcopy(message) if check_required else message
        _Clearing(left_out, lists).clear(merged, value_of(data), ())
        merged.MergeFrom(addition)
        if check_required:
            _pure.check_required(merged)
            message.CopyFrom(merged)
        if callable(tell):
            for path in left_out:
                tell(path)
    if isinstance(tell, UnknownPlaces):
        tell.warn(stacklevel=3)


class _Clearing:
    """One walk through a message beside the JSON value that will be merged into it.

    `Message.MergeFrom` overlooks members that are null or a default, and joins the parts of
    well-known types that JSON gives as one value. So their fields are cleared first. A field whose
    value is unknown is kept.
    """

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
        fields = fields_by_name(descriptor)
        for key, member in value.items():
            field = fields.get(key) or extension_named(
                key, descriptor.full_name, descriptor.file.pool
            )
            inside = (*path, key)
            if field is not None and inside not in self._left_out:
                self._clear_field(message, field, member, inside)

    def _clear_field(
        self, message: Message, field: FieldDescriptor, value: Any, path: Path
    ) -> None:
        if value is None or not (field.is_repeated or field.message_type is not None):
            _clear(message, field)
        elif field.is_repeated:
            if self._replaces_lists:
                _clear(message, field)
        elif _holds(message, field):
            # To ask for a message that is not there would make it.
            self.clear(_held(message, field), value, path)


# The stubs know extensions by their types alone.
def _holds(message: Any, field: FieldDescriptor) -> bool:
    if field.is_extension:
        return bool(message.HasExtension(field))
    return bool(message.HasField(field.name))


def _held(message: Any, field: FieldDescriptor) -> Message:
    held: Message
    held = message.Extensions[field] if field.is_extension else getattr(message, field.name)
    return held


def _clear(message: Any, field: FieldDescriptor) -> None:
    if field.is_extension:
        message.ClearExtension(field)
    else:
        message.ClearField(field.name)
