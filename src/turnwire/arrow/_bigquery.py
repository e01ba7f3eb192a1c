"""The schema of a message class for BigQuery."""

from __future__ import annotations

from typing import Any

from google.protobuf.message import Message

from turnwire.arrow._columns import row_cell
from turnwire.arrow._options import checked_options, pyarrow
from turnwire.protojson._arguments import check_message_class


def bigquery_schema_of(
    message_class: type[Message], *, recursion: int = 0
) -> list[dict[str, Any]]:
    """Returns the schema of a BigQuery table for the rows of `to_arrow`.

    ``json.dumps`` of it is what ``bq load --schema`` takes. Structs and messages that are JSON text
    are ``JSON``, a map is a repeated record of ``key`` and ``value``, a duration an ``INTEGER`` of
    nanoseconds, and an unsigned 64-bit integer ``NUMERIC``.

    Args:
        message_class: Any generated protobuf message class.
        recursion: As for `schema_of`.

    Raises:
        MissingExtra: pyarrow is not installed.
        TypeError: ``message_class`` is not a protobuf message class.
        ValueError: As for `schema_of`.

    >>> from turnwire import arrow, ces
    >>> arrow.bigquery_schema_of(ces.Blob)[0]
    {'name': 'mime_type', 'type': 'STRING', 'mode': 'NULLABLE'}
    """
