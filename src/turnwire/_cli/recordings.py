"""What the commands for people read, and how to tell it by the names in it."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Generic, NamedTuple, TypeVar

from google.protobuf.message import Message

from turnwire import ces
from turnwire import geminidataanalytics as gda

M = TypeVar("M", bound=Message)
StoredAnswer = gda.Message | gda.StorageMessage | gda.ListMessagesResponse


class Recordings(NamedTuple, Generic[M]):
    """What one command reads.

    Attributes:
        command: The command's name.
        what: What it shows.
        types: What a recording may hold; the first is the most usual.
    """

    command: str
    what: str
    types: Sequence[type[M]]

    def type_by(self, names: Collection[str]) -> type[M]:
        """The type that knows the most of these names of members; else the first."""
        return max(self.types, key=lambda each: _known(names, each))

    def know(self, names: Collection[str]) -> bool:
        """Whether any of the types has one of these members."""
        return any(_known(names, each) for each in self.types)


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


def others_that_know(
    names: Collection[str], recordings: Recordings[M]
) -> Recordings[StoredAnswer] | Recordings[ces.SessionItem] | None:
    """The recordings of another command, if these names are theirs and not of the given ones."""
    if recordings.know(names):
        return None
    return next((each for each in (ANSWERS, SESSIONS) if each.know(names)), None)


def _known(names: Collection[str], message_class: type[Message]) -> int:
    fields = message_class.DESCRIPTOR.fields
    return len({name for field in fields for name in (field.name, field.json_name)} & {*names})
