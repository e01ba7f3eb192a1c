"""The functions of the backend that does the work (see `turnwire._backend`)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from turnwire._backend import backend
from turnwire.protojson import _pure

if TYPE_CHECKING:
    from google.protobuf.message import Message
    from turnwire_native import Codec

codecs: dict[type[Message], Codec] = {}
parse, print_text = _pure.parse, _pure.print_text
print_indented = _pure.print_indented
print_value, read_value = _pure.print_value, _pure.read_value
print_field, print_rows = _pure.print_field, _pure.print_rows

if backend == "native":
    from turnwire import _native

    codecs = _native.codecs
    parse, print_text = _native.parse, _native.print_text
    print_indented = _native.print_indented
    print_value, read_value = _native.print_value, _native.read_value
    print_field, print_rows = _native.print_field, _native.print_rows

__all__ = [
    "codecs",
    "parse",
    "print_field",
    "print_indented",
    "print_rows",
    "print_text",
    "print_value",
    "read_value",
]
