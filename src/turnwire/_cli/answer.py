"""`turnwire answer`: what a Conversational Analytics conversation answers."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator
from typing import Any

from turnwire import geminidataanalytics as gda
from turnwire._cli.arguments import add_recording
from turnwire._cli.failure import UsageError
from turnwire._cli.layout import screen_width
from turnwire._cli.printing import print_document, print_lines
from turnwire._cli.reading import recorded
from turnwire._cli.recordings import ANSWERS, StoredAnswer
from turnwire._cli.show_answer import facts_of, lines_of

EPILOG = """\
examples:
  turnwire answer answer.json
  turnwire answer --all conversation.ndjson.gz
  curl ... | turnwire answer -
  turnwire answer answer.json --json | jq -r .answer
  turnwire answer answer.json --json | jq '.results[0].rows'
"""


def add(commands: Any) -> None:
    """Adds the parser of the command."""
    parser = commands.add_parser(
        "answer",
        help="show the answer of a Conversational Analytics stream, with its rows",
        description="Show the answer to the last question in a stream of Conversational Analytics "
        "messages. After an error in the stream, what came before it is shown.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add_recording(parser, ANSWERS.types)
    parser.add_argument(
        "--all",
        action="store_true",
        help="show the answer of every turn; with --json one object a line",
    )
    parser.set_defaults(run=_show)


def _show(arguments: argparse.Namespace) -> None:
    if arguments.all and arguments.indent:
        # Indented objects one after another are no JSON, and have no lines to part them either.
        raise UsageError("--indent prints one object; for all turns say --all --json, a line each")
    with recorded(ANSWERS, arguments) as stored:
        messages = _messages_in(stored)
        # The last answer alone is put together while earlier turns are forgotten.
        answers = gda.answers_of(messages) if arguments.all else [gda.Answer.collect(messages)]
        shown = answers or [gda.Answer()]
        for position, answer in enumerate(shown, 1):
            if arguments.json or arguments.indent:
                print_document(facts_of(answer), indent=arguments.indent)
                continue
            if arguments.all:
                blank = "\n" if position > 1 else ""
                print_lines([f"{blank}turn {position} of {len(shown)}"])
            print_lines(lines_of(answer, screen_width()))


def _messages_in(stored: Iterable[StoredAnswer]) -> Iterator[gda.Message | gda.StorageMessage]:
    for item in stored:
        if isinstance(item, gda.ListMessagesResponse):
            yield from item.messages
        else:
            yield item
