"""The one function: record batches of texts in, record batches of columns out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, Literal, get_args

from google.protobuf.message import Message

from turnwire import arrow
from turnwire.arrow._options import pyarrow
from turnwire.bulk._batches import batches_of, pieces_of
from turnwire.bulk._rows import MessageParser, error_array, error_type
from turnwire.bulk._texts import Format, check_format, holds_json
from turnwire.protojson._arguments import check_message_class
from turnwire.streams import At
from turnwire.streams._members import names_of

if TYPE_CHECKING:
    import pyarrow as pa

Unknown = Literal["error", "ignore"]
"""The treatment of unknown fields: the row has an error, or they are left out."""


def convert(
    batches: Iterable[pa.RecordBatch] | pa.Table,
    *,
    message: type[Message],
    column: str = "value",
    at: At = None,
    format: Format = "auto",
    unknown: Unknown = "error",
) -> Iterator[pa.RecordBatch]:
    """Converts a column of JSON texts, or of wire bytes, to columns of messages.

    Every row of the input is a row of the output, in its order: with its other columns, with
    ``message``, a struct as of `turnwire.arrow.schema_of`, and with ``error``, a struct of
    ``kind``, ``path`` and ``reason``. A bad row has a null ``message``, a good one a null
    ``error``, and a null text has both. Only a list at the path of ``at`` makes several rows: one
    for each message in it.

    Args:
        batches: The record batches: a ``pyarrow.Table`` or ``RecordBatchReader``, or any iterable
            of batches. They are read as the output is asked for.
        message: The class of the messages.
        column: The column of the texts.
        at: Where the message stands in each text, such as ``"jsonPayload"``; as for
            `turnwire.read`.
        format: The content of the column: ``"json"``, ``"wire"``, or ``"auto"``, which takes
            strings for JSON and binary values for wire format.
        unknown: The treatment of unknown fields: ``"error"``, or ``"ignore"``, which leaves them
            out.

    Yields:
        Batches of at most 4096 rows, made of at most 8 MiB of texts or of one text. All have the
        schema that `schema` gives.

    Raises:
        MissingExtra: pyarrow is not installed.
        TypeError: ``message`` is not a protobuf message class, or the column does not hold texts.
        ValueError: The column does not exist, another one is called ``message`` or ``error``, the
            class cannot be columns, or an option does not exist.

    >>> import pyarrow as pa
    >>> from turnwire import bulk, ces
    >>> lines = pa.table({"value": ['{"text": "hello"}', '{"text": 5}'], "line": [1, 2]})
    >>> [batch] = bulk.convert(lines, message=ces.Chunk)
    >>> batch.column_names
    ['line', 'message', 'error']
    >>> batch["error"].to_pylist()
    [None, {'kind': 'type', 'path': '$.text', 'reason': 'expected string, got number'}]
    """
    names = names_of(at)
    _check_options(message, format, unknown)
    parser = MessageParser(message, at=names, format=format, unknown=unknown)
    return _converted(batches_of(batches), message, column, parser, format)


def _converted(
    batches: Iterator[Any],
    message_class: type[Message],
    column: str,
    parser: MessageParser,
    format: Format,
) -> Iterator[Any]:
    pa = pyarrow()
    known: Any = None
    output: Any = None
    for batch in batches:
        if batch.schema != known:
            known = batch.schema
            output = schema(known, message=message_class, column=column, format=format)
        others = [index for index, name in enumerate(known.names) if name != column]
        for piece in pieces_of(batch, column):
            parsed = parser.parse(piece.column(column))
            kept = piece.select(others)
            if parsed.texts.rows is not None:
                kept = kept.take(pa.array(parsed.texts.rows, pa.int64()))
            errors = error_array(len(parsed.messages), parsed.problems)
            arrays = [*kept.columns, parsed.messages, errors]
            yield pa.RecordBatch.from_arrays(arrays, schema=output)


def schema(
    input_schema: pa.Schema,
    *,
    message: type[Message],
    column: str = "value",
    format: Format = "auto",
) -> pa.Schema:
    """Returns the schema of what `convert` yields for input of a schema.

    Args:
        input_schema: The schema of the input.
        message: As for `convert`.
        column: As for `convert`.
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
    _check_options(message, format, "error")
    if not isinstance(input_schema, pa.Schema):
        raise TypeError(f"expected a pyarrow.Schema, got {type(input_schema).__name__}")
    kept = _others(input_schema, column, format)
    made = [
        pa.field("message", pa.struct(list(arrow.schema_of(message)))),
        pa.field("error", error_type()),
    ]
    for field in made:
        if any(field.name == other.name for other in kept):
            raise ValueError(
                f"the input has a column {field.name!r}, as the output does: rename that one"
            )
    return pa.schema([*kept, *made])


def _others(input_schema: Any, column: str, format: Format) -> list[Any]:
    """Returns the fields of the columns that pass through."""
    count = input_schema.names.count(column)
    if count != 1:
        found = ", ".join(map(repr, input_schema.names)) if count == 0 else f"{count} of them"
        raise ValueError(f"expected a column {column!r}, got {found}")
    holds_json(input_schema.field(column).type, format)
    return [field for field in input_schema if field.name != column]


def _check_options(message_class: object, format: object, unknown: object) -> None:
    check_message_class(message_class)
    check_format(format)
    if unknown not in get_args(Unknown):
        raise ValueError(f'unknown must be "error" or "ignore", not {unknown!r}')
