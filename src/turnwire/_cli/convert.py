"""`turnwire convert`: reads messages in one format and writes them in another."""

from __future__ import annotations

import argparse
from typing import Any

from turnwire._cli.arguments import add_source, message_type
from turnwire._cli.failure import UsageError, named
from turnwire._cli.files import STANDARD, shown, sink_of
from turnwire._cli.formats import FORMATS, described_formats, format_of_output, write_messages
from turnwire._cli.reading import messages_of

EPILOG = f"""\
formats:
{described_formats()}

examples:
  turnwire convert --type ces.Message message.json -o message.binpb
  turnwire convert --type gda.Message answer.json --to ndjson
  turnwire convert --type gda.Message --on-error warn log.ndjson.gz -o good.ndjson.gz
  curl ... | turnwire convert --type gda.Message -o answer.delimited -
  turnwire convert --type ces.RunSessionResponse --unknown warn log.ndjson --to array
"""


def add(commands: Any) -> None:
    """Adds the parser of the command."""
    parser = commands.add_parser(
        "convert",
        help="convert messages between JSON, NDJSON, array, wire and text formats",
        description="Convert messages from one format to another, checking each of them.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "--type",
        dest="message_class",
        metavar="NAME",
        type=message_type,
        required=True,
        help="the message type: ces.Message, gda.Message, or a full name",
    )
    add_source(parser)
    parser.add_argument("--to", dest="target", choices=FORMATS, help="the format of the output")
    parser.add_argument(
        "-o",
        dest="output",
        metavar="OUTPUT",
        default=STANDARD,
        help="a file, which appears only when it is complete (default: stdout)",
    )
    parser.set_defaults(run=_convert)


def _convert(arguments: argparse.Namespace) -> None:
    target: str | None = arguments.target or format_of_output(arguments.output)
    if target is None:
        reason = f"{arguments.output}: its suffix tells no format; say it with --to"
        raise UsageError(reason)
    # A message that cannot be written is an error in the input as well.
    with (
        sink_of(arguments.output) as sink,
        named(shown(arguments.input)),
        messages_of(arguments.message_class, arguments) as messages,
    ):
        write_messages(messages, sink, target, printable=arguments.output == STANDARD)
