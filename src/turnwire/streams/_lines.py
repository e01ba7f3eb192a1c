"""JSON values, one per line: NDJSON."""

from __future__ import annotations

from turnwire.streams._machine import BLANKS, Machine
from turnwire.streams._scan import Scanner


class Lines(Machine):
    """NDJSON: what stands on one line is one element, complete with its newline.

    Only a line feed ends a line (a carriage return before it is a blank); U+2028 and its like do
    not. Blank lines hold nothing. The last line may lack its newline, if its JSON is complete.
    """

    def __init__(self, limit: int, count: int = 0) -> None:
        super().__init__(limit, count)
        self._pending: bytearray = bytearray()

    def feed(self, chunk: bytes, out: list[bytes]) -> None:
        for line in self._lines(chunk):
            self._line(line, out)
        self._check_pending()

    def _lines(self, chunk: bytes) -> list[bytes]:
        """The lines that this chunk completes; keeps the line in progress."""
        if b"\n" not in chunk:
            self._pending += chunk
            return []
        first, *lines = chunk.split(b"\n")
        rest = lines.pop()
        lines.insert(0, bytes(self._pending) + first if self._pending else first)
        self._pending[:] = rest
        return lines

    def _line(self, line: bytes, out: list[bytes]) -> None:
        self.check_line(line)
        text = line.strip(BLANKS)
        if text:
            self.emit(text, out)

    def check_line(self, line: bytes) -> None:
        """Refuses a line that is too long; the carriage return at its end does not count."""
        self.check_size(len(line) - line.endswith(b"\r"))

    def _check_pending(self) -> None:
        self.check_size(len(self._pending) - 1)

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
