"""Tables of messages: their schema, and messages to rows and back."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, TypeVar

from google.protobuf.message import Message

from turnwire.arrow._columns import Cell, row_cell
from turnwire.arrow._filling import message_filler
from turnwire.arrow._misfits import Misfit
from turnwire.arrow._options import Enums, OnMisfit, Options, checked_options, pyarrow
from turnwire.arrow._plain import plain_values
from turnwire.arrow._rows import BATCH_ROWS, Rows
from turnwire.errors import ParseError, SerializeError
from turnwire.protojson._arguments import check_message_class
from turnwire.protojson._pure._types import descriptor_of

if TYPE_CHECKING:
    import pyarrow as pa

M = TypeVar("M", bound=Message)


def schema_of(
    message_class: type[Message],
    *,
    enums: Enums = "string",
    recursion: int = 0,
    on_misfit: OnMisfit = "error",
) -> pa.Schema:
    """Returns the Arrow schema of a message class: a column for each field.

    Columns have the names of the fields in the ``.proto`` file. Every column is nullable, and null
    where a field with presence is not set. Each oneof has a column ``<oneof>_case`` with the name
    of the member that is set.

    Args:
        message_class: Any generated protobuf message class.
        enums: The type of enum columns: ``"string"``, or ``"dictionary"``.
        recursion: How many times a message type may stand inside itself as a struct; below that,
            it is JSON text. 0 means that it is JSON text wherever it comes again.
        on_misfit: ``"string"`` makes timestamps and durations text; see `to_arrow`.

    Raises:
        MissingExtra: pyarrow is not installed.
        TypeError: ``message_class`` is not a protobuf message class.
        ValueError: The class cannot be columns: it has none, as a ``Timestamp``, or two of one
            name. Or ``recursion`` makes more than 10,000 structs or 100 levels, or an option does
            not exist.

    >>> from turnwire import arrow, ces
    >>> arrow.schema_of(ces.ToolCall).field("args").type
    DataType(string)
    """
    check_message_class(message_class)
    return schema_of_cell(row_cell(message_class, checked_options(enums, recursion, on_misfit)))


def schema_of_cell(cell: Cell) -> Any:
    """Returns the schema of rows."""
    return pyarrow().schema(list(cell.type))


def to_arrow(
    message_class: type[M],
    messages: Iterable[M],
    *,
    enums: Enums = "string",
    recursion: int = 0,
    on_misfit: OnMisfit = "error",
) -> pa.Table:
    """Returns a table with a row for each message.

    Unknown fields of the wire format are left out, as in JSON.

    Args:
        message_class: The class of the messages.
        messages: The messages.
        enums: As for `schema_of`.
        recursion: As for `schema_of`.
        on_misfit: The treatment of a time or duration that 64 bits of nanoseconds cannot hold, such
            as one of the year 9999: ``"error"``; ``"null"``; or ``"string"``, which makes all of
            them text, as in JSON.

    Raises:
        SerializeError: A value does not fit its column, has no JSON text where the column holds
            that, or is an extension. ``index`` is the row, ``path`` the place in it.
        MissingExtra: pyarrow is not installed.
        TypeError: A message is not of that class.
        ValueError: As for `schema_of`.

    >>> from turnwire import arrow, ces
    >>> table = arrow.to_arrow(ces.Chunk, [ces.Chunk(text="hello")])
    >>> table["text"].to_pylist(), table["data_case"].to_pylist()
    (['hello'], ['text'])
    """
    check_message_class(message_class)
    cell = row_cell(message_class, checked_options(enums, recursion, on_misfit))
    rows = Rows(message_class, cell, on_misfit)
    batches = list(batches_of(message_class, messages, rows))
    table: pa.Table = pyarrow().Table.from_batches(batches, schema_of_cell(cell))
    return table


def batches_of(
    message_class: type[Message], messages: Iterable[Message | int], rows: Rows
) -> Iterator[Any]:
    """Yields the record batches of messages; the rows before an error come first.

    Args:
        message_class: The class of the messages.
        messages: The messages; an integer is the number of those that are among the rows.
        rows: The rows, which are empty.
    """
    index = 0

    def batch() -> Any:
        return pyarrow().RecordBatch.from_struct_array(rows.take())

    try:
        for message in messages:
            if isinstance(message, int):
                index += message
            elif isinstance(message, message_class):
                try:
                    rows.add(message)
                except Misfit as misfit:
                    raise misfit.error(SerializeError, index) from None
                index += 1
            else:
                expected, name = message_class.__name__, type(message).__name__
                raise TypeError(f"expected a {expected} as message {index}, got {name}")
            if rows.is_full:
                yield batch()
    except Exception:
        if len(rows):
            yield batch()
        raise
    if len(rows):
        yield batch()


def from_arrow(message_class: type[M], table: Any) -> Iterator[M]:
    """Yields the message of each row of a table that `to_arrow` or a file of its rows gave.

    Dictionaries, large and view types are read as well, and null leaves a field unset. Columns may
    be missing.

    Args:
        message_class: The class of the messages.
        table: A ``pyarrow.Table``, ``RecordBatch`` or ``RecordBatchReader``, or anything with
            ``__arrow_c_stream__``, such as a frame of polars.

    Raises:
        ParseError: A row is not such a message: a column without a field, a null in a list, two
            members of a oneof, JSON text that is wrong. ``index`` is the row, ``path`` the place in
            it.
        MissingExtra: pyarrow is not installed.
        TypeError: ``message_class`` is not a protobuf message class, or the table is not one.
        ValueError: As for `schema_of`.

    >>> from turnwire import arrow, ces
    >>> table = arrow.to_arrow(ces.Chunk, [ces.Chunk(text="hello")])
    >>> [chunk.text for chunk in arrow.from_arrow(ces.Chunk, table)]
    ['hello']
    """
    check_message_class(message_class)
    row_cell(message_class, Options())
    return _messages(message_class, _batches(table))


def _messages(message_class: type[M], batches: Iterator[Any]) -> Iterator[M]:
    fill = message_filler(descriptor_of(message_class))
    index = 0
    for batch in batches:
        for start in range(0, batch.num_rows, BATCH_ROWS):
            for row in plain_values(batch.slice(start, BATCH_ROWS).to_struct_array()):
                message = message_class()
                try:
                    fill(message, row)
                except Misfit as misfit:
                    raise misfit.error(ParseError, index) from None
                yield message
                index += 1


def _batches(table: Any) -> Iterator[Any]:
    pa = pyarrow()
    if isinstance(table, pa.RecordBatch):
        return iter([table])
    if isinstance(table, pa.Table):
        return iter(table.to_batches())
    if hasattr(table, "__arrow_c_stream__"):
        return iter(pa.RecordBatchReader.from_stream(table))
    raise TypeError(f"expected an Arrow table, got {type(table).__name__}")
