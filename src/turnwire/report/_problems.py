"""Errors in recordings as entries."""

from __future__ import annotations

from turnwire.report._model import Entry, Problem, Text

LABEL = "error in the recording"


def problem_entry(problem: Problem) -> Entry:
    """Returns the entry that shows an error at its place."""
    return Entry("error", LABEL, (Text(problem.text),))
