"""What one item adds to a session."""

from __future__ import annotations

from dataclasses import dataclass

from turnwire_schema.ces.v1.message_pb2 import Message
from turnwire_schema.ces.v1.session_output_pb2 import SessionOutput
from turnwire_schema.ces.v1.tool_pb2 import ToolCall

from turnwire.ces._text import short_list_repr, short_repr


@dataclass(frozen=True, slots=True, repr=False)
class SessionUpdate:
    """What one item added to a session.

    Attributes:
        text: The new part of the reply, to be shown right after the earlier parts. A stored
            conversation adds the replies of its turns, one line per message.
        outputs: The outputs, each with the index of its turn; a stored conversation has none.
        tool_calls: Calls that the client is asked to run, each told once.
        messages: Messages that were not seen before. Of an input these are what it says; a
            diagnostic message that tells it again is not among them.
        completed_turns: The indices of the turns that are complete now.
        recognized: The user's speech so far, if the item is a recognition result; else ``""``.
        interrupted: Whether playing of audio must stop now.
        ended: Whether the item says that the session has ended.
        going_away: Whether the service says that it is about to close the connection.
    """

    text: str = ""
    outputs: tuple[tuple[int, SessionOutput], ...] = ()
    tool_calls: tuple[ToolCall, ...] = ()
    messages: tuple[Message, ...] = ()
    completed_turns: tuple[int, ...] = ()
    recognized: str = ""
    interrupted: bool = False
    ended: bool = False
    going_away: bool = False

    __hash__ = None  # type: ignore[assignment]

    @property
    def audio(self) -> bytes:
        """The new audio, to be played right after the earlier audio."""
        return b"".join(output.audio for _, output in self.outputs)

    def __repr__(self) -> str:
        parts = [f"text={short_repr(self.text)}"] if self.text else []
        counts = {
            "audio_bytes": len(self.audio),
            "tool_calls": len(self.tool_calls),
            "messages": len(self.messages),
        }
        parts += [f"{name}={count}" for name, count in counts.items() if count]
        if self.recognized:
            parts.append(f"recognized={short_repr(self.recognized)}")
        if self.completed_turns:
            parts.append(f"completed_turns={short_list_repr(self.completed_turns)}")
        parts += [
            f"{name}=True"
            for name, is_set in (
                ("interrupted", self.interrupted),
                ("ended", self.ended),
                ("going_away", self.going_away),
            )
            if is_set
        ]
        return f"SessionUpdate({', '.join(parts)})"
