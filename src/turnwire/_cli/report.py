"""Counts what is read of a part, and keeps what is rejected."""

from __future__ import annotations

from pathlib import Path
from typing import IO, Any, Protocol

from turnwire._cli.inputs import Part
from turnwire._cli.problems import Groups, Problem


class Counter(Protocol):
    """A number that processes share."""

    value: int

    def get_lock(self) -> Any:
        """Returns the lock under which it is changed."""


class Report:
    """The report of one part.

    Attributes:
        elements: The number of elements that were read, the rejected ones among them.
        rejected: The number of rejects.
        groups: The problems of the rejects.
    """

    def __init__(self, part: Part, rejects: Path | None, counters: tuple[Counter, Counter]) -> None:
        self.elements = 0
        self.rejected = 0
        self.groups = Groups()
        self._part = part
        self._path = rejects
        self._file: IO[bytes] | None = None
        self._bytes, self._rejects = counters

    def advance(self, count: int) -> None:
        """Takes a number of bytes that were read of the file."""
        with self._bytes.get_lock():
            self._bytes.value += count

    def count(self, elements: int) -> None:
        """Takes a number of elements that were read."""
        self.elements += elements

    def reject(self, problem: Problem, raw: bytes | None) -> None:
        """Takes a problem, and the element as it came; None if it is not whole."""
        self.rejected += 1
        with self._rejects.get_lock():
            self._rejects.value += 1
        self.groups.add(problem, self._part.name)
        if raw is not None and self._path is not None:
            if self._file is None:
                self._file = self._path.open("wb")
            self._file.write(raw + b"\n")

    def note(self, problem: Problem) -> None:
        """Takes a problem of an element that is not left out."""
        self.groups.add(problem, self._part.name)

    def close(self) -> None:
        """Closes the file of rejects."""
        if self._file is not None:
            self._file.close()
