"""The options of columns, and pyarrow itself, which is imported when it is needed."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from types import ModuleType
from typing import Literal, NamedTuple

from turnwire.errors import MissingExtra

Enums = Literal["string", "dictionary"]
"""The type of an enum's column: text, or text that is stored once for each name."""

OnMisfit = Literal["error", "null", "string"]
"""The treatment of values that a column cannot hold, such as a time of the year 9999."""


class Options(NamedTuple):
    """The options of columns."""

    enums: Enums = "string"
    recursion: int = 0
    """The number of times that a message type may stand inside itself; below, it is JSON text."""
    on_misfit: OnMisfit = "error"
    structs: Iterator[int] | None = None
    """Counts the structs of a schema, of which recursion may make very many."""


def checked_options(enums: Enums, recursion: int, on_misfit: OnMisfit) -> Options:
    """Returns the options, or raises a ValueError for one that does not exist."""
    if enums not in ("string", "dictionary"):
        raise ValueError(f'enums must be "string" or "dictionary", not {enums!r}')
    if isinstance(recursion, bool) or not isinstance(recursion, int) or recursion < 0:
        raise ValueError(f"recursion must be a number from 0, not {recursion!r}")
    check_on_misfit(on_misfit)
    return Options(enums, recursion, on_misfit, count(1))


def check_on_misfit(on_misfit: object) -> None:
    """Raises a ValueError for a treatment of misfits that does not exist."""
    if on_misfit not in ("error", "null", "string"):
        raise ValueError(f'on_misfit must be "error", "null" or "string", not {on_misfit!r}')


def pyarrow() -> ModuleType:
    """Imports pyarrow; without it, the error names the extra that brings it."""
    try:
        import pyarrow as module
    except ModuleNotFoundError as error:
        if error.name != "pyarrow":
            raise
        raise MissingExtra("arrow", "pyarrow") from None
    found: ModuleType = module
    return found
