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
        match item:
            case Message():
                yield item
            case StorageMessage():
                yield _with_stored_id(item)
            case _:
                raise wrong_class(item)


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


def wrong_class(value: object) -> TypeError:
    """The error for an object that is no message of this schema, such as one of Google's client."""
    found = f"{type(value).__module__}.{type(value).__qualname__}"
    return TypeError(
        f"expected a message of turnwire.geminidataanalytics, got {found}; a message of Google's "
        "client comes over as bytes: Message.FromString(theirs.SerializeToString())"
    )
