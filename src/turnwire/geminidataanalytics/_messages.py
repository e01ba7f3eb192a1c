"""Finds the messages of a conversation in streams, stored messages, pages and requests."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from turnwire_schema.geminidataanalytics.v1.chat_pb2 import ChatRequest
from turnwire_schema.geminidataanalytics.v1.message_pb2 import Message
from turnwire_schema.geminidataanalytics.v1.storage_pb2 import ListMessagesResponse, StorageMessage

from turnwire._arguments import holds_items, require, wrong_class

Item = Message | StorageMessage | ListMessagesResponse | ChatRequest
Messages = Iterable[Item] | Item
"""Messages: from a stream, stored, in pages of stored ones, in a request, or a single one."""

_MESSAGES: Final = "the messages of turnwire.geminidataanalytics"
_ITEMS: Final = (Message, StorageMessage, ListMessagesResponse, ChatRequest)


def messages_in(source: Messages) -> Iterator[Message]:
    """Yields the messages in the order of arrival, as they come; stored ones, the oldest first.

    The API page does not say in which order stored messages are listed, and programs in the field
    get the newest first. So stored messages whose timestamps go back are turned around, once all
    of them are there. A message without an id that is stored under one gets that id,
    in a copy.

    Raises:
        TypeError: The source is not an iterable, or an item in it is not a message.
    """
    listed: Iterable[Item] = (source,) if isinstance(source, _ITEMS) else source
    if not holds_items(listed):
        raise wrong_class(source, f"an iterable of {_MESSAGES}")
    stored: list[Message] = []
    all_stored = True
    for item in _taken_out(listed):
        match item:
            case StorageMessage() if all_stored:
                stored.append(_with_stored_id(item))
            case StorageMessage():
                yield _with_stored_id(item)
            case Message():
                if all_stored:
                    yield from stored
                    all_stored = False
                yield item
            case _:
                raise wrong_class(item, f"one of {_MESSAGES}")
    if all_stored:
        yield from reversed(stored) if _newest_first(stored) else stored


def _taken_out(items: Iterable[Item]) -> Iterator[Message | StorageMessage]:
    for item in items:
        if isinstance(item, ListMessagesResponse | ChatRequest):
            yield from item.messages
        else:
            yield item


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
    """Returns whether it is a user message, which begins a new turn."""
    require(message, Message)
    return message.WhichOneof("kind") == "user_message"
