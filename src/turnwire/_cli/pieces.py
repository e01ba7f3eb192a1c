"""Reads the start of an input to tell what it is, and then the whole of it."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator

from turnwire.errors import TurnwireError


class Pieces:
    """The pieces of an input, which can be read only once, as those of a pipe.

    `read` looks ahead, as a file does, and `rewind` goes back to the start. `whole` yields all
    pieces from the start, and raises an error that was met while looking ahead.
    """

    def __init__(self, pieces: Iterable[bytes]) -> None:
        self._rest = iter(pieces)
        self._seen: deque[bytes] = deque()
        self._position = 0
        self._error: TurnwireError | None = None

    @property
    def start(self) -> bytes:
        """The first piece that was read and not yet yielded; empty where there is none."""
        return self._seen[0] if self._seen else b""

    def read(self, _: int, /) -> bytes:
        """Returns the next piece; nothing at the end."""
        self._position += 1
        if self._position <= len(self._seen):
            return self._seen[self._position - 1]
        try:
            piece = next(self._rest, b"")
        except TurnwireError as error:
            self._error = error
            raise
        if piece:
            self._seen.append(piece)
        return piece

    def rewind(self) -> None:
        """Makes `read` begin at the start again."""
        self._position = 0

    def whole(self) -> Iterator[bytes]:
        """Yields every piece, and forgets it."""
        while self._seen:
            yield self._seen.popleft()
        if self._error is not None:
            raise self._error
        yield from self._rest
