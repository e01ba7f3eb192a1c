"""The transcript: who said what, and when."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import groupby
from typing import Final

from turnwire_schema.ces.v1.message_pb2 import Chunk, Message
from turnwire_schema.ces.v1.session_output_pb2 import SessionOutput

from turnwire.ces._text import is_user, shown, shown_list, text_in, text_of
from turnwire.ces._turns import Turn

USER_ROLE: Final = "user"
AGENT_ROLE: Final = "agent"


@dataclass(frozen=True, slots=True, repr=False)
class TranscriptEntry:
    """One contribution to the conversation.

    Attributes:
        role: Who speaks: ``"user"``, or the agent as the service names it; ``"agent"`` for a
            reply that was put together from outputs, which name nobody.
        chunks: The content.
        time: When it was sent or received, in UTC, to the microsecond; None where the message
            has no (valid) ``eventTime``.
        turn: The index of the turn, counted from 1; None outside of turns.
    """

    role: str
    chunks: tuple[Chunk, ...]
    time: datetime | None = None
    turn: int | None = None

    @property
    def text(self) -> str:
        """The ``text`` and ``transcript`` chunks, joined with nothing between them."""
        return text_in(self.chunks)

    def __repr__(self) -> str:
        kinds = shown_list([chunk.WhichOneof("data") for chunk in self.chunks])
        time = "" if self.time is None else f", time={self.time.isoformat()}"
        return f"TranscriptEntry({shown(self.role)}, {shown(self.text)}, {kinds}{time})"


def transcript_of(sections: Iterable[Turn | Message]) -> tuple[TranscriptEntry, ...]:
    """The transcript of turns and of messages outside of turns."""
    return tuple(_entries(sections))


def _entries(sections: Iterable[Turn | Message]) -> Iterator[TranscriptEntry]:
    for section in sections:
        if isinstance(section, Message):
            yield _entry_of(section, None)
            continue
        told_by = {is_user(message) for message in section.messages if text_of(message)}
        if section.recognized and True not in told_by:
            heard = (Chunk(transcript=section.recognized),)
            yield TranscriptEntry(USER_ROLE, heard, turn=section.index)
        for message in section.messages:
            yield _entry_of(message, section.index)
        if False not in told_by and (chunks := tuple(_chunks_of(section.outputs))):
            yield TranscriptEntry(AGENT_ROLE, chunks, turn=section.index)


def _entry_of(message: Message, turn: int | None) -> TranscriptEntry:
    return TranscriptEntry(message.role, tuple(message.chunks), _time_of(message), turn)


def _time_of(message: Message) -> datetime | None:
    if not message.HasField("event_time"):
        return None
    try:
        return message.event_time.ToDatetime(UTC)
    except (ValueError, OverflowError):  # wire bytes can hold what no calendar does
        return None


def _chunks_of(outputs: Iterable[SessionOutput]) -> Iterator[Chunk]:
    """The content of outputs as chunks of a message; deltas of text become one chunk."""
    for kind, group in groupby(outputs, key=lambda output: output.WhichOneof("output_type")):
        match kind:
            case "text":
                yield Chunk(text="".join(output.text for output in group))
            case "tool_calls":
                for output in group:
                    yield from (Chunk(tool_call=call) for call in output.tool_calls.tool_calls)
            case "image":
                yield from (Chunk(image=output.image) for output in group)
            case "payload":
                yield from (Chunk(payload=output.payload) for output in group)
            case _:
                pass  # a message has no chunk for the rest
