"""Reads the messages of lines one by one, and leaves what is not plain to the stream reader."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

from google.protobuf.message import Message

from turnwire import protojson, streams
from turnwire._cli.lines import Lines, begins_with_object_line
from turnwire._cli.unknown import Harmless, Unknown
from turnwire.errors import ParseError, Path, TurnwireError

M = TypeVar("M", bound=Message)
OnError = Callable[[ParseError], object]


def messages_of_lines(
    message_class: type[M],
    source: Lines,
    format: streams.Format,
    unknown: Unknown,
    on_error: OnError,
    max_element_bytes: int,
) -> Iterator[M]:
    """Yields the messages of an input whose first line is one object.

    Everything is as `turnwire.read` has it. Only a line that is such a message, without anything
    unknown, is read here; another object goes to the stream reader alone, and from a line that
    is not one whole object on, it gets all that is left.

    Args:
        message_class: The class of each message.
        source: The input.
        format: The format for the stream reader.
        unknown: The choice about unknown fields; its index is counted on.
        on_error: Is called with the error of an element, which is left out if it returns.
        max_element_bytes: The size of the largest element that is read.
    """
    left_out: list[Path] = []
    choice: protojson.Unknown = "error" if unknown.is_error else left_out.append

    def read(rest: Iterable[bytes], first: int) -> Iterator[M]:
        """Yields the messages of the stream reader, whose indices begin at `first`."""
        counted: list[TurnwireError] = []

        def count(error: TurnwireError) -> None:
            if error not in counted and error.index is not None:
                error.index += max(first - 1, 0)
            counted[:] = [error]

        def leave_out(error: ParseError) -> None:
            count(error)
            on_error(error)
            unknown.index += 1

        messages = streams.read(
            message_class,
            # After an object, other things are wrong than at the start.
            itertools.chain([b"{}\n"], rest) if first else rest,
            format=format,
            unknown=unknown.for_json,
            on_error=leave_out,
            max_element_bytes=max_element_bytes,
        )
        if first:
            next(messages)
        try:
            for message in messages:
                yield message
                unknown.index += 1
        except TurnwireError as error:
            count(error)
            raise

    harmless = Harmless()
    lines = source.whole(max_element_bytes)
    for line in lines:
        message = None
        if len(line) <= max_element_bytes:
            try:  # noqa: SIM105  # suppress would take a fifth of the time
                message = protojson.from_json(message_class, line, unknown=choice)
            except ParseError:  # the stream reader reports it
                pass
        if message is not None and not left_out:
            yield message
            unknown.index += 1
            continue
        if message is not None and harmless.has(left_out, message):
            for path in left_out:
                unknown.report_path(path)
            left_out.clear()
            yield message
            unknown.index += 1
            continue
        noted, left_out[:] = list(left_out), []
        if begins_with_object_line(line) and len(line) <= max_element_bytes:
            yield from read([line], unknown.index)
            harmless.add(noted)
        else:
            rest = itertools.chain([line], lines)
            ended = (text if source.is_open else text + b"\n" for text in rest)
            yield from read(ended, unknown.index)
