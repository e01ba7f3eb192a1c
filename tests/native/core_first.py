"""The result of the core, and that of pure Python where the core gives None: as the face does."""

from __future__ import annotations

from typing import Any

from turnwire.protojson import _face, _pure
from turnwire.protojson._accelerator import codec_of
from turnwire.protojson._options import Style

print_field = _face.print_field
print_rows = _face.print_rows


def parse(message_class: Any, data: Any, unknown: Any, lossy_numbers: Any) -> Any:
    message = codec_of(message_class).parse(data, unknown, lossy_numbers)
    return message or _pure.parse(message_class, data, unknown, lossy_numbers)


def read_value(message_class: Any, value: Any, unknown: Any, lossy_numbers: Any) -> Any:
    message = codec_of(message_class).parse_values(value, unknown, lossy_numbers)
    return message or _pure.read_value(message_class, value, unknown, lossy_numbers)


def print_text(message: Any, style: Style) -> bytes:
    return codec_of(type(message)).print(message, *style[:3]) or _pure.print_text(message, style)


def print_indented(message: Any, style: Style, indent: int) -> bytes:
    text = codec_of(type(message)).print_indented(message, indent, *style[:3])
    return text or _pure.print_indented(message, style, indent)


def print_value(message: Any, style: Style) -> Any:
    value = codec_of(type(message)).print_values(message, *style[:3])
    return _pure.print_value(message, style) if value is None else value
