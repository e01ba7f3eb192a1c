"""Binary protobuf messages, each after its length as a varint."""

from __future__ import annotations

from turnwire.errors import ParseError
from turnwire.streams._machine import Machine

_LONGEST_VARINT = 10


class Delimited(Machine):
    """Length-delimited messages, as protobuf's own `writeDelimitedTo` writes them."""

    def __init__(self, limit: int, count: int = 0) -> None:
        super().__init__(limit, count)
        self._pending: bytearray = bytearray()

    def feed(self, chunk: bytes, out: list[bytes]) -> None:
        buffer, position = self._pending, 0
        buffer += chunk
        try:
            while found := self._length(buffer, position):
                length, start = found
                self.check_size(length)
                if start + length > len(buffer):
                    return
                position = start + length
                self.emit(bytes(buffer[start:position]), out)
        finally:
            del buffer[:position]

    def _length(self, buffer: bytearray, position: int) -> tuple[int, int] | None:
        """The length that stands here and where the message starts; None if there is more to it."""
        length = 0
        for shift, byte in enumerate(buffer[position : position + _LONGEST_VARINT]):
            length |= (byte & 0x7F) << (7 * shift)
            if byte < 0x80:
                return length, position + shift + 1
        if len(buffer) - position >= _LONGEST_VARINT:
            raise ParseError(
                "expected the length of a message, got a varint without an end",
                kind="wire",
                index=self.count,
            )
        return None

    def close(self, out: list[bytes]) -> None:
        if self._pending:
            raise self.cut_off("inside of a message")
