"""The schema of a message class for BigQuery."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from google.protobuf.message import Message

from turnwire.arrow._columns import TYPE_KEY
from turnwire.arrow._options import pyarrow
from turnwire.arrow._tables import schema_of

_MAX_LEVELS = 15
_TYPES = {
    "string": "STRING",
    "binary": "BYTES",
    "bool": "BOOLEAN",
    "float": "FLOAT",
    "double": "FLOAT",
    "uint64": "NUMERIC",
    **dict.fromkeys(("int32", "int64", "uint32", "duration[ns]"), "INTEGER"),
    "timestamp[ns, tz=UTC]": "TIMESTAMP",
}
"""BigQuery's type for each Arrow type of one value, as pyarrow writes it."""


def bigquery_schema_of(message_class: type[Message], *, recursion: int = 0) -> list[dict[str, Any]]:
    """Returns the schema of a BigQuery table for the rows of `to_arrow`.

    ``json.dumps`` of it is what ``bq load --schema`` takes. Structs and messages that are JSON text
    are ``JSON``, a map is a repeated record of ``key`` and ``value``, a duration an ``INTEGER`` of
    nanoseconds, and an unsigned 64-bit integer ``NUMERIC``. BigQuery's ``TIMESTAMP`` holds
    microseconds.

    Args:
        message_class: Any generated protobuf message class.
        recursion: As for `schema_of`.

    Raises:
        MissingExtra: pyarrow is not installed.
        TypeError: ``message_class`` is not a protobuf message class.
        ValueError: As for `schema_of`; or messages stand in each other more than 15 levels deep, or
            two names differ in case alone, which BigQuery refuses.

    >>> from turnwire import arrow, ces
    >>> arrow.bigquery_schema_of(ces.Blob)[0]
    {'name': 'mime_type', 'type': 'STRING', 'mode': 'NULLABLE'}
    """
    schema = schema_of(message_class, recursion=recursion)
    return _columns(schema, ())


def _columns(fields: Iterable[Any], above: tuple[str, ...]) -> list[dict[str, Any]]:
    columns: dict[str, dict[str, Any]] = {}
    for field in fields:
        path = (*above, field.name)
        other = columns.setdefault(field.name.lower(), column := _column(field, path))
        if other is not column:
            raise ValueError(
                f"BigQuery takes {'.'.join(path)} and {'.'.join((*above, other['name']))} for one "
                "column: names differ in more than case there"
            )
    return list(columns.values())


def _column(field: Any, path: tuple[str, ...]) -> dict[str, Any]:
    types = pyarrow().types
    mode = "NULLABLE"
    kind, metadata = field.type, field.metadata
    if types.is_map(kind):
        mode = "REPEATED"
        kind = pyarrow().struct([kind.key_field, kind.item_field])
    elif types.is_list(kind):
        mode = "REPEATED"
        kind, metadata = kind.value_type, kind.value_field.metadata
    column = {"name": field.name, "type": "RECORD", "mode": mode}
    if not types.is_struct(kind):
        return column | {"type": "JSON" if TYPE_KEY in (metadata or ()) else _TYPES[str(kind)]}
    if len(path) > _MAX_LEVELS:
        raise ValueError(
            f"BigQuery takes records of at most {_MAX_LEVELS} levels, and {'.'.join(path)} has "
            "more; choose a smaller recursion"
        )
    return column | {"fields": _columns(kind, path)}
