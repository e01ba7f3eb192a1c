"""Server-sent events: the `data` of each event is one element."""

from __future__ import annotations

import re

from turnwire.streams._lines import is_open
from turnwire.streams._machine import BLANKS, Machine
from turnwire.streams._scan import take_events

_LINE = re.compile(rb"([^\r\n]*+)(?:\r\n|\r|\n)")
_SKIPPED = (b"event", b"id", b"retry", b"")
_FIELDS = (b"data", b"event", b"id", b"retry")


class Events(Machine):
    """An event stream: lines end with CR, LF or both, a blank line ends an event.

    The `data` lines of one event are joined by newlines. An event without data holds nothing.
    The last event counts without its blank line, if its JSON is complete.
    """

    def __init__(self, limit: int, count: int = 0) -> None:
        super().__init__(limit, count)
        self._pending: bytearray = bytearray()
        self._after_return = False
        self._data: list[bytes] = []
        self._size = 0

    def feed(self, chunk: bytes, out: list[bytes]) -> None:
        if self._after_return and chunk:
            # This line feed belongs to the carriage return that ended the chunk before.
            chunk = chunk.removeprefix(b"\n")
            self._after_return = False
        position = 0
        if not self._data and not self._pending:
            position = self._whole_events(chunk, 0, out)
        while found := _LINE.match(chunk, position):
            line = found[1]
            if self._pending:
                line = bytes(self._pending) + line
                self._pending.clear()
            position = found.end()
            self._line(line, out)
            if not line:
                position = self._whole_events(chunk, position, out)
        self._after_return = chunk.endswith(b"\r")
        self._pending += chunk[position:]
        self._check_line(len(self._pending))

    def _whole_events(self, chunk: bytes, position: int, out: list[bytes]) -> int:
        """The fast way through events that are complete in this chunk."""
        before = len(out)
        position = take_events(chunk, position, self.limit, out)
        self.count += len(out) - before
        return position

    def _check_line(self, length: int) -> None:
        self.check_size(length - len("data: ") + self._size)

    def _line(self, line: bytes, out: list[bytes]) -> None:
        if not line:
            self._end_event(out)
            return
        self._check_line(len(line))
        name, _, value = line.partition(b":")
        if name == b"data":
            value = value.removeprefix(b" ")
            self._data.append(value)
            self._size += len(value) + (len(self._data) > 1)
            self.check_size(self._size)
        elif name not in _SKIPPED:
            raise self.wrong("data, event, id, retry or a comment on each line", line[:1])

    def _end_event(self, out: list[bytes]) -> None:
        data = b"\n".join(self._data).strip(BLANKS)
        self._data.clear()
        self._size = 0
        if data:
            self.emit(data, out)

    def close(self, out: list[bytes]) -> None:
        line = bytes(self._pending)
        if line:
            if any(field.startswith(line) for field in _FIELDS) or line.rstrip() == b"data:":
                raise self.cut_off("inside of an event")
            self._line(line, out)
        data = b"\n".join(self._data).strip(BLANKS)
        if data and is_open(data):
            raise self.cut_off("inside of an event")
        self._end_event(out)
