"""Shows an answer of the Conversational Analytics API, to people and to programs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from turnwire import geminidataanalytics as gda
from turnwire._cli.layout import block, labelled, sections, table
from turnwire._cli.printable import on_one_line
from turnwire._cli.shown import one_line
from turnwire.errors import ParseError
from turnwire.protojson import to_dict


def lines_of(answer: gda.Answer, width: int | None = None) -> Iterator[str]:
    """Yields the lines of an answer for people.

    Args:
        answer: The answer.
        width: The columns of the screen; None if there is none.
    """
    return sections(
        _way_to(answer),
        *(block("SQL", statement) for statement in answer.sql),
        *(_lines_of_result(result, width) for result in answer.results_for_display),
        (line for chart in answer.charts for line in labelled("chart", _chart_line(chart))),
        *(_lines_of_question(asked) for asked in answer.clarifications),
        _lines_of_text(answer),
        (line for asked in answer.follow_ups for line in labelled("follow-up", asked)),
    )


def _way_to(answer: gda.Answer) -> Iterator[str]:
    if answer.question is not None:
        yield from labelled("question", answer.question)
    for thought in answer.thoughts:
        yield from labelled("thought", thought)
    for note in answer.progress:
        yield from labelled("progress", note)
    for query in answer.queries:
        yield from labelled(f"query {on_one_line(query.name)}".rstrip(), query.question)
    for error in answer.errors:
        yield from labelled("recovered from", error)


def _lines_of_result(result: gda.Table, width: int | None) -> Iterator[str]:
    rows = "1 row" if result.row_count == 1 else f"{result.row_count} rows"
    yield f"{on_one_line(result.name) or 'result'}: {rows}"
    room = None if width is None else width - 2
    yield from (f"  {line}" for line in table(result.columns, result.rows, room))


def _lines_of_question(asked: gda.ClarificationQuestion) -> Iterator[str]:
    yield from labelled("the agent asks", asked.question)
    yield from (f"  - {on_one_line(option)}" for option in asked.options)


def _lines_of_text(answer: gda.Answer) -> Iterator[str]:
    yield from labelled("answer", "none" if answer.text is None else answer.text)
    for cited in answer.citations:
        sources = ", ".join(_source_line(source) for source in cited.sources)
        yield f"  cites: {one_line(cited.text)} from {sources or 'no source'}"


def _chart_line(chart: gda.Chart) -> str:
    spec, problem = _spec_of(chart)
    if problem is not None:
        return f"unreadable: {problem}"
    parts = ["untitled" if spec is None else _title_of(spec) or "untitled"]
    if (image := chart.image) is not None:
        parts.append(f"({image.mime_type}, {len(image.data)} bytes)")
    return on_one_line(" ".join(parts))


def _spec_of(chart: gda.Chart) -> tuple[dict[str, Any] | None, str | None]:
    """Returns the specification, or why it cannot be read: a bad chart must not hide an answer."""
    try:
        return chart.spec, None
    except ParseError as error:
        return None, str(error)


def _title_of(spec: dict[str, Any]) -> str | None:
    """Returns the title of a Vega specification: a text, its lines, or an object with either."""
    match spec:
        case {"title": str(title)} | {"title": {"text": str(title)}}:
            return title
        case {"title": [*lines]} | {"title": {"text": [*lines]}}:
            return " ".join(map(str, lines))
        case _:
            return None


def _source_line(source: gda.CitationSource) -> str:
    title = source.title or source.id
    return on_one_line(f"{title} <{source.uri}>" if source.uri else title)


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
        "citations": [
            {
                "text": cited.text,
                "partIndex": cited.part_index,
                "byteRange": cited.byte_range,
                "characterRange": cited.character_range,
                "sources": [to_dict(source) for source in cited.sources],
            }
            for cited in answer.citations
        ],
        "errors": answer.errors,
    }


def _facts_of_chart(chart: gda.Chart) -> dict[str, Any]:
    spec, problem = _spec_of(chart)
    image = chart.image
    return {
        "title": None if spec is None else _title_of(spec),
        "spec": spec,
        "problem": problem,
        "image": None if image is None else {"mimeType": image.mime_type, "bytes": len(image.data)},
    }
