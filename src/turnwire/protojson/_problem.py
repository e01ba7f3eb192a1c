"""The exception that readers and printers raise inside, before the place is known.

A place costs time to keep, and almost every document is good. So nothing keeps it: a `Problem`
starts at the bad value and collects the steps of its path on the way out.
"""

from __future__ import annotations

from typing import TypeVar

from turnwire.errors import ParseError, SerializeError

_Placed = TypeVar("_Placed", ParseError, SerializeError)


class Problem(Exception):
    """Something is wrong with one value; who calls the reader adds where that value stands."""

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

    def at(self, step: str | int) -> Problem:
        """Adds a step below the innermost field: an index, a map key, a key in a Struct."""
        # A dict from Python may have other keys, and a path cannot.
        if isinstance(step, str | int):
            self.steps.append(step)
        return self

    def error(self, error_class: type[_Placed]) -> _Placed:
        """The error that the caller sees."""
        path = tuple(reversed(self.steps))
        return error_class(self.reason, kind=self.kind, path=path, field=self.field)
