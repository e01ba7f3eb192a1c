"""Reads an input so that the line of an element is known where each element is on its own line."""

from __future__ import annotations

import codecs
from collections.abc import Iterable, Iterator


class Lines:
    """A file to read that gives a line at a time, if the first one looks like a whole object.

    It is for readers that give each element before they read on: then the line that was read last
    is the element's. All else is given in the pieces that come.

    Attributes:
        is_json: Whether the input begins as a JSON object or array; false until that is known.
    """

    def __init__(self, pieces: Iterable[bytes]) -> None:
        self.is_json = False
        self._parts = self._split(pieces)
        self._line = 0
        self._lines_with_content = 0
        self._is_at_start = self._is_blank = True

    def read(self, _: int, /) -> bytes:
        """The next line or piece; empty at the end."""
        return next(self._parts, b"")

    def read_all(self) -> bytes:
        """Everything that is left."""
        return b"".join(self._parts)

    def line_of(self, index: int) -> int | None:
        """The line, from 1, of the element that was given last; None where it is not known."""
        # Otherwise some element takes several lines, or several are on one.
        return self._line if self._lines_with_content == index + 1 else None

    def _split(self, pieces: Iterable[bytes]) -> Iterator[bytes]:
        rest = iter(pieces)
        first = next(rest, b"")
        start = first.removeprefix(codecs.BOM_UTF8).lstrip()
        self.is_json = start.startswith((b"{", b"["))
        if _is_object_on_one_line(start):
            yield from self._counted(first)
            for piece in rest:
                yield from self._counted(piece)
        else:
            yield first
            yield from rest

    def _counted(self, piece: bytes) -> Iterator[bytes]:
        for part in piece.splitlines(keepends=True):
            if self._is_at_start:
                self._line += 1
                self._is_blank = True
            if self._is_blank and part.strip():
                self._is_blank = False
                self._lines_with_content += 1
            self._is_at_start = part.endswith(b"\n")
            yield part


def _is_object_on_one_line(start: bytes) -> bool:
    line, newline, _ = start.partition(b"\n")
    return line.startswith(b"{") and (not newline or line.rstrip().endswith(b"}"))
