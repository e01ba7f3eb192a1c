"""JSON values, one per line: NDJSON."""

from __future__ import annotations

import re

from turnwire.errors import ParseError
from turnwire.streams._machine import BLANKS, Machine, Stray
from turnwire.streams._scan import Scanner, take_lines

MAX_OPENING_BYTES = 1000
"""The longest first line of a refusal that goes over several lines."""

_BRACKETS = re.compile(rb"[\[{][\[{ \t\r]*+")
_REFUSAL = re.compile(rb'[ \t]*+(?:\[[ \t]*+)?\{[ \t]*+"error"[ \t]*+:')
_MAX_REFUSAL_BYTES = 2**20


class Lines(Machine):
    """NDJSON: each line is one element, complete with its line feed.

    Only a line feed ends a line (a carriage return before it is a blank); U+2028 and the like do
    not. Blank lines are skipped. The last line may lack its line feed, if its JSON is complete.

    Services send a refusal over several lines, whatever was asked for. So lines that begin like one
    are kept until its end, which makes it one (stray) element.
    """

    def __init__(self, limit: int, count: int = 0) -> None:
        super().__init__(limit, count)
        self._pending: bytearray = bytearray()
        # A subclass may find out that line ends mean nothing after all.
        self._on_lines = True
        self._refusal: _Refusal | None = None

    def feed(self, chunk: bytes, out: list[bytes]) -> None:
        self._pending += chunk[self._whole_lines(chunk, out) :]
        self.check_size(len(self._pending) - 1)

    def _whole_lines(self, chunk: bytes, out: list[bytes]) -> int:
        """Takes the lines that this chunk completes, and returns where the next one begins.

        The first line may have begun before. It stops where lines mean nothing any more.
        """
        position = 0 if self._pending else self._quick(chunk, 0, out)
        while self._on_lines and (newline := chunk.find(b"\n", position)) >= 0:
            line = bytes(self._pending) + chunk[position:newline]
            self._pending.clear()
            self._line(line, out)
            position = self._quick(chunk, newline + 1, out)
        return position

    def _quick(self, chunk: bytes, position: int, out: list[bytes]) -> int:
        """Takes the lines that leave no doubt, the fast way."""
        before = len(out)
        position = self._take(chunk, position, out)
        self.count += len(out) - before
        return position

    def _take(self, chunk: bytes, position: int, out: list[bytes]) -> int:
        if self._refusal is not None:
            return position
        return take_lines(chunk, position, self.limit, out)

    def _line(self, line: bytes, out: list[bytes]) -> None:
        self.check_line(line)
        if self._refusal is None and opens_over_lines(line):
            self._refusal = _Refusal(line)
        elif self._refusal is None:
            self._emit_line(line, out)
        elif self._refusal.take(line):
            if self._refusal.is_complete:
                self._emit_refusal(self._refusal, out)
        else:
            self._give_up_refusal(self._refusal, out)
            self._line(line, out)

    def _emit_line(self, line: bytes, out: list[bytes]) -> None:
        text = line.strip(BLANKS)
        if text:
            self.emit(text, out)

    def _emit_refusal(self, refusal: _Refusal, out: list[bytes]) -> None:
        self._refusal = None
        error = ParseError(
            "expected one JSON object on each line, got a value over several lines", kind="syntax"
        )
        text = b"\n".join(refusal.lines).strip(BLANKS)
        self.emit(Stray(text, error, ends_stream=False), out)

    def _give_up_refusal(self, refusal: _Refusal, out: list[bytes]) -> None:
        """Emits the lines one by one: they are just bad ones."""
        self._refusal = None
        for line in refusal.lines:
            self._emit_line(line, out)

    def check_line(self, line: bytes) -> None:
        """Refuses a line that is too long; the carriage return at its end does not count."""
        self.check_size(len(line) - line.endswith(b"\r"))

    def close(self, out: list[bytes]) -> None:
        last = bytes(self._pending)
        refusal = self._refusal
        if refusal is not None:
            if not refusal.take(last):
                self._give_up_refusal(refusal, out)
            elif refusal.is_complete:
                self._emit_refusal(refusal, out)
                return
            elif sum(bool(line.strip(BLANKS)) for line in refusal.lines) > 1:
                raise self.cut_off("inside of a JSON value over several lines")
            else:
                self._give_up_refusal(refusal, out)
                return
        text = last.strip(BLANKS)
        if not text:
            return
        if is_open(text):
            raise self.cut_off("inside of its last line")
        self.emit(text, out)


class _Refusal:
    """Lines that may be one JSON value together.

    Attributes:
        lines: The lines so far.
        is_complete: Whether the value has ended.
    """

    def __init__(self, line: bytes) -> None:
        self.lines = [line]
        self.is_complete = False
        self._size = len(line)
        self._scanner = Scanner()
        self._scanner.load(line.lstrip(BLANKS))
        self._scanner.resume(0)

    def take(self, line: bytes) -> bool:
        """Takes a line, if it goes on with the value."""
        self._size += len(line) + 1
        if self._size > _MAX_REFUSAL_BYTES or self._begins_anew(line):
            return False
        self._scanner.load(line)
        end = self._scanner.resume(0) if line else -1
        if self._scanner.in_string or (end >= 0 and line[end:].strip(BLANKS)):
            return False
        self.is_complete = end >= 0
        self.lines.append(line)
        return True

    def _begins_anew(self, line: bytes) -> bool:
        if len(self.lines) == 1 and self.lines[0].strip(BLANKS) == b"[":
            return False
        return begins_anew(line)


def opens_over_lines(line: bytes) -> bool:
    """Returns whether a line looks like the first one of a JSON value that services refuse with.

    >>> opens_over_lines(b"[{"), opens_over_lines(b'{"error": {'), opens_over_lines(b'{"error": 1}')
    (True, True, False)
    """
    if len(line) > MAX_OPENING_BYTES:
        return False
    if _BRACKETS.fullmatch(line):
        return True
    return _REFUSAL.match(line) is not None and is_open(line.strip(BLANKS), or_string=False)


def begins_anew(line: bytes) -> bool:
    """Returns whether a line after an incomplete one begins an object: it is not indented."""
    return line.startswith(b"{") and line.strip(BLANKS) != b"{"


def is_open(text: bytes, *, or_string: bool = True) -> bool:
    """Returns whether an object, array or string that begins here does not end here.

    Args:
        text: The text, without blanks around it.
        or_string: Whether an end inside of a string counts.
    """
    if text[0] not in b'{["':
        return False
    scanner = Scanner()
    scanner.load(text)
    return scanner.resume(0) < 0 and (or_string or not scanner.in_string)
