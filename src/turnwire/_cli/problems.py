"""The problems of inputs: each with its place, and many of a kind as one group."""

from __future__ import annotations

import re
from dataclasses import astuple, dataclass, field, replace
from typing import Any

from turnwire.errors import ParseError, Path, TurnwireError, path_text

_MAX_GROUPS = 200
_MAX_PLACES = 3
_OF_INPUTS = ("io", "truncated")
_INDEX = re.compile(r"\[\d+\]")


@dataclass(frozen=True, slots=True)
class Problem:
    """Something that is wrong with an input or with one of its elements.

    Attributes:
        kind: A stable token for programs: the kind of a `TurnwireError`, a rule of
            `turnwire.check`, or ``"io"`` for a file that cannot be read.
        path: The place in the element, such as ``$.chunks[0].text``; ``""`` for all of it.
        reason: What is wrong, in words.
        line: The line, from 1; None where lines mean nothing.
        offset: The byte at which the element begins in the unpacked input; None if not known.
        index: The index of the element, from 0; None for the whole input.
        severity: ``"error"``, or ``"note"`` for what is only worth knowing.
    """

    kind: str
    path: str
    reason: str
    line: int | None = None
    offset: int | None = None
    index: int | None = None
    severity: str = "error"

    def place(self, name: str) -> str:
        """Returns the place for people, with the name of the input in front."""
        if self.line is not None:
            return f"{name}:{self.line}"
        return name if self.index is None else f"{name}: element {self.index}"

    def __str__(self) -> str:
        return f"{self.reason} at {self.path}" if self.path else self.reason


def problem_of(error: TurnwireError | OSError, path: Path = ()) -> Problem:
    """Returns the problem that an error reports, without the place of its element."""
    if isinstance(error, OSError):
        return Problem("io", "", error.strerror or str(error))
    at = (*path, *error.path) if isinstance(error, ParseError) else path
    reason = error.reason
    if isinstance(error, ParseError) and error.column is not None:
        reason += f" at column {error.column}" if error.line == 1 else ""
    return Problem(error.kind, path_text(at) if at else "", reason)


def unknown_problem(path: Path) -> Problem:
    """Returns the note about something that the schema does not know, and that is left out."""
    return Problem("unknown", path_text(path), "unknown", severity="note")


@dataclass
class Group:
    """Problems of one kind in one field.

    Attributes:
        problem: The first one.
        count: The number of them.
        places: The places of the first few, for people.
    """

    problem: Problem
    count: int = 0
    places: list[str] = field(default_factory=list)


class Groups:
    """Counts problems by kind and path, whatever the indices in it are."""

    def __init__(self) -> None:
        self._groups: dict[tuple[str, str, str], Group] = {}

    def add(self, problem: Problem, name: str) -> bool:
        """Adds a problem; returns whether it is the first of its group."""
        group = self._group_of(problem)
        group.count += 1
        if len(group.places) < _MAX_PLACES:
            group.places.append(problem.place(name))
        return group.count == 1

    def merge(self, other: Groups) -> None:
        """Adds the problems of other groups."""
        for group in other.all():
            own = self._group_of(group.problem)
            own.count += group.count
            own.places += group.places[: _MAX_PLACES - len(own.places)]

    def clear(self) -> None:
        """Forgets all problems."""
        self._groups.clear()

    def plain(self) -> list[Any]:
        """Returns the groups as JSON values."""
        return [
            [list(astuple(each.problem)), each.count, each.places] for each in self._groups.values()
        ]

    @classmethod
    def from_plain(cls, values: list[Any]) -> Groups:
        """Returns the groups that `plain` made values of."""
        groups = cls()
        for problem, count, places in values:
            group = groups._group_of(Problem(*problem))
            group.count += count
            group.places += places
        return groups

    def all(self) -> list[Group]:
        """Returns the groups, errors before notes and the largest first."""
        return sorted(self._groups.values(), key=lambda each: (each.problem.severity, -each.count))

    def _group_of(self, problem: Problem) -> Group:
        pattern = pattern_of(problem.path)
        # The end of an input is not a problem of a kind of elements.
        is_of_input = problem.kind in _OF_INPUTS or problem.index is None
        what = problem.reason if is_of_input else pattern
        key = (problem.severity, problem.kind, what)
        if key not in self._groups and len(self._groups) >= _MAX_GROUPS:
            # Data decides how many paths there are; memory must not follow.
            key, pattern = (problem.severity, problem.kind, ""), ""
        if key not in self._groups:
            self._groups[key] = Group(replace(problem, path=pattern))
        return self._groups[key]


def pattern_of(path: str) -> str:
    """Returns the common form of the paths to one field.

    >>> pattern_of("$.chunks[12].text")
    '$.chunks[*].text'
    """
    return _INDEX.sub("[*]", path)
