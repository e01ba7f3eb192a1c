"""The messages of a conversation, in whatever they are kept."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from turnwire_schema.geminidataanalytics.v1.message_pb2 import Message
from turnwire_schema.geminidataanalytics.v1.storage_pb2 import ListMessagesResponse, StorageMessage

Messages = Iterable[Message | StorageMessage] | ListMessagesResponse
"""Messages as a stream gives them, as they are stored, or one page of a stored conversation."""


def messages_in(source: Messages) -> Iterator[Message]:
    """Each message, in the order that the source has.

    A message that is stored under an id and has none of its own gets that id, in a copy.
    """
    for item in source.messages if isinstance(source, ListMessagesResponse) else source:
        if isinstance(item, Message):
            yield item
        elif item.message_id and not item.message.message_id:
            message = Message(message_id=item.message_id)
            message.MergeFrom(item.message)
            yield message
        else:
            yield item.message


def begins_turn(message: Message) -> bool:
    """Whether it is a user message, which begins a new turn."""
    return message.WhichOneof("kind") == "user_message"
