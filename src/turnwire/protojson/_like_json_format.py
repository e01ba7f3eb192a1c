"""Prints messages in the form of ``google.protobuf.json_format``."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from google.protobuf.message import Message
from google.protobuf.struct_pb2 import Struct

from turnwire.protojson import _pure
from turnwire.protojson._accelerator import codec_of
from turnwire.protojson._arguments import check_message
from turnwire.protojson._options import Style

if TYPE_CHECKING:
    from turnwire._backend import Codec


def print_value(message: Message, style: Style) -> Any:
    """Returns a message as JSON values, in the style that is given."""
    check_message(message)
    return _pure.print_value(message, style)


def values_of_core(message: Message, proto_names: bool, enum_numbers: bool, defaults: bool) -> Any:
    """Returns a message as JSON values, or None where the core is not certain."""
    codec = _codec_of(message)
    if codec is None:
        return None
    return codec.print_values(message, proto_names, enum_numbers, defaults, True)


def text_of_core(
    message: Message,
    proto_names: bool,
    enum_numbers: bool,
    defaults: bool,
    indent: int | None,
    ensure_ascii: bool,
) -> str | None:
    """Returns a message as JSON text, or None where the core is not certain."""
    codec = _codec_of(message)
    if codec is None:
        return None
    options = proto_names, enum_numbers, defaults
    return codec.print_like_json_format(message, indent, *options, ensure_ascii)


def _codec_of(message: Message) -> Codec | None:
    check_message(message)
    return codec_of(type(message)) if _writes_maps_from_their_end() else None


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
