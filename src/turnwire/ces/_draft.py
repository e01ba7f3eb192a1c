"""A session while it is put together: the state that its items change one after another."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import assert_never, get_args

from google.protobuf.struct_pb2 import Value
from turnwire_schema.ces.v1.agent_transfer_pb2 import AgentTransfer
from turnwire_schema.ces.v1.bidi_session_pb2 import (
    BidiSessionClientMessage,
    BidiSessionServerMessage,
)
from turnwire_schema.ces.v1.conversation_pb2 import Conversation
from turnwire_schema.ces.v1.message_pb2 import Message
from turnwire_schema.ces.v1.session_config_pb2 import OutputAudioConfig, SessionConfig
from turnwire_schema.ces.v1.session_input_pb2 import SessionInput
from turnwire_schema.ces.v1.session_output_pb2 import EndSession, SessionOutput
from turnwire_schema.ces.v1.session_pb2 import RunSessionRequest, RunSessionResponse
from turnwire_schema.ces.v1.span_pb2 import Span
from turnwire_schema.ces.v1.tool_pb2 import ToolCall, ToolResponses

from turnwire._arguments import wrong_class
from turnwire.ces._diagnostics import DiagnosticHistory
from turnwire.ces._ending import SessionEnd, ending_of
from turnwire.ces._exchanges import ToolExchange
from turnwire.ces._inputs import SentMessages, message_of
from turnwire.ces._items import SessionItem
from turnwire.ces._matching import ExchangeMatcher
from turnwire.ces._transcript import Section, TranscriptEntry, transcript_of
from turnwire.ces._turn_draft import TurnDraft
from turnwire.ces._variables import Variables
from turnwire.errors import excerpt


@dataclass(slots=True)
class Additions:
    """The additions of one item to a session, under the names of `Session`.

    Attributes:
        whole_turns: The turns of the session so far, of which the `turns` are new parts.
    """

    whole_turns: Mapping[int, TurnDraft]
    turns: dict[int, TurnDraft] = field(default_factory=dict[int, TurnDraft])
    messages: list[Message] = field(default_factory=list[Message])
    tool_exchanges: tuple[ToolExchange, ...] = ()
    tool_calls: list[ToolCall] = field(default_factory=list[ToolCall])
    transfers: list[AgentTransfer] = field(default_factory=list[AgentTransfer])
    name: str = ""
    entry_agent: str = ""
    output_audio_config: OutputAudioConfig | None = None
    variables: dict[str, Value] = field(default_factory=dict[str, Value])
    ended: SessionEnd | None = None
    recognitions: list[str] = field(default_factory=list[str])
    interruptions: list[bool] = field(default_factory=list[bool])
    going_away: bool = False

    def turn(self, index: int) -> TurnDraft:
        """The new part of a turn."""
        return self.turns.setdefault(index, TurnDraft(index))


class SessionDraft:
    """All that was added to a session. Adding takes time in proportion to the item alone."""

    def __init__(self) -> None:
        self.turns: dict[int, TurnDraft] = {}
        self.tool_calls: list[ToolCall] = []
        self.transfers: list[AgentTransfer] = []
        self.name = ""
        self.entry_agent = ""
        self.output_audio_config: OutputAudioConfig | None = None
        self.variables = Variables()
        self.recognitions: list[str] = []
        self.interruptions: list[bool] = []
        self.going_away = False
        self._stored_name = ""
        self._messages: list[Message] = []
        self._sections: list[TurnDraft | Message] = []
        self._last_completed = 0
        self._latest_turn: TurnDraft | None = None
        self._recognized = ""
        self._sent = SentMessages()
        self._diagnostics = DiagnosticHistory()
        self._matcher = ExchangeMatcher()
        self._end_signal: EndSession | None = None
        self._has_ended = False
        self._new = Additions(self.turns)

    def add(self, item: SessionItem) -> Additions:
        """Adds one item and returns what it added.

        Raises:
            TypeError: The item is not one that a session is put together from.
            ValueError: It is a stored conversation with another name than that of the session.
        """
        self._new = new = Additions(self.turns)
        self._dispatch(item)
        new.tool_exchanges = self._matcher.take_changed()
        if not self._has_ended:
            new.ended = ending_of(self._end_signal, new.tool_exchanges)
            self._has_ended = new.ended is not None
        self._new = Additions(self.turns)
        return new

    @property
    def messages(self) -> tuple[Message, ...]:
        """The reported messages, with those that were sent and not reported among them."""
        return self._sent.merged(self._messages)

    @property
    def tool_exchanges(self) -> tuple[ToolExchange, ...]:
        """The exchanges of the top level, with those of sub-agents nested in them."""
        return self._matcher.exchanges()

    @property
    def unanswered(self) -> tuple[ToolCall, ...]:
        """The calls that the client was asked to run and that have no response."""
        return self._matcher.open_requests()

    @property
    def transcript(self) -> tuple[TranscriptEntry, ...]:
        """The contributions, in order."""
        return transcript_of(self._transcript_sections())

    def ending(self, exchanges: Iterable[ToolExchange]) -> SessionEnd | None:
        """The end of the session, by its signal or one of its exchanges."""
        return ending_of(self._end_signal, exchanges)

    def _transcript_sections(self) -> Iterator[Section]:
        for section in self._sections:
            if isinstance(section, Message):
                yield Section(None, reported=(section,))
            else:
                yield section.section()
        for sent in self._sent.waiting:
            if message := sent.message:
                turn = max(self._open_turn() or self._last_completed + 1, sent.after + 1)
                yield Section(turn, sent=((0, message),))

    def _dispatch(self, item: SessionItem) -> None:
        match item:
            case RunSessionResponse():
                self._add_outputs(item.outputs)
            case SessionOutput():
                self._add_outputs((item,))
            case BidiSessionServerMessage():
                self._add_server_frame(item)
            case Conversation():
                self._add_conversation(item)
            case Message():
                self._sections.append(item)
                self._matcher.turn = None
                self._add_messages((item,))
                self._new.messages.append(item)
            case RunSessionRequest():
                self._begin_with(item.config)
                self._add_inputs(item.inputs)
            case SessionInput():
                self._add_inputs((item,))
            case ToolResponses():
                self._add_inputs((SessionInput(tool_responses=item),))
            case BidiSessionClientMessage():
                self._add_client_frame(item)
            case _:
                raise wrong_class(item, *get_args(SessionItem))

    def _begin_with(self, config: SessionConfig) -> None:
        self._name(config.session)
        self._enter(config.entry_agent)
        if config.HasField("output_audio_config"):
            self.output_audio_config = self._new.output_audio_config = config.output_audio_config

    def _name(self, name: str) -> None:
        if name and not self.name:
            self.name = self._new.name = name

    def _be_stored_as(self, name: str) -> None:
        if name and self._stored_name not in ("", name):
            raise ValueError(
                f"expected a part of the conversation {excerpt(self._stored_name)}, got "
                f"{excerpt(name)}; turnwire.ces.sessions_of keeps conversations apart"
            )
        self._stored_name = self._stored_name or name
        self._name(name)

    def _enter(self, agent: str) -> None:
        if agent and not self.entry_agent:
            self.entry_agent = self._new.entry_agent = agent

    def _add_client_frame(self, frame: BidiSessionClientMessage) -> None:
        match frame.WhichOneof("message_type"):
            case "config":
                self._begin_with(frame.config)
            case "realtime_input":
                sent = frame.realtime_input
                # Both sides send at once: only tool responses belong to the turn that goes on.
                after = 0 if sent.HasField("tool_responses") else self._open_turn()
                self._add_inputs((sent,), after=after)
            case None:
                pass
            case _ as kind:
                assert_never(kind)

    def _add_inputs(self, inputs: Iterable[SessionInput], *, after: int = 0) -> None:
        for sent in inputs:
            self._sent.add(sent, after=after, position=len(self._messages))
            if message := message_of(sent):
                self._new.messages.append(message)
                self._new.variables |= self.variables.add(message)
            for response in sent.tool_responses.tool_responses:
                self._matcher.answer(response)

    def _add_server_frame(self, frame: BidiSessionServerMessage) -> None:
        match frame.WhichOneof("message_type"):
            case "session_output":
                self._add_outputs((frame.session_output,))
            case "recognition_result":
                self._recognized = frame.recognition_result.transcript
                self.recognitions.append(self._recognized)
                self._new.recognitions.append(self._recognized)
            case "interruption_signal":
                self.interruptions.append(frame.interruption_signal.barge_in)
                self._new.interruptions.append(frame.interruption_signal.barge_in)
                if self._latest_turn is not None:
                    self._latest_turn.interrupted = True
                    self._new.turn(self._latest_turn.index).interrupted = True
            case "end_session":
                self._end(frame.end_session)
            case "go_away":
                self.going_away = self._new.going_away = True
            case None:
                pass
            case _ as kind:
                assert_never(kind)

    def _add_outputs(self, outputs: Iterable[SessionOutput]) -> None:
        for output in outputs:
            if output.HasField("end_session"):
                self._end(output.end_session)
                if output == SessionOutput(end_session=output.end_session):
                    continue  # the end of the session alone begins no turn
            turn = self._turn(output.turn_index)
            turn.sent.extend((len(turn.outputs), sent) for sent in self._sent.for_turn(turn.index))
            turn.outputs.append(output)
            self._new.turn(turn.index).outputs.append(output)
            self._matcher.turn = turn.index
            for call in output.tool_calls.tool_calls:
                if self._matcher.request(call):
                    self.tool_calls.append(call)
                    self._new.tool_calls.append(call)
            diagnostics = output.diagnostic_info
            reported = self._diagnostics.new_in(turn.index, diagnostics.messages)
            self._new.messages.extend(self._sent.unreported(reported))
            self._add_turn_messages(turn, reported, diagnostics.root_span)
            if output.turn_completed:
                self._complete(turn)

    def _add_conversation(self, conversation: Conversation) -> None:
        self._be_stored_as(conversation.name)
        self._enter(conversation.entry_agent)
        added = len(self._messages)
        for stored in conversation.turns:
            turn = self._turn(0)
            for part in (turn, self._new.turn(turn.index)):
                part.user_intended_text = stored.user_intended_text
            self._add_turn_messages(turn, stored.messages, stored.root_span)
            self._complete(turn)
        if len(self._messages) == added:  # then all messages are in the deprecated flat list
            self._sections.extend(conversation.messages)
            self._matcher.turn = None
            self._add_messages(conversation.messages)
        self._new.messages.extend(self._messages[added:])

    def _end(self, signal: EndSession) -> None:
        # The signal may come twice, once with its metadata and once without.
        if self._end_signal is None or signal.metadata.fields:
            self._end_signal = signal

    def _turn(self, index: int) -> TurnDraft:
        """The turn of that index; for 0 (absent) the one after the last completed one."""
        index = index if index > 0 else self._last_completed + 1
        turn = self.turns.get(index)
        if turn is None:
            turn = TurnDraft(index, recognized=self._recognized)
            self._new.turn(index).recognized = self._recognized
            self._recognized = ""
            self.turns[index] = turn
            self._sections.append(turn)
        self._latest_turn = turn
        return turn

    def _open_turn(self) -> int:
        """The index of the turn that goes on; 0 between turns."""
        latest = self._latest_turn
        return 0 if latest is None or latest.completed else latest.index

    def _complete(self, turn: TurnDraft) -> None:
        turn.completed = self._new.turn(turn.index).completed = True
        self._last_completed = max(self._last_completed, turn.index)

    def _add_turn_messages(self, turn: TurnDraft, messages: Sequence[Message], span: Span) -> None:
        """Adds new messages and the trace to a turn."""
        for part in (turn, self._new.turn(turn.index)):
            part.messages.extend(messages)
            if span.ByteSize():
                part.trace(span)
        self._matcher.turn = turn.index
        self._add_messages(messages)

    def _add_messages(self, messages: Iterable[Message]) -> None:
        for message in messages:
            self._messages.append(message)
            self._new.variables |= self.variables.add(message)
            time = message.event_time if message.HasField("event_time") else None
            for chunk in message.chunks:
                match chunk.WhichOneof("data"):
                    case "tool_call":
                        self._matcher.call(chunk.tool_call, time)
                    case "tool_response":
                        self._matcher.respond(chunk.tool_response, time)
                    case "agent_transfer":
                        if chunk.agent_transfer.target_agent:
                            self.transfers.append(chunk.agent_transfer)
                            self._new.transfers.append(chunk.agent_transfer)
                    case (
                        "text"
                        | "transcript"
                        | "image"
                        | "blob"
                        | "payload"
                        | "updated_variables"
                        | "default_variables"
                        | None
                    ):
                        pass
                    case _ as kind:
                        assert_never(kind)
