"""`turnwire tabulate`: recordings as Parquet files of tables that people query."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any

from google.protobuf.message import Message

from turnwire import bulk, ces
from turnwire._cli.conversations import add_conversation_at, value_at
from turnwire._cli.decoding import Decoding, refusal_of
from turnwire._cli.elements import Reader
from turnwire._cli.failure import UsageError, named
from turnwire._cli.files import STANDARD, arrives, shown, source_of, unpacked_pieces_of
from turnwire._cli.formats import BINARY, PARQUET, TEXT, read_whole
from turnwire._cli.inputs import Part, format_of, inputs_of
from turnwire._cli.many import add_many
from turnwire._cli.own_types import class_of, own_types_of
from turnwire._cli.peeking import names_in, refuse_wrapped
from turnwire._cli.pieces import Pieces
from turnwire._cli.places import Element
from turnwire._cli.problems import Problem, problem_of, unknown_problem
from turnwire._cli.recordings import CONVERSATIONS, fitting_type
from turnwire._cli.report import Report
from turnwire._cli.runner import check_allowed, run_many
from turnwire._cli.unknown import silent
from turnwire._replacing import replacing
from turnwire._shown import utf8
from turnwire.arrow._options import pyarrow
from turnwire.bulk._tables import schema_of, table_names
from turnwire.errors import Path as Place
from turnwire.errors import TurnwireError

VIEWS = "views.sql"
"""The script in the output folder that makes a view of each table."""

_NO_ROWS = "_schema.parquet"
_MAX_ROWS = 2**16
_MAX_BYTES = 2**24

EPILOG = """\
examples:
  turnwire tabulate 'logs/*.ndjson.gz' -o out/
  turnwire tabulate --type ces.Conversation stored.ndjson -o out/ --tables turns,tool_calls
  turnwire tabulate log.ndjson -o out/ --at jsonPayload --conversation-at labels.session
  turnwire tabulate --type ces.Message export.ndjson -o out/ --at messages \\
      --conversation-at conversation_id --turn-at turn_index
  cd out && duckdb -init views.sql
"""


def add(commands: Any) -> None:
    """Adds the parser of the command."""
    parser = commands.add_parser(
        "tabulate",
        help="make tables of recordings: turns, tool calls, spans, answers, queries and more",
        description="Write Parquet files of the conversations in recordings, in a folder for each "
        "table. An input is one conversation, unless its messages are stored conversations or "
        "--conversation-at says which one each of them belongs to.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "--type",
        dest="message_class",
        metavar="NAME",
        help="the message type, such as ces.Message (default: by the names in the first input)",
    )
    parser.add_argument(
        "-o", dest="output", metavar="FOLDER", required=True, help="the folder of the tables"
    )
    parser.add_argument(
        "--tables", metavar="NAME,…", help="the tables (default: all that the messages give)"
    )
    add_conversation_at(parser)
    parser.add_argument(
        "--turn-at",
        metavar="NAME",
        help="the member of each JSON object with its turn, for ces.Message",
    )
    add_many(parser)
    parser.set_defaults(run=_tabulate)


def _tabulate(arguments: argparse.Namespace) -> None:
    own_types_of(arguments).load()
    name = arguments.message_class or _fitting_name(arguments)
    message_class = class_of(name)
    tables = _tables(message_class, arguments.tables)
    work = Tabulation(
        message_class=name,
        tables=tables,
        at=arguments.at,
        conversation_at=arguments.conversation_at,
        turn_at=arguments.turn_at,
        unknown=arguments.unknown,
        format=arguments.source,
        max_element_bytes=arguments.max_element_bytes,
        keeps_rejects=arguments.rejects is not None,
        column=arguments.column,
    )
    if work.turn_at is not None and message_class is not ces.Message:
        raise UsageError("--turn-at is for --type ces.Message")
    folder = Path(arguments.output)
    # The messages of a conversation stand together only in a whole input.
    totals = run_many(work, arguments, folder, work, cut=message_class is ces.Conversation)
    _write_views(folder, tables)
    check_allowed(totals, arguments.allow_rejects)


def _tables(message_class: type[Message], chosen: str | None) -> tuple[str, ...]:
    try:
        known = table_names(message_class)
    except TypeError as error:
        raise UsageError(f"argument --type: {error}") from error
    names = known if chosen is None else tuple(dict.fromkeys(chosen.split(",")))
    for name in names:
        if name not in known:
            raise UsageError(f"argument --tables: {name} is not one of {', '.join(known)}")
    return names


def _fitting_name(arguments: argparse.Namespace) -> str:
    """Returns the full name of the message type that fits the first input."""
    name = inputs_of(arguments.inputs)[0]
    if name == STANDARD or (Path(name).exists() and arrives(name)):
        # It can be read only once.
        raise UsageError(f"say the --type of the messages on {shown(name)}")
    format = format_of(name, arguments.source)
    if format == PARQUET:
        pieces, format = Pieces(_lines_of_rows(name, arguments)), "ndjson"
    else:
        pieces = Pieces(unpacked_pieces_of(source_of(name)))
    names = names_in(pieces, format, arguments.at, CONVERSATIONS)
    with named(shown(name)):
        if names and not CONVERSATIONS.some_command_knows(names):
            refuse_wrapped(pieces, format, arguments.at, CONVERSATIONS)
        return fitting_type(CONVERSATIONS, names, None).DESCRIPTOR.full_name


def _lines_of_rows(name: str, arguments: argparse.Namespace) -> Iterator[bytes]:
    """Yields the JSON texts in a Parquet file, each as a line."""
    from turnwire._cli.parquet_rows import ParquetRows

    others = [at for at in (arguments.conversation_at, arguments.turn_at) if at is not None]
    source = ParquetRows(name, arguments.column, others)
    for rows, _ in source.batches():
        if source.is_wire:
            raise UsageError(f"{name}: say the --type of messages in the wire format")
        yield b"".join(row.data.replace(b"\n", b" ") + b"\n" for row in rows)


def _write_views(folder: Path, tables: tuple[str, ...]) -> None:
    """Writes the script of the views, and for each table a file that has its columns."""
    from pyarrow import parquet

    lines = [f"-- Views of the tables; run it in this folder: duckdb -init {VIEWS}"]
    for table in tables:
        (folder / table).mkdir(exist_ok=True)
        with replacing(folder / table / _NO_ROWS, owner=folder) as file:
            parquet.write_table(_file_schema(table).empty_table(), file)
        lines.append(
            f"create or replace view {table} as select * from read_parquet('{table}/*.parquet');"
        )
    with replacing(folder / VIEWS, owner=folder) as file:
        file.write("\n".join([*lines, ""]).encode())


def _file_schema(table: str) -> Any:
    """Returns the columns of a file: those of the table, and the name of the input."""
    pa = pyarrow()
    return schema_of(table).append(pa.field("file", pa.string()))


@dataclass(frozen=True)
class Tabulation:
    """The work on one input: its rows as a Parquet file for each table.

    Attributes:
        message_class: The name of the message type.
        tables: The tables.
        at: The place of the messages in each element.
        conversation_at: The place of the conversation's name in each element.
        turn_at: The place of the turn in each element.
        unknown: The choice about unknown things: ``error``, ``ignore`` or ``warn``.
        format: The format of the input.
        max_element_bytes: The size of the largest element.
        keeps_rejects: Whether rejects are written as they came.
        column: The column of the messages in Parquet; None for the only one that may be it.
    """

    message_class: str
    tables: tuple[str, ...]
    at: str | None
    conversation_at: str | None
    turn_at: str | None
    unknown: str
    format: str | None
    max_element_bytes: int
    keeps_rejects: bool
    column: str | None

    def makes(self, name: str) -> bool:
        """Reports whether a file is one of these tables."""
        return name.split("/")[0] in self.tables

    def __call__(self, part: Part, folder: Path, report: Report) -> None:
        """Reads the input and writes the tables that have rows."""
        message_class = class_of(self.message_class)
        names = [name for name in (self.conversation_at, self.turn_at) if name is not None]
        limit = self.max_element_bytes
        reader = Reader(part, report, self.format, limit, self.column, names)
        elements = self._elements(reader, message_class, report)
        first = next((batch for batch in elements if batch), [])
        is_wire = reader.is_wire
        if self.unknown == "warn":
            noting = _Noting(message_class, self.at, report, is_wire=is_wire)
            elements = map(noting.note, elements)
            first = noting.note(first)
        batches = chain([first], elements)
        converted = bulk.convert(
            (self._batch_of(batch, part, report, message_class) for batch in batches),
            message=message_class,
            at=self.at,
            tables=self.tables,
            conversation="conversation",
            turn=None if self.turn_at is None else "turn",
            format="wire" if is_wire else "json",
            unknown="error" if self.unknown == "error" else "ignore",
        )
        with ExitStack() as stack:
            writers = {table: _Writer(table, folder, part, stack) for table in self.tables}
            for batch in converted:
                _report(batch, report)
                for table, writer in writers.items():
                    writer.add(batch.column(table))
            for writer in writers.values():
                writer.flush()

    def _elements(
        self, reader: Reader, message_class: type[Message], report: Report
    ) -> Iterator[list[Element]]:
        if reader.format not in (BINARY, TEXT):
            for batch in reader.batches():
                yield [each for each in batch if not _is_refused(each, report)]
            return
        choice = silent("error" if self.unknown == "error" else "ignore")
        message = read_whole(message_class, reader.all_bytes(), reader.format, choice)
        reader.is_wire = True
        data = message.SerializePartialToString()
        yield [Element(data, 0, None, 0, data)]

    def _batch_of(
        self,
        elements: list[Element],
        part: Part,
        report: Report,
        message_class: type[Message],
    ) -> Any:
        """Returns elements as a record batch."""
        report.count(len(elements))
        is_stored = message_class is ces.Conversation
        names = [self._name_of(each, part, is_stored=is_stored) for each in elements]
        turns = self.turn_at and [value_at(each, self.turn_at) for each in elements]
        return _batch_of(elements, names, turns or None, keeps_rejects=self.keeps_rejects)

    def _name_of(self, element: Element, part: Part, *, is_stored: bool) -> str | None:
        if self.conversation_at is not None:
            return value_at(element, self.conversation_at)
        # A stored conversation without a name is one by itself.
        return f"{part.name}:{element.index}" if is_stored else part.name


def _is_refused(element: Element, report: Report) -> bool:
    """Reports an element that is an error of the service by its place in the stream."""
    if type(element.data) is bytes:
        return False
    report.count(1)
    report.reject(element.placed(problem_of(refusal_of(element.data))), element.raw)
    return True


def _batch_of(
    elements: list[Element],
    names: list[str | None],
    turns: list[str | None] | None,
    *,
    keeps_rejects: bool,
) -> Any:
    pa = pyarrow()
    columns = {
        "value": pa.array([element.data for element in elements], pa.large_binary()),
        "conversation": pa.array(map(_encodable, names), pa.string()),
        "line": pa.array([element.line for element in elements], pa.int64()),
        "offset": pa.array([element.offset for element in elements], pa.int64()),
        "index": pa.array([element.index for element in elements], pa.int64()),
    }
    if turns is not None:
        columns["turn"] = pa.array(map(_encodable, turns), pa.string())
    if keeps_rejects:
        columns["element"] = pa.array([element.raw for element in elements], pa.large_binary())
    return pa.RecordBatch.from_pydict(columns)


def _report(batch: Any, report: Report) -> None:
    """Reports the rows of a batch that have an error."""
    errors = batch.column("error")
    if errors.null_count == len(errors):
        return
    for row in batch.filter(errors.is_valid()).to_pylist():
        error = row["error"]
        path = "" if error["path"] == "$" else error["path"]
        place = {name: row[name] for name in ("line", "offset", "index")}
        report.reject(Problem(error["kind"], path, error["reason"], **place), row.get("element"))


def _encodable(text: str | None) -> str | None:
    """Returns a text with the escapes of what UTF-8 cannot hold, as a name of a file may have."""
    return None if text is None else utf8(text).decode()


class _Noting:
    """Notes what elements have that the schema does not know."""

    def __init__(
        self, message_class: type[Message], at: str | None, report: Report, *, is_wire: bool
    ) -> None:
        self._report = report
        self._found: list[Place] = []
        self._decoding = Decoding(message_class, is_wire=is_wire, at=at, unknown=self._found.append)

    def note(self, elements: list[Element]) -> list[Element]:
        """Notes what is unknown in elements, and returns them."""
        for element in elements:
            self._found.clear()
            with suppress(TurnwireError):  # which the conversion reports
                self._decoding.of(element)
                for path in self._found:
                    self._report.note(element.placed(unknown_problem(path)))
        return elements


class _Writer:
    """Writes the rows of one table, in groups of a good size; a file is made for the first row."""

    def __init__(self, table: str, folder: Path, part: Part, stack: ExitStack) -> None:
        self._table = table
        self._path = folder / table / f"{part.stem}.parquet"
        self._name = _encodable(part.name)
        self._stack = stack
        self._waiting: list[Any] = []
        self._rows = self._size = 0
        self._writer: Any = None

    def add(self, column: Any) -> None:
        """Adds the rows of a struct column that are not null."""
        rows = column.drop_null()
        if not len(rows):
            return
        self._waiting.append(rows)
        self._rows += len(rows)
        self._size += rows.nbytes
        if self._rows >= _MAX_ROWS or self._size >= _MAX_BYTES:
            self.flush()

    def flush(self) -> None:
        """Writes the rows that wait."""
        from pyarrow import parquet

        pa = pyarrow()
        if not self._waiting:
            return
        schema = _file_schema(self._table)
        if self._writer is None:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            # pyarrow takes no path that is not UTF-8.
            file = self._stack.enter_context(self._path.open("wb"))
            writer = parquet.ParquetWriter(file, schema, compression="zstd")
            self._writer = self._stack.enter_context(writer)
        names = pa.nulls(self._rows, pa.string()).fill_null(self._name)
        columns = pa.concat_arrays(self._waiting).flatten()
        self._writer.write_batch(pa.RecordBatch.from_arrays([*columns, names], schema=schema))
        self._waiting, self._rows, self._size = [], 0, 0
