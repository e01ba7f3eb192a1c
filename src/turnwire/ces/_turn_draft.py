"""A turn while it is put together."""

from __future__ import annotations

from dataclasses import dataclass, field

from turnwire_schema.ces.v1.message_pb2 import Message
from turnwire_schema.ces.v1.session_output_pb2 import SessionOutput
from turnwire_schema.ces.v1.span_pb2 import Span

from turnwire.ces._citations import cited_in
from turnwire.ces._inputs import SentMessage
from turnwire.ces._transcript import Section
from turnwire.ces._turns import Turn


@dataclass(slots=True)
class TurnDraft:
    """The lists of a `Turn` while they are filled.

    Attributes:
        sent: The messages that the client sent, each with the number of outputs before it.
    """

    index: int
    outputs: list[SessionOutput] = field(default_factory=list[SessionOutput])
    sent: list[tuple[int, SentMessage]] = field(default_factory=list[tuple[int, SentMessage]])
    messages: list[Message] = field(default_factory=list[Message])
    root_spans: dict[tuple[str, int, int], Span] = field(
        default_factory=dict[tuple[str, int, int], Span]
    )
    completed: bool = False
    interrupted: bool = False
    recognized: str = ""
    user_intended_text: str = ""

    @property
    def reply(self) -> str:
        """The ``text`` outputs, joined."""
        return "".join(output.text for output in self.outputs)

    def trace(self, span: Span) -> None:
        """Adds a trace; it replaces an earlier and perhaps shorter report of the same one."""
        self.root_spans[span.name, span.start_time.seconds, span.start_time.nanos] = span

    def view(self, whole: TurnDraft | None = None) -> Turn:
        """The turn as it is now.

        Args:
            whole: The turn that this is a new part of: citations are about its reply.
        """
        cites = any(output.HasField("citations") for output in self.outputs)
        reply = (whole or self).reply if cites else ""
        return Turn(
            index=self.index,
            outputs=tuple(self.outputs),
            messages=(*(message for _, message in self._unreported()), *self.messages),
            root_spans=tuple(self.root_spans.values()),
            completed=self.completed,
            interrupted=self.interrupted,
            recognized=self.recognized,
            user_intended_text=self.user_intended_text,
            citations=tuple(cited_in(self.outputs, reply)) if cites else (),
        )

    def section(self) -> Section:
        """The turn as a part of the transcript."""
        sent = self._unreported()
        return Section(self.index, self.recognized, sent, self.messages, self.outputs)

    def _unreported(self) -> list[tuple[int, Message]]:
        held = ((after, sent.message) for after, sent in self.sent)
        return [(after, message) for after, message in held if message is not None]
