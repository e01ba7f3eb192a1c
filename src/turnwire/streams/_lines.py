"""JSON values, one per line: NDJSON."""

from __future__ import annotations

from turnwire.streams._machine import BLANKS, Machine
from turnwire.streams._scan import Scanner, take_lines


class Lines(Machine):
    """NDJSON: what stands on one line is one element, complete with its newline.

    Only a line feed ends a line (a carriage return before it is a blank); U+2028 and its like do
    not. Blank lines hold nothing. The last line may lack its newline, if its JSON is complete.
    """

    def __init__(self, limit: int, count: int = 0) -> None:
        super().__init__(limit, count)
        self._pending: bytearray = bytearray()
        # A subclass may find out that line ends mean nothing after all.
        self._on_lines = True

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
        """The fast way through lines that leave no doubt."""
        before = len(out)
        position = self._take(chunk, position, out)
        self.count += len(out) - before
        return position

    def _take(self, chunk: bytes, position: int, out: list[bytes]) -> int:
        return take_lines(chunk, position, self.limit, out)

    def _line(self, line: bytes, out: list[bytes]) -> None:
        self.check_line(line)
        text = line.strip(BLANKS)
        if text:
            self.emit(text, out)

    def check_line(self, line: bytes) -> None:
        """Refuses a line that is too long; the carriage return at its end does not count."""
        self.check_size(len(line) - line.endswith(b"\r"))

    def close(self, out: list[bytes]) -> None:
        text = bytes(self._pending).strip(BLANKS)
        if not text:
            return
        if is_open(text):
            raise self.cut_off("inside of its last line")
        self.emit(text, out)


def is_open(text: bytes) -> bool:
    """Whether an object, array or string that begins here does not end here."""
    if text[0] not in b'{["':
        return False
    scanner = Scanner()
    scanner.load(text)
    return scanner.resume(0) < 0
