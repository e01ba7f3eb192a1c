"""Steps through the text of one JSON object or array: where its members and items stand."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from turnwire.streams._scan import Scanner

_BLANK = re.compile(rb"[ \t\r\n]*+")
_SCALAR = re.compile(rb'[^ \t\r\n,:"\[\]{}]++')
_MARKS = {mark: re.compile(rb"[ \t\r\n]*+" + mark + rb"[ \t\r\n]*+") for mark in (b",", b":")}


class Malformed(ValueError):
    """The text is not JSON."""


def members_of(text: bytes) -> Iterator[tuple[str, int, int]]:
    """Yields the name of each member of an object, and where its value begins and ends.

    Raises:
        Malformed: The text is not JSON. Values are not looked into.

    >>> text = b'{"a": 1, "b": [2]}'
    >>> [(name, text[start:end]) for name, start, end in members_of(text)]
    [('a', b'1'), ('b', b'[2]')]
    """
    steps = _Steps(text)
    while steps.goes_on(b"}"):
        start = steps.position
        end = steps.value()
        if text[start] != ord('"'):
            raise Malformed
        quoted = text[start:end]
        try:
            name: str = json.loads(quoted) if b"\\" in quoted else quoted[1:-1].decode()
        except ValueError:
            raise Malformed from None
        steps.mark(b":")
        start = steps.position
        yield name, start, steps.value()


def items_of(text: bytes) -> Iterator[tuple[int, int]]:
    """Yields where each item of an array begins and ends.

    Raises:
        Malformed: The text is not JSON. Items are not looked into.

    >>> text = b'[1, {"a": 2}]'
    >>> [text[start:end] for start, end in items_of(text)]
    [b'1', b'{"a": 2}']
    """
    steps = _Steps(text)
    while steps.goes_on(b"]"):
        start = steps.position
        yield start, steps.value()


class _Steps:
    """The place in the text; `position` is at the next token."""

    def __init__(self, text: bytes) -> None:
        self._text = text
        self._scanner = Scanner()
        self._scanner.load(text)
        self._is_first = True
        self.position = 1

    def goes_on(self, bracket: bytes) -> bool:
        """Returns whether a value follows, after a comma; not if the closing bracket does."""
        self._skip_blanks()
        if self._text[self.position : self.position + 1] == bracket:
            return False
        if not self._is_first:
            self.mark(b",")
        self._is_first = False
        return True

    def mark(self, mark: bytes) -> None:
        """Steps over a mark that must come, and the blanks around it."""
        found = _MARKS[mark].match(self._text, self.position)
        if not found:
            raise Malformed
        self.position = found.end()

    def value(self) -> int:
        """Steps over a value; returns where it ends."""
        if self._text[self.position : self.position + 1] in (b"{", b"[", b'"'):
            self.position = self._scanner.resume(self.position)
        elif scalar := _SCALAR.match(self._text, self.position):
            self.position = scalar.end()
        else:
            raise Malformed
        if self.position < 0:
            raise Malformed
        return self.position

    def _skip_blanks(self) -> None:
        blank = _BLANK.match(self._text, self.position)
        self.position = blank.end() if blank else self.position
