"""Tells the format of a stream from its first bytes.

The length before a binary message may be any byte, `{` and `[` and blanks included. Text is proved
by the beginning of a JSON array or object, or by the name of an event stream's field. Binary is
proved by a control character, which neither JSON nor an event stream can hold, or by a first
message that is wire format throughout. So valid text is never taken for binary, and binary only for
text if it happens to begin with a whole JSON member name.
"""

from __future__ import annotations

import re
from typing import Literal

from turnwire.errors import ParseError
from turnwire.streams._delimited import is_wire_format
from turnwire.streams._foreign import SHOWN_BYTES, shown

Found = Literal["array", "objects", "sse", "delimited"]

EXPECTED = "a JSON array, JSON objects, server-sent events or length-delimited messages"

_BLANK = rb"[ \t\r\n]*+"
_NAME = rb'"(?:[^"\\\x00-\x1f]|\\[^\x00-\x1f])*+"'
_OBJECT = rb"\{" + _BLANK + rb"(?:\}|" + _NAME + _BLANK + rb":)"
_ARRAY_START = re.compile(_BLANK + rb"\[" + _BLANK + rb"(?:\]|" + _OBJECT + rb")")
_OBJECT_START = re.compile(_BLANK + _OBJECT)
_COMMENTS = rb"(?::[^\x00-\x08\x0a-\x1f]*+[\r\n]++)*+"
_EVENT_START = re.compile(_BLANK + _COMMENTS + rb"(?:data|event|id|retry)(?=[:\r\n])")
_CONTROL = re.compile(rb"[\x00-\x08\x0b\x0c\x0e-\x1f]")
# Text that may go on as JSON, or as comments and then a field.
_CHARACTERS = rb'(?:[^"\\\x00-\x1f]|\\[^\x00-\x1f])*+'
_JSON_BEGUN = re.compile(
    rb"(?:\[" + _BLANK + rb')?+(?:\{' + _BLANK + rb'(?:"' + _CHARACTERS + rb'(?:\\?|"' + _BLANK
    + rb"))?)?"
)  # fmt: skip
_EVENTS_BEGUN = re.compile(_COMMENTS + rb"(?::[^\x00-\x08\x0a-\x1f]*+|[a-z]{0,5})")
_EVENT_FIELDS = ("data", "event", "id", "retry")


def detect(head: bytes, *, is_text: bool, at_end: bool) -> Found | None:
    """Returns the format of a stream that begins with `head`; None if that is too little to tell.

    Args:
        head: The first bytes, after a byte order mark; not empty.
        is_text: Whether it cannot be binary.
        at_end: Whether these are all bytes.

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
    is_begun = _JSON_BEGUN.fullmatch(text) or _EVENTS_BEGUN.fullmatch(text)
    if not (is_text or is_begun) and len(head) > first and is_wire_format(head[1 : 1 + first]):
        return "delimited"
    if not text:
        return None
    if text.startswith(b"["):
        return "array"
    if text.startswith(b"{"):
        return "objects"
    if text.startswith(b":") or _is_field_begun(text):
        return "sse" if at_end or text.startswith(b":") else None
    if len(text) < SHOWN_BYTES and not at_end:
        # The error shows the same bytes in whatever chunks they arrive.
        return None
    raise ParseError(f"expected {EXPECTED}, got {shown(text)}", kind="syntax", index=0)


def _is_field_begun(text: bytes) -> bool:
    return any(field.startswith(text.decode("latin-1")) for field in _EVENT_FIELDS)
