"""Arguments that several commands have, and those that name things of the schema."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from google.protobuf.message import Message

from turnwire import schema
from turnwire._cli import unknown
from turnwire._cli.formats import FORMATS


def message_type(name: str) -> type[Message]:
    """The message class that a short or full name means."""
    try:
        return schema.message_class(name)
    except schema.UnknownNameError as error:
        raise argparse.ArgumentTypeError(str(error)) from error


def declaration_name(name: str) -> str:
    """A name that the schema declares."""
    try:
        schema.comment_of(name)
    except schema.UnknownNameError as error:
        raise argparse.ArgumentTypeError(str(error)) from error
    return name


def add_source(parser: argparse.ArgumentParser) -> None:
    """Adds what every command that reads messages has: the input, its format, `--unknown`."""
    parser.add_argument("input", metavar="INPUT", help="a file, or - for stdin")
    parser.add_argument(
        "--from",
        dest="source",
        choices=FORMATS,
        help="the format of the input (default: by suffix, else by content)",
    )
    parser.add_argument(
        "--unknown",
        choices=unknown.CHOICES,
        default="error",
        help="what to do with what the schema does not know (default: error); "
        "warn leaves it out and reports each path",
    )


def add_recording(parser: argparse.ArgumentParser, types: Sequence[type[Message]]) -> None:
    """Adds what every command that shows a recording has.

    Args:
        parser: The command's parser.
        types: What a recording may hold.
    """
    add_source(parser)
    names = [message_class.DESCRIPTOR.name for message_class in types]
    parser.add_argument(
        "--type",
        choices=names,
        help=f"the type of the messages (default: by the first one's names, else {names[0]})",
    )
    parser.add_argument(
        "--on-error",
        choices=("raise", "skip", "warn"),
        default="raise",
        help="what to do with an element that is no such message: stop there (default: raise), "
        "leave it out, or leave it out and report it",
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object, on one line")
    parser.add_argument("--indent", action="store_true", help="print the JSON object indented")
