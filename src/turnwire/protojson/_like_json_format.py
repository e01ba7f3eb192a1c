"""Prints messages in the form of ``google.protobuf.json_format``."""

from __future__ import annotations

from functools import cache
from typing import Any

from google.protobuf.message import Message
from google.protobuf.struct_pb2 import Struct

from turnwire.protojson import _pure
from turnwire.protojson._accelerator import codec_of
from turnwire.protojson._arguments import check_message
from turnwire.protojson._options import Style


def values_like_json_format(message: Message, style: Style) -> Any:
    """Returns a message as JSON values, in the order that ``json_format`` has them."""
    check_message(message)
    if _asks_core(style):
        options = style.proto_names, style.enum_numbers, style.defaults
        values = codec_of(type(message)).print_values(message, *options, True)
        if values is not None:
            return values
    return _pure.print_value(message, style)


def text_like_json_format(
    message: Message, style: Style, indent: int | None, ensure_ascii: bool
) -> str | None:
    """Returns the text of ``json_format``, or None where it must be made from the values."""
    check_message(message)
    if not _asks_core(style):
        return None
    options = style.proto_names, style.enum_numbers, style.defaults
    text: str | None = codec_of(type(message)).print_like_json_format(
        message, indent, *options, ensure_ascii
    )
    return text


def _asks_core(style: Style) -> bool:
    is_plain = not style.int64_as_numbers and style.pool is None and style.float_digits is None
    return is_plain and _writes_maps_from_their_end()


@cache
def _writes_maps_from_their_end() -> bool:
    """Returns whether the wire format has the entries of a map in the reverse of their order.

    The core relies on that: it sees the wire format, and ``json_format`` the map itself.
    """
    struct = Struct()
    keys = [f"<{number}>" for number in range(20)]
    for key in keys:
        struct.fields[key].bool_value = True
    wire = struct.SerializeToString()
    return list(struct.fields) == sorted(keys, key=lambda key: -wire.index(key.encode()))
