"""`turnwire schema`: lists the messages, shows a declaration, gives the schema's files."""

from __future__ import annotations

import argparse
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from turnwire import schema
from turnwire._cli.arguments import declaration_name
from turnwire._cli.failure import UsageError
from turnwire._cli.files import STANDARD, sink_of
from turnwire._cli.printing import print_lines
from turnwire._replacing import replacing

EPILOG = """\
examples:
  turnwire schema list
  turnwire schema show ces.Chunk
  turnwire schema show gda.TextMessage.thought_signature
  protoc -I . $(turnwire schema includes) --python_out=. mine.proto
  turnwire schema export descriptors -o turnwire.binpb
  turnwire schema export protos -o third_party/proto
  turnwire schema export jsonschema -o schemas
"""

_FOLDERS = {"protos": (schema.proto_root, "*.proto"), "jsonschema": (schema.json_schema_root, "*")}
"""The folder of each kind of file, and the pattern of the names."""


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
    listing.add_argument("--enums", action="store_true", help="list the enums, not the messages")
    listing.set_defaults(run=_list)

    show = actions.add_parser(
        "show", help="a message, field, oneof, enum or enum value as its .proto file has it"
    )
    show.add_argument("name", metavar="NAME", type=declaration_name, help="such as ces.Chunk.text")
    show.set_defaults(run=_show)

    includes = actions.add_parser(
        "includes",
        help="options for protoc (-I FOLDER) that let your .proto file import the schema",
    )
    includes.set_defaults(run=_includes)

    export = actions.add_parser(
        "export",
        help="the descriptor set as one file, the .proto files or JSON Schemas as a folder",
    )
    export.add_argument(
        "what",
        choices=("descriptors", *_FOLDERS),
        metavar="descriptors|protos|jsonschema",
        help="the descriptor set, the .proto files, or the JSON Schemas",
    )
    export.add_argument(
        "-o",
        dest="output",
        metavar="PATH",
        default=STANDARD,
        help="a file for descriptors (default: stdout), a folder for the others; "
        "files of the same names are replaced",
    )
    export.set_defaults(run=_export)


def _list(arguments: argparse.Namespace) -> None:
    names = sorted(set(_enum_names())) if arguments.enums else schema.message_names()
    print_lines(map(schema.short_name, names))


def _enum_names() -> Iterator[str]:
    for name in schema.message_names():
        message = schema.message_class(name).DESCRIPTOR
        for enum in (*message.enum_types, *message.file.enum_types_by_name.values()):
            yield enum.full_name


def _show(arguments: argparse.Namespace) -> None:
    print_lines([schema.describe(arguments.name)])


def _includes(_: argparse.Namespace) -> None:
    print_lines([" ".join(f"-I{shlex.quote(str(path))}" for path in schema.include_paths())])


def _export(arguments: argparse.Namespace) -> None:
    if arguments.what == "descriptors":
        with sink_of(arguments.output) as sink:
            sink.write(schema.descriptor_set().read_bytes())
    elif arguments.output == STANDARD:
        raise UsageError(f"export {arguments.what} writes several files; name a folder: -o FOLDER")
    else:
        root, pattern = _FOLDERS[arguments.what]
        _export_files(root(), pattern, Path(arguments.output))


def _export_files(root: Path, pattern: str, folder: Path) -> None:
    for file in sorted(root.rglob(pattern)):
        target = folder / file.relative_to(root)
        target.parent.mkdir(parents=True, exist_ok=True)
        with replacing(target) as sink:
            sink.write(file.read_bytes())
