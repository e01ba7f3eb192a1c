"""Files by their names on the command line, where `-` is the standard stream."""

from __future__ import annotations

import sys
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from turnwire._replacing import replacing

STANDARD = "-"
_PIECE_BYTES = 2**16


def shown(name: str) -> str:
    """The name of an input as messages to people have it."""
    return "stdin" if name == STANDARD else name


def source_of(name: str) -> Path | BinaryIO:
    """What to read: a path, or the bytes of stdin."""
    return sys.stdin.buffer if name == STANDARD else Path(name)


def content_of(source: Path | BinaryIO) -> bytes:
    """Everything in an input."""
    if isinstance(source, Path):
        with source.open("rb") as file:
            return content_of(file)
    # Not by one read(): that one sees Ctrl-C late, or never while more keeps coming.
    read: Callable[[int], bytes] = getattr(source, "read1", source.read)
    return b"".join(iter(lambda: read(_PIECE_BYTES), b""))


@contextmanager
def sink_of(name: str) -> Generator[BinaryIO]:
    """Where to write: stdout, or a file that appears only when it is complete."""
    if name == STANDARD:
        yield sys.stdout.buffer
    else:
        with replacing(Path(name)) as file:
            yield file
