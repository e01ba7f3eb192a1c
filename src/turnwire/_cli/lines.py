"""Reads an input so that the line of an element is known where each element is on its own line."""

from __future__ import annotations

import codecs
import itertools
from collections.abc import Iterable, Iterator
from contextlib import suppress

from turnwire.errors import TurnwireError
from turnwire.streams import Framer
from turnwire.streams._machine import BLANKS
from turnwire.streams._scan import Scanner


class Lines:
    """A file that is read a line at a time, if its first line looks like a whole object.

    It is for readers that yield each element before they read on: then the element's line is the
    one that was read last. Any other input is read in the pieces that arrive.

    Attributes:
        is_json: Whether the input begins as a JSON object or array; false until that is known.
        may_be_wire: Whether the input may be in the wire format; true until that is known.
        is_open: Whether the line that `whole` yielded last has no line end.
    """

    def __init__(self, pieces: Iterable[bytes]) -> None:
        self.is_json = False
        self.may_be_wire = True
        self.is_open = False
        self._pieces = iter(pieces)
        self._parts: Iterator[bytes] = self._split()
        self._line = 0
        self._lines_with_content = 0
        self._is_at_start = self._is_blank = True

    @property
    def line(self) -> int | None:
        """The line that was read last, from 1; None where the input is not read in lines."""
        return self._line or None

    def read(self, _: int, /) -> bytes:
        """Returns the next line or piece; nothing at the end."""
        return next(self._parts, b"")

    def begin(self) -> bool:
        """Reads the first piece ahead; returns whether the input is read in lines."""
        first = next(self._pieces, b"")
        self._pieces = itertools.chain([first] if first else [], self._pieces)
        return self._look_at(first)

    def whole(self, max_bytes: int) -> Iterator[bytes]:
        """Yields the lines with content, whole, without the blanks around them and the line end.

        Of a line that is longer than `max_bytes`, it yields a beginning that is longer.
        """
        held: list[bytes] = []
        size = 0
        for piece in self._pieces:
            first, *others = piece.split(b"\n")
            held.append(first)
            size += len(first)
            if not others and size <= max_bytes:
                continue
            others.insert(0, b"".join(held))
            last = others.pop() if len(others) > 1 else b""
            held, size = [last], len(last)
            for line in others:
                self._line += 1
                if text := line.strip(BLANKS):
                    self._lines_with_content += 1
                    yield text
        if text := b"".join(held).strip(BLANKS):
            self._line += 1
            self._lines_with_content += 1
            self.is_open = True
            yield text

    def read_all(self) -> bytes:
        """Returns everything that is left."""
        return b"".join(self._parts)

    def line_of(self, index: int) -> int | None:
        """Returns the line, from 1, of the element that came last; None where it is not known."""
        # Otherwise some element takes several lines, or several are on one.
        return self._line if self._lines_with_content == index + 1 else None

    def _look_at(self, first: bytes) -> bool:
        """Takes the first piece; returns whether the input is read in lines."""
        start = first.removeprefix(codecs.BOM_UTF8).lstrip()
        self.is_json = start.startswith((b"{", b"["))
        self.may_be_wire = may_be_wire(first)
        return _is_object_on_one_line(start)

    def _split(self) -> Iterator[bytes]:
        first = next(self._pieces, b"")
        if self._look_at(first):
            for piece in itertools.chain([first], self._pieces):
                yield from self._counted(piece)
        else:
            yield first
            yield from self._pieces

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


def may_be_wire(start: bytes) -> bool:
    """Reports whether an input that begins like this may be in the wire format."""
    framer = Framer()
    with suppress(TurnwireError):
        framer.feed(start)
    return framer.format in ("auto", "delimited")


def begins_with_object_line(start: bytes) -> bool:
    """Reports whether an input that begins like this has one whole object on its first line."""
    line = start.partition(b"\n")[0].strip()
    scanner = Scanner()
    scanner.load(line)
    return line.startswith(b"{") and scanner.resume(0) == len(line)


def _is_object_on_one_line(start: bytes) -> bool:
    line, newline, _ = start.partition(b"\n")
    return line.startswith(b"{") and (not newline or line.rstrip().endswith(b"}"))
