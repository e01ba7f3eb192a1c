"""`turnwire session`: the turns, tool calls and end of a CES session."""

from __future__ import annotations

import argparse
from typing import Any

from turnwire import ces
from turnwire._cli import standard
from turnwire._cli.arguments import add_recording
from turnwire._cli.printing import print_document, print_lines
from turnwire._cli.reading import Findings, recorded
from turnwire._cli.recordings import SESSIONS
from turnwire._cli.redacting import add_redact, redacted
from turnwire._cli.show_session import facts_of, lines_of
from turnwire._cli.stored import add_conversation, of_one_conversation

EPILOG = """\
examples:
  turnwire session session.ndjson
  turnwire session --type Conversation stored.json
  turnwire session conversations.ndjson.gz --conversation c-1024
  turnwire session session.ndjson --json | jq '.turns[].reply'
  turnwire session session.ndjson --json | jq '.toolExchanges[] | select(.status == "error")'
"""


def add(commands: Any) -> None:
    """Adds the parser of the command."""
    parser = commands.add_parser(
        "session",
        help="show the turns, tool calls and variables of a CES session",
        description="Show what happened in a CES session. After an error in the stream, what came "
        "before it is shown.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add_recording(parser, SESSIONS.types)
    add_conversation(parser)
    add_redact(parser)
    parser.set_defaults(run=_show)


def _show(arguments: argparse.Namespace) -> None:
    findings = Findings()
    with recorded(SESSIONS, arguments, findings) as items:
        chosen = of_one_conversation(items, arguments.conversation)
        session = ces.Session.collect(item for _, item in chosen)
        if arguments.json or arguments.indent:
            facts = redacted(facts_of(session), arguments.redact)
            print_document(facts, indent=arguments.indent)
        # Of an input that is nothing but an error, the error says all.
        elif session != ces.Session() or not findings.errors:
            width = arguments.width or standard.screen_width()
            print_lines(lines_of(session, width, arguments.redact))
