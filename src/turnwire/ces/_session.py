"""The view of a whole session, and of what one item adds to it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from google.protobuf.struct_pb2 import Value
from turnwire_schema.ces.v1.agent_transfer_pb2 import AgentTransfer
from turnwire_schema.ces.v1.media_pb2 import Image
from turnwire_schema.ces.v1.message_pb2 import Message
from turnwire_schema.ces.v1.session_config_pb2 import OutputAudioConfig
from turnwire_schema.ces.v1.session_output_pb2 import GoogleSearchSuggestions, SessionOutput
from turnwire_schema.ces.v1.span_pb2 import Span
from turnwire_schema.ces.v1.tool_pb2 import ToolCall

from turnwire._notebooks import ShownView
from turnwire._views import short_repr
from turnwire.ces._citations import CitedText
from turnwire.ces._draft import Additions, SessionDraft
from turnwire.ces._ending import SessionEnd
from turnwire.ces._exchanges import ToolExchange, walk_exchanges
from turnwire.ces._items import SessionItems, items_in
from turnwire.ces._tools import last_segment
from turnwire.ces._transcript import TranscriptEntry
from turnwire.ces._turns import Turn
from turnwire.ces._variables import Variables, plain_variables


@dataclass(frozen=True, slots=True, repr=False)
class Session(ShownView):
    """A session, put together from its messages; or what one item adds to it.

    Attributes:
        turns: The turns by their index. Plain messages have none: nothing says which turn they
            belong to.
        messages: The messages of diagnostics, of stored conversations, and plain ones, in order,
            each as often as it happened; and what the client sent, as messages of the user, unless
            diagnostics repeat it.
        tool_exchanges: The tool calls of the top level in order, with their responses; those of
            sub-agents are nested in them.
        tool_calls: The calls that the client was asked to run, each once.
        open_tool_calls: Those of them that the client has not yet answered. Empty once the session
            has `ended`: nobody waits for an answer. Their exchanges stay pending.
        transcript: The contributions of the user and the agents, in order.
        transfers: The transfers to other agents, in order.
        entry_agent: The resource name of the agent that began; ``""`` where nothing says it.
        output_audio_config: The encoding of the service's audio, as the client asked for it; None
            where its config is not among the items. See `to_wav`.
        raw_variables: The `variables` as protobuf values.
        ended: The end of the session; None as long as nothing reports it.
        recognitions: The results of speech recognition, in order; each repeats what was
            recognized of the user's turn so far.
        interruptions: Of each ``interruptionSignal`` whether the user barged in.
        going_away: Whether a ``goAway`` came: the service is about to close the connection.
            That is a notice; the session itself goes on.
        name: The resource name of the session or the stored conversation; ``""`` where no item
            gives one, as none of the service's responses does.

    >>> from turnwire import ces
    >>> outputs = [ces.SessionOutput(turn_index=1, text="Ahoy!", turn_completed=True)]
    >>> session = ces.Session.collect(outputs)
    >>> session.text, session.completed_turns, session.ended
    ('Ahoy!', (1,), None)
    """

    turns: tuple[Turn, ...] = ()
    messages: tuple[Message, ...] = ()
    tool_exchanges: tuple[ToolExchange, ...] = ()
    tool_calls: tuple[ToolCall, ...] = ()
    open_tool_calls: tuple[ToolCall, ...] = ()
    transcript: tuple[TranscriptEntry, ...] = ()
    transfers: tuple[AgentTransfer, ...] = ()
    entry_agent: str = ""
    output_audio_config: OutputAudioConfig | None = None
    raw_variables: dict[str, Value] = field(default_factory=dict[str, Value], compare=False)
    ended: SessionEnd | None = None
    recognitions: tuple[str, ...] = ()
    interruptions: tuple[bool, ...] = ()
    going_away: bool = False
    name: str = ""

    @classmethod
    def collect(cls, items: SessionItems) -> Session:
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
            TypeError: An item is not one of these.
            ValueError: There are stored conversations of two names; see `sessions_of`.
            TurnwireError: Whatever the iterable raises, such as a reader's `TruncatedStream`. Use
                a `SessionBuilder` to keep what came before.

        >>> from turnwire import ces
        >>> deltas = ("Rack 4", " it is.")
        >>> outputs = [ces.SessionOutput(turn_index=1, text=delta) for delta in deltas]
        >>> ces.Session.collect(outputs).turns[0].reply
        'Rack 4 it is.'
        """
        draft = SessionDraft()
        for item in items_in(items):
            draft.add(item)
        return session_of_draft(draft)

    @property
    def text(self) -> str:
        """The replies of the turns, one line per turn; of an update the new part of the reply."""
        return "\n".join(reply for turn in self.turns if (reply := turn.reply))

    @property
    def audio(self) -> bytes:
        """The audio, to be played in one piece."""
        return b"".join(turn.audio for turn in self.turns)

    @property
    def images(self) -> tuple[Image, ...]:
        """The images of all turns."""
        return tuple(image for turn in self.turns for image in turn.images)

    @property
    def payloads(self) -> tuple[dict[str, Any], ...]:
        """The custom payloads of all turns as plain dicts.

        Raises:
            SerializeError: One holds a number that JSON does not have, such as NaN.
        """
        return tuple(payload for turn in self.turns for payload in turn.payloads)

    @property
    def progress(self) -> tuple[str, ...]:
        """The progress notes of all turns."""
        return tuple(note for turn in self.turns for note in turn.progress)

    @property
    def citations(self) -> tuple[CitedText, ...]:
        """The cited words of the replies of all turns, with their sources."""
        return tuple(cited for turn in self.turns for cited in turn.citations)

    @property
    def suggestions(self) -> tuple[GoogleSearchSuggestions, ...]:
        """The Google Search suggestions of all turns."""
        return tuple(suggestion for turn in self.turns for suggestion in turn.suggestions)

    @property
    def outputs(self) -> tuple[tuple[int, SessionOutput], ...]:
        """The outputs, each with the index of its turn; a stored conversation has none."""
        return tuple((turn.index, output) for turn in self.turns for output in turn.outputs)

    @property
    def completed_turns(self) -> tuple[int, ...]:
        """The indices of the turns that are complete."""
        return tuple(turn.index for turn in self.turns if turn.completed)

    @property
    def recognized(self) -> str:
        """The last result of speech recognition; ``""`` without one."""
        return self.recognitions[-1] if self.recognitions else ""

    @property
    def interrupted(self) -> bool:
        """Whether an ``interruptionSignal`` came; in an update it means: stop playing audio."""
        return bool(self.interruptions)

    @property
    def variables(self) -> dict[str, Any]:
        """The variables after the last message, as plain JSON values by name.

        An update outranks every default, and the last default an earlier one. Each access returns
        a new dict.

        Raises:
            SerializeError: One holds a number that JSON does not have, such as NaN.
        """
        return plain_variables(self.raw_variables)

    def variables_at(self, message_index: int) -> dict[str, Any]:
        """The variables right after one of the `messages`.

        Args:
            message_index: An index into `messages`, counted from 0; from the end if negative.

        Raises:
            IndexError: The message does not exist.
            SerializeError: As for `variables`.

        >>> from turnwire import ces, from_dict
        >>> changes = [{"updatedVariables": {"crates": count}} for count in (3, 2)]
        >>> messages = [from_dict(ces.Message, {"chunks": [change]}) for change in changes]
        >>> session = ces.Session.collect(messages)
        >>> session.variables_at(0), session.variables
        ({'crates': 3}, {'crates': 2})
        """
        position = range(len(self.messages))[message_index]
        return plain_variables(Variables(self.messages[: position + 1]).values)

    @property
    def active_agent(self) -> str | None:
        """The agent that handles the conversation now: the last segment of its resource name.

        It is the target of the last transfer, else the `entry_agent`; None where neither is known,
        as in a session that its root agent handles alone.
        """
        name = self.transfers[-1].target_agent if self.transfers else self.entry_agent
        return last_segment(name) or None

    @property
    def root_spans(self) -> tuple[Span, ...]:
        """The traces of all turns; see `durations_ns_of` and `find_spans`."""
        return tuple(span for turn in self.turns for span in turn.root_spans)

    def _shown(self) -> list[str]:
        exchanges = sum(1 for _ in walk_exchanges(self.tool_exchanges))
        agent = None if self.active_agent is None else short_repr(self.active_agent)
        return [
            f"turns={len(self.turns)}",
            f"messages={len(self.messages)}",
            f"tool_exchanges={exchanges}",
            f"active_agent={agent}",
            f"ended={self.ended!r}",
        ]


def session_of_draft(draft: SessionDraft) -> Session:
    """The session as it is now."""
    exchanges = draft.tool_exchanges
    ended = draft.ending(exchanges)
    return Session(
        turns=tuple(draft.turns[index].view() for index in sorted(draft.turns)),
        messages=draft.messages,
        tool_exchanges=exchanges,
        tool_calls=tuple(draft.tool_calls),
        open_tool_calls=() if ended else draft.unanswered,
        transcript=draft.transcript,
        transfers=tuple(draft.transfers),
        entry_agent=draft.entry_agent,
        output_audio_config=draft.output_audio_config,
        raw_variables=draft.variables.values,
        ended=ended,
        recognitions=tuple(draft.recognitions),
        interruptions=tuple(draft.interruptions),
        going_away=draft.going_away,
        name=draft.name,
    )


def session_of_additions(added: Additions) -> Session:
    """A session that holds only what one item added."""
    return Session(
        turns=tuple(part.view(added.whole_turns[index]) for index, part in added.turns.items()),
        messages=tuple(added.messages),
        tool_exchanges=added.tool_exchanges,
        tool_calls=tuple(added.tool_calls),
        open_tool_calls=() if added.ended else tuple(added.tool_calls),
        transfers=tuple(added.transfers),
        entry_agent=added.entry_agent,
        output_audio_config=added.output_audio_config,
        raw_variables=added.variables,
        ended=added.ended,
        recognitions=tuple(added.recognitions),
        interruptions=tuple(added.interruptions),
        going_away=added.going_away,
        name=added.name,
    )
