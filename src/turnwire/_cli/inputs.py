"""Finds the inputs that a command line names, and cuts large files of lines into parts."""

from __future__ import annotations

import glob
import hashlib
import os
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import BinaryIO

from turnwire._cli.failure import UsageError
from turnwire._cli.files import STANDARD
from turnwire._cli.formats import AUTO, format_of_input
from turnwire._cli.lines import begins_with_object_line
from turnwire.errors import excerpt
from turnwire.streams._compression import compression_of

PART_BYTES = 64 * 2**20
"""The size of the parts into which a larger file of lines is cut."""

_PIECE_BYTES = 2**20
_PEEKED_BYTES = 2**20
_GLOB = "*?["
_PART = re.compile(r"-\d{5,}$")


@dataclass(frozen=True)
class Part:
    """An input, or a range of the lines of a large file.

    Attributes:
        name: The path as it was given or found; ``-`` for stdin.
        stem: A file name without suffixes, which no other part of the run has.
        start: The first byte, at the start of a line.
        end: The byte after the last one, or None for all.
        first_line: The number of its first line, from 1.
        number: Its number among the parts of its input, from 0.
        count: The number of parts of its input.
    """

    name: str
    stem: str = "stdin"
    start: int = 0
    end: int | None = None
    first_line: int = 1
    number: int = 0
    count: int = 1

    @property
    def size(self) -> int:
        """The number of bytes that it takes in its file; 0 where that is not known."""
        if self.end is not None:
            return self.end - self.start
        with suppress(OSError):
            path = Path(self.name)
            return path.stat().st_size if self.name != STANDARD and path.is_file() else 0
        return 0


def inputs_of(names: Sequence[str]) -> list[str]:
    """Returns the inputs that names and patterns mean, each once, those of a pattern sorted.

    A name that no file has stays, so that reading it reports that.

    Raises:
        UsageError: No file fits a pattern.
    """
    found: dict[str, None] = {}
    for name in names:
        if not any(mark in name for mark in _GLOB) or Path(name).exists():
            found[name] = None
            continue
        fitting = sorted(path for path in glob.glob(name, recursive=True) if Path(path).is_file())
        if not fitting:
            raise UsageError(f"no file matches {excerpt(name)}")
        found.update(dict.fromkeys(fitting))
    return list(found)


def parts_of(
    names: Sequence[str], format: str | None, *, part_bytes: int = PART_BYTES
) -> list[Part]:
    """Returns the parts of inputs, in order.

    Args:
        names: The inputs.
        format: The format of all inputs; None if suffix and content tell it.
        part_bytes: The size from which on a file of lines is cut. Smaller parts are for tests.
    """
    inputs = [Part(name, stem) for name, stem in zip(names, _stems(names), strict=True)]
    return [part for whole in inputs for part in _cut(whole, format, part_bytes)]


def format_of(name: str, format: str | None) -> str:
    """Returns the format of an input, by its name where none is given."""
    return format or format_of_input(name)


def _stems(names: Sequence[str]) -> Iterator[str]:
    stems = [_stem(name) for name in names]
    counts = Counter(stems)
    for name, stem in zip(names, stems, strict=True):
        # Inputs of one name in several folders, or of the name that a part of another one has.
        same = counts[stem] > 1 or (_PART.search(stem) and _PART.sub("", stem) in counts)
        yield f"{stem}-{hashlib.sha256(os.fsencode(name)).hexdigest()[:8]}" if same else stem


def _stem(name: str) -> str:
    if name == STANDARD:
        return "stdin"
    path = Path(name)
    return (path.with_suffix("") if compression_of(path) else path).stem


def _cut(whole: Part, format: str | None, part_bytes: int) -> list[Part]:
    """Cuts a large file of lines at its line ends; returns any other input as it is."""
    size = whole.size
    if size <= part_bytes or compression_of(whole.name):
        return [whole]
    try:
        with Path(whole.name).open("rb") as file:
            if not _holds_lines(file, format_of(whole.name, format)):
                return [whole]
            parts = list(_ranges(file, whole, size, part_bytes))
    except OSError:  # reading it reports that
        return [whole]
    return [
        replace(part, stem=f"{whole.stem}-{number:05}", number=number, count=len(parts))
        for number, part in enumerate(parts)
    ]


def _holds_lines(file: BinaryIO, format: str) -> bool:
    if format == AUTO or format == "json":
        return begins_with_object_line(file.read(_PEEKED_BYTES))
    return format == "ndjson"


def _ranges(file: BinaryIO, whole: Part, size: int, part_bytes: int) -> Iterator[Part]:
    start, line = 0, 1
    while start < size:
        end = min(start + part_bytes, size)
        lines = 0
        file.seek(start)
        while file.tell() < end:
            piece = file.read(min(_PIECE_BYTES, end - file.tell()))
            if not piece:
                break
            lines += piece.count(b"\n")
        while end < size:
            rest = file.readline(_PIECE_BYTES)
            end += len(rest)
            if rest.endswith(b"\n") or not rest:
                lines += 1
                break
        yield replace(whole, start=start, end=end, first_line=line)
        start, line = end, line + lines
