"""The values of cells: JSON texts, times and numbers."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import Any

from google.protobuf.message import Message
from google.protobuf.timestamp_pb2 import Timestamp

from turnwire._time import nanoseconds_of
from turnwire.errors import SerializeError
from turnwire.protojson import to_json

Row = tuple[Any, ...]
"""The values of a row, without the conversation, in the order of the columns."""

_INT64 = range(-(2**63), 2**63)


def json_text(value: Any) -> str | None:
    """Returns a message or a plain value as compact JSON text; None for None.

    >>> json_text({"b": 1, "a": [None]})
    '{"a":[null],"b":1}'
    """
    if value is None:
        return None
    if isinstance(value, Message):
        return to_json(value).decode()
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def json_array(messages: Iterable[Message]) -> str:
    """Returns messages as the text of a JSON array."""
    return f"[{','.join(to_json(message).decode() for message in messages)}]"


def time_of(message: Any, field: str) -> int | None:
    """Returns a timestamp of a message in microseconds since 1970; None where it is absent."""
    if not message.HasField(field):
        return None
    time: Timestamp = getattr(message, field)
    return nanoseconds_of(time) // 1000


def checked(value: int | None, name: str) -> int | None:
    """Returns a number of nanoseconds, or raises a SerializeError if 64 bits do not hold it."""
    if value is None or value in _INT64:
        return value
    raise SerializeError(f"{value} ns do not fit 64 bits", kind="range", path=(name,))


def span_of(times: Iterable[datetime | None]) -> tuple[datetime | None, datetime | None]:
    """Returns the first and the last of the times that are known."""
    known = [time for time in times if time is not None]
    return (min(known), max(known)) if known else (None, None)


def raw_rows(items: Iterable[Message]) -> Iterator[Row]:
    """Yields the rows of the table ``raw``."""
    for position, item in enumerate(items):
        yield (position, item.DESCRIPTOR.full_name, item.SerializeToString(deterministic=True))
