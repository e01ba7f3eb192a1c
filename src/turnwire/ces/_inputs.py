"""Inputs of the client, kept as messages of the user until the service reports them itself."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final, TypeAlias, assert_never

from google.protobuf.struct_pb2 import Struct
from turnwire_schema.ces.v1.media_pb2 import Blob
from turnwire_schema.ces.v1.message_pb2 import Chunk, Message
from turnwire_schema.ces.v1.session_input_pb2 import Event, SessionInput
from turnwire_schema.ces.v1.tool_pb2 import ToolResponse

from turnwire.ces._text import USER_ROLE, is_user, text_in, text_of
from turnwire.ces._tools import tool_name_of

AUDIO_TYPE: Final = "audio/*"
"""The MIME type of sent audio in a message: its encoding is that of the session's config."""

_Key: TypeAlias = tuple[str | bytes, ...]

_AUDIO_KEY: Final[_Key] = ("audio",)


class SentMessage:
    """One piece that the client sent.

    Attributes:
        after: The last turn to which it cannot belong; 0 if it may belong to any.
        position: The number of messages that were reported before it.
    """

    __slots__ = ("_audio", "_chunks", "after", "is_open", "position")

    def __init__(self, after: int, position: int) -> None:
        self.after = after
        self.position = position
        self.is_open = True
        self._chunks: list[Chunk] = []
        self._audio: list[bytes] = []

    def add(self, sent: SessionInput) -> None:
        """Adds an input, or a fragment of one."""
        if sent.WhichOneof("input_type") == "audio":
            self._audio.append(sent.audio)
        else:
            self._chunks.extend(_chunks_of(sent))
        self.is_open = sent.will_continue

    @property
    def is_audio(self) -> bool:
        """Whether it is audio that the service has not reported as a transcript."""
        return bool(self._audio)

    @property
    def message(self) -> Message | None:
        """The message, put together at each access; None where all of it was reported."""
        chunks = list(self._chunks)
        if len(texts := [chunk for chunk in chunks if chunk.text]) > 1:  # fragments of one text
            chunks = [Chunk(text=text_in(texts)), *(each for each in chunks if not each.text)]
        if self._audio:
            chunks.append(Chunk(blob=Blob(mime_type=AUDIO_TYPE, data=b"".join(self._audio))))
        return Message(role=USER_ROLE, chunks=chunks) if chunks else None

    def contents(self) -> Iterator[_Key]:
        """The parts that the service may report, each by its content."""
        if self._audio:
            yield _AUDIO_KEY
        if text := text_in(self._chunks):
            yield ("text", text)
        yield from (_key_of(chunk) for chunk in self._chunks if not chunk.text)

    def strike(self, key: _Key) -> bool:
        """Takes out a reported part; returns False if it does not hold that (any more)."""
        if key not in self.contents():
            return False
        if key == _AUDIO_KEY:
            self._audio.clear()
        elif key[0] == "text":
            self._chunks = [chunk for chunk in self._chunks if not chunk.text]
        else:
            first = next(at for at, chunk in enumerate(self._chunks) if _key_of(chunk) == key)
            del self._chunks[first]
        return True


def message_of(sent: SessionInput) -> Message | None:
    """One input as a message of the user; None where it holds nothing."""
    alone = SentMessage(after=0, position=0)
    alone.add(sent)
    return alone.message


class SentMessages:
    """All that the client sent, in order.

    A message belongs to the turn of the next output. Input while a turn still goes on, as
    in a bidirectional session, is for a later turn.

    The diagnostics of a turn usually report the client's inputs again. They know more, such as
    the time, and take their place: of the latest input that is equal and not yet reported.
    """

    def __init__(self) -> None:
        self._all: list[SentMessage] = []
        self._waiting: list[SentMessage] = []
        self._by_key: dict[_Key, list[SentMessage]] = {}

    def add(self, sent: SessionInput, *, after: int, position: int) -> None:
        """Adds an input.

        Args:
            sent: The input.
            after: The last turn to which it cannot belong; 0 if it may belong to any.
            position: The number of messages that were reported before it.
        """
        is_audio = sent.WhichOneof("input_type") == "audio"
        last = self._waiting[-1] if self._waiting else None
        # Audio comes in many pieces; of the rest, `will_continue` says that more is to come.
        if last is None or last.is_audio != is_audio or not (is_audio or last.is_open):
            last = SentMessage(after, position)
            self._all.append(last)
            self._waiting.append(last)
            if is_audio:
                self._by_key.setdefault(_AUDIO_KEY, []).append(last)
        last.add(sent)
        if not (is_audio or last.is_open):
            for key in last.contents():
                self._by_key.setdefault(key, []).append(last)

    def for_turn(self, index: int) -> list[SentMessage]:
        """Removes and returns those that waited for this turn to begin or to go on."""
        if not self._waiting:
            return []
        ready = [each for each in self._waiting if each.after < index]
        self._waiting = [each for each in self._waiting if each.after >= index]
        return ready

    @property
    def waiting(self) -> Sequence[SentMessage]:
        """Those whose turn has not begun."""
        return self._waiting

    def unreported(self, messages: Sequence[Message]) -> tuple[Message, ...]:
        """The messages of diagnostics that hold more than the client's inputs.

        They take the place of the inputs that they repeat.
        """
        if not self._by_key:
            return tuple(messages)
        # The last first: words that come again are those that were sent last.
        return tuple(reversed([each for each in reversed(messages) if not self._strike(each)]))

    def merged(self, messages: Sequence[Message]) -> tuple[Message, ...]:
        """The reported messages, with the inputs that were not reported at their places."""
        merged: list[Message] = []
        start = 0
        for sent in self._all:
            if (message := sent.message) is not None:
                merged += messages[start : sent.position]
                merged.append(message)
                start = max(start, sent.position)
        return (*merged, *messages[start:])

    def _strike(self, report: Message) -> bool:
        """Strikes out the inputs that a message repeats; returns whether it holds nothing else."""
        by_user = is_user(report)
        known: list[bool] = []
        if text := text_of(report):
            known.append(by_user and self._take_words(report, text))
        for chunk in report.chunks:
            if not (chunk.text or chunk.transcript):
                # Services report tool responses under the role of the agent that asked.
                is_response = chunk.WhichOneof("data") == "tool_response"
                known.append((by_user or is_response) and self._take(_key_of(chunk)))
        return bool(known) and all(known)

    def _take_words(self, report: Message, text: str) -> bool:
        if any(chunk.transcript for chunk in report.chunks):
            return self._take(_AUDIO_KEY)
        # Services report one text, or several inputs of one request.
        return self._take(("text", text)) or all(
            self._take(("text", chunk.text)) for chunk in report.chunks if chunk.text
        )

    def _take(self, key: _Key) -> bool:
        held = self._by_key.get(key, [])
        while held:
            if held.pop().strike(key):
                return True
        return False


def _chunks_of(sent: SessionInput) -> Iterable[Chunk]:
    match sent.WhichOneof("input_type"):
        case "text":
            return (Chunk(text=sent.text),)
        case "image":
            return (Chunk(image=sent.image),)
        case "blob":
            return (Chunk(blob=sent.blob),)
        case "variables":
            return (Chunk(updated_variables=sent.variables),)
        case "tool_responses":
            responses = sent.tool_responses.tool_responses
            return [Chunk(tool_response=response) for response in responses]
        case "event":  # a message has no chunk for it: its JSON is a payload
            return (Chunk(payload=_event_payload(sent.event)),)
        case "dtmf":
            return (Chunk(payload=_struct("dtmf", sent.dtmf)),)
        case "audio" | None:
            return ()
        case _ as kind:
            assert_never(kind)


def _struct(name: str, value: str) -> Struct:
    struct = Struct()
    struct.update({name: value})
    return struct


def _event_payload(event: Event) -> Struct:
    payload = _struct("event", event.event)
    if event.HasField("variables"):
        payload.fields["variables"].struct_value.CopyFrom(event.variables)
    return payload


def _key_of(chunk: Chunk) -> _Key:
    if chunk.WhichOneof("data") == "tool_response":
        return _response_key(chunk.tool_response)
    return ("chunk", chunk.SerializeToString(deterministic=True))


def _response_key(response: ToolResponse) -> tuple[str, str, bytes]:
    """The identity of a response: the id, else the tool's name, and its content."""
    name = f"id {response.id}" if response.id else f"tool {tool_name_of(response)}"
    return "tool_response", name, response.response.SerializeToString(deterministic=True)
