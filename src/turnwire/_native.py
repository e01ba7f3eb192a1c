"""The Rust core in the place of the pure backend, which still decides whatever the core hands back.

The core only accepts: it gives None for all that it is not certain about, errors included. So the
texts and the places of errors are those of the pure backend.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar

from google.protobuf.message import Message
from turnwire_native import Codec

from turnwire._native_types import file_set_of
from turnwire.protojson import _pure
from turnwire.protojson._columns import Column
from turnwire.protojson._reading import LossyNumbers, Unknown
from turnwire.protojson._style import Style
from turnwire.protojson._types import descriptor_of

M = TypeVar("M", bound=Message)

codecs: dict[type[Message], Codec] = {}


def codec_of(message_class: type[Message]) -> Codec:
    """The codec of a message class, made on first use."""
    codec = codecs.get(message_class)
    if codec is None:
        descriptor = descriptor_of(message_class)
        codec = Codec(message_class, file_set_of(descriptor), descriptor.full_name)
        codecs[message_class] = codec
    return codec


def parse(
    message_class: type[M],
    data: str | bytes | bytearray | memoryview,
    unknown: Unknown,
    lossy_numbers: LossyNumbers,
) -> M:
    """Reads JSON text as a message."""
    codec = codecs.get(message_class) or codec_of(message_class)
    if not isinstance(data, (bytes, str)):
        data = bytes(data)
    message: M | None = codec.parse(data, unknown, lossy_numbers)
    if message is None:
        message = _pure.parse(message_class, data, unknown, lossy_numbers)
    return message


def print_text(message: Message, style: Style) -> bytes:
    """A message as compact JSON text."""
    message_class = type(message)
    codec = codecs.get(message_class) or codec_of(message_class)
    text = codec.print(message, style.proto_names, style.enum_numbers, style.defaults)
    if text is None:
        text = _pure.print_text(message, style)
    return text


def print_indented(message: Message, style: Style, indent: int) -> bytes:
    """A message as JSON text with so many blanks for each level."""
    codec = codec_of(type(message))
    names, numbers, defaults, _ = style
    text = codec.print_indented(message, indent, names, numbers, defaults)
    if text is None:
        text = _pure.print_indented(message, style, indent)
    return text


def print_value(message: Message, style: Style) -> Any:
    """A message as a JSON value."""
    message_class = type(message)
    codec = codecs.get(message_class) or codec_of(message_class)
    value = codec.print_values(message, style.proto_names, style.enum_numbers, style.defaults)
    if value is None:
        value = _pure.print_value(message, style)
    return value


def read_value(
    message_class: type[M], value: Any, unknown: Unknown, lossy_numbers: LossyNumbers
) -> M:
    """Reads a JSON value (a dict, mostly) as a message."""
    codec = codecs.get(message_class) or codec_of(message_class)
    message: M | None = codec.parse_values(value, unknown, lossy_numbers)
    if message is None:
        message = _pure.read_value(message_class, value, unknown, lossy_numbers)
    return message


def print_field(message: Message, name: str, absent: Any) -> Any:
    """One field of a message as a JSON value, or `absent` if the field is not set."""
    value = codec_of(type(message)).print_field(message, name, absent)
    if value is None:
        value = _pure.print_field(message, name, absent)
    return value


def print_rows(
    message: Message, name: str, columns: Sequence[Column] | None
) -> list[dict[str, Any]]:
    """The Structs of a repeated field as rows; without columns, of all keys that there are."""
    rows = codec_of(type(message)).print_rows(message, name, columns)
    return _pure.print_rows(message, name, columns) if rows is None else rows
