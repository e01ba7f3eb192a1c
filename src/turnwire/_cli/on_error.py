"""Carries out the choice of `--on-error`: what happens to an element that is not valid."""

from __future__ import annotations

from typing import NoReturn

from turnwire._cli.failure import InputError, ProblemsFound
from turnwire._cli.problems import Groups, problem_of
from turnwire._cli.standard import warn
from turnwire.errors import ParseError

CHOICES = ("raise", "skip", "warn")


class OnError:
    """One choice of `--on-error` for one input.

    Attributes:
        count: The number of elements that were left out.
    """

    def __init__(self, choice: str, input_name: str) -> None:
        self._choice = choice
        self._input_name = input_name
        self._groups = Groups()
        self.count = 0

    def leave_out(self, error: ParseError, place: str) -> None:
        """Leaves out an element, unless the choice is to stop there: then raises the error."""
        if self._choice == "raise":
            raise error
        self.count += 1
        # One bad byte may spoil all elements after it: of each kind, the first is reported.
        is_first = self._groups.add(problem_of(error), place)
        if is_first and self._choice == "warn":
            warn(f"{place}: {error}; left out")

    def sum_up(self) -> None:
        """Reports how many elements were left out, if warnings are wanted."""
        if self._choice != "warn" or not self.count:
            return
        for group in self._groups.all():
            if group.count > 1:
                warn(f"{self._input_name}: {group.count} times {group.problem}")
        warn(f"{self._input_name}: {self._left_out}")

    def fail(self) -> NoReturn:
        """Raises the error about what was left out, unless `sum_up` reported it."""
        if self._choice == "warn":
            raise ProblemsFound
        raise InputError(self._input_name, f"{self._left_out}; --allow-rejects accepts some")

    @property
    def _left_out(self) -> str:
        return f"{self.count} {'element was' if self.count == 1 else 'elements were'} left out"
