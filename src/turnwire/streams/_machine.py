"""Shared parts of the machines of all formats: counting elements, and the limit of their size."""

from __future__ import annotations

import sys
from abc import ABC, abstractmethod

from turnwire.errors import ParseError, TruncatedStream
from turnwire.streams._foreign import shown

BLANKS = b" \t\r\n"


class ErrorEvent(bytes):
    r"""The data of a server-sent event whose name is ``error``: an error of the service.

    >>> from turnwire.streams import Framer
    >>> [element] = Framer().feed(b'event: error\ndata: {"code": 13}\n\n')
    >>> type(element).__name__, bytes(element)
    ('ErrorEvent', b'{"code": 13}')
    """


class Stray(bytes):
    """A JSON text where the format has none, as services send that refuse a request.

    It may hold an error of the service, but it is not a message.

    Attributes:
        error: The error to raise if it holds no error of the service.
        ends_stream: Whether nothing can be read after it.

    >>> from turnwire.streams import Framer
    >>> framer = Framer("array")
    >>> [element] = framer.feed(b'{"error": {"code": 403}}')
    >>> assert isinstance(element, Stray)
    >>> str(element.error)
    'element 0: expected a JSON array, got an object'
    """

    error: ParseError
    ends_stream: bool

    def __new__(cls, text: bytes, error: ParseError, *, ends_stream: bool) -> Stray:
        stray = super().__new__(cls, text)
        stray.error = error
        stray.ends_stream = ends_stream
        return stray


class Machine(ABC):
    """Cuts one format into elements.

    Args:
        limit: The largest element, in bytes.
        count: How many elements came before.

    Attributes:
        stray: The JSON value for which an error was raised, as none may stand there.
    """

    def __init__(self, limit: int, count: int = 0) -> None:
        # No bytes are longer, and the native core takes no larger number, nor one with a fraction.
        self.limit = int(min(limit, sys.maxsize))
        self.count = count
        self.stray: Stray | None = None

    @abstractmethod
    def feed(self, chunk: bytes, out: list[bytes]) -> None:
        """Appends to `out` the elements that are complete now, and only then raises errors."""

    @abstractmethod
    def close(self, out: list[bytes]) -> None:
        """Appends the elements that the end completes, and raises if something is missing."""

    def emit(self, element: bytes, out: list[bytes]) -> None:
        """Appends an element to `out`, if it is not too large."""
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
        """Returns the error for text, or one character, that may not stand here."""
        return ParseError(f"expected {expected}, got {shown(got)}", kind=kind, index=self.count)

    def cut_off(self, reason: str) -> TruncatedStream:
        """Returns the error for a stream that ends too early."""
        return TruncatedStream(f"the stream ended {reason}", index=self.count)
