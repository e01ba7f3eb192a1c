"""Reads streams in many chunkings, which must all give the same, and measures memory."""

from __future__ import annotations

import tracemalloc
import warnings
from collections.abc import Callable
from typing import Any

from google.protobuf.message import Message as AnyMessage

from turnwire.errors import TurnwireError, UnknownFieldWarning
from turnwire.streams import read

SIZES = (1, 5, 64)


def outcome_of(
    message_class: type[AnyMessage], body: bytes, **options: Any
) -> tuple[list[Any], TurnwireError | None]:
    """Returns the messages, and the error after them, if all chunkings give the same."""
    outcomes = [_outcome(message_class, body, size, options) for size in (len(body) or 1, *SIZES)]
    found, error = outcomes[0]
    for other, other_error in outcomes[1:]:
        assert other == found
        assert (type(other_error), str(other_error)) == (type(error), str(error))
    return found, error


def places_of(message_class: type[AnyMessage], body: bytes, **options: Any) -> list[Any]:
    """Returns the places of the warnings that reading the body issues."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        list(read(message_class, body, **options))
    assert all(isinstance(each.message, UnknownFieldWarning) for each in caught)
    return [each.message.place for each in caught]  # type: ignore[union-attr]


def peak_of(job: Callable[[], object]) -> int:
    """Returns the most memory in bytes that Python's objects take while the job runs."""
    tracemalloc.start()
    try:
        job()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def _outcome(
    message_class: type[AnyMessage], body: bytes, size: int, options: dict[str, Any]
) -> tuple[list[Any], TurnwireError | None]:
    chunks = (body[start : start + size] for start in range(0, len(body), size))
    found = []
    try:
        for message in read(message_class, chunks, **options):
            found.append(message)
    except TurnwireError as error:
        return found, error
    return found, None
