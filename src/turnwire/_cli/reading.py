"""Reads the messages of the input that the arguments of a command name."""

from __future__ import annotations

import argparse
import io
import sys
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import BinaryIO, TypeVar

from google.protobuf.message import Message

from turnwire import streams
from turnwire._cli.failure import InputError, named
from turnwire._cli.files import content_of, shown, source_of
from turnwire._cli.formats import format_of_input, framing_of, read_messages, refuse
from turnwire._cli.unknown import Unknown
from turnwire.errors import ParseError, TurnwireError
from turnwire.errors import Path as JsonPath

M = TypeVar("M", bound=Message)


def messages_of(message_class: type[M], arguments: argparse.Namespace) -> Iterator[M]:
    """The messages of the input that the arguments name, one by one."""
    return _read(message_class, source_of(arguments.input), arguments, refuse)


@contextmanager
def collected(types: Sequence[type[M]], arguments: argparse.Namespace) -> Generator[list[M]]:
    """All messages of the input; an error in it is raised after the block.

    Args:
        types: What the input may hold. Its content tells which of them, unless the arguments do;
            it is the first where nothing does.
        arguments: The arguments that `add_recording` adds.
    """
    source = source_of(arguments.input)
    message_class = next((each for each in types if each.DESCRIPTOR.name == arguments.type), None)
    if message_class is None:
        if not (isinstance(source, Path) and source.is_file()):
            source = io.BytesIO(content_of(source))  # a pipe can be read only once
        message_class = type_in(source, _format_of(arguments), types)
    messages: list[M] = []
    failed: InputError | None = None
    on_error = _on_error(arguments.on_error, shown(arguments.input))
    try:
        for message in _read(message_class, source, arguments, on_error):
            messages.append(message)
    except InputError as error:
        failed = error
    with named(shown(arguments.input)):
        yield messages
    if failed is not None:
        raise failed


def type_in(source: Path | BinaryIO, format: str, types: Sequence[type[M]]) -> type[M]:
    """Which of these types an input holds: the one that knows the most names of its first object.

    Only JSON tells it: in the wire format, and where nothing is known, it is the first type.
    """
    default = types[0]
    framing = framing_of(format)
    if framing is None:
        return default
    unknown: list[JsonPath] = []
    messages = streams.read(
        default, source, format=framing, unknown=unknown.append, on_error="skip"
    )
    names: set[str] = set()
    with closing(messages), suppress(TurnwireError):
        for message in messages:
            names = {str(path[0]) for path in unknown}
            names.update(field.json_name for field, _ in message.ListFields())
            if names:
                break
    if isinstance(source, io.BytesIO):
        source.seek(0)
    return max(types, key=lambda each: len(names & _names_in(each)))


def _read(
    message_class: type[M],
    source: Path | BinaryIO,
    arguments: argparse.Namespace,
    on_error: Callable[[ParseError], object],
) -> Iterator[M]:
    input_name = shown(arguments.input)
    unknown = Unknown(arguments.unknown, input_name)
    with named(input_name):
        yield from read_messages(message_class, source, _format_of(arguments), unknown, on_error)


def _format_of(arguments: argparse.Namespace) -> str:
    return arguments.source or format_of_input(arguments.input)


def _on_error(choice: str, input_name: str) -> Callable[[ParseError], object]:
    def warn(error: ParseError) -> None:
        print(f"turnwire: warning: {input_name}: {error}; left out", file=sys.stderr)

    def skip(error: ParseError) -> None:
        """Says nothing."""

    return {"raise": refuse, "skip": skip, "warn": warn}[choice]


def _names_in(message_class: type[Message]) -> set[str]:
    fields = message_class.DESCRIPTOR.fields
    return {name for field in fields for name in (field.name, field.json_name)}
