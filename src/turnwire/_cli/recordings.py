"""Lists the recordings that the commands for people show, and tells them apart by their content."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import islice
from typing import Any, Generic, NamedTuple, TypeVar

from google.protobuf.message import Message

from turnwire import ces
from turnwire import geminidataanalytics as gda
from turnwire.errors import TurnwireError, excerpt

__all__ = [
    "ANSWERS",
    "CONVERSATIONS",
    "SESSIONS",
    "Recordings",
    "StoredAnswer",
    "answers_in",
    "fitting_type",
    "gda",
    "messages_in",
]

M = TypeVar("M", bound=Message)
StoredAnswer = gda.Message | gda.StorageMessage | gda.ListMessagesResponse
_MAX_NAMES = 3


class Recordings(NamedTuple, Generic[M]):
    """The recordings that one command shows.

    Attributes:
        command: The command's name.
        what: What the recordings hold, in words.
        types: The types of messages that a recording may hold, the most usual one first.
    """

    command: str
    what: str
    types: Sequence[type[M]]

    def type_by(self, names: Collection[str]) -> type[M]:
        """Returns the type that knows most of these names of members; the first if none does."""
        return max(self.types, key=lambda each: names_known_by(each, names))

    def know(self, names: Collection[str]) -> bool:
        """Reports whether any of the types has one of these members."""
        return any(names_known_by(each, names) for each in self.types)

    def some_command_knows(self, names: Collection[str]) -> bool:
        """Reports whether the types of any command have one of these members."""
        return any(each.know(names) for each in _every_command())


ANSWERS: Recordings[StoredAnswer] = Recordings(
    "answer",
    "Conversational Analytics messages",
    (gda.Message, gda.StorageMessage, gda.ListMessagesResponse),
)
SESSIONS: Recordings[ces.SessionItem] = Recordings(
    "session",
    "a CES session",
    (
        ces.RunSessionResponse,
        ces.BidiSessionServerMessage,
        ces.Conversation,
        ces.Message,
        ces.SessionOutput,
    ),
)

CONVERSATIONS: Recordings[StoredAnswer | ces.SessionItem] = Recordings(
    "report", "a conversation of either API", (*ANSWERS.types, *SESSIONS.types)
)


def messages_in(stored: Iterable[StoredAnswer]) -> Iterator[gda.Message | gda.StorageMessage]:
    """Yields the messages of a recording of answers; those of pages one by one."""
    for item in stored:
        if isinstance(item, gda.ListMessagesResponse):
            yield from item.messages
        else:
            yield item


def answers_in(stored: Iterable[StoredAnswer]) -> tuple[gda.Answer, ...]:
    """Returns the answers in a recording, one per turn."""
    return gda.answers_of(messages_in(stored))


def fitting_type(
    recordings: Recordings[M], names: Collection[str], named: type[Message] | None
) -> type[M]:
    """Returns the type of the messages of a recording.

    Args:
        recordings: The recordings that the command shows.
        names: The names of members in the input; empty where none are known.
        named: The type that the user named, if any.

    Raises:
        TurnwireError: No type that may be meant has any of these members.
    """
    chosen = next((each for each in recordings.types if each is named), recordings.type_by(names))
    if not names or names_known_by(chosen, names):
        return chosen
    if recordings.know(names):
        asked, fits = chosen.DESCRIPTOR.name, recordings.type_by(names).DESCRIPTOR.name
        reason = f"this holds no {asked}; it looks like {fits}: say --type {fits}"
    elif other := next((each for each in _every_command() if each.know(names)), None):
        reason = f"this looks like {other.what}; use turnwire {other.command}"
    else:
        types = (chosen,) if named else recordings.types
        known = _alternatives(each.DESCRIPTOR.name for each in types)
        shown = ", ".join(excerpt(name) for name in islice(sorted(names), _MAX_NAMES))
        others = ", …" if len(names) > _MAX_NAMES else ""
        reason = f"this is not {recordings.what}: no {known} has a member {shown}{others}"
    raise TurnwireError(reason, kind="unknown")


def every_type() -> tuple[type[Message], ...]:
    """Returns the types of messages that any command shows, and those of requests."""
    requests = (ces.RunSessionRequest, ces.BidiSessionClientMessage, gda.ChatRequest)
    return (*SESSIONS.types, *ANSWERS.types, *requests)


def _every_command() -> tuple[Recordings[Any], ...]:
    return (ANSWERS, SESSIONS)


def names_known_by(message_class: type[Message], names: Collection[str]) -> int:
    """Returns how many of these names are those of members of a message."""
    fields = message_class.DESCRIPTOR.fields
    return len({name for field in fields for name in (field.name, field.json_name)} & {*names})


def _alternatives(names: Iterator[str]) -> str:
    *others, last = names
    return f"{', '.join(others)} or {last}" if others else last
