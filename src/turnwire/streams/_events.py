"""Server-sent events: the `data` of each event is one element, or an array of them."""

from __future__ import annotations

import re

from turnwire.errors import ParseError, TurnwireError
from turnwire.streams._lines import is_open
from turnwire.streams._machine import BLANKS, ErrorEvent, Machine, Stray
from turnwire.streams._scan import Scanner, take_events
from turnwire.streams._values import Array

_LINE = re.compile(rb"([^\r\n]*+)(?:\r\n|\r|\n)")
_SKIPPED = (b"id", b"retry", b"")
_FIELDS = (b"data", b"event", b"id", b"retry")
_FIELD_LINE = re.compile(rb"(?:data|event|id|retry)(?::|$)|:")
_EXPECTED = "data, event, id, retry or a comment on each line"


class Events(Machine):
    """An event stream: lines end with CR, LF or both, a blank line ends an event.

    The `data` lines of one event are joined by line feeds. An event without data holds nothing,
    unless its name is ``error``. An array as data is its elements. The last event counts without
    its blank line, if its JSON is complete. JSON on lines without a field name, as gateways write
    an error into a stream, is a stray element.
    """

    def __init__(self, limit: int, count: int = 0) -> None:
        super().__init__(limit, count)
        self._pending: bytearray = bytearray()
        self._after_return = False
        self._data: bytearray | None = None
        self._is_error = False
        self._raw: _Raw | None = None

    def feed(self, chunk: bytes, out: list[bytes]) -> None:
        if self._after_return and chunk:
            # This line feed belongs to the carriage return that ended the chunk before.
            chunk = chunk.removeprefix(b"\n")
            self._after_return = False
        position = 0
        if not self._pending and self._is_between_events():
            position = self._whole_events(chunk, 0, out)
        while found := _LINE.match(chunk, position):
            line = found[1]
            if self._pending:
                line = bytes(self._pending) + line
                self._pending.clear()
            position = found.end()
            self._line(line, out)
            if not line and self._is_between_events():
                position = self._whole_events(chunk, position, out)
        self._after_return = chunk.endswith(b"\r")
        self._pending += chunk[position:]
        self._check_line(len(self._pending))

    def _is_between_events(self) -> bool:
        return self._data is None and not self._is_error and self._raw is None

    def _whole_events(self, chunk: bytes, position: int, out: list[bytes]) -> int:
        """Takes the events that are complete in this chunk, the fast way."""
        before = len(out)
        position = take_events(chunk, position, self.limit, out)
        self.count += len(out) - before
        return position

    def _check_line(self, length: int) -> None:
        self.check_size(length - len("data: ") + len(self._data or b""))

    def _line(self, line: bytes, out: list[bytes]) -> None:
        if self._raw is not None:
            self._take_raw(self._raw, line, out)
            return
        if not line:
            self._end_event(out)
            return
        self._check_line(len(line))
        name, _, value = line.partition(b":")
        if name == b"data":
            value = value.removeprefix(b" ")
            if self._data is None:
                self._data = bytearray(value)
            else:
                self._data += b"\n"
                self._data += value
            self.check_size(len(self._data))
        elif name == b"event":
            self._is_error = value.strip(BLANKS) == b"error"
        elif name not in _SKIPPED:
            error = self.wrong(_EXPECTED, line)
            if line.lstrip(BLANKS)[:1] not in (b"{", b"["):
                raise error
            self._end_event(out)
            self._raw = _Raw(error)
            self._take_raw(self._raw, line, out)

    def _take_raw(self, raw: _Raw, line: bytes, out: list[bytes]) -> None:
        self.check_size(len(raw.text) + len(line))
        if not raw.take(line):
            raise raw.error
        if raw.is_complete:
            self.emit(Stray(bytes(raw.text).strip(BLANKS), raw.error, ends_stream=True), out)
            raise raw.error

    def _end_event(self, out: list[bytes]) -> None:
        data = bytes(self._data or b"").strip(BLANKS)
        is_error, self._data, self._is_error = self._is_error, None, False
        if is_error:
            self.emit(ErrorEvent(data), out)
        elif data:
            self._emit_data(data, out)

    def _emit_data(self, data: bytes, out: list[bytes]) -> None:
        """Emits the data of an event; of an array its elements."""
        if data.startswith(b"["):
            elements: list[bytes] = []
            array = Array(self.limit, self.count)
            try:
                array.feed(data, elements)
                array.close(elements)
            except TurnwireError:
                # It is not an array throughout, so it is one bad element.
                pass
            else:
                out += elements
                self.count = array.count
                return
        self.emit(data, out)

    def close(self, out: list[bytes]) -> None:
        line = bytes(self._pending)
        if self._raw is not None:
            self._take_raw(self._raw, line, out)
            raise self.cut_off("inside of a JSON value")
        if line:
            if any(field.startswith(line) for field in _FIELDS) or line.rstrip() == b"data:":
                raise self.cut_off("inside of an event")
            self._line(line, out)
            if self._raw is not None:
                raise self.cut_off("inside of a JSON value")
        data = bytes(self._data or b"").strip(BLANKS)
        if data and not self._is_error and is_open(data):
            raise self.cut_off("inside of an event")
        self._end_event(out)


class _Raw:
    """JSON on lines without a field name.

    Attributes:
        error: The error of such a line.
        text: The text so far.
        is_complete: Whether the value has ended.
    """

    def __init__(self, error: ParseError) -> None:
        self.error = error
        self.text: bytearray = bytearray()
        self.is_complete = False
        self._scanner = Scanner()

    def take(self, line: bytes) -> bool:
        """Takes a line, if it goes on with the value."""
        begin = 0 if self.text else len(line) - len(line.lstrip(BLANKS))
        if _FIELD_LINE.match(line):
            return False
        self._scanner.load(line)
        end = self._scanner.resume(begin) if begin < len(line) else -1
        self.text += line + b"\n"
        self.is_complete = end >= 0
        return not self._scanner.in_string and not (end >= 0 and line[end:].strip(BLANKS))
