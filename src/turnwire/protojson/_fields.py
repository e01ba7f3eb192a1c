"""Single fields of a message as JSON values, for accessors: the other fields are not looked at."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from google.protobuf.message import Message

from turnwire.protojson import _pure
from turnwire.protojson._accelerator import codec_of
from turnwire.protojson._columns import Column


def print_field(message: Message, name: str, absent: Any) -> Any:
    """Returns one field of a message as a JSON value.

    Args:
        message: The message.
        name: The field's name in JSON or in the schema.
        absent: The result for a field that is not set or does not exist.

    Raises:
        SerializeError: The field holds something that JSON cannot.
    """
    value = codec_of(type(message)).print_field(message, name, absent)
    return _pure.print_field(message, name, absent) if value is None else value


def print_rows(message: Message, name: str, columns: Sequence[Column]) -> list[dict[str, Any]]:
    """Returns the Structs of a repeated field as rows.

    Args:
        message: The message.
        name: The field's name in JSON or in the schema; without such a field the list is empty.
        columns: The columns of each row.

    Raises:
        SerializeError: The field holds something that JSON cannot.
    """
    rows = codec_of(type(message)).print_rows(message, name, columns)
    return _pure.print_rows(message, name, columns) if rows is None else rows
