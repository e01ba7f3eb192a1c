"""Shows an answer of the Conversational Analytics API, to people and to programs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from turnwire._cli.layout import sections
from turnwire._cli.recordings import gda
from turnwire._cli.show_entries import Screen, lines_of_entries, lines_of_left_out
from turnwire.errors import ParseError
from turnwire.protojson import to_dict
from turnwire.report._answers import entries_of_answer, entries_of_update
from turnwire.report._charts import title_of
from turnwire.report._redacting import Redact, Redaction

_ROOM_FOR_WORDS = 100_000
_MAX_REPEATED = 8


def lines_of(answer: gda.Answer, screen: Screen, redact: Redact | None = None) -> Iterator[str]:
    """Yields the lines of an answer for people."""
    left_out: list[str] = []
    # One entry after the other: it takes many times the memory of a short message.
    entries = entries_of_answer(answer, Redaction(redact), left_out)
    return sections(lines_of_entries(entries, screen), lines_of_left_out(left_out))


def lines_of_update(
    update: gda.Answer, screen: Screen, redact: Redact | None = None
) -> Iterator[str]:
    """Yields the lines of the news that one message brings; there may be none."""
    return lines_of_entries(entries_of_update(update, Redaction(redact)), screen)


def _spec_of(chart: gda.Chart) -> tuple[dict[str, Any] | None, str | None]:
    """Returns the specification, or why it cannot be read: a bad chart must not hide an answer."""
    try:
        return chart.spec, None
    except ParseError as error:
        return None, str(error)


def facts_of(answer: gda.Answer) -> dict[str, Any]:
    """Returns an answer for programs; docs/cli.md documents the keys, which stay."""
    return {
        "question": answer.question,
        "answer": answer.text,
        "complete": answer.completed,
        "thoughts": answer.thoughts,
        "progress": answer.progress,
        "followUps": answer.follow_ups,
        "clarifications": [to_dict(asked) for asked in answer.clarifications],
        "queries": [{"name": query.name, "question": query.question} for query in answer.queries],
        "sql": answer.sql,
        "lookerQueries": [to_dict(query) for query in answer.looker_queries],
        "matchedQueries": [to_dict(query) for query in answer.matched_queries],
        "exampleQueries": [to_dict(query) for query in answer.example_queries],
        "datasources": [
            {"kind": found.kind, "name": found.name, "tables": found.tables}
            for found in answer.datasources
        ],
        "plans": answer.plans,
        "code": answer.code,
        "codeOutputs": answer.code_outputs,
        "findings": answer.findings,
        "analysisErrors": answer.analysis_errors,
        "analyses": [to_dict(analysis) for analysis in answer.analyses],
        "bigQueryJobs": [to_dict(job) for job in answer.big_query_jobs],
        "results": [
            {
                "name": result.name,
                "columns": result.columns,
                "rows": result.rows,
                "formattedRows": result.formatted_rows,
            }
            for result in answer.results_for_display
        ],
        "charts": [_facts_of_chart(chart) for chart in answer.charts],
        "citations": list(_facts_of_citations(answer.citations)),
        "errors": answer.errors,
    }


def _facts_of_citations(citations: Sequence[gda.CitedText]) -> Iterator[dict[str, Any]]:
    """Yields citations; words are left out once they repeat the cited parts too often.

    Citations may overlap at will: the words of all of them could be longer than any memory.
    """
    parts = {(id(cited.part), len(cited.part)) for cited in citations}
    room = _ROOM_FOR_WORDS + _MAX_REPEATED * sum(length for _, length in parts)
    for cited in citations:
        start, end = cited.character_range
        room -= end - start
        yield {
            "text": cited.text if room >= 0 else None,
            "partIndex": cited.part_index,
            "byteRange": cited.byte_range,
            "characterRange": cited.character_range,
            "sources": [to_dict(source) for source in cited.sources],
        }


def _facts_of_chart(chart: gda.Chart) -> dict[str, Any]:
    spec, problem = _spec_of(chart)
    image = chart.image
    return {
        "title": title_of(spec) or None,
        "spec": spec,
        "problem": problem,
        "image": None if image is None else {"mimeType": image.mime_type, "bytes": len(image.data)},
    }
