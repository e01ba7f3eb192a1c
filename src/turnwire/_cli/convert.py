"""`turnwire convert`: reads messages in one format and writes them in another."""

from __future__ import annotations

import argparse
from typing import Any

from turnwire._cli import unknown
from turnwire._cli.arguments import message_type
from turnwire._cli.failure import UsageError, named
from turnwire._cli.files import STANDARD, shown, sink_of
from turnwire._cli.formats import (
    FORMATS,
    format_of_input,
    format_of_output,
    read_messages,
    write_messages,
)

EPILOG = """\
formats:
  json       one message, indented; when read: an object, an array or several of either
  ndjson     one message a line
  array      a JSON array
  sse        server-sent events, one message a `data:` field
  delimited  wire format, each message after its length as a varint
  binary     one message in the wire format
  text       one message in protobuf's text format

The suffix of a file name tells its format (.json, .ndjson, .jsonl, .sse, .delimited, .binpb, .pb,
.txtpb, .textproto, .pbtxt). Without one, an input is told by its content, and stdout is ndjson.

examples:
  turnwire convert --type ces.Message message.json -o message.binpb
  turnwire convert --type geminidataanalytics.Message answer.json --to ndjson
  curl ... | turnwire convert --type geminidataanalytics.Message -o answer.delimited -
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
    parser.add_argument("input", metavar="INPUT", help="a file, or - for stdin")
    parser.add_argument(
        "--type",
        dest="message_class",
        metavar="NAME",
        type=message_type,
        required=True,
        help="the message type: ces.Message, geminidataanalytics.Message, or a full name",
    )
    parser.add_argument("--from", dest="source", choices=FORMATS, help="the format of the input")
    parser.add_argument("--to", dest="target", choices=FORMATS, help="the format of the output")
    parser.add_argument(
        "-o",
        dest="output",
        metavar="OUTPUT",
        default=STANDARD,
        help="a file, which appears only when it is complete (default: stdout)",
    )
    parser.add_argument(
        "--unknown",
        choices=unknown.CHOICES,
        default="error",
        help="what to do with what the schema does not know (default: error); "
        "warn leaves it out and reports each path",
    )
    parser.set_defaults(run=_convert)


def _convert(arguments: argparse.Namespace) -> None:
    target: str | None = arguments.target or format_of_output(arguments.output)
    if target is None:
        reason = f"{arguments.output}: its suffix tells no format; say it with --to"
        raise UsageError(reason)
    input_name = shown(arguments.input)
    messages = read_messages(
        arguments.message_class,
        arguments.input,
        arguments.source or format_of_input(arguments.input),
        unknown.Unknown(arguments.unknown, input_name),
    )
    with sink_of(arguments.output) as sink, named(input_name):
        write_messages(messages, sink, target)
