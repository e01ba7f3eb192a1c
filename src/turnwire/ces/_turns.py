"""The view of a turn: the outputs of the service between two inputs of the user."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from google.protobuf.any_pb2 import Any as AnyMessage
from turnwire_schema.ces.v1.media_pb2 import Image
from turnwire_schema.ces.v1.message_pb2 import Message
from turnwire_schema.ces.v1.session_output_pb2 import GoogleSearchSuggestions, SessionOutput
from turnwire_schema.ces.v1.span_pb2 import Span
from turnwire_schema.ces.v1.tool_pb2 import ToolCall

from turnwire._notebooks import ShownView
from turnwire._views import counts_repr, short_repr
from turnwire.ces._citations import CitedText
from turnwire.ces._text import is_user, text_of
from turnwire.ces._tools import struct_to_dict


@dataclass(frozen=True, slots=True, repr=False)
class Turn(ShownView):
    """One turn of a session; everything in it is in the order of arrival.

    Attributes:
        index: The turn's number, counted from 1.
        outputs: The turn's outputs as they came; empty in a stored conversation.
        messages: The messages of the turn's diagnostics that no earlier turn has, after the
            client's inputs that diagnostics do not repeat; in a stored conversation the turn's
            messages.
        root_spans: The traces of the turn's processing, one per request that has one: a turn in
            which the client runs tools takes several requests.
        completed: Whether ``turnCompleted`` came; a turn of a stored conversation is complete.
        interrupted: Whether an ``interruptionSignal`` stopped the turn's audio.
        recognized: The user's speech before the turn, as last recognized; ``""`` without speech.
        user_intended_text: The text that a simulated caller meant to say, of a stored
            conversation; ``""`` where there is none.
        citations: The cited words of the reply, with their sources; see `citations_of`. In an
            update they are words of the turn's reply so far.

    >>> from turnwire import ces
    >>> outputs = [
    ...     ces.SessionOutput(turn_index=1, text="Rack 4"),
    ...     ces.SessionOutput(turn_index=1, text=" it is.", turn_completed=True),
    ... ]
    >>> ces.Session.collect(outputs).turns
    (Turn(index=1, reply='Rack 4 it is.', completed=True),)
    """

    index: int
    outputs: tuple[SessionOutput, ...] = ()
    messages: tuple[Message, ...] = ()
    root_spans: tuple[Span, ...] = ()
    completed: bool = False
    interrupted: bool = False
    recognized: str = ""
    user_intended_text: str = ""
    citations: tuple[CitedText, ...] = ()

    @property
    def reply(self) -> str:
        """The reply: the ``text`` outputs, joined with nothing between them.

        It leaves out the repetitions in diagnostics. A stored conversation has no outputs: there
        the reply is the words of the agents' messages, one line per message.
        """
        if self.outputs:
            return "".join(output.text for output in self.outputs)
        return reply_in(self.messages)

    @property
    def root_span(self) -> Span | None:
        """The last of the `root_spans`, which most turns have only one of; None without any."""
        return self.root_spans[-1] if self.root_spans else None

    @property
    def audio(self) -> bytes:
        """The audio, joined; its encoding is that of the session's ``outputAudioConfig``."""
        return b"".join(output.audio for output in self.outputs)

    @property
    def images(self) -> tuple[Image, ...]:
        """The images that were put out."""
        return tuple(output.image for output in self.outputs if output.HasField("image"))

    @property
    def payloads(self) -> tuple[dict[str, Any], ...]:
        """The custom payloads as plain dicts; whole numbers below 10**16 are ``int``.

        Raises:
            SerializeError: One holds a number that JSON does not have, such as NaN.
        """
        return tuple(
            struct_to_dict(output.payload) for output in self.outputs if output.HasField("payload")
        )

    @property
    def progress(self) -> tuple[str, ...]:
        """The progress notes; they are not part of the reply."""
        return tuple(output.progress for output in self.outputs if output.HasField("progress"))

    @property
    def suggestions(self) -> tuple[GoogleSearchSuggestions, ...]:
        """The Google Search suggestions that were put out."""
        return tuple(
            output.google_search_suggestions
            for output in self.outputs
            if output.HasField("google_search_suggestions")
        )

    @property
    def tool_calls(self) -> tuple[ToolCall, ...]:
        """The calls that the client was asked to run, as they came."""
        return tuple(call for output in self.outputs for call in output.tool_calls.tool_calls)

    @property
    def context(self) -> tuple[AnyMessage, ...]:
        """The ``context`` of the outputs: messages of any type, still packed."""
        return tuple(packed for output in self.outputs for packed in output.context)

    @property
    def diagnostics(self) -> tuple[SessionOutput.DiagnosticInfo, ...]:
        """The diagnostics as they came, repetitions included."""
        return tuple(
            output.diagnostic_info for output in self.outputs if output.HasField("diagnostic_info")
        )

    def _shown(self) -> list[str]:
        counts = {
            "images": len(self.images),
            "payloads": sum(output.HasField("payload") for output in self.outputs),
            "tool_calls": len(self.tool_calls),
            "audio_bytes": sum(len(output.audio) for output in self.outputs),
        }
        return [
            f"index={self.index}",
            f"reply={short_repr(self.reply)}",
            f"completed={self.completed}",
            *counts_repr(counts),
        ]


def reply_in(messages: Iterable[Message]) -> str:
    """The words of the agents in messages, one line per message."""
    said = (text_of(message) for message in messages if not is_user(message))
    return "\n".join(text for text in said if text)
