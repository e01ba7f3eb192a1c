"""Shows an answer of the Conversational Analytics API, to people and to programs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple, assert_never

from turnwire import geminidataanalytics as gda
from turnwire._cli.layout import INDENT, block, indented, labelled, sections, styled
from turnwire._cli.printable import on_one_line
from turnwire._cli.shown import one_line
from turnwire._cli.tables import table
from turnwire.errors import ParseError
from turnwire.protojson import to_dict

_MAX_CITED = 200
"""So many characters of cited words are read for a line, which is shorter."""
_ROOM_FOR_WORDS = 100_000
_MAX_REPEATED = 8


class Screen(NamedTuple):
    """The room for tables.

    Attributes:
        width: The columns of the screen; None for lines of any length.
        max_rows: How many rows of each table are shown; None for all.
    """

    width: int | None = None
    max_rows: int | None = None


def lines_of(answer: gda.Answer, screen: Screen) -> Iterator[str]:
    """Yields the lines of an answer for people."""
    last = (_lines_of_text(answer), _lines_of_follow_ups(answer))
    return sections(*_parts_of(answer, screen), *last)


def lines_of_update(update: gda.Answer, screen: Screen) -> Iterator[str]:
    """Yields the lines of the news that one message brings; there may be none."""
    text = () if update.text is None else _lines_of_text(update)
    return sections(*_parts_of(update, screen), text, _lines_of_follow_ups(update))


def _parts_of(answer: gda.Answer, screen: Screen) -> Iterator[Iterable[str]]:
    """Yields the parts of an answer before its text."""
    yield _way_to(answer)
    yield from (block("SQL", statement) for statement in answer.sql)
    yield from map(_lines_of_analysis, answer.analyses)
    yield from (_lines_of_result(result, screen) for result in answer.results_for_display)
    yield (line for chart in answer.charts for line in labelled("chart", _chart_line(chart)))
    yield from (_lines_of_question(asked) for asked in answer.clarifications)


def _way_to(answer: gda.Answer) -> Iterator[str]:
    if answer.question is not None:
        yield from labelled("question", answer.question)
    for thought in answer.thoughts:
        yield from labelled("thought", thought)
    for note in answer.progress:
        yield from labelled("progress", note)
    for datasource in answer.datasources:
        yield from labelled("data source", _datasource_line(datasource))
    for query in answer.queries:
        yield from labelled(f"query {on_one_line(query.name)}".rstrip(), query.question)
    for error in answer.errors:
        yield from labelled("recovered from" if answer.completed else "error", error)


def _datasource_line(datasource: gda.ChosenDatasource) -> str:
    names = dict.fromkeys(filter(None, (datasource.name, *datasource.tables)))
    return on_one_line(", ".join(names))


def _lines_of_analysis(analysis: gda.AnalysisMessage) -> Iterator[str]:
    """Yields one step of an analysis; its tables and charts are among those of the answer."""
    if analysis.HasField("query"):
        yield from labelled("analysis", analysis.query.question)
        return
    event = analysis.progress_event
    match event.WhichOneof("kind"):
        case "planner_reasoning":
            yield from labelled("plan", event.planner_reasoning)
        case "coder_instruction":
            yield from labelled("plan", event.coder_instruction)
        case "code":
            yield from block("code", event.code)
        case "execution_output":
            yield from block("output of the code", event.execution_output)
        case "execution_error":
            yield from block("error of the code", event.execution_error)
        case "result_natural_language":
            yield from labelled("finding", event.result_natural_language)
        case "result_reference_data":
            yield from block("reference data", event.result_reference_data)
        case "error":
            yield from labelled("error of the analysis", event.error)
        case "result_csv_data" | "result_vega_chart_json" | None:
            return
        case _ as kind:
            assert_never(kind)


def _lines_of_result(result: gda.Table, screen: Screen) -> Iterator[str]:
    name, count = on_one_line(result.name) or "result", result.row_count
    yield styled(f"{name}: {'1 row' if count == 1 else f'{count} rows'}", "label", len(name) + 1)
    shown = result.rows if screen.max_rows is None else result.rows[: screen.max_rows]
    columns = result.columns
    if any(len(row) < len(columns) for row in shown):
        # Rows of very many columns that have few of them: a table would be mostly empty.
        yield from indented(map(one_line, shown))
    else:
        yield from indented(table(columns, shown, screen.width and screen.width - len(INDENT)))
    if left := count - len(shown):
        more = "1 more row" if left == 1 else f"{left} more rows"
        yield from indented([styled(f"… {more} (--rows 0 shows all)", "faint")])


def _lines_of_question(asked: gda.ClarificationQuestion) -> Iterator[str]:
    yield from labelled("the agent asks", asked.question)
    yield from (f"  - {on_one_line(option)}" for option in asked.options)


def _lines_of_text(answer: gda.Answer) -> Iterator[str]:
    yield from labelled("answer", "none" if answer.text is None else answer.text)
    for cited in answer.citations:
        sources = ", ".join(_source_line(source) for source in cited.sources)
        start, end = cited.character_range
        words = cited.part[start : min(end, start + _MAX_CITED)]
        yield f"  cites: {one_line(words)} from {sources or 'no source'}"


def _lines_of_follow_ups(answer: gda.Answer) -> Iterator[str]:
    for asked in answer.follow_ups:
        yield from labelled("follow-up", asked)


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
        "title": None if spec is None else _title_of(spec),
        "spec": spec,
        "problem": problem,
        "image": None if image is None else {"mimeType": image.mime_type, "bytes": len(image.data)},
    }
