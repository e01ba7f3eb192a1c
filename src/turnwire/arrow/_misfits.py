"""Values that do not fit their column, or the field of their column."""

from __future__ import annotations

from turnwire.errors import ParseError, Path, SerializeError


class Misfit(Exception):
    """A value that does not fit; it collects its path on the way out."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason
        self._steps: list[str | int] = []

    def within(self, step: str | int) -> Misfit:
        """Adds the place that the value stands in."""
        self._steps.append(step)
        return self

    @property
    def path(self) -> Path:
        """The path from the row."""
        return tuple(reversed(self._steps))

    def to_serialize_error(self, index: int) -> SerializeError:
        """Returns the error for a message that has no row."""
        return SerializeError(self.reason, kind="range", path=self.path, index=index)

    def to_parse_error(self, index: int) -> ParseError:
        """Returns the error for a row that is not a message."""
        return ParseError(self.reason, kind="value", path=self.path, index=index)
