"""The entries of single things: an error in a recording, a result, a chart."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from turnwire import geminidataanalytics as gda
from turnwire.errors import Path, TurnwireError
from turnwire.report._charts import title_of
from turnwire.report._media import media_of
from turnwire.report._model import Chart, Entry, Problem, Table, Text
from turnwire.report._redacting import Redaction
from turnwire.report._words import counted


def by_turn(problems: Iterable[Problem]) -> dict[int | None, list[Entry]]:
    """Returns the entries of each turn's problems, by its position; under None those at the end."""
    found: dict[int | None, list[Entry]] = {}
    for problem in problems:
        found.setdefault(problem.turn, []).append(problem_entry(problem))
    return found


def problem_entry(problem: Problem) -> Entry:
    """Returns the entry that shows an error at its place."""
    return Entry("error", "error in the recording", (Text(problem.text),))


def entry_of_table(table: gda.Table, redaction: Redaction, path: Path = ()) -> Entry:
    """Returns the entry of one result."""
    label = f"{table.name or 'result'}: {counted(table.row_count, 'row')}"
    # The names come first: to find them takes memory that the rows can then have.
    columns = table.columns
    try:
        rows = redaction.value((*path, "results", table.name, "rows"), table.rows)
    except TurnwireError as error:
        return Entry("table", label, (Text(f"unreadable: {error}"),))
    return Entry("table", label, (Table(columns, rows),))


def entry_of_chart(chart: gda.Chart, redaction: Redaction, path: Path = ()) -> Entry:
    """Returns the entry of one chart."""
    path = (*path, "charts")
    spec: dict[str, Any] | None = None
    problem = ""
    try:
        spec = redaction.value((*path, "spec"), chart.spec)
    except TurnwireError as error:
        problem = redaction.text((*path, "problem"), str(error))
    image = None
    # A picture may show the texts that were to be redacted.
    if chart.image is not None and not redaction.is_active:
        image = media_of(chart.image, redaction, path)
    title = title_of(spec) or "untitled"
    return Entry("chart", "chart", (Chart(title, spec, problem, image),))
