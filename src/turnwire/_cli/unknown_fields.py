"""Finds and removes the unknown fields of a message that came in the wire format."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from google.protobuf import any_pb2
from google.protobuf.descriptor import Descriptor
from google.protobuf.descriptor_pool import Default
from google.protobuf.message import DecodeError, Message
from google.protobuf.message_factory import GetMessageClass
from google.protobuf.unknown_fields import UnknownFieldSet

from turnwire._apis import mirror_name_of
from turnwire.errors import Path


def unknown_paths(message: Message, path: Path = ()) -> Iterator[Path]:
    r"""Yields the path of every unknown field; its last step is the number of the field.

    >>> from turnwire import ces
    >>> message = ces.Message.FromString(b"\x12\x03\xa0\x3f\x01")
    >>> list(unknown_paths(message))
    [('chunks', 0, 1012)]
    """
    if not _has_unknown(message):
        return
    unknown = UnknownFieldSet(message)
    for position in range(len(unknown)):
        yield (*path, unknown[position].field_number)
    if isinstance(message, any_pb2.Any):
        content = _content_of(message)
        if content is not None:
            yield from unknown_paths(content, path)
        return
    for inner, step in _messages_in(message):
        yield from unknown_paths(inner, (*path, *step))


def without_unknown(message: Message) -> None:
    """Removes every unknown field from a message, also from inside of `Any`."""
    message.DiscardUnknownFields()
    if isinstance(message, any_pb2.Any):
        content = _content_of(message)
        if content is not None and _has_unknown(content):
            without_unknown(content)
            message.value = content.SerializePartialToString(deterministic=True)
    elif _holds_any(message.DESCRIPTOR):
        for inner, _ in _messages_in(message):
            without_unknown(inner)


def _has_unknown(message: Message) -> bool:
    """Reports quickly whether there may be unknown fields; at times true where there are none."""
    if _holds_any(message.DESCRIPTOR):
        return True
    known = type(message)()
    known.CopyFrom(message)
    known.DiscardUnknownFields()
    # ByteSize() raises an error if a required field is missing.
    return len(known.SerializePartialToString()) != len(message.SerializePartialToString())


@cache
def _holds_any(descriptor: Descriptor) -> bool:
    """Reports whether a message of this type may hold an `Any` at some depth."""
    reached, left = set(), [descriptor]
    while left:
        name = (last := left.pop()).full_name
        if name == any_pb2.Any.DESCRIPTOR.full_name:
            return True
        if name not in reached:
            reached.add(name)
            left += [field.message_type for field in last.fields if field.message_type is not None]
    return False


def _messages_in(message: Message) -> Iterator[tuple[Message, Path]]:
    """Yields each message in a field, with the steps that lead to it."""
    for field, value in message.ListFields():
        if field.message_type is None:
            continue
        if field.message_type.GetOptions().map_entry:
            if field.message_type.fields_by_name["value"].message_type is not None:
                for key, item in value.items():
                    yield item, (field.json_name, str(key))
        elif field.is_repeated:
            for index, item in enumerate(value):
                yield item, (field.json_name, index)
        else:
            yield value, (field.json_name,)


def _content_of(packed: any_pb2.Any) -> Message | None:
    """Returns the message in an `Any`; None where its type is not known or its bytes are bad."""
    name = packed.type_url.rpartition("/")[2]
    try:
        descriptor = Default().FindMessageTypeByName(mirror_name_of(name) or name)
        return GetMessageClass(descriptor).FromString(packed.value)
    except (KeyError, DecodeError, UnicodeDecodeError):
        return None
