"""Puts back the line ends that the `iter_lines` of an HTTP client removes.

An iterable yields chunks, or it yields lines without their ends. To JSON that makes no difference,
but NDJSON and event streams need line ends. The two can be told apart: in chunks of a valid stream,
an object or an event's data at the end of a chunk is followed by a line end; in lines, by the next
line.
"""

from __future__ import annotations

import re

from turnwire.streams._scan import Scanner

_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_DATA_LINE = re.compile(rb"data: ?(.*)", re.DOTALL)
_FIELD_LINE = re.compile(rb"(?:data|event|id|retry)(?::|$)|:")


class LineEnds:
    """Takes the items of an iterable and returns the text of the stream.

    Items are held back only until the first object or event is followed by something.
    """

    def __init__(self, format: str) -> None:
        self._are_lines: bool | None = None if format in ("auto", "ndjson", "sse") else False
        self._of_objects = format == "ndjson"
        self._held: list[bytes] = []
        self._json: Scanner | None = None

    def feed(self, item: bytes) -> bytes:
        """Returns the text that is certain now."""
        if self._are_lines is not None:
            return item + b"\n" if self._are_lines else item
        if b"\n" in item or b"\r" in item or b"\0" in item:
            # No line of text holds any of them.
            self._are_lines = False
        elif self._json is None:
            self._begin(item if self._held else item.removeprefix(_BYTE_ORDER_MARK))
        elif self._of_objects:
            self._are_lines = True if item.strip() else None
        elif item:
            self._are_lines = self._continues_event(self._json, item)
        elif not self._json.inside:
            # A blank line after a whole event. An empty chunk there does no harm either.
            self._held.append(item)
            return self._release(b"\n")
        self._held.append(item)
        return b"" if self._are_lines is None else self.close()

    def close(self) -> bytes:
        """Returns the text that was held back."""
        return self._release(b"" if self._are_lines is False else b"\n")

    def _release(self, end: bytes) -> bytes:
        held, self._held = self._held, []
        return b"".join(item + end for item in held)

    def _begin(self, item: bytes) -> None:
        """Looks for the first object, or the first data of an event."""
        if self._of_objects:
            json, is_line = item.strip(), True
        else:
            data = _DATA_LINE.fullmatch(item)
            json = data[1].strip() if data else b""
            is_line = not item or _FIELD_LINE.match(item) is not None
        if json.startswith((b"{", b"[")):
            self._json = Scanner()
            self._json.load(json)
            end = self._json.resume(0)
            is_line = is_line and (end == len(json) or (end < 0 and not self._of_objects))
        elif json:
            is_line = False
        if not is_line:
            self._are_lines = False

    def _continues_event(self, json: Scanner, item: bytes) -> bool:
        if json.inside:
            return not json.in_string and item.startswith(b"data:")
        return _FIELD_LINE.match(item) is not None
