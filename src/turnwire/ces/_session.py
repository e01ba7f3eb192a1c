"""The view of a whole session."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, TypeAlias

from turnwire_schema.ces.v1.agent_transfer_pb2 import AgentTransfer
from turnwire_schema.ces.v1.bidi_session_pb2 import BidiSessionServerMessage
from turnwire_schema.ces.v1.conversation_pb2 import Conversation
from turnwire_schema.ces.v1.message_pb2 import Message
from turnwire_schema.ces.v1.session_output_pb2 import SessionOutput
from turnwire_schema.ces.v1.session_pb2 import RunSessionResponse
from turnwire_schema.ces.v1.span_pb2 import Span
from turnwire_schema.ces.v1.tool_pb2 import ToolCall

from turnwire.ces._ending import SessionEnd
from turnwire.ces._exchanges import ToolExchange, walk_exchanges
from turnwire.ces._tools import last_segment
from turnwire.ces._transcript import TranscriptEntry
from turnwire.ces._turns import Turn
from turnwire.ces._variables import fold_variables

SessionItem: TypeAlias = (
    RunSessionResponse | SessionOutput | BidiSessionServerMessage | Conversation | Message
)
"""What a session can be put together from."""


@dataclass(frozen=True, slots=True, repr=False)
class Session:
    """A session, put together from the messages that tell of it.

    Attributes:
        turns: The turns by their index. Plain messages have none: nothing says which turn they
            belong to.
        messages: The messages of diagnostics, of stored conversations, and plain ones, in order,
            each as often as it happened.
        tool_exchanges: The tool calls of the top level in order, with their responses; those of
            sub-agents are nested in them.
        open_tool_calls: The calls that the client was asked to run and has not yet answered.
        transcript: Who said what, in order.
        transfers: The transfers to other agents, in order.
        entry_agent: The resource name of the agent that began; ``""`` where nothing tells it.
        ended: How the session ended; None as long as nothing says that it did.
        recognitions: The results of speech recognition, in order; each repeats what was
            recognized of the user's turn so far.
        interruptions: Of each ``interruptionSignal`` whether the user barged in.
        going_away: Whether a ``goAway`` came: the service is about to close the connection.
            That is a notice; the session itself goes on.
    """

    turns: tuple[Turn, ...] = ()
    messages: tuple[Message, ...] = ()
    tool_exchanges: tuple[ToolExchange, ...] = ()
    open_tool_calls: tuple[ToolCall, ...] = ()
    transcript: tuple[TranscriptEntry, ...] = ()
    transfers: tuple[AgentTransfer, ...] = ()
    entry_agent: str = ""
    ended: SessionEnd | None = None
    recognitions: tuple[str, ...] = ()
    interruptions: tuple[bool, ...] = ()
    going_away: bool = False

    @staticmethod
    def collect(items: SessionItem | Iterable[SessionItem]) -> Session:
        r"""Puts a session together.

        Args:
            items: `RunSessionResponse`s, `SessionOutput`s or frames of a bidirectional session as
                they arrived, one or several parts of a `Conversation`, or plain `Message`s. They
                are kept, and never changed.

        Returns:
            The session as of the last item.

        Raises:
            TypeError: An item is none of these.
            TurnwireError: Whatever the iterable raises, such as a reader's `TruncatedStream`. Use
                a `SessionBuilder` to keep what came before.

        >>> import turnwire
        >>> from turnwire import ces
        >>> data = b'{"outputs":[{"text":"Rack 4"}]}\n{"outputs":[{"text":" it is."}]}\n'
        >>> session = ces.Session.collect(turnwire.read(ces.RunSessionResponse, data))
        >>> session.turns[0].reply
        'Rack 4 it is.'
        """
        from turnwire.ces._builder import SessionBuilder  # the builder makes sessions

        builder = SessionBuilder()
        builder.extend((items,) if isinstance(items, SessionItem) else items)
        return builder.session

    @property
    def variables(self) -> dict[str, Any]:
        """The variables after the last message, as plain JSON values by name."""
        return fold_variables(self.messages)

    def variables_at(self, message_index: int) -> dict[str, Any]:
        """The variables right after one of the `messages`.

        Args:
            message_index: An index into `messages`, counted from 0; from the end if negative.

        Raises:
            IndexError: There is no such message.
        """
        position = range(len(self.messages))[message_index]
        return fold_variables(self.messages[: position + 1])

    @property
    def active_agent(self) -> str | None:
        """The agent that handles the conversation now: the last segment of its resource name.

        That is the target of the last transfer, else the `entry_agent`; None where neither is
        told, as in a session that its root agent handles alone.
        """
        name = self.transfers[-1].target_agent if self.transfers else self.entry_agent
        return last_segment(name) or None

    @property
    def root_spans(self) -> tuple[Span, ...]:
        """The traces of the turns that have one; see `durations_of` and `find_spans`."""
        return tuple(turn.root_span for turn in self.turns if turn.root_span is not None)

    def __repr__(self) -> str:
        exchanges = sum(1 for _ in walk_exchanges(self.tool_exchanges))
        return (
            f"Session(turns={len(self.turns)}, messages={len(self.messages)}, "
            f"tool_exchanges={exchanges}, active_agent={self.active_agent!r}, ended={self.ended!r})"
        )
