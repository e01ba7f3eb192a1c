"""Reads the messages of the input that the arguments of a command name."""

from __future__ import annotations

import argparse
from collections.abc import Generator, Iterable
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import NamedTuple, TypeVar

from google.protobuf.message import Message

from turnwire._cli import standard
from turnwire._cli.failure import InputError, UsageError, named
from turnwire._cli.files import shown, source_of, unpacked_pieces_of
from turnwire._cli.formats import AUTO, BINARY, PARQUET, TEXT, format_of_input, read_messages
from turnwire._cli.lines import Lines
from turnwire._cli.many import Allowed
from turnwire._cli.on_error import OnError
from turnwire._cli.peeking import names_in, refuse_wrapped
from turnwire._cli.pieces import Pieces
from turnwire._cli.recordings import Recordings, fitting_type
from turnwire._cli.unknown import Unknown
from turnwire.errors import MissingExtra, ParseError, TurnwireError
from turnwire.streams._framer import MAX_ELEMENT_BYTES

M = TypeVar("M", bound=Message)

_NO_PARQUET = "only convert, tabulate and check read Parquet; convert makes NDJSON of it"
# The errors of one message in a text or wire format where a stream was looked for.
_NO_STREAM = ("syntax", "truncated", "wire")
_NO_STREAM_HINT = (
    "; one message in protobuf's text or wire format cannot be told by its content: "
    "say --from text or --from binary"
)


@contextmanager
def messages_of(
    message_class: type[M], arguments: argparse.Namespace
) -> Generator[Generator[M, None, None]]:
    """Yields the messages of the input that the arguments name, one by one.

    Args:
        message_class: The class of each message.
        arguments: Those that `add_many` adds, with the only `input` and a choice of `on_error`.

    Raises:
        InputError: After the block, more elements were left out than are allowed.
        ProblemsFound: The same error, if that was reported.
    """
    pieces = unpacked_pieces_of(source_of(arguments.input))
    reading = _Reading(pieces, arguments, at_end=False)
    try:
        yield reading.messages(message_class)
    finally:
        reading.sum_up()
    reading.check_allowed(arguments.allow_rejects)


class Mark(NamedTuple):
    """Something in an input that is not a message of it.

    Attributes:
        after: The number of messages before it.
        text: The error, or what was left out.
    """

    after: int
    text: str


@dataclass(slots=True)
class Findings:
    """All that is wrong with an input; it is complete once the messages were read.

    Attributes:
        errors: The elements that were left out, and the error that ended the input, in order.
        unknown: The things that the schema does not know, in words.
    """

    errors: list[Mark] = field(default_factory=list[Mark])
    unknown: list[str] = field(default_factory=list[str])


@contextmanager
def recorded(
    recordings: Recordings[M], arguments: argparse.Namespace, findings: Findings | None = None
) -> Generator[Iterable[M]]:
    """Yields the messages of a recording, each as soon as it is there.

    They end at an error in the input, which is raised after the block. Warnings come then too;
    an error of the block about what it misses is one of them, where the input broke off.

    Args:
        recordings: What the input may hold. Its content decides, unless the arguments do.
        arguments: The arguments that `add_recording` adds.
        findings: Takes all that is wrong with the input.
    """
    input_name = shown(arguments.input)
    pieces = Pieces(unpacked_pieces_of(source_of(arguments.input)))
    names = names_in(pieces, _format_of(arguments), arguments.at, recordings)
    with named(input_name):
        if names and not recordings.some_command_knows(names):
            refuse_wrapped(pieces, _format_of(arguments), arguments.at, recordings)
        message_class = fitting_type(recordings, names, arguments.message_class)
    reading = _Reading(pieces.whole(), arguments, at_end=True)
    try:
        with named(input_name):
            yield reading.until_error(message_class, findings)
    except InputError as error:
        # The reason may be in an element that was left out or cut off.
        reading.sum_up()
        if reading.failed is None:
            raise
        standard.warn(str(error))
        raise reading.failed from error
    reading.sum_up()
    if reading.failed is not None:
        raise reading.failed
    if not reading.count:
        standard.warn(f"{input_name}: it holds no message")


class _Reading:
    """One input that is read, with the choices about invalid data in it."""

    def __init__(
        self, pieces: Iterable[bytes], arguments: argparse.Namespace, *, at_end: bool
    ) -> None:
        self.failed: InputError | None = None
        self.count = 0
        self._name = shown(arguments.input)
        self._format = _format_of(arguments)
        self._lines = Lines(pieces)
        self._at: str | None = arguments.at
        self._max_element_bytes: int = getattr(arguments, "max_element_bytes", MAX_ELEMENT_BYTES)
        self._unknown = Unknown(
            arguments.unknown,
            self._name,
            self._place_of,
            at_end=at_end,
            has_index=self._at is None,
        )
        self._findings: Findings | None = None
        self._on_error = OnError(arguments.on_error, self._name)

    def messages(self, message_class: type[M]) -> Generator[M, None, None]:
        try:
            yield from read_messages(
                message_class,
                self._lines,
                self._format,
                self._unknown,
                self._leave_out,
                self._at,
                self._max_element_bytes,
            )
        except MissingExtra:  # not a fault of the data
            raise
        except TurnwireError as error:
            place = self._place_of_error(error)
            hint = _NO_STREAM_HINT if self._may_be_no_stream(error) else ""
            raise InputError(place, f"{error}{hint}") from error

    def until_error(
        self, message_class: type[M], findings: Findings | None
    ) -> Generator[M, None, None]:
        """Yields the messages before an error, which is kept in `failed`, and counts them.

        One object stands for all empty messages, of which a short input can hold very many.
        """
        self._findings = findings
        empty: M | None = None
        try:
            for message in self.messages(message_class):
                self.count += 1
                if not message.ByteSize():
                    empty = message = empty or message
                yield message
        except InputError as error:
            self.failed = error
            self._mark(str(error))
        if findings is not None:
            findings.unknown += self._unknown.found

    def sum_up(self) -> None:
        """Reports what is known only at the end, after all data."""
        standard.flush()
        self._unknown.sum_up()
        self._on_error.sum_up()

    def check_allowed(self, allowed: Allowed) -> None:
        """Raises an error if more elements were left out than are allowed."""
        if not allowed.covers(self._on_error.count, self._unknown.index):
            self._on_error.fail()

    def _leave_out(self, error: ParseError) -> None:
        place = self._place_of_error(error)
        self._on_error.leave_out(error, place)
        self._mark(f"{place}: {error}; left out")

    def _mark(self, text: str) -> None:
        if self._findings is not None:
            self._findings.errors.append(Mark(self.count, text))

    def _place_of_error(self, error: TurnwireError) -> str:
        if error.index is None:
            return self._name
        line = self._lines.line_of(error.index)
        if line is not None and isinstance(error, ParseError) and error.line is not None:
            # The element is on one line, so the error is on the same one.
            error.line = line
            return self._name
        return self._place_of(error.index)

    def _place_of(self, index: int | None) -> str:
        line = self._lines.line if index is None else self._lines.line_of(index)
        return self._name if line is None else f"{self._name}: line {line}"

    def _may_be_no_stream(self, error: TurnwireError) -> bool:
        is_first = error.index == 0 and error.kind in _NO_STREAM
        return is_first and self._format == AUTO and not self._lines.is_json


def _format_of(arguments: argparse.Namespace) -> str:
    format: str = arguments.source or format_of_input(arguments.input)
    if format == PARQUET:
        raise UsageError(f"{arguments.input}: {_NO_PARQUET}")
    if arguments.at is not None and format in (BINARY, TEXT, "delimited"):
        raise UsageError(f"--at names members of JSON objects, and {format} has none")
    return format
