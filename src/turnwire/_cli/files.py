"""Files by their names on the command line, where `-` is the standard stream."""

from __future__ import annotations

import sys
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from turnwire._replacing import replacing

STANDARD = "-"


def shown(name: str) -> str:
    """The name of an input as messages to people have it."""
    return "stdin" if name == STANDARD else name


def source_of(name: str) -> Path | BinaryIO:
    """What to read: a path, or the bytes of stdin."""
    return sys.stdin.buffer if name == STANDARD else Path(name)


def content_of(name: str) -> bytes:
    """Everything in an input."""
    source = source_of(name)
    return source.read_bytes() if isinstance(source, Path) else source.read()


@contextmanager
def sink_of(name: str) -> Generator[BinaryIO]:
    """Where to write: stdout, or a file that appears only when it is complete."""
    if name == STANDARD:
        yield sys.stdout.buffer
    else:
        with replacing(Path(name)) as file:
            yield file
