"""Streams and columns of JSON or wire bytes as tables, batch by batch."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from google.protobuf.message import DecodeError, Message

from turnwire import streams
from turnwire.arrow._columns import Cell, row_cell
from turnwire.arrow._misfits import Misfit
from turnwire.arrow._options import Enums, OnMisfit, checked_options, pyarrow
from turnwire.arrow._tables import batch_of, row_of
from turnwire.errors import ParseError, SerializeError
from turnwire.protojson import Unknown, from_json
from turnwire.protojson._arguments import check_message_class

if TYPE_CHECKING:
    import pyarrow as pa

_ERROR_FIELDS = ("kind", "path", "reason", "field")


def read(
    message_class: type[Message],
    source: streams.Source,
    *,
    format: streams.Format = "auto",
    at: streams.At = None,
    unknown: Unknown = "warn",
    on_error: streams.OnError = "raise",
    enums: Enums = "string",
    recursion: int = 0,
    on_misfit: OnMisfit = "error",
    batch_rows: int = 1024,
) -> pa.RecordBatchReader:
    """Reads a stream as record batches, with a row for each message.

    Only one batch is in memory at a time.

    Args:
        message_class: The class of each message.
        source: The stream, as for `turnwire.read`.
        format: As for `turnwire.read`.
        at: As for `turnwire.read`.
        unknown: As for `turnwire.read`.
        on_error: As for `turnwire.read`.
        enums: As for `schema_of`.
        recursion: As for `schema_of`.
        on_misfit: As for `to_arrow`.
        batch_rows: The rows of a batch; the last one has fewer.

    Returns:
        A reader. Reading a batch raises what `turnwire.read` and `to_arrow` raise, after all
        batches that are complete; the rows before the error, in the same batch, come first.

    Raises:
        MissingExtra: pyarrow is not installed.
        TypeError: As for `turnwire.read`.
        ValueError: As for `schema_of`.

    >>> from turnwire import arrow, ces
    >>> reader = arrow.read(ces.Chunk, b'{"text": "a"}\\n{"text": "b"}\\n')
    >>> reader.read_all()["text"].to_pylist()
    ['a', 'b']
    """
    check_message_class(message_class)
    if batch_rows < 1:
        raise ValueError(f"batch_rows must be a number from 1, not {batch_rows!r}")
    cell = row_cell(message_class, checked_options(enums, recursion, on_misfit))
    messages = streams.read(
        message_class, source, format=format, at=at, unknown=unknown, on_error=on_error
    )
    pa = pyarrow()
    schema = pa.schema(list(cell.type))
    reader: pa.RecordBatchReader = pa.RecordBatchReader.from_batches(
        schema, _batches(messages, cell, batch_rows)
    )
    return reader


def _batches(messages: Iterator[Message], cell: Cell, batch_rows: int) -> Iterator[Any]:
    rows: list[Any] = []
    index = 0
    try:
        for index, message in enumerate(messages):
            rows.append(row_of(cell.take, message, index))
            if len(rows) == batch_rows:
                yield batch_of(rows, cell.type)
                rows = []
    except Exception:
        # Nothing that was good is lost: its batch comes before the error.
        if rows:
            yield batch_of(rows, cell.type)
        raise
    if rows:
        yield batch_of(rows, cell.type)


def parse(
    message_class: type[Message],
    column: Any,
    *,
    unknown: Unknown = "error",
    enums: Enums = "string",
    recursion: int = 0,
    on_misfit: OnMisfit = "error",
) -> pa.RecordBatch:
    """Parses an Arrow column of JSON texts or of wire bytes.

    Args:
        message_class: The class of the messages.
        column: An Arrow array: of strings, which are JSON texts, or of binary values, which are
            messages in wire format.
        unknown: As for `turnwire.from_json`.
        enums: As for `schema_of`.
        recursion: As for `schema_of`.
        on_misfit: As for `to_arrow`; ``"error"`` puts it into the row's error.

    Returns:
        A batch with as many rows as the column, in its order: ``message``, a struct as of
        `schema_of`, and ``error``, a struct of ``kind``, ``path``, ``reason`` and ``field``. The
        error of a good row is null, and so is the message of a bad one; both are null where the
        column is.

    Raises:
        MissingExtra: pyarrow is not installed.
        TypeError: The column is neither strings nor binary values.
        ValueError: As for `schema_of`.

    >>> import pyarrow
    >>> from turnwire import arrow, ces
    >>> batch = arrow.parse(ces.Chunk, pyarrow.array(['{"text": "a"}', '{"text": 5}']))
    >>> batch["message"].is_null().to_pylist()
    [False, True]
    >>> batch["error"][1].as_py()["path"]
    '$.text'
    """
    check_message_class(message_class)
    pa = pyarrow()
    cell = row_cell(message_class, checked_options(enums, recursion, on_misfit))
    is_json = _holds_json(column)
    rows: list[Any] = []
    errors: list[Any] = []
    for value in column.to_pylist():
        row = error = None
        if value is not None:
            try:
                if is_json:
                    message = from_json(message_class, value, unknown=unknown)
                else:
                    message = message_class.FromString(value)
                row = cell.take(message)
            except (ParseError, SerializeError) as found:
                error = _error(found.kind, found.path_text, found.reason, found.field)
            except (DecodeError, UnicodeDecodeError) as found:
                error = _error("wire", "$", f"protobuf refused the message: {found}", None)
            except Misfit as misfit:
                found = misfit.to_serialize_error(0)
                error = _error(found.kind, found.path_text, found.reason, found.field)
        rows.append(row)
        errors.append(error)
    error_type = pa.struct([(name, pa.string()) for name in _ERROR_FIELDS])
    arrays = [pa.array(rows, cell.type), pa.array(errors, error_type)]
    batch: pa.RecordBatch = pa.RecordBatch.from_arrays(arrays, ["message", "error"])
    return batch


def _error(*values: str | None) -> dict[str, str | None]:
    return dict(zip(_ERROR_FIELDS, values, strict=True))


def _holds_json(column: Any) -> bool:
    types = pyarrow().types
    kind = getattr(column, "type", None)
    if kind is not None:
        if types.is_string(kind) or types.is_large_string(kind) or types.is_string_view(kind):
            return True
        if types.is_binary(kind) or types.is_large_binary(kind) or types.is_binary_view(kind):
            return False
        raise TypeError(f"expected a column of strings or binary values, got one of {kind}")
    raise TypeError(f"expected an Arrow array, got {type(column).__name__}")
