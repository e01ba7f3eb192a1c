"""`turnwire check`: finds everything that is wrong with recordings."""

from __future__ import annotations

import argparse
from typing import Any

from turnwire._cli.arguments import at_least
from turnwire._cli.checking import RULES, Checker
from turnwire._cli.failure import ProblemsFound
from turnwire._cli.files import shown
from turnwire._cli.findings import FORMATS, Findings, Limited
from turnwire._cli.inputs import Part, inputs_of
from turnwire._cli.many import add_inputs
from turnwire._cli.own_types import class_of, own_types_of

EPILOG = """\
examples:
  turnwire check session.ndjson
  turnwire check --type gda.Message 'logs/*.ndjson.gz' --rejects bad.ndjson
  turnwire check --format json log.ndjson | jq -r .path | sort | uniq -c
  turnwire check --format sarif recordings/*.json > turnwire.sarif
"""


def add(commands: Any) -> None:
    """Adds the parser of the command."""
    parser = commands.add_parser(
        "check",
        help="find what is wrong with recordings; exit status 1 if anything is",
        description="Check messages against the JSON mapping, the annotations of the schema and "
        "the references in a conversation. Each input is one conversation.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "--type",
        metavar="NAME",
        help="the message type: ces.Message, gda.Message, or a full name (default: by the names "
        "in the first objects of each input)",
    )
    add_inputs(parser)
    parser.add_argument(
        "--format",
        choices=FORMATS,
        default="text",
        help="text for people (the default), json (an object a problem, one a line), github "
        "(annotations of a workflow) or sarif",
    )
    parser.add_argument(
        "--rules",
        choices=RULES,
        default="all",
        help="check all rules (the default), or only the JSON mapping",
    )
    parser.add_argument(
        "--limit", type=at_least(1), metavar="N", help="stop after so many problems"
    )
    parser.set_defaults(run=_check)


def _check(arguments: argparse.Namespace) -> None:
    own_types_of(arguments).load()
    named = None if arguments.type is None else class_of(arguments.type)
    with Findings(arguments.format, arguments.limit, arguments.rejects) as findings:
        try:
            for name in inputs_of(arguments.inputs):
                findings.begin(shown(name))
                checker = Checker(findings, named, arguments)
                checker.check(Part(name))
        except Limited:
            pass
    if findings.errors:
        raise ProblemsFound
