"""Binary protobuf messages, each after its length as a varint."""

from __future__ import annotations

from turnwire.errors import ParseError
from turnwire.streams._machine import Machine

_MAX_VARINT_BYTES = 10
_FIXED_SIZES = {1: 8, 5: 4}


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
        """Returns the length that stands here and where its message starts; None if it is cut."""
        found = _varint(buffer, position)
        if found is None and len(buffer) - position >= _MAX_VARINT_BYTES:
            raise ParseError(
                "expected the length of a message, got a varint without an end",
                kind="wire",
                index=self.count,
            )
        return found

    def close(self, out: list[bytes]) -> None:
        if self._pending:
            raise self.cut_off("inside of a message")


def is_wire_format(data: bytes) -> bool:
    r"""Returns whether this is one field after another in protobuf's wire format, without groups.

    >>> is_wire_format(b"\x0a\x02hi"), is_wire_format(b"\n words")
    (True, False)
    """
    position = 0
    while position < len(data):
        found = _varint(data, position)
        if found is None or found[0] < 8:
            return False
        tag, position = found
        kind = tag & 7
        if kind in (0, 2):
            found = _varint(data, position)
            if found is None:
                return False
            position = found[1] + (found[0] if kind == 2 else 0)
        elif kind in _FIXED_SIZES:
            position += _FIXED_SIZES[kind]
        else:
            return False
    return position == len(data)


def _varint(data: bytes | bytearray, position: int) -> tuple[int, int] | None:
    """Returns the number that stands here and the position after it; None if it has no end."""
    value = 0
    for shift, byte in enumerate(data[position : position + _MAX_VARINT_BYTES]):
        value |= (byte & 0x7F) << (7 * shift)
        if byte < 0x80:
            return value, position + shift + 1
    return None
