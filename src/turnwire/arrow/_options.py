"""The options of columns, and pyarrow itself, which is imported when it is needed."""

from __future__ import annotations

from types import ModuleType
from typing import Literal, NamedTuple

from turnwire.errors import MissingExtra

Enums = Literal["string", "dictionary"]
"""The type of an enum's column: text, or text that is kept once for each name."""

OnMisfit = Literal["error", "null"]
"""The treatment of a value that its column cannot hold, such as a time of the year 9999."""


class Options(NamedTuple):
    """The options of columns."""

    enums: Enums = "string"
    recursion: int = 0
    """How many times a message type may stand inside itself before it becomes JSON text."""
    on_misfit: OnMisfit = "error"


def checked_options(enums: Enums, recursion: int, on_misfit: OnMisfit = "error") -> Options:
    """Returns the options, or raises a ValueError for one that does not exist."""
    if enums not in ("string", "dictionary"):
        raise ValueError(f'enums must be "string" or "dictionary", not {enums!r}')
    if on_misfit not in ("error", "null"):
        raise ValueError(f'on_misfit must be "error" or "null", not {on_misfit!r}')
    if isinstance(recursion, bool) or not isinstance(recursion, int) or recursion < 0:
        raise ValueError(f"recursion must be a number from 0, not {recursion!r}")
    return Options(enums, recursion, on_misfit)


def pyarrow() -> ModuleType:
    """Imports pyarrow; without it, the error names the extra that brings it."""
    try:
        import pyarrow as module  # type: ignore[import-untyped]
    except ModuleNotFoundError as error:
        if error.name != "pyarrow":
            raise
        raise MissingExtra("arrow", "pyarrow") from None
    found: ModuleType = module
    return found
