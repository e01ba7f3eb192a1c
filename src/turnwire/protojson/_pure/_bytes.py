"""Base64 to bytes, by the letter of RFC 4648, and bytes to base64."""

from __future__ import annotations

import binascii

from turnwire.errors import excerpt
from turnwire.protojson._pure._problem import Problem
from turnwire.protojson._pure._values import wrong_type

_to_standard = str.maketrans("-_", "+/")
_padding = ("", "", "==", "=")

# The characters that may end a group of so many, so that the unused bits are zero.
_last_of_group = (None, None, frozenset("AQgw"), frozenset("AEIMQUYcgkosw048"))


def bytes_of(value: object) -> bytes:
    """Returns the bytes of a base64 text, or bytes from Python as they are.

    Either alphabet is read, but not both in one value. Padding may be left out; where it is given
    it must be complete. Blanks are errors, and so are unused bits that are not zero, save in a
    URL-safe text without padding.
    """
    if not isinstance(value, str):
        if isinstance(value, bytes | bytearray | memoryview):
            return bytes(value)
        raise wrong_type("base64 string", value)
    text = value
    url_safe = "-" in value or "_" in value
    if url_safe:
        if "+" in value or "/" in value:
            raise _not_base64(value, ": it mixes two alphabets")
        text = value.translate(_to_standard)
    padded = value.endswith("=")
    if padded:
        last = value[-4:].rstrip("=")
        rest = len(last)
        if rest not in (2, 3) or len(value) % 4:
            raise _not_base64(value, ": the padding is wrong")
    else:
        last = value[-1:]
        rest = len(value) % 4
        text += _padding[rest]
    # The official conformance suite wants "-_" read: URL-safe, bare, and with bits left over.
    allowed = None if url_safe and not padded else _last_of_group[rest]
    if allowed and last[-1:] not in allowed:
        raise _not_base64(value, ": the last character has bits set that belong to no byte")
    try:
        return binascii.a2b_base64(text, strict_mode=True)
    except ValueError:
        raise _not_base64(value) from None


def base64_of(value: bytes) -> str:
    """Returns the standard base64 of bytes, with padding."""
    return binascii.b2a_base64(value, newline=False).decode("ascii")


def _not_base64(value: str, why: str = "") -> Problem:
    return Problem("value", f"expected base64, got {excerpt(value)}{why}")
