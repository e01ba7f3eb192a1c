"""Values that do not fit their column, or the field of their column."""

from __future__ import annotations

from typing import TypeVar

from turnwire.errors import ParseError, Path, SerializeError

E = TypeVar("E", ParseError, SerializeError)


class Misfit(Exception):
    """A value that does not fit; it collects its path and field on the way out."""

    def __init__(
        self, reason: str, *, kind: str = "value", path: Path = (), field: str | None = None
    ) -> None:
        super().__init__(reason)
        self.reason = reason
        self.kind = kind
        self.path = path
        self.field = field

    @classmethod
    def of(cls, error: ParseError | SerializeError) -> Misfit:
        """Returns the misfit of a value whose JSON text has an error."""
        return cls(error.reason, kind=error.kind, path=error.path, field=error.field)

    def within(self, step: str | int, field: str | None = None) -> Misfit:
        """Adds the place that the value stands in, and its field if none is known yet."""
        self.path = (step, *self.path)
        self.field = self.field or field
        return self

    def error(self, error_class: type[E], index: int | None = None) -> E:
        """Returns the error for the row of an index."""
        return error_class(
            self.reason, kind=self.kind, path=self.path, field=self.field, index=index
        )
