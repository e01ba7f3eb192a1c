"""JSON values that follow one another: a JSON array, concatenated objects, one object."""

from __future__ import annotations

import re
from abc import abstractmethod
from enum import Enum

from turnwire.errors import ParseError
from turnwire.streams._machine import Machine, Stray
from turnwire.streams._scan import Scanner

_BLANK = re.compile(rb"[ \t\r\n]*+")
_SCALAR = re.compile(rb'[^ \t\r\n,"\[\]{}]*+')


class _At(Enum):
    """The places of a machine in its format."""

    START = "before everything"
    FIRST = "before the first value, or the end"
    NEXT = "before a value that must come"
    IN_VALUE = "inside of a value"
    IN_SCALAR = "inside of a number or a word"
    AFTER = "after a value"
    END = "after everything"


class _Values(Machine):
    """Finds values; the subclass decides what may stand before, between and after them.

    An object or array where none may stand is kept with the error: a service may write its own
    error there.
    """

    separator = b""

    def __init__(self, limit: int, count: int = 0) -> None:
        super().__init__(limit, count)
        self._scanner = Scanner()
        self._pending: bytearray = bytearray()
        self._at = _At.START
        self._stray_error: ParseError | None = None
        # After a number or a word, the fast way would look for a bracket in vain.
        self._after_brackets = False

    def feed(self, chunk: bytes, out: list[bytes]) -> None:
        self._scanner.load(chunk)
        position = 0
        while position < len(chunk):
            if self._at is _At.IN_VALUE or self._at is _At.IN_SCALAR:
                position = self._value(chunk, position, out)
                continue
            if self._at is _At.AFTER and self._after_brackets:
                position = self._whole_values(position, out)
            blank = _BLANK.match(chunk, position)
            position = blank.end() if blank else position
            if position < len(chunk):
                position = self._token(chunk, position)

    @abstractmethod
    def _token(self, chunk: bytes, position: int) -> int:
        """Takes a mark between values, or begins a value; returns the position to go on at."""

    def _begin_value(self, chunk: bytes, position: int) -> int:
        self._at = _At.IN_VALUE if chunk[position] in b'{["' else _At.IN_SCALAR
        return position

    def _begin_stray(self, chunk: bytes, position: int, error: ParseError) -> int:
        """Begins a value that may not stand here; raises the error if it cannot be one."""
        if chunk[position] not in b"{[":
            raise error
        self._stray_error = error
        return self._begin_value(chunk, position)

    def _after_value(self) -> None:
        self._at = _At.AFTER

    def _whole_values(self, position: int, out: list[bytes]) -> int:
        """Takes the values that are complete in this chunk, the fast way."""
        before = len(out)
        position = self._scanner.take_values(position, self.separator, self.limit, out)
        self.count += len(out) - before
        return position

    def _value(self, chunk: bytes, position: int, out: list[bytes]) -> int:
        """Reads on inside of a value; returns the position after it, or after the chunk."""
        if self._at is _At.IN_SCALAR:
            scalar = _SCALAR.match(chunk, position)
            end = scalar.end() if scalar else position
            end = end if end < len(chunk) else -1
        else:
            end = self._scanner.resume(position)
        self._pending += chunk[position : end if end >= 0 else len(chunk)]
        if end < 0:
            if self._stray_error and len(self._pending) > self.limit:
                raise self._stray_error
            self.check_size(len(self._pending))
            return len(chunk)
        self._finish_value(out)
        return end

    def _finish_value(self, out: list[bytes]) -> None:
        element = bytes(self._pending)
        self._pending.clear()
        if self._stray_error:
            if len(element) <= self.limit:
                self.stray = Stray(element, self._stray_error, ends_stream=True)
            raise self._stray_error
        self._after_brackets = element.endswith((b"]", b"}"))
        self.emit(element, out)
        self._after_value()

    def close(self, out: list[bytes]) -> None:
        if self._at is _At.IN_SCALAR:
            self._finish_value(out)
        elif self._stray_error:
            raise self._stray_error
        elif self._at is _At.IN_VALUE:
            raise self.cut_off("inside of a JSON value")

    def _trailing(self, chunk: bytes, position: int, expected: str) -> ParseError:
        return self.wrong(expected, chunk[position : position + 1], kind="trailing_data")


class Array(_Values):
    """One JSON array, whose values are the elements. An empty body counts as an empty array."""

    separator = b","

    def _token(self, chunk: bytes, position: int) -> int:
        mark, at = chunk[position : position + 1], self._at
        if at is _At.START:
            if mark != b"[":
                raise self.wrong("a JSON array", mark)
            self._at = _At.FIRST
        elif at is _At.END:
            error = self._trailing(chunk, position, "nothing after the array's closing bracket")
            return self._begin_stray(chunk, position, error)
        elif mark == b"]":
            if at is _At.NEXT:
                raise self.wrong("an element after the comma", mark)
            self._at = _At.END
        elif at is _At.AFTER:
            if mark != b",":
                error = self.wrong("a comma or the array's closing bracket", mark)
                return self._begin_stray(chunk, position, error)
            self._at = _At.NEXT
        elif mark in b",}:":
            raise self.wrong("an element of the array", mark)
        else:
            return self._begin_value(chunk, position)
        return position + 1

    def close(self, out: list[bytes]) -> None:
        super().close(out)
        if self._at not in (_At.START, _At.END):
            raise self.cut_off("before the array's closing bracket")


class Concatenated(_Values):
    """JSON objects one after another, with blanks or nothing between them."""

    def _token(self, chunk: bytes, position: int) -> int:
        if chunk[position] not in b"{[":
            if self._at is _At.START and not self.count:
                raise self.wrong("a JSON object", chunk[position : position + 1])
            raise self._trailing(chunk, position, "another JSON object or the end of the stream")
        return self._begin_value(chunk, position)


class OneObject(_Values):
    """A single JSON value. Here an empty body is an error, since an object was promised."""

    def _token(self, chunk: bytes, position: int) -> int:
        if self._at is _At.END:
            error = self._trailing(chunk, position, "nothing after the object")
            return self._begin_stray(chunk, position, error)
        if chunk[position] not in b"{[":
            raise self.wrong("a JSON object", chunk[position : position + 1])
        return self._begin_value(chunk, position)

    def _after_value(self) -> None:
        self._at = _At.END

    def close(self, out: list[bytes]) -> None:
        super().close(out)
        if self._at is _At.START:
            raise self.cut_off("before the object that was expected")
