"""The pure-Python backend: JSON to messages and back, for any generated message class."""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from google.protobuf.message import DecodeError, Message

from turnwire.errors import ParseError, SerializeError
from turnwire.protojson._columns import Column, row_maker
from turnwire.protojson._printer import LargeBytes, message_printer, print_one_field
from turnwire.protojson._problem import Problem
from turnwire.protojson._reader import message_reader
from turnwire.protojson._reading import LossyNumbers, Reading, Unknown
from turnwire.protojson._style import Style, text_style
from turnwire.protojson._text import text_of, values_of
from turnwire.protojson._types import descriptor_of
from turnwire.protojson._values import ExactNeeded

M = TypeVar("M", bound=Message)
R = TypeVar("R")


def parse(
    message_class: type[M],
    data: str | bytes | bytearray | memoryview,
    unknown: Unknown,
    lossy_numbers: LossyNumbers,
) -> M:
    """Reads JSON text as a message."""
    text = text_of(data)
    try:
        return _read(message_class, values_of(text), Reading(unknown, lossy_numbers, text))
    except ExactNeeded:
        # Rare: a number that a double would change. Then, every number is read from its text.
        value = values_of(text, exact=True)
        return _read(message_class, value, Reading(unknown, lossy_numbers, None))


def read_value(
    message_class: type[M], value: Any, unknown: Unknown, lossy_numbers: LossyNumbers
) -> M:
    """Reads a JSON value (a dict, mostly) as a message."""
    return _read(message_class, value, Reading(unknown, lossy_numbers, None))


def _read(message_class: type[M], value: Any, reading: Reading) -> M:
    try:
        wire = message_reader(descriptor_of(message_class))(value, reading, 0)
        if wire is None:
            reading.leave_out(value, None, value)
            wire = ""
        message = message_class.FromString(wire.encode("latin-1"))
    except Problem as problem:
        raise problem.error(ParseError) from None
    except RecursionError:
        reason = "the stack is too short here to read a value nested this deeply"
        raise ParseError(reason, kind="depth") from None
    except DecodeError as error:
        raise ParseError(f"protobuf's parser refused the message: {error}", kind="wire") from None
    reading.tell_left_out(value)
    return message


def print_value(message: Message, style: Style) -> Any:
    """A message as a JSON value."""
    return _told(lambda: message_printer(descriptor_of(message), style)(message, -1))


def print_text(message: Message, style: Style) -> bytes:
    """A message as compact JSON text."""
    return _told(
        lambda: _encode(message_printer(descriptor_of(message), text_style(style))(message, -1))
    )


def print_indented(message: Message, style: Style, indent: int) -> bytes:
    """A message as JSON text with so many blanks for each level."""
    text = json.dumps(print_value(message, style), ensure_ascii=False, indent=indent)
    try:
        return text.encode()
    except UnicodeEncodeError:
        reason = "a string holds a lone surrogate"
        raise SerializeError(reason, kind="encoding") from None


def print_field(message: Message, name: str, absent: Any) -> Any:
    """One field of a message as a JSON value, or `absent` if the field is not set."""
    return _told(lambda: print_one_field(message, name, Style(), absent))


def print_rows(
    message: Message, name: str, columns: Sequence[Column] | None
) -> list[dict[str, Any]]:
    """The Structs of a repeated field as rows; without columns, of all keys that there are."""
    objects: list[dict[str, Any]] = print_field(message, name, [])
    if columns is None:
        columns = [Column(key) for key in sorted(set[str]().union(*objects))]
    as_row = row_maker(columns)
    return [as_row(members) for members in objects]


def _told(make: Callable[[], R]) -> R:
    """What `make` makes; what stops it is told as a SerializeError."""
    try:
        return make()
    except Problem as problem:
        raise problem.error(SerializeError) from None
    except RecursionError:
        reason = "the stack is too short here to print a message nested this deeply"
        raise SerializeError(reason, kind="depth") from None


class _HoldsLargeBytes(Exception):
    """The plain encoder met large bytes."""


def _encoder(default: Callable[[Any], str]) -> json.JSONEncoder:
    return json.JSONEncoder(
        ensure_ascii=False,
        allow_nan=False,
        check_circular=False,
        separators=(",", ":"),
        default=default,
    )


def _refuse(item: object) -> str:
    raise _HoldsLargeBytes


_encode_plain = _encoder(_refuse).encode


def _encode(value: Any) -> bytes:
    try:
        return _encode_plain(value).encode()
    except _HoldsLargeBytes:
        return _encode_with_large_bytes(value)


def _encode_with_large_bytes(value: Any) -> bytes:
    # Base64 needs no escapes. Looking through megabytes of it for some takes longer than making it.
    large: list[LargeBytes] = []
    # Never in a document by chance.
    mark = secrets.token_hex(16)

    def set_aside(item: LargeBytes) -> str:
        large.append(item)
        return mark

    pieces = _encoder(set_aside).encode(value).encode().split(mark.encode())
    for position in range(len(large), 0, -1):
        pieces.insert(position, large[position - 1].base64())
    return b"".join(pieces)
