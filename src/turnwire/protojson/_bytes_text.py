"""Base64 to bytes, by the letter of RFC 4648."""

from __future__ import annotations

import binascii

from turnwire.errors import excerpt
from turnwire.protojson._problem import Problem
from turnwire.protojson._values import wrong_type

_to_standard = bytes.maketrans(b"-_", b"+/")
_padding = ("", "", "==", "=")

# The characters that may end a value whose last group is short: the unused bits are zero.
_LAST_OF_TWO = frozenset("AQgw")
_LAST_OF_THREE = frozenset("AEIMQUYcgkosw048")


def bytes_of(value: object) -> bytes:
    """The bytes of a base64 text.

    Either alphabet is read, but not both in one value. Padding may be left out; where it is given
    it must be complete. Blanks are errors, and so are unused bits that are not zero.
    """
    if not isinstance(value, str):
        raise wrong_type("base64 string", value)
    text: str | bytes = value
    if "-" in value or "_" in value:
        if "+" in value or "/" in value:
            reason = f"base64 in two alphabets at once: {excerpt(value)}"
            raise Problem("value", reason)
        text = value.encode("ascii", "replace").translate(_to_standard)
    body = value
    extra = len(value) % 4
    if extra:
        if value.endswith("=") or extra == 1:
            raise _not_base64(value)
        text = text + _padding[extra] if isinstance(text, str) else text + _padding[extra].encode()
    elif value.endswith("="):
        extra = 2 if value.endswith("==") else 3
        body = value[-4:].rstrip("=")
    if extra and body[-1:] not in (_LAST_OF_TWO if extra == 2 else _LAST_OF_THREE):
        raise _not_base64(value, ": the last character has bits set that no byte holds")
    try:
        return binascii.a2b_base64(text, strict_mode=True)
    except ValueError:
        raise _not_base64(value) from None


def _not_base64(value: str, why: str = "") -> Problem:
    return Problem("value", f"expected base64, got {excerpt(value)}{why}")
