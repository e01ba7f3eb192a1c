"""Streams and columns of JSON or wire bytes as tables."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from google.protobuf.message import Message

from turnwire import streams
from turnwire.arrow._columns import row_cell
from turnwire.arrow._misfits import Misfit
from turnwire.arrow._options import Enums, OnMisfit, checked_options, pyarrow
from turnwire.arrow._rows import BATCH_ROWS, Rows
from turnwire.arrow._tables import batches_of, schema_of_cell
from turnwire.errors import ParseError, SerializeError
from turnwire.protojson import LossyNumbers, Unknown, from_json
from turnwire.protojson._arguments import check_message_class, check_options
from turnwire.streams._decoder import Decoder, from_wire
from turnwire.streams._reader import messages_of
from turnwire.streams._sources import check_source, chunks_of

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
    lossy_numbers: LossyNumbers = "round",
    on_error: streams.OnError = "raise",
    max_element_bytes: int = streams.MAX_ELEMENT_BYTES,
    enums: Enums = "string",
    recursion: int = 0,
    on_misfit: OnMisfit = "error",
    batch_rows: int = BATCH_ROWS,
) -> pa.RecordBatchReader:
    r"""Reads a stream as record batches, with a row for each message.

    Only one batch is in memory at a time.

    Args:
        message_class: The class of each message.
        source: The stream, as for `turnwire.read`.
        format: As for `turnwire.read`.
        at: As for `turnwire.read`.
        unknown: As for `turnwire.read`.
        lossy_numbers: As for `turnwire.read`.
        on_error: As for `turnwire.read`.
        max_element_bytes: As for `turnwire.read`.
        enums: As for `schema_of`.
        recursion: As for `schema_of`.
        on_misfit: As for `to_arrow`.
        batch_rows: The most rows of a batch. A batch also ends at 16 MiB of messages.

    Returns:
        A reader. Reading a batch raises what `turnwire.read` and `to_arrow` raise. All rows before
        the error come first, in batches without it.

    Raises:
        MissingExtra: pyarrow is not installed.
        TypeError: As for `turnwire.read`.
        ValueError: As for `schema_of` and `turnwire.read`.

    >>> from turnwire import arrow, ces
    >>> reader = arrow.read(ces.Chunk, b'{"text": "a"}\n{"text": "b"}\n')
    >>> reader.read_all()["text"].to_pylist()
    ['a', 'b']
    """
    check_message_class(message_class)
    if isinstance(batch_rows, bool) or not isinstance(batch_rows, int) or batch_rows < 1:
        raise ValueError(f"batch_rows must be a number from 1, not {batch_rows!r}")
    cell = row_cell(message_class, checked_options(enums, recursion, on_misfit))
    check_source(source, can_await=False)
    # Text with something unknown becomes a message, so that the reader can report it.
    rows = Rows(message_class, cell, on_misfit, lossy_numbers=lossy_numbers, max_rows=batch_rows)
    decoder = Decoder(
        message_class,
        source,
        format=format,
        at=at,
        unknown=unknown,
        lossy_numbers=lossy_numbers,
        on_error=on_error,
        max_element_bytes=max_element_bytes,
        taker=rows,
    )
    messages = messages_of(decoder, chunks_of(source, format))
    reader: pa.RecordBatchReader = pyarrow().RecordBatchReader.from_batches(
        schema_of_cell(cell), batches_of(message_class, messages, rows)
    )
    return reader


def parse(
    message_class: type[Message],
    column: Any,
    *,
    unknown: Unknown = "error",
    lossy_numbers: LossyNumbers = "round",
    enums: Enums = "string",
    recursion: int = 0,
    on_misfit: OnMisfit = "error",
) -> pa.RecordBatch:
    """Parses an Arrow column of JSON texts or of wire bytes.

    Args:
        message_class: The class of the messages.
        column: An Arrow array, chunked or not, or an object that exports one, such as a series of
            polars. Its type says how it is read: strings are JSON texts, binary values are messages
            in wire format.
        unknown: As for `turnwire.from_json`.
        lossy_numbers: As for `turnwire.from_json`.
        enums: As for `schema_of`.
        recursion: As for `schema_of`.
        on_misfit: As for `to_arrow`; ``"error"`` makes it the row's error.

    Returns:
        A batch with as many rows as the column, in its order: ``message``, a struct as of
        `schema_of`, and ``error``, a struct of ``kind``, ``path``, ``reason`` and ``field``. The
        error of a good row is null, and so is the message of a bad one; both are null where the
        column is.

    Raises:
        MissingExtra: pyarrow is not installed.
        TypeError: The column holds neither strings nor binary values.
        ValueError: As for `schema_of`. Or a column of the result has more than 2 GiB of text; parse
            slices of the column.

    >>> import pyarrow as pa
    >>> from turnwire import arrow, ces
    >>> batch = arrow.parse(ces.Chunk, pa.array(['{"text": "a"}', '{"text": 5}']))
    >>> batch["message"].is_null().to_pylist()
    [False, True]
    >>> batch["error"][1].as_py()["path"]
    '$.text'
    """
    check_message_class(message_class)
    check_options(unknown, lossy_numbers)
    pa = pyarrow()
    cell = row_cell(message_class, checked_options(enums, recursion, on_misfit))
    column = _array_of(column)
    is_json = _holds_json(column.type)
    known = "ignore" if unknown == "ignore" else "error"
    rows = Rows(message_class, cell, on_misfit, unknown=known, lossy_numbers=lossy_numbers)
    errors: list[Any] = []

    def add(value: Any) -> dict[str, str | None] | None:
        try:
            if value is None:
                rows.add_value(None)
            elif is_json:
                rows.add(
                    from_json(message_class, value, unknown=unknown, lossy_numbers=lossy_numbers)
                )
            else:
                rows.add(from_wire(message_class, value))
            return None
        except ParseError as found:
            error = _error(found)
        except Misfit as misfit:
            error = _error(misfit.error(SerializeError))
        rows.add_value(None)
        return error

    for chunk in column.chunks if isinstance(column, pa.ChunkedArray) else [column]:
        plain = _with_ends(chunk, is_json=is_json)
        row = 0
        while row < len(chunk):
            stop = row if plain is None else rows.add_column(plain, row, is_json=is_json)
            errors += [None] * (stop - row)
            if stop < len(chunk):
                errors.append(add(chunk[stop].as_py()))
                stop += 1
            row = stop
    error_type = pa.struct([(name, pa.string()) for name in _ERROR_FIELDS])
    arrays = [rows.take(), pa.array(errors, error_type)]
    # Arrays of maps do not keep the metadata of their values, and a schema does.
    schema = pa.schema([("message", cell.type), ("error", error_type)])
    return pa.RecordBatch.from_arrays(arrays, schema=schema)


def _with_ends(column: Any, *, is_json: bool) -> Any:
    """Returns an array of strings or binary values with ends of 32 bits; None if that is none."""
    pa = pyarrow()
    try:
        return column.cast(pa.string() if is_json else pa.binary())
    except pa.ArrowException:
        return None


def _error(error: ParseError | SerializeError) -> dict[str, str | None]:
    values = (error.kind, error.path_text, error.reason, error.field)
    return dict(zip(_ERROR_FIELDS, values, strict=True))


def _array_of(column: Any) -> Any:
    pa = pyarrow()
    if isinstance(column, pa.Array | pa.ChunkedArray):
        return column
    if hasattr(column, "__arrow_c_stream__"):
        return pa.chunked_array(column)
    if hasattr(column, "__arrow_c_array__"):
        return pa.array(column)
    raise TypeError(f"expected an Arrow array, got {type(column).__name__}")


def _holds_json(kind: Any) -> bool:
    types = pyarrow().types
    if types.is_dictionary(kind):
        kind = kind.value_type
    if types.is_string(kind) or types.is_large_string(kind) or types.is_string_view(kind):
        return True
    if types.is_binary(kind) or types.is_large_binary(kind) or types.is_binary_view(kind):
        return False
    raise TypeError(f"expected a column of strings or binary values, got one of {kind}")
