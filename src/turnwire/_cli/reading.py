"""Reads the messages of the input that the arguments of a command name."""

from __future__ import annotations

import argparse
import io
from collections.abc import Generator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import BinaryIO, TypeVar

from google.protobuf.message import Message

from turnwire import streams
from turnwire._cli import standard
from turnwire._cli.failure import InputError, named
from turnwire._cli.files import pieces_of, shown, source_of, unpacked_pieces_of
from turnwire._cli.formats import AUTO, format_of_input, framing_of, read_messages
from turnwire._cli.lines import Lines
from turnwire._cli.on_error import OnError
from turnwire._cli.recordings import Recordings, others_that_know
from turnwire._cli.unknown import Unknown
from turnwire.errors import ParseError, TurnwireError
from turnwire.errors import Path as JsonPath

M = TypeVar("M", bound=Message)

# How the one message of a text or wire format fails where a stream was looked for.
_NO_STREAM = ("syntax", "truncated", "wire")
_NO_STREAM_HINT = (
    "; one message in protobuf's text or wire format cannot be told by its content: "
    "say --from text or --from binary"
)


@contextmanager
def messages_of(
    message_class: type[M], arguments: argparse.Namespace
) -> Generator[Generator[M, None, None]]:
    """The messages of the input that the arguments name, one by one.

    Args:
        message_class: What each of them is.
        arguments: The arguments that `add_source` adds.
    """
    reading = _Reading(source_of(arguments.input), arguments, at_end=False)
    try:
        yield reading.messages(message_class)
    finally:
        reading.sum_up()


@contextmanager
def collected(recordings: Recordings[M], arguments: argparse.Namespace) -> Generator[list[M]]:
    """All messages of the input; an error in it is raised after the block.

    Args:
        recordings: What the input may hold. Its content tells the type, unless the arguments do.
        arguments: The arguments that `add_recording` adds.
    """
    input_name, types = shown(arguments.input), recordings.types
    source = source_of(arguments.input)
    message_class = next((each for each in types if each.DESCRIPTOR.name == arguments.type), None)
    if message_class is None:
        if not (isinstance(source, Path) and source.is_file()):
            source = io.BytesIO(b"".join(pieces_of(source)))  # a pipe can be read only once
        names = _names_in(source, _format_of(arguments), types[0])
        message_class = recordings.type_by(names)
        if others := others_that_know(names, recordings):
            reason = f"this looks like {others.what}; use turnwire {others.command}"
            raise InputError(input_name, reason)
    messages: list[M] = []
    failed: InputError | None = None
    reading = _Reading(source, arguments, at_end=True)
    try:
        for message in reading.messages(message_class):
            messages.append(message)
    except InputError as error:
        failed = error
    reading.sum_up()
    if not messages and failed is None:
        standard.warn(f"{input_name}: there is no message in it")
    with named(input_name):
        yield messages
    if failed is not None:
        raise failed


class _Reading:
    """One input that is read, with the choices about what is wrong in it."""

    def __init__(
        self, source: Path | BinaryIO, arguments: argparse.Namespace, *, at_end: bool
    ) -> None:
        self._name = shown(arguments.input)
        self._format = _format_of(arguments)
        self._lines = Lines(unpacked_pieces_of(source))
        self._unknown = Unknown(arguments.unknown, self._name, self._place_of, at_end=at_end)
        self._on_error = OnError(arguments.on_error, self._name)

    def messages(self, message_class: type[M]) -> Generator[M, None, None]:
        try:
            yield from read_messages(
                message_class, self._lines, self._format, self._unknown, self._leave_out
            )
        except TurnwireError as error:
            place = self._place_of_error(error)
            hint = _NO_STREAM_HINT if self._may_be_no_stream(error) else ""
            raise InputError(place, f"{error}{hint}") from error

    def sum_up(self) -> None:
        """Says what is known only at the end, after all data."""
        standard.flush()
        self._unknown.sum_up()
        self._on_error.sum_up()

    def _leave_out(self, error: ParseError) -> None:
        self._on_error.leave_out(error, self._place_of_error(error))

    def _place_of_error(self, error: TurnwireError) -> str:
        if error.index is None:
            return self._name
        line = self._lines.line_of(error.index)
        if line is not None and isinstance(error, ParseError) and error.line is not None:
            # The element is on one line, so the error is on the same one.
            error.line = line
            return self._name
        return self._place_of(error.index)

    def _place_of(self, index: int) -> str:
        line = self._lines.line_of(index)
        return self._name if line is None else f"{self._name}: line {line}"

    def _may_be_no_stream(self, error: TurnwireError) -> bool:
        is_first = error.index == 0 and error.kind in _NO_STREAM
        return is_first and self._format == AUTO and not self._lines.is_json


def _format_of(arguments: argparse.Namespace) -> str:
    return arguments.source or format_of_input(arguments.input)


def _names_in(source: Path | BinaryIO, format: str, message_class: type[Message]) -> set[str]:
    """The names of the members of the first JSON object in an input that has any.

    There are none in the wire format, and none where nothing is known.
    """
    framing = framing_of(format)
    if framing is None:
        return set()
    unknown: list[JsonPath] = []
    messages = streams.read(
        message_class, source, format=framing, unknown=unknown.append, on_error="skip"
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
    return names
