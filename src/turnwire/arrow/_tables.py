"""Tables of messages: their schema, and messages to rows and back."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, TypeVar

from google.protobuf.message import Message

from turnwire.arrow._columns import row_cell
from turnwire.arrow._filling import message_filler
from turnwire.arrow._misfits import Misfit
from turnwire.arrow._options import Enums, OnMisfit, checked_options, pyarrow
from turnwire.arrow._plain import plain_values
from turnwire.errors import SerializeError
from turnwire.protojson._arguments import check_message_class
from turnwire.protojson._pure._types import descriptor_of

if TYPE_CHECKING:
    import pyarrow as pa

M = TypeVar("M", bound=Message)

_BATCH_ROWS = 1024


def schema_of(
    message_class: type[Message], *, enums: Enums = "string", recursion: int = 0
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

    Raises:
        MissingExtra: pyarrow is not installed.
        TypeError: ``message_class`` is not a protobuf message class.
        ValueError: The class cannot be columns, such as a ``Timestamp``, or an option is wrong.

    >>> from turnwire import arrow, ces
    >>> arrow.schema_of(ces.ToolCall).field("args").type
    DataType(string)
    """
    check_message_class(message_class)
    cell = row_cell(message_class, checked_options(enums, recursion))
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

    Args:
        message_class: The class of the messages.
        messages: The messages.
        enums: As for `schema_of`.
        recursion: As for `schema_of`.
        on_misfit: The treatment of a time or duration that 64 bits of nanoseconds cannot hold, such
            as one of the year 9999: ``"error"``, or ``"null"``.

    Raises:
        SerializeError: A value does not fit its column, or has no JSON text where the column holds
            that. ``index`` is the row, ``path`` the place in it.
        MissingExtra: pyarrow is not installed.
        TypeError: A message is not of that class.
        ValueError: As for `schema_of`.

    >>> from turnwire import arrow, ces
    >>> table = arrow.to_arrow(ces.Chunk, [ces.Chunk(text="hello")])
    >>> table["text"].to_pylist(), table["data_case"].to_pylist()
    (['hello'], ['text'])
    """
    check_message_class(message_class)
    pa = pyarrow()
    cell = row_cell(message_class, checked_options(enums, recursion, on_misfit))
    schema = pa.schema(list(cell.type))
    batches: list[Any] = []
    rows: list[Any] = []
    for index, message in enumerate(messages):
        if not isinstance(message, message_class):
            expected, name = message_class.__name__, type(message).__name__
            raise TypeError(f"expected a {expected} as message {index}, got {name}")
        rows.append(row_of(cell.take, message, index))
        if len(rows) == _BATCH_ROWS:
            batches.append(batch_of(rows, cell.type))
            rows = []
    batches.append(batch_of(rows, cell.type))
    return pa.Table.from_batches(batches, schema)


def row_of(take: Any, message: Message, index: int) -> Any:
    """Returns the row of a message, or raises a SerializeError with its index."""
    try:
        return take(message)
    except Misfit as misfit:
        raise misfit.to_serialize_error(index) from None
    except SerializeError as error:
        error.index = index
        raise


def batch_of(rows: list[Any], kind: Any) -> Any:
    """Returns the record batch of some rows."""
    pa = pyarrow()
    return pa.RecordBatch.from_struct_array(pa.array(rows, kind))


def from_arrow(message_class: type[M], table: Any) -> Iterator[M]:
    """Yields the message of each row of a table that `to_arrow` or a file of its rows gave.

    Dictionaries, large and view types are read as well, and null leaves a field unset. Columns may
    be missing.

    Args:
        message_class: The class of the messages.
        table: A ``pyarrow.Table``, ``RecordBatch`` or ``RecordBatchReader``, or anything with
            ``__arrow_c_stream__``, such as a frame of polars.

    Raises:
        ParseError: A row is not such a message: a column without a field, a null in a list, JSON
            text that is wrong. ``index`` is the row, ``path`` the place in it.
        MissingExtra: pyarrow is not installed.
        TypeError: ``message_class`` is not a protobuf message class, or the table is not one.
        ValueError: As for `schema_of`.

    >>> from turnwire import arrow, ces
    >>> table = arrow.to_arrow(ces.Chunk, [ces.Chunk(text="hello")])
    >>> [chunk.text for chunk in arrow.from_arrow(ces.Chunk, table)]
    ['hello']
    """
    check_message_class(message_class)
    row_cell(message_class, checked_options("string", 0))
    return _messages(message_class, _batches(table))


def _messages(message_class: type[M], batches: Iterator[Any]) -> Iterator[M]:
    fill = message_filler(descriptor_of(message_class))
    index = 0
    for batch in batches:
        for row in plain_values(batch.to_struct_array()):
            message = message_class()
            try:
                fill(message, row)
            except Misfit as misfit:
                raise misfit.to_parse_error(index) from None
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
