"""Arguments that several commands have, and those that name things of the schema."""

from __future__ import annotations

import argparse
from collections.abc import Generator, Sequence
from contextlib import contextmanager

from google.protobuf.message import Message

from turnwire import schema
from turnwire._cli import on_error, unknown
from turnwire._cli.formats import FORMATS


def message_type(name: str) -> type[Message]:
    """The message class that a short or full name means."""
    with _explained("turnwire schema list"):
        return schema.message_class(name)


def declaration_name(name: str) -> str:
    """A name that the schema declares."""
    with _explained("turnwire schema list, with --enums for enums,"):
        schema.comment_of(name)
    return name


@contextmanager
def _explained(what_lists: str) -> Generator[None]:
    try:
        yield
    except schema.UnknownNameError as error:
        reason = f"{error} ({what_lists} gives the names)"
        raise argparse.ArgumentTypeError(reason) from error


def add_source(parser: argparse.ArgumentParser) -> None:
    """Adds what every command that reads messages has: the input, and what may be wrong in it."""
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
        "warn leaves it out and reports each kind of path once, with a count",
    )
    parser.add_argument(
        "--on-error",
        choices=on_error.CHOICES,
        default="raise",
        help="what to do with an element that is no such message: stop there (default: raise), "
        "leave it out, or leave it out and report it",
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
    parser.add_argument("--json", action="store_true", help="print one JSON object, on one line")
    parser.add_argument("--indent", action="store_true", help="print the JSON object indented")
