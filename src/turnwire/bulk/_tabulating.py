"""Batches of texts to rows of tables: messages, conversations, and what the tables say of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import count
from typing import Any

from google.protobuf.message import Message

from turnwire import ces
from turnwire.arrow._options import pyarrow
from turnwire.bulk._batches import MAX_BYTES, MAX_ROWS, pieces_of, taken
from turnwire.bulk._conversations import Conversation, Cutter
from turnwire.bulk._problems import Problem
from turnwire.bulk._rows import MessageParser, error_type
from turnwire.bulk._tables import Row, rows_of, schema_of
from turnwire.bulk._texts import stored
from turnwire.errors import SerializeError

_Waiting = tuple[Any, str | None, Row | Problem]
"""A row that waits: the other columns, its table, and its cells; or no table, and a problem."""


@dataclass(frozen=True)
class Cut:
    """The cut of recordings into conversations.

    Attributes:
        conversation: The column of their names; None for stored conversations, which have one.
        turn: The column of the turns; None where the messages say it, or nothing does.
        max_open: The most conversations that are open at once.
    """

    conversation: str | None
    turn: str | None
    max_open: int


def tabulated(
    batches: Iterator[Any],
    message_class: type[Message],
    column: str,
    parser: MessageParser,
    tables: Sequence[str],
    cut: Cut,
) -> Iterator[Any]:
    """Yields batches of rows of tables, in the schema that `output_fields` gives."""
    cutter = Cutter(cut.max_open)
    output: _Output | None = None
    for batch in batches:
        others = [index for index, name in enumerate(batch.schema.names) if name != column]
        if output is None:
            output = _Output(message_class, tables, batch.select(others).schema)
        for piece in pieces_of(batch, column):
            kept = piece.select(others)
            rows = pyarrow().array(range(piece.num_rows))
            names = _values(piece, cut.conversation)
            turns = _values(piece, cut.turn)
            messages, problems, texts = parser.messages(stored(piece.column(column)))
            sizes = _sizes(texts.array)
            for index, message in enumerate(messages):
                row = index if texts.rows is None else texts.rows[index]
                problem = problems.get(index)
                name = None if message is None else _name_of(message, names[row])
                if message is not None and name is None:
                    problem = _nameless(cut.conversation)
                copied = partial(_copied_row, kept, rows.slice(row, 1))
                if problem is not None:
                    yield from output.add_problem(problem, copied())
                elif message is not None and name is not None:
                    for closed in cutter.add(name, copied, message, turns[row], sizes[index]):
                        yield from output.add(closed)
    if output is not None:
        for closed in cutter.close():
            yield from output.add(closed)
        yield from output.flush()


def output_fields(tables: Sequence[str]) -> list[Any]:
    """Returns the fields that stand after the other columns: a struct for each table, the error."""
    pa = pyarrow()
    structs = [pa.field(name, pa.struct(list(schema_of(name)))) for name in tables]
    return [*structs, pa.field("error", error_type())]


def _values(piece: Any, column: str | None) -> list[Any]:
    """Returns the values of a column; None for each row without the column."""
    return [None] * piece.num_rows if column is None else piece.column(column).to_pylist()


def _copied_row(batch: Any, row: Any) -> Any:
    """Returns the row with an index as a batch, which does not keep other rows in memory."""
    return taken(batch, row)


def _sizes(texts: Any) -> list[int]:
    from pyarrow import compute

    lengths = compute.call_function("binary_length", [texts.cast(pyarrow().large_binary())])
    return [length or 0 for length in lengths.to_pylist()]


def _name_of(message: Message, given: object) -> str | None:
    """Returns the name of a message's conversation: its own, or that of the column."""
    if isinstance(message, ces.Conversation) and message.name:
        return message.name
    return None if given is None else str(given)


def _nameless(column: str | None) -> Problem:
    if column is None:
        reason = "expected a conversation with a name, got one without; name a column with them"
    else:
        reason = f"expected the name of a conversation in the column {column!r}, got null"
    return Problem("conversation", "$", reason)


class _Output:
    """Rows that wait until they are a batch."""

    def __init__(self, message_class: type[Message], tables: Sequence[str], others: Any) -> None:
        self._class = message_class
        self._tables = tables
        self._schema = pyarrow().schema([*others, *output_fields(tables)])
        self._rows: list[_Waiting] = []
        self._size = 0

    def add(self, conversation: Conversation) -> Iterator[Any]:
        """Adds the rows of a conversation, and yields the batches that are full."""
        others = conversation.others
        try:
            rows = list(rows_of(self._class, self._tables, conversation.items))
        except SerializeError as error:
            yield from self.add_problem(Problem.of(error), others)
            return
        for table, row in rows:
            self._rows.append((others, table, (conversation.name, *row)))
            self._size += sum(len(cell) for cell in row if isinstance(cell, str | bytes))
            if self._is_full:
                yield from self.flush()

    def add_problem(self, problem: Problem, others: Any) -> Iterator[Any]:
        """Adds the row of a problem, and yields the batch that is full."""
        self._rows.append((others, None, problem))
        if self._is_full:
            yield from self.flush()

    @property
    def _is_full(self) -> bool:
        return len(self._rows) >= MAX_ROWS or self._size >= MAX_BYTES

    def flush(self) -> Iterator[Any]:
        """Yields the rows that wait as a batch, if there are any."""
        pa = pyarrow()
        if not self._rows:
            return
        rows, self._rows, self._size = self._rows, [], 0
        arrays = [*_others_of(rows), *(_struct_of(rows, table) for table in self._tables)]
        errors = [
            content._asdict() if isinstance(content, Problem) else None for *_, content in rows
        ]
        arrays.append(pa.array(errors, error_type()))
        yield pa.RecordBatch.from_arrays(arrays, schema=self._schema)


def _others_of(rows: list[_Waiting]) -> list[Any]:
    """Returns the other columns of rows, many of which are those of one row of the input."""
    pa = pyarrow()
    places: dict[int, int] = {}
    batches: list[Any] = []
    for others, _, _ in rows:
        if places.setdefault(id(others), len(batches)) == len(batches):
            batches.append(others)
    indices = pa.array([places[id(others)] for others, _, _ in rows])
    columns = zip(*(batch.columns for batch in batches), strict=True)
    return [taken(pa.concat_arrays(column), indices) for column in columns]


def _struct_of(rows: list[_Waiting], table: str) -> Any:
    """Returns the struct column of a table, which is null in the rows of other tables."""
    pa = pyarrow()
    schema = schema_of(table)
    cells = [content for _, name, content in rows if name == table]
    columns = zip(*cells, strict=True) if cells else ((),) * len(schema)
    arrays = [pa.array(column, field.type) for column, field in zip(columns, schema, strict=True)]
    structs = pa.StructArray.from_arrays(arrays, fields=list(schema))
    places = count()
    indices = [next(places) if name == table else None for _, name, _ in rows]
    return structs.take(pa.array(indices, pa.int64()))
