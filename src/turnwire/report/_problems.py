"""Errors in recordings as entries."""

from __future__ import annotations

from collections.abc import Iterable

from turnwire.report._model import Entry, Problem, Text


def by_turn(problems: Iterable[Problem]) -> dict[int | None, list[Entry]]:
    """Returns the entries of each turn's problems, by its position; under None those at the end."""
    found: dict[int | None, list[Entry]] = {}
    for problem in problems:
        found.setdefault(problem.turn, []).append(problem_entry(problem))
    return found


def problem_entry(problem: Problem) -> Entry:
    """Returns the entry that shows an error at its place."""
    return Entry("error", "error in the recording", (Text(problem.text),))
