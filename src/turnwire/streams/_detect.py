"""Tells the format of a stream from its first bytes.

The length before a binary message may be any byte, `{` and `[` and blanks included. What proves
text is the beginning of a JSON array or object, or the name of an event stream's field. What proves
binary is a control character: neither JSON nor an event stream can hold one. So valid text is never
taken for binary, and binary only for text if it happens to begin with a whole JSON member name.
"""

from __future__ import annotations

import re
from typing import Literal

from turnwire.errors import ParseError, excerpt

Found = Literal["array", "objects", "sse", "delimited"]

_BLANK = rb"[ \t\r\n]*+"
_NAME = rb'"(?:[^"\\\x00-\x1f]|\\[^\x00-\x1f])*+"'
_OBJECT = rb"\{" + _BLANK + rb"(?:\}|" + _NAME + _BLANK + rb":)"
_ARRAY_START = re.compile(_BLANK + rb"\[" + _BLANK + rb"(?:\]|" + _OBJECT + rb")")
_OBJECT_START = re.compile(_BLANK + _OBJECT)
_EVENT_START = re.compile(_BLANK + rb"(?:data|event|id|retry)(?=[:\r\n])")
_CONTROL = re.compile(rb"[\x00-\x08\x0b\x0c\x0e-\x1f]")
_EVENT_FIELDS = ("data", "event", "id", "retry")


def detect(head: bytes, *, is_text: bool, at_end: bool) -> Found | None:
    """The format of a stream that begins with `head`; None if that is too little to tell.

    Args:
        head: The first bytes, after a byte order mark; not empty.
        is_text: Whether it cannot be binary.
        at_end: Whether there are no more bytes.

    Raises:
        ParseError: It is text, but in none of the formats.
    """
    if _ARRAY_START.match(head):
        return "array"
    if _OBJECT_START.match(head):
        return "objects"
    if _EVENT_START.match(head):
        return "sse"
    first = head[0]
    if not is_text and (first >= 0x80 or _CONTROL.search(head[: 1 + first])):
        return "delimited"
    if len(head) <= first and not at_end:
        return None
    text = head.lstrip(b" \t\r\n")
    if not text:
        return None
    if text.startswith(b"["):
        return "array"
    if text.startswith(b"{"):
        return "objects"
    if text.startswith(b":") or _is_field_begun(text):
        return "sse" if at_end or text.startswith(b":") else None
    shown = excerpt(text[:30].decode(errors="replace"))
    raise ParseError(
        f"expected a JSON array, JSON objects, server-sent events or length-delimited messages, "
        f"got {shown}",
        kind="syntax",
        index=0,
    )


def _is_field_begun(text: bytes) -> bool:
    return any(field.startswith(text.decode("latin-1")) for field in _EVENT_FIELDS)
