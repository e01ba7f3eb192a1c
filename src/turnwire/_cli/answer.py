"""`turnwire answer`: what a Conversational Analytics conversation answers."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from typing import Any

from turnwire import geminidataanalytics as gda
from turnwire._cli.arguments import add_input
from turnwire._cli.reading import collected
from turnwire._cli.shown import document, one_line, table

EPILOG = """\
examples:
  turnwire answer answer.json
  curl ... | turnwire answer -
  turnwire answer answer.json --json | jq -r .answer
"""


def add(commands: Any) -> None:
    """Adds the parser of the command."""
    parser = commands.add_parser(
        "answer",
        help="show the answer of a Conversational Analytics stream, with its rows",
        description="Show the last answer in a stream of geminidataanalytics.Message.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add_input(parser)
    parser.set_defaults(run=_show)


def _show(arguments: argparse.Namespace) -> None:
    with collected(gda.Message, arguments) as messages:
        answer = gda.Answer.collect(messages)
        if arguments.json:
            print(document(facts_of(answer)))
        else:
            print("\n".join(lines_of(answer)))


def lines_of(answer: gda.Answer) -> Iterator[str]:
    """An answer for people."""
    if answer.question is not None:
        yield f"question: {answer.question}"
    for thought in answer.thoughts:
        yield f"thought: {one_line(thought)}"
    for error in answer.errors:
        yield f"recovered from: {error}"
    if answer.sql:
        yield f"SQL:\n{answer.sql[-1]}"
    for result in answer.results_for_display:
        yield f"\n{result.name or 'result'}: {result.row_count} rows"
        yield from (f"  {line}" for line in table(result.columns, result.rows))
    for chart in answer.charts:
        spec = chart.spec or {}
        yield f"\nchart: {one_line(spec.get('title') or spec)}"
    for asked in answer.clarifications:
        yield f"\nthe agent asks: {asked.question} {one_line(list(asked.options))}"
    yield f"\nanswer: {'none' if answer.text is None else answer.text}"
    for follow_up in answer.follow_ups:
        yield f"follow-up: {follow_up}"


def facts_of(answer: gda.Answer) -> dict[str, Any]:
    """An answer for programs."""
    return {
        "question": answer.question,
        "answer": answer.text,
        "complete": answer.complete,
        "thoughts": answer.thoughts,
        "progress": answer.progress,
        "followUps": answer.follow_ups,
        "clarifications": [asked.question for asked in answer.clarifications],
        "sql": answer.sql,
        "errors": answer.errors,
        "results": [
            {
                "name": result.name,
                "columns": result.columns,
                "rows": result.rows,
                "formattedRows": result.formatted_rows,
            }
            for result in answer.results_for_display
        ],
        "charts": [chart.spec for chart in answer.charts],
        "citations": [
            {"text": cited.text, "sources": [source.title for source in cited.sources]}
            for cited in answer.citations
        ],
    }
