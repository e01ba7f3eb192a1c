"""`turnwire answer`: shows the answers of a Conversational Analytics conversation."""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from typing import Any

from turnwire._cli import standard
from turnwire._cli.arguments import add_recording, at_least
from turnwire._cli.failure import InputError, UsageError
from turnwire._cli.files import arrives, shown
from turnwire._cli.printing import print_csv, print_document, print_lines
from turnwire._cli.reading import Findings, recorded
from turnwire._cli.recordings import ANSWERS, gda, messages_in
from turnwire._cli.redacting import add_redact, redacted
from turnwire._cli.show_answer import facts_of, lines_of, lines_of_update
from turnwire._cli.show_entries import Screen
from turnwire.report import Redact

EPILOG = """\
examples:
  turnwire answer answer.json
  turnwire answer --all conversation.ndjson.gz
  curl ... | turnwire answer -
  turnwire answer answer.json --json | jq -r .answer
  turnwire answer answer.json --json | jq '.results[0].rows'
  turnwire answer answer.json --csv > rows.csv
"""
_ROWS_ON_A_TERMINAL = 50


def add(commands: Any) -> None:
    """Adds the parser of the command."""
    parser = commands.add_parser(
        "answer",
        help="show the answer of a Conversational Analytics stream, with its rows",
        description="Show the answer to the last question in a stream of Conversational Analytics "
        "messages. After an error in the stream, the messages before it are shown.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add_recording(parser, ANSWERS.types)
    parser.add_argument(
        "--all",
        action="store_true",
        help="show the answer of every turn; with --json one object a line",
    )
    parser.add_argument(
        "--rows",
        type=at_least(0),
        metavar="N",
        help="show at most N rows of each result, all for 0 "
        f"(default: {_ROWS_ON_A_TERMINAL} on a terminal, else all)",
    )
    parser.add_argument("--csv", action="store_true", help="print the rows of one result as CSV")
    parser.add_argument("--result", metavar="NAME", help="the result for --csv, if it has several")
    add_redact(parser)
    parser.set_defaults(run=_show)


def _show(arguments: argparse.Namespace) -> None:
    _check(arguments)
    screen = _screen(arguments)
    findings = Findings()
    with recorded(ANSWERS, arguments, findings) as stored:
        messages = messages_in(stored)
        if arguments.csv:
            _print_result(gda.Answer.collect(messages), arguments)
        elif arguments.all:
            _print_all(gda.answers_of(messages), arguments, screen)
        elif arguments.json or arguments.indent:
            facts = redacted(facts_of(gda.Answer.collect(messages)), arguments.redact)
            print_document(facts, indent=arguments.indent)
        elif standard.screen_width() and arrives(arguments.input):
            _print_news(messages, screen, arguments.redact)
        else:
            # Of earlier turns nothing is kept.
            answer = gda.Answer.collect(messages)
            # Of an input that is nothing but an error, the error says all.
            if answer != gda.Answer() or not findings.errors:
                print_lines(lines_of(answer, screen, arguments.redact))


def _check(arguments: argparse.Namespace) -> None:
    if arguments.all and arguments.indent:
        # Indented objects one after another are not JSON, and have no lines to part them either.
        raise UsageError("--indent prints one object; for all turns say --all --json, a line each")
    if arguments.csv and (arguments.all or arguments.json or arguments.indent):
        raise UsageError("--csv prints the rows of one result of the last turn, and nothing else")
    if arguments.result is not None and not arguments.csv:
        raise UsageError("--result names the result for --csv")


def _screen(arguments: argparse.Namespace) -> Screen:
    on_terminal = standard.screen_width()
    rows: int | None = arguments.rows
    if rows is None and on_terminal is not None:
        rows = _ROWS_ON_A_TERMINAL
    return Screen(arguments.width or on_terminal, rows or None)


def _print_all(
    answers: Iterable[gda.Answer], arguments: argparse.Namespace, screen: Screen
) -> None:
    found = [*answers] or [gda.Answer()]
    for position, answer in enumerate(found, 1):
        if arguments.json:
            facts = redacted(facts_of(answer), arguments.redact)
            print_document(facts, indent=False)
            continue
        blank = "\n" if position > 1 else ""
        print_lines([f"{blank}turn {position} of {len(found)}"])
        print_lines(lines_of(answer, screen, arguments.redact))


def _print_news(
    messages: Iterable[gda.Message | gda.StorageMessage], screen: Screen, redact: Redact | None
) -> None:
    """Prints the news of each message as soon as it arrives."""
    builder = gda.AnswerBuilder()
    is_first = True
    for item in messages:
        message = item.message if isinstance(item, gda.StorageMessage) else item
        lines = [*lines_of_update(builder.add(message), screen, redact)]
        if lines:
            print_lines(lines if is_first else ["", *lines])
            standard.flush()
            is_first = False
    if builder.answer.text is None:
        print_lines(["answer: none"] if is_first else ["", "answer: none"])


def _print_result(answer: gda.Answer, arguments: argparse.Namespace) -> None:
    results = answer.results_for_display
    named = [result for result in results if arguments.result in (None, result.name)]
    if len(named) != 1:
        names = ", ".join(result.name or "(without a name)" for result in results)
        if not results:
            reason = "the answer has no result"
        elif arguments.result is None:
            reason = f"the answer has {len(results)} results: say --result with one of {names}"
        elif named:
            reason = f"the answer has {len(named)} results of that name"
        else:
            reason = f"the answer has no result {arguments.result!r}; it has {names}"
        raise InputError(shown(arguments.input), reason)
    [result] = named
    rows = redacted({"rows": result.rows}, arguments.redact)["rows"]
    print_csv(result.columns, rows)
