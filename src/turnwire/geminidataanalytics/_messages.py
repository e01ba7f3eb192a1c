"""The messages of a conversation, in whatever they are kept."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TypeGuard

from google.protobuf.message import Message as ProtobufMessage
from turnwire_schema.geminidataanalytics.v1.message_pb2 import Message
from turnwire_schema.geminidataanalytics.v1.storage_pb2 import ListMessagesResponse, StorageMessage

Messages = Iterable[Message | StorageMessage] | ListMessagesResponse | Message | StorageMessage
"""Messages as a stream gives them or as they are stored, a page of stored ones, or just one."""


def messages_in(source: Messages) -> list[Message]:
    """The messages in the order of arrival; stored ones, the oldest first.

    The API page does not say in which order stored messages are listed, and programs in the field
    get the newest first. So stored messages whose timestamps go back are turned around. A message
    that is stored under an id and has none of its own gets that id, in a copy.

    Raises:
        TypeError: The source is no iterable, or an item in it is no message.
    """
    listed: object = source.messages if isinstance(source, ListMessagesResponse) else source
    if isinstance(listed, Message | StorageMessage):
        listed = (listed,)
    if not _holds_items(listed):
        raise wrong_class(source, "an iterable of messages")
    messages: list[Message] = []
    all_stored = True
    for item in listed:
        match item:
            case Message():
                messages.append(item)
                all_stored = False
            case StorageMessage():
                messages.append(_with_stored_id(item))
            case _:
                raise wrong_class(item)
    if all_stored and _newest_first(messages):
        messages.reverse()
    return messages


def _holds_items(value: object) -> TypeGuard[Iterable[object]]:
    """Whether it is an iterable whose items may be messages, and not one of characters or keys."""
    return isinstance(value, Iterable) and not isinstance(value, str | bytes | Mapping)


def _newest_first(messages: list[Message]) -> bool:
    times = [
        (message.timestamp.seconds, message.timestamp.nanos)
        for message in messages
        if message.HasField("timestamp")
    ]
    return bool(times) and times[0] > times[-1]


def _with_stored_id(stored: StorageMessage) -> Message:
    if stored.message.message_id or not stored.message_id:
        return stored.message
    message = Message()
    message.CopyFrom(stored.message)
    message.message_id = stored.message_id
    return message


def begins_turn(message: Message) -> bool:
    """Whether it is a user message, which begins a new turn."""
    match message:
        case Message():
            return message.WhichOneof("kind") == "user_message"
        case _:
            raise wrong_class(message)


def wrong_class(value: object, expected: str = "a message") -> TypeError:
    """The error for an object of a class that is not taken, such as one of Google's client."""
    found = f"{type(value).__module__}.{type(value).__qualname__}"
    wrong = f"expected {expected} of turnwire.geminidataanalytics, got {found}"
    if isinstance(value, ProtobufMessage):
        return TypeError(
            f"{wrong}; a message of Google's client comes over as bytes: "
            "Message.FromString(theirs.SerializeToString())"
        )
    if hasattr(type(value), "pb"):
        return TypeError(f"{wrong}; of a proto-plus message, parse type(item).serialize(item)")
    if isinstance(value, dict | str | bytes):
        return TypeError(f"{wrong}; parse JSON with turnwire.from_json or turnwire.read first")
    return TypeError(wrong)
