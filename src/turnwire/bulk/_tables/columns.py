"""The tables and their columns as data: schemas, rows and the page derive from it."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, Final, NamedTuple

from turnwire.arrow._options import pyarrow


class Column(NamedTuple):
    """One column of a table.

    Attributes:
        name: Its name.
        type: The Arrow type, or ``"json"``, which is a string of JSON text.
        description: Its content, with the unit.

    >>> from turnwire import bulk
    >>> column = bulk.TABLES["turns"].columns[4]
    >>> column.name, column.type
    ('duration_ns', 'int64')
    """

    name: str
    type: str
    description: str

    @property
    def arrow_type(self) -> Any:
        """The Arrow type.

        >>> Column("args", "json", "").arrow_type
        DataType(string)
        """
        return _TYPES[self.type](pyarrow())


class Table(NamedTuple):
    """One table that conversations give.

    Attributes:
        name: Its name.
        row: The thing that each row stands for.
        key: The columns that together are different in each row.
        columns: Its columns.

    >>> from turnwire import bulk
    >>> bulk.TABLES["variables"].key
    ('conversation', 'position')
    """

    name: str
    row: str
    key: tuple[str, ...]
    columns: tuple[Column, ...]

    @property
    def schema(self) -> Any:
        """The Arrow schema, a ``pyarrow.Schema``."""
        return schema_of(self.name)


_TYPES: Final[dict[str, Callable[[Any], Any]]] = {
    "string": lambda pa: pa.string(),
    "json": lambda pa: pa.string(),
    "bool": lambda pa: pa.bool_(),
    "int32": lambda pa: pa.int32(),
    "int64": lambda pa: pa.int64(),
    "binary": lambda pa: pa.binary(),
    "timestamp[us, UTC]": lambda pa: pa.timestamp("us", "UTC"),
    "list<string>": lambda pa: pa.list_(pa.string()),
}
"""Every engine has these types: times are microseconds, and no integer is unsigned."""

_CONVERSATION = ("conversation", "string", "the conversation")
_TURN = ("turn", "int32", "the turn, from 1; null outside of turns")
_CITED = (
    ("text", "string", "the cited words"),
    ("start_byte", "int64", "where they start in the text, in bytes of UTF-8; null for all of it"),
    ("end_byte", "int64", "where they end, exclusive, in bytes"),
    ("title", "string", "the title of the source"),
    ("uri", "string", "the address of the source"),
    ("passage", "string", "the words of the source"),
)


def _table(name: str, row: str, key: str, *columns: tuple[str, str, str]) -> Table:
    return Table(name, row, tuple(key.split()), tuple(Column(*column) for column in columns))


RAW: Final = _table(
    "raw",
    "a message as it came",
    "conversation position",
    _CONVERSATION,
    ("position", "int32", "the message's place in the conversation, from 0"),
    ("type", "string", "the full name of the message type"),
    ("wire", "binary", "the message in wire format"),
)

CES_TABLES: Final = (
    _table(
        "conversations",
        "a conversation",
        "conversation",
        _CONVERSATION,
        ("name", "string", "its resource name, where it was stored"),
        ("start_time", "timestamp[us, UTC]", "its start, or its first time"),
        ("end_time", "timestamp[us, UTC]", "its end, or its last time"),
        ("turns", "int32", "the number of turns"),
        ("messages", "int32", "the number of contributions"),
        ("tool_calls", "int32", "the number of tool calls"),
        ("ended", "bool", "whether it has ended"),
        ("escalated", "bool", "whether it was handed over to a human; null where nothing says it"),
        ("end_metadata", "json", "the words of the service about the end"),
        ("entry_agent", "string", "the resource name of the agent that began"),
        ("active_agent", "string", "the agent that handles it at the end"),
        ("transfers", "int32", "the number of transfers between agents"),
        ("language_code", "string", "its language, such as en-GB"),
        ("source", "string", "its source, such as LIVE or EVAL"),
        ("deployment", "string", "the resource name of the app's deployment"),
        ("app_version", "string", "the resource name of the app's version"),
    ),
    _table(
        "turns",
        "a turn",
        "conversation turn",
        _CONVERSATION,
        _TURN,
        ("start_time", "timestamp[us, UTC]", "the time of its first message"),
        ("end_time", "timestamp[us, UTC]", "the time of its last message"),
        ("duration_ns", "int64", "the duration of its processing in ns: that of its root spans"),
        ("user_text", "string", "the words of the user, one line per message"),
        ("reply", "string", "the reply"),
        ("agent", "string", "the agent that spoke last"),
        ("completed", "bool", "whether it is complete"),
        ("interrupted", "bool", "whether the user barged in"),
        ("tool_calls", "int32", "the number of tool calls"),
    ),
    _table(
        "messages",
        "a contribution of the user or of an agent",
        "conversation position",
        _CONVERSATION,
        _TURN,
        ("position", "int32", "its place in the conversation, from 0"),
        ("role", "string", "the speaker: user, or the agent's name"),
        ("time", "timestamp[us, UTC]", "when it was sent or received"),
        ("text", "string", "its words"),
        ("kinds", "list<string>", "the kinds of its chunks, such as text and tool_call"),
    ),
    _table(
        "tool_calls",
        "a tool call with its response",
        "conversation position",
        _CONVERSATION,
        _TURN,
        ("position", "int32", "its place among the conversation's calls, from 0"),
        ("id", "string", "its id"),
        ("name", "string", "the name of the tool"),
        ("args", "json", "the arguments, a JSON object"),
        ("status", "string", "ok, error or pending"),
        ("result", "json", "the result"),
        ("error", "json", "the error"),
        ("agent", "string", "the sub-agent that made it; null for the root agent"),
        ("parent", "string", "the id of the call that led to it"),
        ("depth", "int32", "the number of calls that it stands in"),
        ("time", "timestamp[us, UTC]", "when it was made"),
        ("duration_ns", "int64", "the time from the call to the response in ns"),
    ),
    _table(
        "spans",
        "a span of a turn's trace",
        "conversation position",
        _CONVERSATION,
        _TURN,
        ("position", "int32", "its place in the conversation, from 0: each before its children"),
        ("depth", "int32", "its depth, 0 for a root"),
        ("path", "list<string>", "the names from the root down to it"),
        ("name", "string", "its name"),
        ("kind", "string", "the kind of work: llm, tool, callback, guardrail, agent, turn, other"),
        ("start_time", "timestamp[us, UTC]", "its start, estimated where the service gives none"),
        ("duration_ns", "int64", "its duration in ns, its children included"),
        ("self_ns", "int64", "the part of it during which no child ran, in ns"),
        ("critical", "bool", "whether a shorter one had made the turn shorter"),
        ("attributes", "json", "its attributes, a JSON object; their names are the service's"),
    ),
    _table(
        "citations",
        "a source of some words of a reply",
        "conversation position",
        _CONVERSATION,
        _TURN,
        ("position", "int32", "its place in the conversation, from 0"),
        *_CITED,
    ),
    _table(
        "variables",
        "a value that a variable got",
        "conversation position",
        _CONVERSATION,
        _TURN,
        ("position", "int32", "its place in the conversation, from 0"),
        ("name", "string", "the name of the variable"),
        ("value", "json", "the value"),
        ("is_default", "bool", "whether it is a default of the conversation's start"),
        ("is_last", "bool", "whether the variable has it at the end"),
    ),
    RAW,
)

ANALYTICS_TABLES: Final = (
    _table(
        "answers",
        "a turn: a question and its answer",
        "conversation turn",
        _CONVERSATION,
        _TURN,
        ("question", "string", "the question; null where the recording does not echo it"),
        ("answer", "string", "the answer; null where none came"),
        ("completed", "bool", "whether the agent answered or asks the user something"),
        ("start_time", "timestamp[us, UTC]", "the first time of the turn"),
        ("duration_ns", "int64", "the time from the turn's first message to its last in ns"),
        ("thoughts", "int32", "the number of thoughts"),
        ("queries", "int32", "the number of generated queries"),
        ("results", "int32", "the number of data results"),
        ("charts", "int32", "the number of charts"),
        ("errors", "int32", "the number of errors, those of analyses among them"),
        ("clarifications", "list<string>", "the questions of the agent to the user"),
        ("follow_ups", "list<string>", "the suggested next questions"),
    ),
    _table(
        "queries",
        "a generated SQL statement",
        "conversation position",
        _CONVERSATION,
        _TURN,
        ("position", "int32", "its place in the conversation, from 0"),
        ("name", "string", "the name of its result"),
        ("question", "string", "the question put to the data"),
        ("sql", "string", "the statement"),
        ("status", "string", "ok: a result came; error: an error came first; pending: neither"),
        ("error", "string", "that error"),
        ("rows", "int64", "the number of rows of the result"),
        ("job", "string", "the BigQuery job: project, location and id, with dots between them"),
        ("time", "timestamp[us, UTC]", "when it came"),
        ("duration_ns", "int64", "the time from it to the result or error in ns"),
    ),
    _table(
        "results",
        "a data result",
        "conversation position",
        _CONVERSATION,
        _TURN,
        ("position", "int32", "its place in the conversation, from 0"),
        ("name", "string", "its name"),
        ("rows", "int64", "the number of rows"),
        ("columns", "list<string>", "the names of its columns"),
        ("types", "list<string>", "the service's types of the columns; null without a schema"),
        ("for_display", "bool", "whether people should see it: not empty, not a sample"),
        ("data", "json", "the rows, a JSON array of objects"),
    ),
    _table(
        "charts",
        "a chart",
        "conversation position",
        _CONVERSATION,
        _TURN,
        ("position", "int32", "its place in the conversation, from 0"),
        ("spec", "json", "the Vega specification; null where it has none, or not of JSON"),
        ("image_type", "string", "the MIME type of the rendered image"),
        ("image_bytes", "int64", "the size of the image in bytes"),
    ),
    _table(
        "errors",
        "an error, after which the agent goes on",
        "conversation position",
        _CONVERSATION,
        _TURN,
        ("position", "int32", "its place in the conversation, from 0"),
        ("kind", "string", "error, or analysis for an error of an analysis and its code"),
        ("text", "string", "its text"),
        ("time", "timestamp[us, UTC]", "when it came"),
    ),
    _table(
        "citations",
        "a source of some words of a text",
        "conversation position",
        _CONVERSATION,
        _TURN,
        ("position", "int32", "its place in the conversation, from 0"),
        *_CITED,
    ),
    RAW,
)

TABLES: Final = {table.name: table for table in (*CES_TABLES, *ANALYTICS_TABLES)}
"""All tables by their names. Both APIs have `citations` and `raw`, with the same columns."""


@cache
def schema_of(name: str) -> Any:
    """Returns the Arrow schema of a table."""
    pa = pyarrow()
    return pa.schema([(column.name, column.arrow_type) for column in TABLES[name].columns])
