"""Carries out the choice of `--on-error`: what happens to an element that is not valid."""

from __future__ import annotations

from turnwire._cli.standard import warn
from turnwire.errors import ParseError

CHOICES = ("raise", "skip", "warn")


class OnError:
    """One choice of `--on-error` for one input."""

    def __init__(self, choice: str, input_name: str) -> None:
        self._choice = choice
        self._input_name = input_name
        self._count = 0

    def leave_out(self, error: ParseError, place: str) -> None:
        """Leaves out an element, unless the choice is to stop there: then raises the error."""
        if self._choice == "raise":
            raise error
        self._count += 1
        if self._choice == "warn":
            warn(f"{place}: {error}; left out")

    def sum_up(self) -> None:
        """Reports how many elements were left out, if warnings are wanted."""
        if self._choice == "warn" and self._count:
            elements = "element was" if self._count == 1 else "elements were"
            warn(f"{self._input_name}: {self._count} {elements} left out")
