"""Prints messages in the form of ``google.protobuf.json_format``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from google.protobuf.message import Message
from google.protobuf.struct_pb2 import Struct

from turnwire.protojson import _pure
from turnwire.protojson._accelerator import MAX_CODECS, NO_CODEC, codec_of
from turnwire.protojson._arguments import check_message
from turnwire.protojson._caches import make_room
from turnwire.protojson._options import Style

if TYPE_CHECKING:
    from turnwire._backend import Codec


def print_value(message: Message, style: Style) -> Any:
    """Returns a message as JSON values, in the style that is given."""
    check_message(message)
    return _pure.print_value(message, style)


codecs: dict[type[Message], Codec] = {}
"""The codec of each message class that was used; `codec_like_json_format` adds one."""


def codec_like_json_format(message: Message) -> Codec:
    """Returns the codec of a message's class; one that decides nothing where it does not fit."""
    check_message(message)
    message_class = type(message)
    codec = codec_of(message_class) if _FITS else NO_CODEC
    make_room(codecs, MAX_CODECS)
    codecs[message_class] = codec
    return codec


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


_FITS = _writes_maps_from_their_end()
