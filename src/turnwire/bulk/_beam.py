"""`convert` for Apache Beam: a transform with an output for each table, and one for bad rows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from google.protobuf.message import Message

from turnwire.arrow._options import pyarrow
from turnwire.bulk._arguments import Tables, Unknown, check_options, checked_cut, checked_tables
from turnwire.bulk._batches import MAX_BYTES
from turnwire.bulk._converting import convert
from turnwire.bulk._portable import portable_schema, to_portable
from turnwire.bulk._texts import Format
from turnwire.errors import MissingExtra
from turnwire.streams import At

Element = str | bytes | Mapping[str, Any]
_MIN_BYTES = 2**20
_ROW = "row of the input"


def beam_transform(
    *,
    message: type[Message],
    column: str = "value",
    at: At = None,
    tables: Tables = None,
    conversation: str | None = None,
    turn: str | None = None,
    order: str | None = None,
    format: Format = "auto",
    unknown: Unknown = "error",
) -> Any:
    """Returns `convert` as an ``apache_beam.PTransform``.

    Its input is a collection of JSON texts, or of rows: dicts with a text in one member. Its output
    has tags: ``messages``, or the names of the tables, and ``errors``. Their elements are dicts:
    the other members of the row with ``message``; the columns of the table; or the whole row with
    ``error``. Types are those of `mapper`.

    With ``tables``, the rows are grouped by their conversation, and each group is held in memory.

    Args:
        message: As for `convert`, and so are all others but ``order``.
        column: The member with the text.
        at: Where the message stands in each text.
        tables: The names of tables, or None.
        conversation: The member with the names of conversations.
        turn: The member with the turns.
        order: With ``tables``, the member by which the rows of a conversation are sorted, since
            Beam keeps no order.
        format: The content of the column.
        unknown: The treatment of unknown fields.

    Raises:
        MissingExtra: Beam or pyarrow is not installed.
        TypeError: As for `convert`.
        ValueError: As for `convert`, or several rows of a conversation have no ``order``.

    >>> from turnwire import MissingExtra, bulk, ces
    >>> try:
    ...     transform = bulk.beam_transform(message=ces.Message)
    ... except MissingExtra as error:
    ...     print(error.extra)
    beam
    """
    check_options(message, format, unknown)
    options: dict[str, Any] = {"message": message, "column": column, "at": at, "tables": tables}
    options |= {"conversation": conversation, "turn": turn, "format": format, "unknown": unknown}
    names: tuple[str, ...] = ("messages",)
    if tables is not None:
        names = checked_tables(message, tables)
        checked_cut(message, conversation, turn, 1)
        if conversation is not None and order is None:
            raise ValueError("name the member that says the order of rows, such as order='offset'")
    try:
        import apache_beam as beam  # pyright: ignore[reportMissingImports]
    except ModuleNotFoundError as error:
        if error.name != "apache_beam":
            raise
        raise MissingExtra("beam", "apache_beam") from None
    pyarrow()
    return _transform(beam, options, names, order)


def _transform(
    beam: Any, options: dict[str, Any], names: tuple[str, ...], order: str | None
) -> Any:
    column, conversation = options["column"], options["conversation"]
    is_grouped = options["tables"] is not None and conversation is not None

    class Convert(beam.DoFn):  # type: ignore[misc]
        def process(self, rows: list[Mapping[str, Any]]) -> Iterator[Any]:
            for tag, row in converted(rows, options):
                yield beam.pvalue.TaggedOutput(tag, row)

    class ConvertRows(beam.PTransform):  # type: ignore[misc]
        def expand(self, input_or_inputs: Any) -> Any:
            rows = input_or_inputs | "Rows" >> beam.Map(_row_of, column)
            if is_grouped:
                named = rows | "Names" >> beam.Map(lambda row: (str(row.get(conversation)), row))
                groups = named | beam.GroupByKey()
                batches = groups | "Order" >> beam.Map(lambda group: _sorted(group[1], order))
            else:
                batches = rows | beam.BatchElements(
                    min_batch_size=_MIN_BYTES,
                    max_batch_size=MAX_BYTES,
                    element_size_fn=lambda row: _size_of(row, column),
                )
            return batches | beam.ParDo(Convert()).with_outputs(*names, "errors")

    return ConvertRows()


def _row_of(element: Element, column: str) -> Mapping[str, Any]:
    """Returns an element as a row; a text alone is one with a single member."""
    return element if isinstance(element, Mapping) else {column: element}


def _size_of(row: Mapping[str, Any], column: str) -> int:
    return len(row.get(column) or "") + 1


def _sorted(rows: Iterable[Mapping[str, Any]], order: Any) -> list[Mapping[str, Any]]:
    return sorted(rows, key=lambda row: row[order])


def converted(
    rows: list[Mapping[str, Any]], options: dict[str, Any]
) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yields what `convert` makes of rows: each time the tag of an output, and a row of it.

    Args:
        rows: The rows, with the whole conversations if tables are made.
        options: The arguments of `convert`.

    >>> from turnwire import ces
    >>> options = {"message": ces.Chunk, "column": "value", "tables": None}
    >>> for tag, row in converted([{"value": "{}", "n": 1}, {"value": "["}], options):
    ...     print(tag, sorted(row))
    messages ['message', 'n']
    errors ['error', 'value']
    """
    column = options["column"]
    names = {name: options.get(name) for name in ("conversation", "turn")}
    source = _table(rows, column, names)
    arguments: dict[str, Any] = {**options, "column": "value"}
    arguments |= {name: name for name, member in names.items() if member is not None}
    for batch in convert(source, **arguments):
        for values in to_portable(batch, portable_schema(batch.schema)).to_pylist():
            row = rows[values[_ROW]]
            if values["error"] is not None:
                yield "errors", {**row, "error": values["error"]}
            elif options["tables"] is None:
                others = {name: value for name, value in row.items() if name != column}
                yield "messages", {**others, "message": values["message"]}
            else:
                tables = (item for item in values.items() if isinstance(item[1], dict))
                yield next(tables)


def _table(rows: list[Mapping[str, Any]], column: str, names: Mapping[str, str | None]) -> Any:
    """Returns the columns that `convert` needs, without the other members of the rows."""
    pa = pyarrow()
    texts = [row.get(column) for row in rows]
    is_binary = any(isinstance(text, bytes) for text in texts)
    kind = pa.large_binary() if is_binary else pa.large_string()
    columns = {"value": pa.array(texts, kind), _ROW: pa.array(range(len(rows)), pa.int64())}
    for name, member in names.items():
        if member is not None:
            values = (row.get(member) for row in rows)
            texts = [None if value is None else str(value) for value in values]
            columns[name] = pa.array(texts, pa.string())
    return pa.table(columns)
