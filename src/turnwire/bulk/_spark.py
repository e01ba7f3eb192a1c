"""`convert` for Spark: the function for ``mapInArrow``, and the schema in words of its SQL."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from google.protobuf.message import Message

from turnwire.arrow._options import pyarrow
from turnwire.bulk._arguments import Tables, Unknown
from turnwire.bulk._converting import convert, schema
from turnwire.bulk._portable import portable_schema, to_portable
from turnwire.bulk._texts import Format
from turnwire.check._recording import MAX_OPEN
from turnwire.streams import At

if TYPE_CHECKING:
    import pyarrow as pa

_SQL_TYPES = {
    "string": "STRING",
    "binary": "BINARY",
    "bool": "BOOLEAN",
    "int8": "TINYINT",
    "int16": "SMALLINT",
    "int32": "INT",
    "int64": "BIGINT",
    "float": "FLOAT",
    "double": "DOUBLE",
    "date32[day]": "DATE",
    "timestamp[us, tz=UTC]": "TIMESTAMP",
    "timestamp[us]": "TIMESTAMP_NTZ",
    "null": "VOID",
}
"""Spark's type for each Arrow type of one value, as pyarrow writes it."""


def mapper(
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
) -> Callable[[Iterable[pa.RecordBatch]], Iterator[pa.RecordBatch]]:
    """Returns `convert` as a function of the batches alone, for ``DataFrame.mapInArrow`` of Spark.

    It can be pickled, if the module of the message class can be imported where the function runs.
    Its output has types that every engine reads, those of `ddl`: times have microseconds, durations
    are integers of nanoseconds, and ``uint64`` is a decimal.

    With ``tables``, the rows of a conversation must stand in one partition, in the order of time:
    ``df.repartition("session").sortWithinPartitions("session", "offset")``.

    Args:
        message: As for `convert`, and so are all others.
        column: The column of the texts.
        at: Where the message stands in each text.
        tables: The names of tables, or None.
        conversation: The column with the names of conversations.
        turn: The column with the turns.
        format: The content of the column.
        unknown: The treatment of unknown fields.
        max_open: The most conversations that are held in memory at once.

    >>> import pyarrow as pa
    >>> from turnwire import bulk, ces
    >>> to_messages = bulk.mapper(message=ces.Chunk)
    >>> lines = pa.table({"value": ['{"text": "hello"}']})
    >>> [batch.num_rows for batch in to_messages(lines.to_batches())]
    [1]
    """
    return _Mapper(message, column, at, tables, conversation, turn, format, unknown, max_open)


@dataclass(frozen=True)
class _Mapper:
    message: type[Message]
    column: str
    at: At
    tables: Tables
    conversation: str | None
    turn: str | None
    format: Format
    unknown: Unknown
    max_open: int

    def __call__(self, batches: Iterable[Any]) -> Iterator[Any]:
        portable = None
        for batch in convert(batches, **vars(self)):
            if portable is None:
                portable = portable_schema(batch.schema)
            yield to_portable(batch, portable)


def ddl(
    input_schema: Any,
    *,
    message: type[Message],
    column: str = "value",
    tables: Tables = None,
    format: Format = "auto",
) -> str:
    """Returns the schema of what a `mapper` yields in words of Spark's SQL.

    Args:
        input_schema: The schema of the input: a ``StructType`` of Spark, or a ``pyarrow.Schema``.
        message: As for `convert`, and so are all others.
        column: The column of the texts.
        tables: The names of tables, or None.
        format: The content of the column.

    Raises:
        TurnwireError: As for `convert`.
        TypeError: As for `convert`.
        ValueError: As for `convert`.

    >>> import pyarrow as pa
    >>> from turnwire import bulk, ces
    >>> lines = pa.schema([("value", pa.string()), ("line", pa.int64())])
    >>> bulk.ddl(lines, message=ces.Blob)[:67]
    '`line` BIGINT, `message` STRUCT<`mime_type`: STRING, `data`: BINARY'
    """
    pa = pyarrow()
    if not isinstance(input_schema, pa.Schema):
        input_schema = _arrow_schema_of(input_schema)
    made = schema(input_schema, message=message, column=column, tables=tables, format=format)
    fields = portable_schema(made)
    return ", ".join(f"{_quoted(field.name)} {_sql_type(field.type)}" for field in fields)


def _arrow_schema_of(spark_schema: Any) -> Any:
    """Returns the Arrow schema of a schema of Spark, which is installed where one comes from."""
    if type(spark_schema).__name__ != "StructType":
        raise TypeError(f"expected a StructType or a Schema, got {type(spark_schema).__name__}")
    from pyspark.sql.pandas.types import to_arrow_schema  # pyright: ignore[reportMissingImports]

    return to_arrow_schema(spark_schema)


def _sql_type(kind: Any) -> str:
    types = pyarrow().types
    if types.is_struct(kind):
        members = (f"{_quoted(field.name)}: {_sql_type(field.type)}" for field in kind)
        return f"STRUCT<{', '.join(members)}>"
    if types.is_map(kind):
        return f"MAP<{_sql_type(kind.key_type)}, {_sql_type(kind.item_type)}>"
    if types.is_list(kind):
        return f"ARRAY<{_sql_type(kind.value_type)}>"
    if types.is_decimal128(kind):
        return f"DECIMAL({kind.precision}, {kind.scale})"
    if str(kind) not in _SQL_TYPES:
        raise ValueError(f"Spark has no type for a column of {kind}")
    return _SQL_TYPES[str(kind)]


def _quoted(name: str) -> str:
    return "`" + name.replace("`", "``") + "`"
