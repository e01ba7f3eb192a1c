"""The transcript: the contributions of user and agents, with their times."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import assert_never

from turnwire_schema.ces.v1.message_pb2 import Chunk, Message
from turnwire_schema.ces.v1.session_output_pb2 import SessionOutput

from turnwire._time import utc
from turnwire._views import View, short_list_repr, short_repr
from turnwire.ces._inputs import AUDIO_TYPE
from turnwire.ces._text import (
    AGENT_ROLE,
    USER_ROLE,
    is_user,
    text_in,
    text_of,
)


@dataclass(frozen=True, slots=True, repr=False)
class TranscriptEntry(View):
    """One contribution to the conversation.

    Attributes:
        role: The speaker: ``"user"``, or the agent as the service names it; ``"agent"`` for a
            reply that was put together from outputs, which name nobody.
        chunks: The content.
        time: When it was sent or received, in UTC, to the microsecond; None where the message
            has no (valid) ``eventTime``.
        turn: The index of the turn, counted from 1; None outside of turns.

    >>> from turnwire import ces
    >>> message = ces.Message(role="user", chunks=[ces.Chunk(text="Any pears?")])
    >>> ces.Session.collect(message).transcript
    (TranscriptEntry('user', 'Any pears?', ['text']),)
    """

    role: str
    chunks: tuple[Chunk, ...]
    time: datetime | None = None
    turn: int | None = None

    @property
    def text(self) -> str:
        """The ``text`` and ``transcript`` chunks, joined with nothing between them."""
        return text_in(self.chunks)

    def _shown(self) -> list[str]:
        kinds = short_list_repr([chunk.WhichOneof("data") for chunk in self.chunks])
        time = [] if self.time is None else [f"time={self.time.isoformat()}"]
        return [short_repr(self.role), short_repr(self.text), kinds, *time]


@dataclass(slots=True)
class Section:
    """A part of the transcript: a turn, or a message outside of turns.

    Attributes:
        turn: The index of the turn; None outside of turns.
        recognized: The user's speech as it was recognized; ``""`` without speech.
        sent: The client's inputs that nothing repeats, each with the number of outputs before it.
        reported: The messages of diagnostics and stored conversations.
        outputs: The outputs.
    """

    turn: int | None
    recognized: str = ""
    sent: Sequence[tuple[int, Message]] = ()
    reported: Sequence[Message] = ()
    outputs: Sequence[SessionOutput] = ()


def transcript_of(sections: Iterable[Section]) -> tuple[TranscriptEntry, ...]:
    """The transcript of a session's sections."""
    return tuple(entry for section in sections for entry in _entries(section))


def _entries(section: Section) -> Iterator[TranscriptEntry]:
    reported_by = {is_user(message) for message in section.reported if text_of(message)}
    sent = [(after, tuple(message.chunks)) for after, message in section.sent]
    if (
        section.recognized
        and True not in reported_by
        and not any(text_in(said) for _, said in sent)
    ):
        # The words of the audio, if that was added as well.
        after, chunks = sent.pop(0) if sent and _is_audio(sent[0][1]) else (0, ())
        sent.insert(0, (after, (Chunk(transcript=section.recognized), *chunks)))
    replied = () if False in reported_by else section.outputs
    beginning = [said for after, said in sent if after == 0 or not replied]
    for said in beginning:
        yield TranscriptEntry(USER_ROLE, said, turn=section.turn)
    for message in section.reported:
        yield TranscriptEntry(message.role, tuple(message.chunks), _time_of(message), section.turn)
    start = 0
    for after, said in [*sent[len(beginning) :], (len(replied), ())]:
        if chunks := tuple(_chunks_of(replied[start:after])):
            yield TranscriptEntry(AGENT_ROLE, chunks, turn=section.turn)
        if said:
            yield TranscriptEntry(USER_ROLE, said, turn=section.turn)
        start = after


def _is_audio(chunks: tuple[Chunk, ...]) -> bool:
    return any(chunk.blob.mime_type == AUDIO_TYPE for chunk in chunks)


def _time_of(message: Message) -> datetime | None:
    return utc(message.event_time) if message.HasField("event_time") else None


def _chunks_of(outputs: Iterable[SessionOutput]) -> Iterator[Chunk]:
    """The content of outputs as chunks of a message; deltas of text become one chunk."""
    deltas: list[str] = []
    for output in outputs:
        kind = output.WhichOneof("output_type")
        if kind == "text":
            deltas.append(output.text)
            continue
        if deltas:
            yield Chunk(text="".join(deltas))
            deltas.clear()
        match kind:
            case "tool_calls":
                yield from (Chunk(tool_call=call) for call in output.tool_calls.tool_calls)
            case "image":
                yield Chunk(image=output.image)
            case "payload":
                yield Chunk(payload=output.payload)
            case (  # a message has no chunk for these
                "audio"
                | "citations"
                | "google_search_suggestions"
                | "end_session"
                | "progress"
                | None
            ):
                pass
            case _:
                assert_never(kind)
    if deltas:
        yield Chunk(text="".join(deltas))
