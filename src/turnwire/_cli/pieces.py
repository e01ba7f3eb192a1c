"""Reads the start of an input to tell what it is, and then the whole of it."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator

from turnwire.errors import TurnwireError


class Pieces:
    """The pieces of an input, which can be read only once, as those of a pipe.

    `read` looks ahead, as a file does. `whole` gives everything from the start, an error included
    that was met while looking ahead.
    """

    def __init__(self, pieces: Iterable[bytes]) -> None:
        self._rest = iter(pieces)
        self._seen: deque[bytes] = deque()
        self._error: TurnwireError | None = None

    @property
    def start(self) -> bytes:
        """The first piece that was read and not yet yielded; empty where there is none."""
        return self._seen[0] if self._seen else b""

    def read(self, _: int, /) -> bytes:
        """Returns the next piece; nothing at the end."""
        try:
            piece = next(self._rest, b"")
        except TurnwireError as error:
            self._error = error
            raise
        if piece:
            self._seen.append(piece)
        return piece

    def whole(self) -> Iterator[bytes]:
        """Yields every piece, and forgets it."""
        while self._seen:
            yield self._seen.popleft()
        if self._error is not None:
            raise self._error
        yield from self._rest
