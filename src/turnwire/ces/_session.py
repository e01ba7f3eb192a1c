"""The view of a whole session, and the builder that puts it together item by item."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, get_args

from google.protobuf.struct_pb2 import Value
from turnwire_schema.ces.v1.agent_transfer_pb2 import AgentTransfer
from turnwire_schema.ces.v1.bidi_session_pb2 import (
    BidiSessionClientMessage,
    BidiSessionServerMessage,
)
from turnwire_schema.ces.v1.conversation_pb2 import Conversation
from turnwire_schema.ces.v1.message_pb2 import Message
from turnwire_schema.ces.v1.session_config_pb2 import SessionConfig
from turnwire_schema.ces.v1.session_input_pb2 import SessionInput
from turnwire_schema.ces.v1.session_output_pb2 import EndSession, SessionOutput
from turnwire_schema.ces.v1.session_pb2 import RunSessionRequest, RunSessionResponse
from turnwire_schema.ces.v1.span_pb2 import Span
from turnwire_schema.ces.v1.tool_pb2 import ToolCall, ToolResponses

from turnwire._arguments import holds_items, wrong_class
from turnwire.ces._diagnostics import DiagnosticHistory
from turnwire.ces._ending import SessionEnd, ending_of, is_end_session
from turnwire.ces._exchanges import ExchangeMatcher, ToolExchange, walk_exchanges
from turnwire.ces._inputs import SentMessages, message_of
from turnwire.ces._items import SessionItem
from turnwire.ces._text import short_repr
from turnwire.ces._tools import last_segment
from turnwire.ces._transcript import Section, TranscriptEntry, transcript_of
from turnwire.ces._turns import Turn, TurnDraft, reply_in
from turnwire.ces._update import SessionUpdate
from turnwire.ces._variables import fold_variables, plain_variables


@dataclass(frozen=True, repr=False)  # no slots: the variables are folded once
class Session:
    """A session, put together from the messages that tell of it.

    Attributes:
        turns: The turns by their index. Plain messages have none: nothing says which turn they
            belong to.
        messages: The messages of diagnostics, of stored conversations, and plain ones, in order,
            each as often as it happened; and as messages of the user what the client sent, as
            long as diagnostics do not tell it.
        tool_exchanges: The tool calls of the top level in order, with their responses; those of
            sub-agents are nested in them.
        open_tool_calls: The calls that the client was asked to run and has not yet answered.
            None once the session has `ended`: nobody waits for an answer. Their exchanges stay
            pending.
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

    __hash__ = None  # type: ignore[assignment]

    @classmethod
    def collect(cls, items: SessionItem | Iterable[SessionItem]) -> Session:
        """Puts a session together.

        Args:
            items: `RunSessionResponse`s, `SessionOutput`s or frames of a bidirectional session as
                they arrived, one or several parts of a `Conversation`, or plain `Message`s; among
                them what the client sent: `RunSessionRequest`s, `SessionInput`s, `ToolResponses`
                or its frames. One item, or any iterable of them. They are kept, and never
                changed.

        Returns:
            The session as of the last item.

        Raises:
            TypeError: An item is none of these.
            TurnwireError: Whatever the iterable raises, such as a reader's `TruncatedStream`. Use
                a `SessionBuilder` to keep what came before.

        >>> from turnwire import ces
        >>> deltas = ("Rack 4", " it is.")
        >>> outputs = [ces.SessionOutput(turn_index=1, text=delta) for delta in deltas]
        >>> ces.Session.collect(outputs).turns[0].reply
        'Rack 4 it is.'
        """
        builder = SessionBuilder()
        builder.extend(items)
        return builder.session

    @property
    def variables(self) -> dict[str, Any]:
        """The variables after the last message, as plain JSON values by name.

        Each access gives a dict of its own.

        Raises:
            SerializeError: One holds a number that JSON does not have, such as NaN.
        """
        return plain_variables(self._variables)

    @cached_property
    def _variables(self) -> dict[str, Value]:
        return fold_variables(self.messages)

    def variables_at(self, message_index: int) -> dict[str, Any]:
        """The variables right after one of the `messages`.

        Args:
            message_index: An index into `messages`, counted from 0; from the end if negative.

        Raises:
            IndexError: There is no such message.
            SerializeError: As for `variables`.
        """
        position = range(len(self.messages))[message_index]
        return plain_variables(fold_variables(self.messages[: position + 1]))

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
        """The traces of all turns; see `durations_of` and `find_spans`."""
        return tuple(span for turn in self.turns for span in turn.root_spans)

    def __repr__(self) -> str:
        exchanges = sum(1 for _ in walk_exchanges(self.tool_exchanges))
        agent = None if self.active_agent is None else short_repr(self.active_agent)
        return (
            f"Session(turns={len(self.turns)}, messages={len(self.messages)}, "
            f"tool_exchanges={exchanges}, active_agent={agent}, ended={self.ended!r})"
        )


class SessionBuilder:
    """Puts a session together while it runs.

    Adding takes time in proportion to the item alone; `session` goes through all that was added.

    >>> from turnwire import ces
    >>> builder = ces.SessionBuilder()
    >>> for text in ("Rack 4", " it is."):
    ...     update = builder.add(ces.SessionOutput(turn_index=1, text=text))
    ...     print(update.text, end="|")
    Rack 4| it is.|
    >>> builder.session.turns
    (Turn(index=1, reply='Rack 4 it is.', completed=False),)
    """

    def __init__(self) -> None:
        self._turns: dict[int, TurnDraft] = {}
        self._last_completed = 0
        self._latest_turn: TurnDraft | None = None
        self._sections: list[TurnDraft | Message] = []
        self._messages: list[Message] = []
        self._sent = SentMessages()
        self._diagnostics = DiagnosticHistory()
        self._exchanges = ExchangeMatcher()
        self._transfers: list[AgentTransfer] = []
        self._entry_agent = ""
        self._end_signal: EndSession | None = None
        self._recognitions: list[str] = []
        self._recognized = ""
        self._interruptions: list[bool] = []
        self._going_away = False

    def add(self, item: SessionItem) -> SessionUpdate:
        """Adds what arrived or what was sent, in this order.

        What the client sends is added before the responses to it. It answers tool calls, and
        stands in the transcript as the user's, in the turn of the output that comes next.

        Returns:
            What it changed.

        Raises:
            TypeError: The item is none of the messages that `Session.collect` takes.
        """
        match item:
            case RunSessionResponse():
                return self._add_outputs(item.outputs)
            case SessionOutput():
                return self._add_outputs((item,))
            case BidiSessionServerMessage():
                return self._add_frame(item)
            case Conversation():
                return self._add_conversation(item)
            case Message():
                self._sections.append(item)
                ended = self._add_messages((item,))
                return SessionUpdate(messages=(item,), ended=ended)
            case RunSessionRequest():
                self._configure(item.config)
                return self._add_inputs(item.inputs)
            case SessionInput():
                return self._add_inputs((item,))
            case ToolResponses():
                return self._add_inputs((SessionInput(tool_responses=item),))
            case BidiSessionClientMessage():
                return self._add_client_frame(item)
            case _:
                raise wrong_class(item, *get_args(SessionItem))

    def extend(self, items: SessionItem | Iterable[SessionItem]) -> None:
        """Adds several items in their order, or one.

        Raises:
            TypeError: As `add` does, or it is no iterable of messages.
        """
        if not isinstance(items, SessionItem) and not holds_items(items):
            raise wrong_class(items, *get_args(SessionItem))
        for item in (items,) if isinstance(items, SessionItem) else items:
            self.add(item)

    @property
    def session(self) -> Session:
        """The session as it is now; what is added later does not change it."""
        views = {index: draft.view() for index, draft in self._turns.items()}
        exchanges = self._exchanges.exchanges()
        ended = ending_of(self._end_signal, exchanges)
        return Session(
            turns=tuple(views[index] for index in sorted(views)),
            messages=self._sent.merged(self._messages),
            tool_exchanges=exchanges,
            open_tool_calls=() if ended else self._exchanges.open_requests(),
            transcript=transcript_of(self._transcript_sections()),
            transfers=tuple(self._transfers),
            entry_agent=self._entry_agent,
            ended=ended,
            recognitions=tuple(self._recognitions),
            interruptions=tuple(self._interruptions),
            going_away=self._going_away,
        )

    def _transcript_sections(self) -> Iterator[Section]:
        for section in self._sections:
            if isinstance(section, Message):
                yield Section(None, told=(section,))
            else:
                yield section.section()
        for sent in self._sent.waiting:
            if message := sent.message:
                turn = max(self._open_turn() or self._last_completed + 1, sent.after + 1)
                yield Section(turn, sent=((0, message),))

    def _configure(self, config: SessionConfig) -> None:
        self._entry_agent = self._entry_agent or config.entry_agent

    def _add_client_frame(self, frame: BidiSessionClientMessage) -> SessionUpdate:
        match frame.WhichOneof("message_type"):
            case "config":
                self._configure(frame.config)
                return SessionUpdate()
            case "realtime_input":
                sent = frame.realtime_input
                # Both sides send at once: only an answer belongs to the turn that goes on.
                after = 0 if sent.HasField("tool_responses") else self._open_turn()
                return self._add_inputs((sent,), after=after)
            case None:
                return SessionUpdate()

    def _add_inputs(self, inputs: Iterable[SessionInput], *, after: int = 0) -> SessionUpdate:
        messages: list[Message] = []
        ended = False
        for sent in inputs:
            self._sent.add(sent, after=after, position=len(self._messages))
            if message := message_of(sent):
                messages.append(message)
            for response in sent.tool_responses.tool_responses:
                ended = is_end_session(self._exchanges.answer(response)) or ended
        return SessionUpdate(messages=tuple(messages), ended=ended)

    def _add_frame(self, frame: BidiSessionServerMessage) -> SessionUpdate:
        match frame.WhichOneof("message_type"):
            case "session_output":
                return self._add_outputs((frame.session_output,))
            case "recognition_result":
                self._recognized = frame.recognition_result.transcript
                self._recognitions.append(self._recognized)
                return SessionUpdate(recognized=self._recognized)
            case "interruption_signal":
                self._interruptions.append(frame.interruption_signal.barge_in)
                if self._latest_turn is not None:
                    self._latest_turn.interrupted = True
                return SessionUpdate(interrupted=True)
            case "end_session":
                self._end(frame.end_session)
                return SessionUpdate(ended=True)
            case "go_away":
                self._going_away = True
                return SessionUpdate(going_away=True)
            case None:
                return SessionUpdate()

    def _add_outputs(self, outputs: Iterable[SessionOutput]) -> SessionUpdate:
        placed: list[tuple[int, SessionOutput]] = []
        tool_calls: list[ToolCall] = []
        messages: list[Message] = []
        ended = False
        for output in outputs:
            if output.HasField("end_session"):
                self._end(output.end_session)
                ended = True
                if output == SessionOutput(end_session=output.end_session):
                    continue  # the end of the session alone begins no turn
            turn = self._turn(output.turn_index)
            turn.sent.extend((len(turn.outputs), sent) for sent in self._sent.for_turn(turn.index))
            turn.outputs.append(output)
            placed.append((turn.index, output))
            calls = output.tool_calls.tool_calls
            tool_calls.extend(call for call in calls if self._exchanges.request(call))
            diagnostics = output.diagnostic_info
            new = self._diagnostics.new_in(turn.index, diagnostics.messages)
            messages.extend(self._sent.untold(new))
            ended = self._add_turn_messages(turn, new, diagnostics.root_span) or ended
            if output.turn_completed:
                self._complete(turn)
        return SessionUpdate(
            text="".join(output.text for _, output in placed),
            outputs=tuple(placed),
            tool_calls=tuple(tool_calls),
            messages=tuple(messages),
            completed_turns=tuple(index for index, output in placed if output.turn_completed),
            ended=ended,
        )

    def _add_conversation(self, conversation: Conversation) -> SessionUpdate:
        self._entry_agent = self._entry_agent or conversation.entry_agent
        added = len(self._messages)
        completed: list[int] = []
        replies: list[str] = []
        ended = False
        for stored in conversation.turns:
            turn = self._turn(0)
            ended = self._add_turn_messages(turn, stored.messages, stored.root_span) or ended
            self._complete(turn)
            completed.append(turn.index)
            if not turn.outputs:
                replies.append(reply_in(stored.messages))
        if len(self._messages) == added:  # then the deprecated flat list has what there is
            self._sections.extend(conversation.messages)
            ended = self._add_messages(conversation.messages)
        return SessionUpdate(
            text="\n".join(filter(None, replies)),
            messages=tuple(self._messages[added:]),
            completed_turns=tuple(completed),
            ended=ended,
        )

    def _end(self, signal: EndSession) -> None:
        # The end may be told twice, once with its metadata and once without.
        if self._end_signal is None or signal.metadata.fields:
            self._end_signal = signal

    def _turn(self, index: int) -> TurnDraft:
        """The turn of that index; for 0 (absent) the one after the last completed one."""
        index = index if index > 0 else self._last_completed + 1
        turn = self._turns.get(index)
        if turn is None:
            turn = TurnDraft(index, recognized=self._recognized)
            self._recognized = ""
            self._turns[index] = turn
            self._sections.append(turn)
        self._latest_turn = turn
        return turn

    def _open_turn(self) -> int:
        """The index of the turn that goes on; 0 between turns."""
        latest = self._latest_turn
        return 0 if latest is None or latest.completed else latest.index

    def _complete(self, turn: TurnDraft) -> None:
        turn.completed = True
        self._last_completed = max(self._last_completed, turn.index)

    def _add_turn_messages(self, turn: TurnDraft, messages: Sequence[Message], span: Span) -> bool:
        """Adds new messages and the trace to a turn; tells whether the session ended by them."""
        turn.messages.extend(messages)
        if span.ByteSize():
            turn.trace(span)
        return self._add_messages(messages)

    def _add_messages(self, messages: Iterable[Message]) -> bool:
        """Adds new messages; tells whether the session ended by them."""
        ended = False
        for message in messages:
            self._messages.append(message)
            time = message.event_time if message.HasField("event_time") else None
            for chunk in message.chunks:
                match chunk.WhichOneof("data"):
                    case "tool_call":
                        self._exchanges.call(chunk.tool_call, time)
                    case "tool_response":
                        exchange = self._exchanges.respond(chunk.tool_response, time)
                        ended = is_end_session(exchange) or ended
                    case "agent_transfer" if chunk.agent_transfer.target_agent:
                        self._transfers.append(chunk.agent_transfer)
                    case _:
                        pass  # variables are folded from the messages when they are asked for
        return ended
