"""The exception that readers and printers raise inside, before the place is known.

Keeping track of the place costs time, and almost every document is good. So nothing does: a
`Problem` starts at the bad value and collects the steps of its path on the way out.
"""

from __future__ import annotations

from typing import TypeVar

from turnwire.errors import ParseError, SerializeError

_Placed = TypeVar("_Placed", ParseError, SerializeError)

MAX_DEPTH = 100
"""The nesting that protobuf's own parser takes, below the outermost message.

A map entry counts as one level.
"""


class Problem(Exception):
    """Something is wrong with one value; callers add the place of that value."""

    def __init__(self, kind: str, reason: str) -> None:
        super().__init__(reason)
        self.kind = kind
        self.reason = reason
        self.steps: list[str | int] = []
        self.field: str | None = None
        self.has_field = False

    def within(self, step: str | int, field: str | None) -> Problem:
        """Adds the step that leads here; the innermost field is the one that is named."""
        self.steps.append(step)
        if not self.has_field:
            self.field = field
            self.has_field = True
        return self

    def at(self, step: object) -> Problem:
        """Adds a step below the innermost field: an index, a map key, a key in a Struct."""
        # A dict from Python may have other keys, and a path cannot.
        if isinstance(step, str | int):
            self.steps.append(step)
        return self

    def error(self, error_class: type[_Placed]) -> _Placed:
        """Returns the error that the caller sees."""
        path = tuple(reversed(self.steps))
        return error_class(self.reason, kind=self.kind, path=path, field=self.field)


def too_deep(limit: int = MAX_DEPTH) -> Problem:
    """Returns the problem of messages that nest deeper than a limit."""
    return Problem("depth", f"messages are nested deeper than {limit} levels")
