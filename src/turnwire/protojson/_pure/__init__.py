"""The JSON mapping in pure Python, for any message class: it decides every result and error.

The functions are those of the face, with every option given.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeVar

from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.descriptor_pool import DescriptorPool
from google.protobuf.message import DecodeError, Message

from turnwire.errors import ParseError, SerializeError
from turnwire.protojson._columns import Column, row_maker
from turnwire.protojson._options import LossyNumbers, Style, Unknown
from turnwire.protojson._pure._printer import message_printer, print_one_field
from turnwire.protojson._pure._problem import MAX_DEPTH, Problem
from turnwire.protojson._pure._reader import message_reader
from turnwire.protojson._pure._reading import Reading
from turnwire.protojson._pure._scalars import map_key_printer
from turnwire.protojson._pure._text import text_of, values_in
from turnwire.protojson._pure._types import class_in, descriptor_of, entry_fields
from turnwire.protojson._pure._values import ExactNeeded

__all__ = [
    "MAX_DEPTH",
    "check_required",
    "parse",
    "print_field",
    "print_indented",
    "print_rows",
    "print_text",
    "print_value",
    "read_value",
]

M = TypeVar("M", bound=Message)
R = TypeVar("R")


def parse(
    message_class: type[M],
    data: str | bytes | bytearray | memoryview,
    unknown: Unknown = "error",
    lossy_numbers: LossyNumbers = "round",
    pool: DescriptorPool | None = None,
    max_depth: int = MAX_DEPTH,
    target: M | None = None,
) -> M:
    """Reads JSON text as a message; into `target`, which is empty, if it is given."""
    text = text_of(data)
    options = unknown, lossy_numbers
    try:
        reading = Reading(*options, text, pool, max_depth)
        return _read(message_class, values_in(text, reading.left_out), reading, target)
    except ExactNeeded:
        # Rare: a number that a double would change. Then, every number is read from its text.
        reading = Reading(*options, None, pool, max_depth)
        values = values_in(text, reading.left_out, exact=True)
        return _read(message_class, values, reading, target)


def read_value(
    message_class: type[M],
    value: Any,
    unknown: Unknown = "error",
    lossy_numbers: LossyNumbers = "round",
    pool: DescriptorPool | None = None,
    max_depth: int = MAX_DEPTH,
    target: M | None = None,
    base64_bytes: bool = False,
) -> M:
    """Reads a JSON value (a dict, mostly) as a message, or into one, as `parse` does."""
    reading = Reading(unknown, lossy_numbers, None, pool, max_depth, base64_bytes=base64_bytes)
    return _read(message_class, value, reading, target)


def _read(message_class: type[M], value: Any, reading: Reading, target: M | None) -> M:
    try:
        wire = message_reader(descriptor_of(message_class))(value, reading, 0)
        if wire is None:
            reading.leave_out(value, None, value)
            wire = ""
        if not reading.left_out.entries:
            # The values, which take the most memory, are not needed any more.
            value = None
        data = wire.encode("latin-1")
        del wire
        message = message_class() if target is None else target
        message.MergeFromString(data)
    except Problem as problem:
        raise problem.error(ParseError) from None
    except RecursionError:
        reason = "the stack is too short here to read a value nested this deeply"
        raise ParseError(reason, kind="depth") from None
    except (DecodeError, UnicodeDecodeError) as error:
        raise ParseError(f"protobuf's parser refused the message: {error}", kind="wire") from None
    reading.tell_left_out(value)
    return message


def check_required(message: Message) -> None:
    """Raises a ParseError for a required field that is not set."""
    try:
        _check_required(message)
    except Problem as problem:
        raise problem.error(ParseError) from None


def _check_required(message: Any) -> None:
    """Raises a Problem for the first required field that a message or one inside of it lacks."""
    descriptor: Descriptor = message.DESCRIPTOR
    for field in descriptor.fields:
        if field.is_required and not message.HasField(field.name):
            problem = Problem("required", "the field is required and not set")
            raise problem.within(field.json_name, field.full_name)
    for field, value in message.ListFields():
        if field.message_type is None:
            continue
        for step, held in _held(field, value):
            try:
                _check_required(held)
            except Problem as problem:
                key = f"[{field.full_name}]" if field.is_extension else field.json_name
                placed = problem if step is None else problem.at(step)
                raise placed.within(key, field.full_name) from None


def _held(field: FieldDescriptor, value: Any) -> Iterator[tuple[str | int | None, Any]]:
    """Iterates over the messages in a field, with the step that leads to each below the field."""
    entry = entry_fields(field)
    if entry is None:
        yield from enumerate(value) if field.is_repeated else ((None, value),)
    elif entry[1].message_type is not None:
        print_key = map_key_printer(entry[0])
        for key, held in value.items():
            yield print_key(key), held


def print_value(message: Message, style: Style) -> Any:
    """Returns a message as a JSON value."""
    return _placed(lambda: _print(message, style))


def print_text(message: Message, style: Style) -> bytes:
    """Returns a message as compact JSON text."""
    return _utf8(_placed(lambda: _encoder.encode(_print(message, style))))


def print_indented(message: Message, style: Style, indent: int) -> bytes:
    """Returns a message as JSON text with a number of blanks for each level."""
    return _utf8(json.dumps(print_value(message, style), ensure_ascii=False, indent=indent))


def print_field(message: Message, name: str, absent: Any) -> Any:
    """Returns one field as a JSON value, or `absent` if it is not set or does not exist."""
    return _placed(lambda: print_one_field(message, name, Style(), absent))


def print_rows(message: Message, name: str, columns: Sequence[Column]) -> list[dict[str, Any]]:
    """Returns the Structs of a repeated field as rows of these columns."""
    objects: list[dict[str, Any]] = print_field(message, name, [])
    as_row = row_maker(columns)
    return [as_row(members) for members in objects]


def _print(message: Message, style: Style) -> Any:
    descriptor = descriptor_of(message)
    if style.pool is not None and style.pool is not descriptor.file.pool:
        # Only the class of that pool knows the extensions that are in it.
        other_class = class_in(style.pool, descriptor.full_name)
        if other_class is not None:
            message = other_class.FromString(message.SerializePartialToString())
            descriptor = descriptor_of(message)
    return message_printer(descriptor, style)(message, -1)


def _placed(make: Callable[[], R]) -> R:
    """Calls `make` and turns internal problems into `SerializeError`."""
    try:
        return make()
    except Problem as problem:
        raise problem.error(SerializeError) from None
    except RecursionError:
        reason = "the stack is too short here to print a message nested this deeply"
        raise SerializeError(reason, kind="depth") from None


_encoder = json.JSONEncoder(
    ensure_ascii=False, allow_nan=False, check_circular=False, separators=(",", ":")
)


def _utf8(text: str) -> bytes:
    try:
        return text.encode()
    except UnicodeEncodeError:
        reason = "a string holds a lone surrogate"
        raise SerializeError(reason, kind="encoding") from None
