"""The public functions, and single fields for accessors.

Each asks the accelerator first, and pure Python where it must.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Generic, TypeVar

from google.protobuf.descriptor_pool import DescriptorPool
from google.protobuf.message import Message

from turnwire.protojson import _pure
from turnwire.protojson._accelerator import CORE_DEPTHS, NO_CODEC, codec_of, codecs
from turnwire.protojson._arguments import (
    check_indent,
    check_max_depth,
    check_message,
    check_message_class,
    check_options,
    check_pool,
    check_text,
)
from turnwire.protojson._columns import Column
from turnwire.protojson._options import LossyNumbers, Style, Unknown, UnknownPlaces

M = TypeVar("M", bound=Message)


def from_json(
    message_class: type[M],
    data: str | bytes | bytearray | memoryview,
    *,
    unknown: Unknown = "error",
    lossy_numbers: LossyNumbers = "round",
    max_depth: int | None = None,
    pool: DescriptorPool | None = None,
    check_required: bool | None = None,
) -> M:
    """Reads JSON text as a message.

    Args:
        message_class: Any generated protobuf message class.
        data: One JSON value, as text or as UTF-8 bytes.
        unknown: The treatment of unknown fields, enum names and ``Any`` types: ``"error"`` refuses
            them, ``"warn"`` leaves them out with one `UnknownFieldWarning` per place (a path
            without indices), ``"ignore"`` leaves them out, and a callable gets the path (a tuple
            of member names and indices) of each one that was left out.
        lossy_numbers: The treatment of an integer in a ``Struct`` that a double cannot hold, one
            beyond 2**53: ``"round"`` it, as the specification says, or make it an ``"error"``.
        max_depth: How many levels of messages may nest below the outermost one, from 0 to 100;
            None is 100, which is the limit of protobuf itself.
        pool: The pool in which types of an ``Any`` and extensions are looked for first.
        check_required: Whether a required field (proto2, editions) that is not set is an error.

    Returns:
        A new message.

    Raises:
        ParseError: The data is not the JSON of such a message. The text says what was expected,
            what came and where.
        TypeError: ``message_class`` is not a protobuf message class, or the data is not text.
        ValueError: An option has a value that does not exist.

    >>> from turnwire import ces
    >>> from_json(ces.ToolCall, '{"id": "c1", "args": {"n": 3}}').args["n"]
    3.0
    >>> left_out: list[tuple[str | int, ...]] = []
    >>> from_json(ces.ToolCall, '{"id": "c1", "colour": "red"}', unknown=left_out.append).id
    'c1'
    >>> left_out
    [('colour',)]
    """
    message: M | None
    if max_depth is None and pool is None and check_required is None:
        try:
            codec = codecs[message_class]
        except (KeyError, TypeError):
            check_message_class(message_class)
            codec = codec_of(message_class)
        message = codec.parse(data, unknown, lossy_numbers)
        if message is not None:
            return message
    check_text(data)
    was_asked = isinstance(data, str | bytes) and unknown != "warn"
    if was_asked and max_depth is None and pool is None and check_required is None:
        check_options(unknown, lossy_numbers)
        return _pure.parse(message_class, data, unknown, lossy_numbers)
    check_message_class(message_class)
    options = unknown, lossy_numbers, max_depth, pool, check_required
    reading = Reading(message_class, *options)
    message = reading.of_text(data)
    reading.finish(message, stacklevel=2)
    return message


def from_dict(
    message_class: type[M],
    value: Any,
    *,
    unknown: Unknown = "error",
    lossy_numbers: LossyNumbers = "round",
    max_depth: int | None = None,
    pool: DescriptorPool | None = None,
    check_required: bool | None = None,
) -> M:
    """Reads a message from JSON values in Python: dicts, lists, str, int, float, bool and None.

    The rules are those of `from_json`. A well-known type whose JSON is not an object is read from
    its JSON form, a ``Timestamp`` from a str, say. Four types of Python stand for theirs as well:
    an aware `datetime.datetime` for a ``Timestamp``, a `datetime.timedelta` for a ``Duration``,
    `bytes` for a field of bytes, and a `decimal.Decimal` for a number.

    Args:
        message_class: Any generated protobuf message class.
        value: The JSON value, a dict for most classes; it is not changed.
        unknown: As for `from_json`.
        lossy_numbers: As for `from_json`.
        max_depth: As for `from_json`.
        pool: As for `from_json`.
        check_required: As for `from_json`.

    Returns:
        A new message.

    Raises:
        ParseError: The value is not the JSON of such a message.
        TypeError: ``message_class`` is not a protobuf message class.
        ValueError: An option has a value that does not exist.

    >>> from turnwire import ces
    >>> from_dict(ces.Message, {"role": "user", "chunks": [{"text": "hello"}]}).chunks[0].text
    'hello'
    """
    check_message_class(message_class)
    options = unknown, lossy_numbers, max_depth, pool, check_required
    reading = Reading(message_class, *options)
    message = reading.of_value(value)
    reading.finish(message, stacklevel=2)
    return message


class Reading(Generic[M]):
    """One reading: its options, checked, and its steps."""

    def __init__(
        self,
        message_class: type[M],
        unknown: Unknown,
        lossy_numbers: LossyNumbers,
        max_depth: int | None,
        pool: DescriptorPool | None,
        check_required: bool | None,
    ) -> None:
        check_options(unknown, lossy_numbers)
        check_max_depth(max_depth, _pure.MAX_DEPTH)
        check_pool(pool)
        self._message_class = message_class
        self._places = UnknownPlaces(message_class) if unknown == "warn" else None
        self._check_required = check_required
        told = self._places or unknown
        self._core_options = told, lossy_numbers
        depth = _pure.MAX_DEPTH if max_depth is None else max_depth
        self._options = told, lossy_numbers, pool, depth
        asks_core = max_depth in CORE_DEPTHS and pool is None
        self._codec = codec_of(message_class) if asks_core else NO_CODEC

    def of_text(self, data: str | bytes | bytearray | memoryview, target: M | None = None) -> M:
        """Returns the message of a text; `target`, which is empty, if it is given."""
        check_text(data)
        if not isinstance(data, str | bytes):
            data = data.tobytes() if isinstance(data, memoryview) else bytes(data)
        message: M | None
        if target is None:
            message = self._codec.parse(data, *self._core_options)
        else:
            message = self._codec.parse_into(target, data, *self._core_options)
        if message is None:
            message = _pure.parse(self._message_class, data, *self._options, target)
        return message

    def of_value(self, value: Any, target: M | None = None, *, base64_bytes: bool = False) -> M:
        """Returns the message of a JSON value, as `of_text` does.

        Args:
            value: The value.
            target: The message to read into.
            base64_bytes: Whether bytes from Python are base64 instead of the value itself.
        """
        message: M | None
        if target is None:
            message = self._codec.parse_values(value, *self._core_options)
        else:
            message = self._codec.parse_values_into(target, value, *self._core_options)
        if message is None:
            # The core leaves values with bytes to Python.
            options = *self._options, target, base64_bytes
            message = _pure.read_value(self._message_class, value, *options)
        return message

    def finish(self, message: Message, stacklevel: int) -> None:
        """Checks required fields, and warns of unknown ones; 1 is the caller's line."""
        if self._check_required:
            _pure.check_required(message)
        if self._places is not None:
            self._places.warn(stacklevel + 1)


def to_json(
    message: Message,
    *,
    proto_names: bool = False,
    enum_numbers: bool = False,
    defaults: bool = False,
    int64_as_numbers: bool | None = None,
    ascii: bool | None = None,
    indent: int | None = None,
    pool: DescriptorPool | None = None,
) -> bytes:
    r"""Prints a message as JSON: the same message always gives the same bytes.

    Args:
        message: A message of any generated class.
        proto_names: Whether members have the names of the ``.proto`` file instead of
            lowerCamelCase.
        enum_numbers: Whether enum values are printed as numbers instead of names.
        defaults: Whether fields without presence are printed though they hold their default.
        int64_as_numbers: Whether 64-bit integers are printed as numbers where a double holds them
            exactly, instead of in quotes.
        ascii: Whether other characters than ASCII are escaped.
        indent: How many blanks to indent by; None prints no blanks at all.
        pool: The pool in which types of an ``Any`` and extensions are looked for first.

    Returns:
        UTF-8 text without a line end.

    Raises:
        SerializeError: The message holds something that JSON cannot, such as NaN in a ``Struct``.
        TypeError: ``message`` is not a protobuf message.
        ValueError: ``indent`` is not a number of blanks.

    >>> from turnwire import ces
    >>> to_json(ces.ToolCall(id="c1", display_name="Find seats"))
    b'{"id":"c1","displayName":"Find seats"}'
    >>> to_json(ces.ToolCall(display_name="Find"), proto_names=True, indent=2)
    b'{\n  "display_name": "Find"\n}'
    """
    printed: bytes | None
    if indent is None and pool is None and int64_as_numbers is None and ascii is None:
        try:
            codec = codecs[type(message)]
        except KeyError:
            check_message(message)
            codec = codec_of(type(message))
        printed = codec.print(message, proto_names, enum_numbers, defaults)
        if printed is not None:
            return printed
        return _pure.print_text(message, Style(proto_names, enum_numbers, defaults))
    check_message(message)
    check_indent(indent)
    check_pool(pool)
    style = Style(proto_names, enum_numbers, defaults, bool(int64_as_numbers), pool)
    printed = None
    if pool is None and not int64_as_numbers:
        codec, options = codec_of(type(message)), (proto_names, enum_numbers, defaults)
        if indent is None:
            printed = codec.print(message, *options)
        else:
            printed = codec.print_indented(message, indent, *options)
    if printed is None:
        if indent is None:
            printed = _pure.print_text(message, style)
        else:
            printed = _pure.print_indented(message, style, indent)
    return _escaped(printed) if ascii else printed


def to_dict(
    message: Message,
    *,
    proto_names: bool = False,
    enum_numbers: bool = False,
    defaults: bool = False,
    int64_as_numbers: bool = False,
    pool: DescriptorPool | None = None,
) -> Any:
    """Prints a message as JSON values in Python.

    Args:
        message: A message of any generated class.
        proto_names: As for `to_json`.
        enum_numbers: As for `to_json`.
        defaults: As for `to_json`.
        int64_as_numbers: As for `to_json`.
        pool: As for `to_json`.

    Returns:
        The same as ``json.loads`` of `to_json`: a dict, except for the well-known types whose JSON
        is not an object. A ``Struct`` gives a plain, deep dict. Nothing is shared with the message.

    Raises:
        SerializeError: The message holds something that JSON cannot.
        TypeError: ``message`` is not a protobuf message.

    >>> from turnwire import ces
    >>> to_dict(ces.Message(role="user", chunks=[ces.Chunk(text="hello")]))
    {'role': 'user', 'chunks': [{'text': 'hello'}]}
    """
    check_message(message)
    check_pool(pool)
    if pool is None and not int64_as_numbers:
        codec = codec_of(type(message))
        value = codec.print_values(message, proto_names, enum_numbers, defaults)
        if value is not None:
            return value
    style = Style(proto_names, enum_numbers, defaults, int64_as_numbers, pool)
    return _pure.print_value(message, style)


def print_field(message: Message, name: str, absent: Any) -> Any:
    """Returns one field of a message as a JSON value.

    Args:
        message: The message.
        name: The field's name in JSON or in the schema.
        absent: The result for a field that is not set or does not exist.

    Raises:
        SerializeError: The field holds something that JSON cannot.
    """
    value = codec_of(type(message)).print_field(message, name, absent)
    return _pure.print_field(message, name, absent) if value is None else value


def print_rows(message: Message, name: str, columns: Sequence[Column]) -> list[dict[str, Any]]:
    """Returns the Structs of a repeated field as rows.

    Args:
        message: The message.
        name: The field's name in JSON or in the schema; without such a field the list is empty.
        columns: The columns of each row.

    Raises:
        SerializeError: The field holds something that JSON cannot.
    """
    rows = codec_of(type(message)).print_rows(message, name, columns)
    return _pure.print_rows(message, name, columns) if rows is None else rows


# DEL is escaped too, as Python's json does.
_not_ascii = re.compile(r"[^\x00-\x7e]")


def _escaped(text: bytes) -> bytes:
    if text.isascii() and b"\x7f" not in text:
        return text
    return _not_ascii.sub(_escape, text.decode()).encode()


def _escape(found: re.Match[str]) -> str:
    units = found[0].encode("utf-16-be")
    return "".join(f"\\u{units[at : at + 2].hex()}" for at in range(0, len(units), 2))
