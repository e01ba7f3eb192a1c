"""Names bodies that are in no format: HTML, UTF-16, JSON text sequences, packed data.

As binary messages their first bytes would hold a tag that does not exist, or a group.
"""

from __future__ import annotations

import re

from turnwire.errors import excerpt

SHOWN_BYTES = 60
"""The bytes of a text in no format that an error shows."""

_MARKUP = re.compile(rb"<(?:!doctype\b|!--|\?xml\b|/?[a-z][a-z0-9]{0,9}[ \t\r\n>/])", re.IGNORECASE)
_MARKUP_START = re.compile(rb"<(?:[!?/a-zA-Z]|$)")

_TEXT = bytes([0x09, 0x0A, 0x0D, *range(0x20, 0x7F)])
_UTF_16 = "UTF-16 text; Turnwire reads UTF-8"
_UTF_32 = "UTF-32 text; Turnwire reads UTF-8"
SEQUENCE = "a JSON text sequence (RFC 7464); NDJSON has no bytes 0x1E"
_PACKED = "{} data, which was packed more than once or has to be unpacked first"

# Each byte of a signature is one of those at its position.
_SIGNATURES: tuple[tuple[tuple[bytes, ...], str], ...] = (
    ((b"\xff", b"\xfe", b"\0", b"\0"), _UTF_32),
    ((b"\0", b"\0", b"\xfe", b"\xff", b"\0"), _UTF_32),
    ((_TEXT, b"\0", b"\0", b"\0", _TEXT, b"\0"), _UTF_32),
    ((b"\0", b"\0", b"\0", _TEXT, b"\0", b"\0", b"\0", _TEXT), _UTF_32),
    ((b"\xff", b"\xfe", _TEXT, b"\0"), _UTF_16),
    ((b"\xfe", b"\xff", b"\0", _TEXT), _UTF_16),
    ((_TEXT, b"\0", _TEXT, b"\0"), _UTF_16),
    ((b"\0", _TEXT, b"\0", _TEXT), _UTF_16),
    ((b"\x1e", b"{["), SEQUENCE),
    ((b"\x1f", b"\x8b", b"\x08"), _PACKED.format("gzip")),
    ((b"\x28", b"\xb5", b"\x2f", b"\xfd"), _PACKED.format("zstd")),
    ((b"B", b"Z", b"h", b"123456789", b"1"), _PACKED.format("bzip2")),
    ((b"\xfd", b"7", b"z", b"X", b"Z", b"\0"), _PACKED.format("xz")),
    ((b"P", b"K", b"\3", b"\4"), _PACKED.format("zip")),
    ((b"x", b"\1\x9c"), _PACKED.format("zlib")),
    ((b"P", b"A", b"R", b"1", b"\x15"), "a Parquet file"),
)


def may_become_foreign(head: bytes) -> bool:
    """Returns whether more bytes could complete a signature."""
    if len(head) < SHOWN_BYTES and _MARKUP_START.match(head):
        return True
    return any(
        len(head) < len(signature) and _fits(head, signature) for signature, _ in _SIGNATURES
    )


def foreign(head: bytes, *, is_text: bool) -> str | None:
    """Names a body by its first bytes; None if it may be a stream.

    Args:
        head: The first bytes, so many that `may_become_foreign` is false, or all there are.
        is_text: Whether it cannot be binary.

    >>> foreign(b"<!DOCTYPE html>", is_text=False)
    'HTML, "<!DOCTYPE html>"'
    >>> foreign("[]".encode("utf-16-be"), is_text=False)
    'UTF-16 text; Turnwire reads UTF-8'
    """
    if is_text and head.startswith(b"\x1e"):
        return SEQUENCE
    for signature, name in _SIGNATURES:
        if len(head) >= len(signature) and _fits(head, signature):
            return name
    if _MARKUP.match(head):
        return f"{'XML' if head.startswith(b'<?') else 'HTML'}, {_begin_of(head)}"
    return None


def shown(text: bytes) -> str:
    """Describes text for an error: its name if it is foreign, or its first characters.

    >>> shown(b"Jwt is missing")
    '"Jwt is missing"'
    """
    if len(text) == 1 and not text.isascii():
        return f"a byte 0x{text[0]:02X}"
    return foreign(text, is_text=True) or _begin_of(text)


def _begin_of(text: bytes) -> str:
    return excerpt(text[:SHOWN_BYTES].decode(errors="replace"))


def _fits(head: bytes, signature: tuple[bytes, ...]) -> bool:
    return all(byte in known for byte, known in zip(head, signature, strict=False))
