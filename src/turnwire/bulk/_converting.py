"""The one function: record batches of texts in, record batches of columns out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from google.protobuf.message import Message

from turnwire import arrow
from turnwire.arrow._options import pyarrow
from turnwire.bulk._arguments import (
    Tables,
    Unknown,
    check_column,
    check_options,
    checked_cut,
    checked_tables,
)
from turnwire.bulk._batches import batches_of, pieces_of, taken
from turnwire.bulk._rows import MessageParser, error_array, error_type
from turnwire.bulk._tabulating import Cut, output_fields, tabulated
from turnwire.bulk._texts import Format, holds_json, stored
from turnwire.check._recording import MAX_OPEN
from turnwire.streams import At
from turnwire.streams._members import names_of

if TYPE_CHECKING:
    import pyarrow as pa


def convert(
    batches: Iterable[pa.RecordBatch] | pa.Table,
    *,
    message: type[Message],
    column: str = "value",
    at: At = None,
    tables: Tables = None,
    conversation: str | None = None,
    turn: str | None = None,
    format: Format = "auto",
    unknown: Unknown = "error",
    max_open: int = MAX_OPEN,
) -> Iterator[pa.RecordBatch]:
    """Converts a column of JSON texts, or of wire bytes, to columns of messages or to tables.

    Every row of the input is a row of the output, in its order: with its other columns, with
    ``message``, a struct as of `turnwire.arrow.schema_of`, and with ``error``, a struct of
    ``kind``, ``path`` and ``reason``. A bad row has a null ``message``, a good one a null
    ``error``, and a null text has both. Only a list at the path of ``at`` makes several rows: one
    for each message in it.

    With ``tables``, the rows are those of tables about conversations (see `TABLES`), and one for
    each bad row of the input. Each table is a struct column with its name, and each row has one of
    them, or ``error``. The other columns hold the values of the row that the conversation begins
    with. The rows of a conversation come when the next ones need its place in memory, or at the
    end.

    Args:
        batches: The record batches: a ``pyarrow.Table`` or ``RecordBatchReader``, or any iterable
            of batches. They are read as the output is asked for.
        message: The class of the messages.
        column: The column of the texts.
        at: Where the message stands in each text, such as ``"jsonPayload"``; as for
            `turnwire.read`.
        tables: The names of tables, or None for the messages themselves.
        conversation: The column with the name of the conversation of each row. Its rows stand in
            the order of time, and those of other conversations may stand between them. A
            ``Conversation`` message has a name, and needs none.
        turn: The column with the turn of each row, for `ces.Message`, which does not say it.
        format: The content of the column: ``"json"``, ``"wire"``, or ``"auto"``, which takes
            strings for JSON and binary values for wire format.
        unknown: The treatment of unknown fields: ``"error"``, or ``"ignore"``, which leaves them
            out.
        max_open: The most conversations that are held in memory at once, with ``tables``; one that
            comes again after it was closed makes a second conversation of the same name. Beyond
            64 MiB of texts fewer are held.

    Yields:
        Batches made of at most 4096 rows, and of at most 8 MiB of texts or one text. All have the
        schema that `schema` gives.

    Raises:
        MissingExtra: pyarrow is not installed.
        TypeError: ``message`` is not a protobuf message class, or its messages do not make a
            conversation; or the column does not hold texts.
        ValueError: A column or table does not exist, a column is named as one of the output, the
            class cannot be columns, or an option does not exist or lacks another one.

    >>> import pyarrow as pa
    >>> from turnwire import bulk, ces
    >>> lines = pa.table({"value": ['{"text": "hello"}', '{"text": 5}'], "line": [1, 2]})
    >>> [batch] = bulk.convert(lines, message=ces.Chunk)
    >>> batch.column_names
    ['line', 'message', 'error']
    >>> batch["error"].to_pylist()
    [None, {'kind': 'type', 'path': '$.text', 'reason': 'expected string, got number'}]

    >>> said = '{"outputs": [{"turnIndex": 1, "text": "Ahoy!"}]}'
    >>> lines = pa.table({"value": [said], "session": ["s-1"]})
    >>> kind = ces.RunSessionResponse
    >>> [batch] = bulk.convert(lines, message=kind, tables=["turns"], conversation="session")
    >>> batch["turns"][0]["reply"]
    <pyarrow.StringScalar: 'Ahoy!'>
    """
    names = names_of(at)
    check_options(message, format, unknown)
    parser = MessageParser(message, at=names, format=format, unknown=unknown)
    read = _checked_batches(batches_of(batches), message, column, tables, format)
    if tables is None:
        for name, value in (("conversation", conversation), ("turn", turn)):
            if value is not None:
                raise ValueError(f"{name} needs tables")
        return _converted(read, column, parser)
    cut = checked_cut(message, conversation, turn, max_open)
    found = checked_tables(message, tables)
    batches = (batch for batch, _ in read)
    return tabulated(_with_columns(batches, cut), message, column, parser, found, cut)


def _checked_batches(
    batches: Iterator[Any],
    message_class: type[Message],
    column: str,
    tables: Tables,
    format: Format,
) -> Iterator[tuple[Any, Any]]:
    """Yields each batch with the schema of its output."""
    known: Any = None
    output: Any = None
    for batch in batches:
        if batch.schema != known:
            known = batch.schema
            output = schema(
                known, message=message_class, column=column, tables=tables, format=format
            )
        yield batch, output


def _with_columns(batches: Iterator[Any], cut: Cut) -> Iterator[Any]:
    """Yields the batches, once it is known that they have the columns of the cut."""
    for batch in batches:
        for name in (cut.conversation, cut.turn):
            if name is not None:
                check_column(batch.schema, name)
        yield batch


def _converted(
    batches: Iterator[tuple[Any, Any]], column: str, parser: MessageParser
) -> Iterator[Any]:
    pa = pyarrow()
    for batch, output in batches:
        others = [index for index, name in enumerate(batch.schema.names) if name != column]
        for piece in pieces_of(batch, column):
            parsed = parser.parse(stored(piece.column(column)))
            kept = piece.select(others)
            if parsed.texts.rows is not None:
                kept = taken(kept, pa.array(parsed.texts.rows, pa.int64()))
            errors = error_array(len(parsed.messages), parsed.problems)
            arrays = [*kept.columns, parsed.messages, errors]
            yield pa.RecordBatch.from_arrays(arrays, schema=output)


def schema(
    input_schema: pa.Schema,
    *,
    message: type[Message],
    column: str = "value",
    tables: Tables = None,
    format: Format = "auto",
) -> pa.Schema:
    """Returns the schema of what `convert` yields for input of a schema.

    Args:
        input_schema: The schema of the input.
        message: As for `convert`.
        column: As for `convert`.
        tables: As for `convert`.
        format: As for `convert`.

    Raises:
        TurnwireError: As for `convert`.
        TypeError: As for `convert`.
        ValueError: As for `convert`.

    >>> import pyarrow as pa
    >>> from turnwire import bulk, ces
    >>> lines = pa.schema([("value", pa.string()), ("file", pa.string())])
    >>> bulk.schema(lines, message=ces.Chunk).names
    ['file', 'message', 'error']
    """
    pa = pyarrow()
    check_options(message, format, "error")
    if not isinstance(input_schema, pa.Schema):
        raise TypeError(f"expected a pyarrow.Schema, got {type(input_schema).__name__}")
    kept = _others(input_schema, column, format)
    if tables is None:
        rows = pa.field("message", pa.struct(list(arrow.schema_of(message))))
        made = [rows, pa.field("error", error_type())]
    else:
        made = output_fields(checked_tables(message, tables))
    for field in made:
        if any(field.name == other.name for other in kept):
            raise ValueError(
                f"the input has a column {field.name!r}, as the output does: rename that one"
            )
    return pa.schema([*kept, *made])


def _others(input_schema: Any, column: str, format: Format) -> list[Any]:
    """Returns the fields of the columns that pass through."""
    check_column(input_schema, column)
    holds_json(input_schema.field(column).type, format)
    return [field for field in input_schema if field.name != column]
