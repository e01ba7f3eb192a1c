"""Picks the backend that does the work: the Rust core where it is installed, else pure Python.

``TURNWIRE_PURE=1`` in the environment forces the pure one; ``TURNWIRE_REQUIRE_NATIVE=1`` makes it
an error that the core is missing or of another version. Both are read at import.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Literal

from turnwire.protojson import _pure

if TYPE_CHECKING:
    from google.protobuf.message import Message
    from turnwire_native import Codec

_FITTING_VERSIONS = ("0.1.",)

backend: Literal["pure", "native"] = "pure"
codecs: dict[type[Message], Codec] = {}
parse, print_text = _pure.parse, _pure.print_text
print_value, read_value = _pure.print_value, _pure.read_value
print_field = _pure.print_field


def _has_native() -> bool:
    if os.environ.get("TURNWIRE_PURE") == "1":
        return False
    required = os.environ.get("TURNWIRE_REQUIRE_NATIVE") == "1"
    try:
        import turnwire_native
    except ModuleNotFoundError as error:
        # Any other error is that of an installation that is broken, not absent.
        if error.name != "turnwire_native" or required:
            raise
        return False
    if turnwire_native.__version__.startswith(_FITTING_VERSIONS):
        return True
    if required:
        raise ImportError(
            f"turnwire-native {turnwire_native.__version__} does not fit this Turnwire"
        )
    return False


if _has_native():
    from turnwire import _native

    backend = "native"
    codecs = _native.codecs
    parse, print_text = _native.parse, _native.print_text
    print_value, read_value = _native.print_value, _native.read_value
    print_field = _native.print_field

__all__ = [
    "backend",
    "codecs",
    "parse",
    "print_field",
    "print_text",
    "print_value",
    "read_value",
]
