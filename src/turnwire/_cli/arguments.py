"""Parses the arguments that several commands have, and those that name things of the schema."""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager, suppress

from google.protobuf.message import Message

from turnwire import schema
from turnwire._apis import short_names_of
from turnwire._cli import on_error, unknown
from turnwire._cli.formats import FORMATS
from turnwire.errors import excerpt

_MIN_WIDTH = 20


def message_type(name: str) -> type[Message]:
    """Returns the message class that a short or full name means."""
    with _explained("turnwire schema list"):
        return schema.message_class(name)


def declaration_name(name: str) -> str:
    """Checks that the schema declares a name, and returns it."""
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


def add_source(parser: argparse.ArgumentParser, *, unknown_default: str = "error") -> None:
    """Adds the input and the choices about invalid data, for commands that read one input."""
    parser.add_argument("input", metavar="INPUT", help="a file, or - for stdin")
    add_reading(parser, unknown_default=unknown_default)
    parser.add_argument(
        "--on-error",
        choices=on_error.CHOICES,
        default="raise",
        help="an element that is not such a message stops the command (raise, the default), is "
        "left out (skip), or is left out and reported (warn)",
    )


def add_reading(parser: argparse.ArgumentParser, *, unknown_default: str) -> None:
    """Adds the format of the input, the place of the messages, and the choice of `--unknown`."""
    parser.add_argument(
        "--from",
        dest="source",
        choices=FORMATS,
        help="the format of the input (default: by suffix, else by content)",
    )
    parser.add_argument(
        "--at",
        type=_member_names,
        metavar="NAME",
        help="read the messages in a member of each JSON object, such as the jsonPayload of log "
        "entries; a.b names the member b of the member a",
    )
    parser.add_argument(
        "--unknown",
        choices=unknown.CHOICES,
        default=unknown_default,
        help="fields and names that the schema does not know are an error, left out (ignore), or "
        f"left out and reported, each path once with a count (warn; default: {unknown_default})",
    )


def add_recorded_source(parser: argparse.ArgumentParser, types: Sequence[type[Message]]) -> None:
    """Adds the input of a command about recordings.

    Args:
        parser: The command's parser.
        types: The message classes that a recording may hold.
    """
    add_source(parser, unknown_default="warn")
    names = [message_class.DESCRIPTOR.name for message_class in types]
    parser.add_argument(
        "--type",
        dest="message_class",
        type=one_of(types),
        metavar="|".join(names),
        help=f"the type of the messages (default: by the first one's names, else {names[0]})",
    )


def add_recording(parser: argparse.ArgumentParser, types: Sequence[type[Message]]) -> None:
    """Adds the arguments of all commands that show a recording.

    Args:
        parser: The command's parser.
        types: The message classes that a recording may hold.
    """
    add_recorded_source(parser, types)
    parser.add_argument(
        "--width",
        type=at_least(_MIN_WIDTH),
        metavar="COLUMNS",
        help="fit tables and long lines into this many columns (default: those of the terminal; "
        "lines of any length where stdout is not one)",
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object, on one line")
    parser.add_argument("--indent", action="store_true", help="print the JSON object indented")


def _member_names(text: str) -> str:
    """Checks that a text is names with dots between them, and returns it."""
    if not all(text.split(".")):
        raise argparse.ArgumentTypeError(f"expected names of members; got {excerpt(text)}")
    return text


def at_least(least: int) -> Callable[[str], int]:
    """Returns a function that parses a whole number of at least `least`."""

    def parse(text: str) -> int:
        with suppress(ValueError):
            if (number := int(text)) >= least:
                return number
        reason = f"expected a whole number of at least {least}; got {excerpt(text)}"
        raise argparse.ArgumentTypeError(reason)

    return parse


def one_of(types: Sequence[type[Message]]) -> Callable[[str], type[Message]]:
    """Returns a function that finds one of the types by any of its names."""
    names = Counter(each.DESCRIPTOR.name for each in types)
    by_name = {_shortest_name(each, names): each for each in types}

    def find(name: str) -> type[Message]:
        with suppress(schema.UnknownNameError):
            found = by_name.get(name) or schema.message_class(name)
            if found in types:
                return found
        reason = f"expected one of {', '.join(by_name)}; got {excerpt(name)}"
        raise argparse.ArgumentTypeError(reason)

    return find


def _shortest_name(message_class: type[Message], names: Counter[str]) -> str:
    """Returns the name of a class, with that of its API where another class has the same."""
    name = message_class.DESCRIPTOR.name
    if names[name] == 1:
        return name
    return short_names_of(message_class.DESCRIPTOR.full_name)[-1]
