"""Detected streams of objects: one object, concatenated objects, or NDJSON.

All of them begin with a brace, and valid ones could be read alike. Lines matter when one is bad:
in NDJSON the next line is a new beginning. So lines are taken for elements only after a first line
that is exactly one object.
"""

from __future__ import annotations

from turnwire.streams._lines import Lines, begins_anew, is_open
from turnwire.streams._machine import BLANKS
from turnwire.streams._scan import Scanner
from turnwire.streams._values import Concatenated

_OPENINGS = (b"{", b"[", b"[{")


class Objects(Lines):
    """Objects on lines, until something shows that the line ends mean nothing."""

    def __init__(self, limit: int, count: int = 0) -> None:
        super().__init__(limit, count)
        self._scanner = Scanner()
        self._first: Scanner | None = Scanner()
        self._after_first = False
        self._cut_line: bytes | None = None
        self._free: Concatenated | None = None

    def feed(self, chunk: bytes, out: list[bytes]) -> None:
        if self._first:
            chunk = self._first_line(self._first, chunk, out)
        if self._after_first:
            chunk = self._line_end(chunk)
        if self._free:
            self._free.feed(chunk, out)
        elif chunk and not self._first and not self._after_first:
            self._scanner.load(chunk)
            rest = chunk[self._whole_lines(chunk, out) :]
            if self._free:
                self._free.feed(rest, out)
            else:
                self._pending += rest
                self.check_size(len(self._pending) - 1)

    def _first_line(self, scanner: Scanner, chunk: bytes, out: list[bytes]) -> bytes:
        """Looks for the end of the first object on the first line; returns the text after it."""
        newline = chunk.find(b"\n") + 1
        piece = chunk[:newline] if newline else chunk
        scanner.load(piece)
        end = scanner.resume(0)
        if end >= 0:
            element = bytes(self._pending) + piece[:end]
            self._pending.clear()
            self._first = None
            self._after_first = True
            self.emit(element, out)
            return chunk[end:]
        self._pending += piece
        self.check_size(len(self._pending))
        if newline:
            self._first = None
            chunk = bytes(self._pending) + chunk[newline:]
            self._pending.clear()
            if not scanner.in_string:
                # The object goes on: printed over several lines.
                self._free = Concatenated(self.limit, self.count)
            return chunk
        return b""

    def _line_end(self, chunk: bytes) -> bytes:
        """Looks at what follows the first object: a newline, or text on the same line."""
        rest = chunk.lstrip(b" \t\r")
        if rest:
            self._after_first = False
            if not rest.startswith(b"\n"):
                self._free = Concatenated(self.limit, self.count)
        return rest

    def _take(self, chunk: bytes, position: int, out: list[bytes]) -> int:
        if not self._on_lines or self._cut_line is not None:
            return position
        return self._scanner.take_object_lines(position, self.limit, out)

    def _line(self, line: bytes, out: list[bytes]) -> None:
        self.check_line(line)
        text = line.strip(BLANKS)
        if not text:
            return
        if self._cut_line is not None:
            cut_line, self._cut_line = self._cut_line, None
            if not begins_anew(line):
                self._free_from(cut_line + b"\n" + line + b"\n", out)
                return
            # The line before was a bad one.
            self.emit(cut_line.strip(BLANKS), out)
        end = _end_of_object(text)
        if end == len(text):
            self.emit(text, out)
        elif (end >= 0 and text[end:].lstrip(BLANKS).startswith(b"{")) or text in _OPENINGS:
            self._free_from(line + b"\n", out)
        elif end >= 0:
            self.emit(text, out)
        else:
            # A bad line, or the beginning of an object over several lines: the next one tells.
            self._cut_line = line

    def _free_from(self, text: bytes, out: list[bytes]) -> None:
        """Reads this text and all that follows without regard to line ends."""
        self._on_lines = False
        self._free = Concatenated(self.limit, self.count)
        self._free.feed(text, out)

    def close(self, out: list[bytes]) -> None:
        last = bytes(self._pending)
        text = last.strip(BLANKS)
        self._pending.clear()
        if self._cut_line is not None and (not text or begins_anew(last)):
            cut_line, self._cut_line = self._cut_line, None
            self.emit(cut_line.strip(BLANKS), out)
        if text and self._cut_line is None and is_open(text):
            raise self.cut_off("inside of a JSON object")
        self._line(last, out)
        if self._free:
            self._free.close(out)


def _end_of_object(text: bytes) -> int:
    """Returns where the object or array ends that begins here; -1 if it goes on after this line.

    Other text, and text that ends inside of a string, is a (bad) line for itself.
    """
    if not text.startswith((b"{", b"[")):
        return len(text)
    scanner = Scanner()
    scanner.load(text)
    end = scanner.resume(0)
    return len(text) if scanner.in_string else end
