"""What the machines of all formats share: counting elements, and the limit of their size."""

from __future__ import annotations

import sys
from abc import ABC, abstractmethod

from turnwire.errors import ParseError, TruncatedStream, excerpt

BLANKS = b" \t\r\n"


class Machine(ABC):
    """Cuts one format into elements. It is told what the limit is and how many came before."""

    def __init__(self, limit: int, count: int = 0) -> None:
        # No bytes are longer, and the native core takes no larger number, nor one with a fraction.
        self.limit = int(min(limit, sys.maxsize))
        self.count = count

    @abstractmethod
    def feed(self, chunk: bytes, out: list[bytes]) -> None:
        """Appends to `out` what is complete now, and only then raises what is wrong."""

    @abstractmethod
    def close(self, out: list[bytes]) -> None:
        """The stream has ended: appends what that completes, and raises if something is missing."""

    def emit(self, element: bytes, out: list[bytes]) -> None:
        """Hands over an element, if it is not too large."""
        self.check_size(len(element))
        out.append(element)
        self.count += 1

    def check_size(self, size: int) -> None:
        """Refuses an element of `size` bytes, or one that is already that large."""
        if size > self.limit:
            raise ParseError(
                f"larger than max_element_bytes ({self.limit:,} bytes)",
                kind="range",
                index=self.count,
            )

    def wrong(self, expected: str, got: bytes, kind: str = "syntax") -> ParseError:
        """The error for a character that may not stand here."""
        shown = excerpt(got.decode("ascii")) if got.isascii() else f"a byte 0x{got[0]:02X}"
        return ParseError(f"expected {expected}, got {shown}", kind=kind, index=self.count)

    def cut_off(self, reason: str) -> TruncatedStream:
        """The error for a stream that ends too early."""
        return TruncatedStream(f"the stream ended {reason}", index=self.count)
