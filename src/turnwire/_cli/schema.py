"""`turnwire schema`: lists the messages, shows a declaration, exports the schema's files."""

from __future__ import annotations

import argparse
import shutil
from typing import Any

from turnwire import schema
from turnwire._cli.arguments import declaration_name
from turnwire._cli.failure import UsageError
from turnwire._cli.files import STANDARD, sink_of

EPILOG = """\
examples:
  turnwire schema list
  turnwire schema show ces.Chunk
  turnwire schema show geminidataanalytics.TextMessage.thought_signature
  turnwire schema export descriptors -o turnwire.binpb
  turnwire schema export protos -o third_party/proto
"""


def add(commands: Any) -> None:
    """Adds the parser of the command."""
    parser = commands.add_parser(
        "schema",
        help="list the messages, show one with its comments, export the schema",
        description="List the messages of the schema, show a declaration, or export the files.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    actions = parser.add_subparsers(title="actions", metavar="ACTION", required=True)

    listing = actions.add_parser("list", help="the short names of all messages, one a line")
    listing.set_defaults(run=_list)

    show = actions.add_parser(
        "show", help="a message, field, oneof, enum or enum value as its .proto file has it"
    )
    show.add_argument("name", metavar="NAME", type=declaration_name, help="such as ces.Chunk.text")
    show.set_defaults(run=_show)

    export = actions.add_parser(
        "export", help="the descriptor set as one file, or the .proto files as a folder"
    )
    export.add_argument("what", choices=("descriptors", "protos"))
    export.add_argument(
        "-o",
        dest="output",
        metavar="PATH",
        default=STANDARD,
        help="a file for descriptors (default: stdout), a folder for protos",
    )
    export.set_defaults(run=_export)


def _list(_: argparse.Namespace) -> None:
    for name in schema.message_names():
        print(schema.short_name(name))


def _show(arguments: argparse.Namespace) -> None:
    print(schema.describe(arguments.name))


def _export(arguments: argparse.Namespace) -> None:
    if arguments.what == "descriptors":
        with sink_of(arguments.output) as sink:
            sink.write(schema.descriptor_set().read_bytes())
    elif arguments.output == STANDARD:
        raise UsageError("the .proto files need a folder: -o FOLDER")
    else:
        shutil.copytree(schema.proto_root(), arguments.output, dirs_exist_ok=True)
