"""The model of a conversation that every output reads: turns, entries, and blocks of content.

Texts and values are complete and not yet escaped; each output decides how much of them it shows.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, Literal, TypeAlias

MAX_ROWS: Final = 1000
"""The number of rows of each table in a page; programs that want all have the tables."""

Status = Literal["ok", "error", "pending"]


@dataclass(frozen=True, slots=True)
class Source:
    """A source of cited words, or a link that the service suggests."""

    title: str
    uri: str = ""
    text: str = ""
    must_be_shown: bool = False


@dataclass(frozen=True, slots=True)
class Citation:
    """Cited words: ``text[start:end]`` of a text; without a range the sources of all of it."""

    sources: tuple[Source, ...]
    start: int | None = None
    end: int | None = None


@dataclass(frozen=True, slots=True)
class Text:
    """Words for people, with their citations."""

    text: str
    citations: tuple[Citation, ...] = ()


@dataclass(frozen=True, slots=True)
class Code:
    """Text in a programming language, or the output of a program."""

    text: str
    language: str = ""


@dataclass(frozen=True, slots=True)
class Data:
    """A JSON value, and the word for it."""

    value: Any
    name: str = "JSON"


@dataclass(frozen=True, slots=True)
class Pairs:
    """JSON values by name."""

    values: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Options:
    """Short texts to choose from."""

    texts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Links:
    """Links that belong to no words."""

    links: tuple[Source, ...]


@dataclass(frozen=True, slots=True)
class Table:
    """Rows under columns. A row of very many columns may lack those that it has no cell for."""

    columns: Sequence[str]
    rows: Sequence[Mapping[str, Any]]


@dataclass(frozen=True, slots=True)
class Media:
    """An image, a sound or another file.

    Attributes:
        kind: The word for it: "image", "audio" or "file".
        mime_type: The type, as the service gives it.
        data: The bytes.
        description: The words that stand for it; ``""`` where there are none.
        problem: The reason why it cannot be shown or played; ``""`` where it can.
    """

    kind: Literal["image", "audio", "file"]
    mime_type: str
    data: bytes
    description: str = ""
    problem: str = ""


@dataclass(frozen=True, slots=True)
class Chart:
    """A chart: its specification, or why that cannot be read, and the service's picture of it."""

    title: str
    spec: dict[str, Any] | None
    problem: str = ""
    image: Media | None = None


@dataclass(frozen=True, slots=True)
class Call:
    """A tool call with its response.

    Attributes:
        depth: 0 at the top level; the calls of a sub-agent are one deeper than the call to it.
        id: The id that the service gave; ``""`` where it gave none.
        name: The tool.
        args: The arguments.
        status: The state of the call.
        outcome: The result, or the error of a call that failed; None while it is pending.
        result: A result beside an error; None in all other calls.
        agent: The sub-agent that made the call; ``""`` for the root agent.
        unmatched: Whether only the response was seen.
        time: The time of the call.
        offset_ns: The nanoseconds from the start of the turn to the call.
        duration_ns: The nanoseconds from the call to its response.
    """

    depth: int
    id: str
    name: str
    args: Any
    status: Status
    outcome: Any = None
    result: Any = None
    agent: str = ""
    unmatched: bool = False
    time: datetime | None = None
    offset_ns: int | None = None
    duration_ns: int | None = None


@dataclass(frozen=True, slots=True)
class Calls:
    """Tool calls, each before those that are nested in it."""

    calls: tuple[Call, ...]


@dataclass(frozen=True, slots=True)
class Bar:
    """A span of a trace.

    Attributes:
        depth: 0 for a root.
        name: The operation.
        kind: The kind of work, such as "llm" or "tool".
        start_ns: The nanoseconds from the start of the trace; None where they are not known.
        is_estimated: Whether the start was not reported, but derived from other spans.
        duration_ns: The duration, and that of the children in it.
        self_ns: The duration without that of the children.
        is_critical: Whether the span decides when the turn ends.
        attributes: The attributes, by name.
    """

    depth: int
    name: str
    kind: str
    start_ns: int | None
    is_estimated: bool
    duration_ns: int | None
    self_ns: int | None
    is_critical: bool
    attributes: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Trace:
    """The spans of a turn, and sums over them in words."""

    bars: tuple[Bar, ...]
    totals: tuple[tuple[str, str], ...] = ()


Block: TypeAlias = (
    Text | Code | Data | Pairs | Options | Links | Table | Media | Chart | Calls | Trace
)

Kind = Literal[
    "user",
    "reply",
    "thought",
    "progress",
    "tools",
    "variables",
    "step",
    "table",
    "chart",
    "media",
    "error",
    "trace",
    "end",
    "other",
]


@dataclass(frozen=True, slots=True)
class Entry:
    """One thing that happened, with its content.

    Attributes:
        kind: The kind of the entry, by which outputs choose their form.
        label: The heading in words.
        blocks: The content, in order.
        time: The time in UTC.
        offset_ns: The nanoseconds from the start of the turn.
        duration_ns: The nanoseconds that it took.
    """

    kind: Kind
    label: str
    blocks: tuple[Block, ...]
    time: datetime | None = None
    offset_ns: int | None = None
    duration_ns: int | None = None


@dataclass(frozen=True, slots=True)
class Turn:
    """A turn, or the entries outside of turns.

    Attributes:
        number: Its number, counted from 1; None for the entries outside of turns.
        states: Its state in words, such as "not completed"; empty for an ordinary turn.
        entries: The entries, in order.
        summary: Its first words, for a list of turns.
        time: The time of its first entry that has one, in UTC.
    """

    number: int | None
    states: tuple[str, ...]
    entries: tuple[Entry, ...]
    summary: str = ""
    time: datetime | None = None


@dataclass(frozen=True, slots=True)
class Conversation:
    """All that is shown of a conversation.

    Attributes:
        title: Its name in words.
        turns: The turns, in order.
        closing: The state at the end: variables, transfers, the end itself.
        left_out: What the outputs leave out, each with the reason.
    """

    title: str
    turns: tuple[Turn, ...]
    closing: tuple[Entry, ...] = ()
    left_out: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Problem:
    r"""An error in a recording, to be shown where it occurred.

    Attributes:
        text: The error in words.
        turn: The position of the turn in which it occurred, counted from 0; None for the end.
        after: The number of messages of the answer before it; None for the end of the turn. In
            sessions it is always the end.

    >>> from turnwire import ces, report
    >>> broken = report.Problem("the stream ended inside of a JSON value")
    >>> print(report.markdown(ces.Session(), problems=[broken]).rstrip().rpartition("\n")[2])
    **error in the recording**: the stream ended inside of a JSON value
    """

    text: str
    turn: int | None = None
    after: int | None = None
