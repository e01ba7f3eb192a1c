"""Writes a file that appears under its name only when it is complete."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager, suppress
from os import getpid
from pathlib import Path
from typing import BinaryIO


@contextmanager
def replacing(path: Path) -> Generator[BinaryIO]:
    """A file to write that takes the place of `path` when all went well.

    If anything goes wrong, what stood there before still does. A device or a named pipe, which
    nothing can take the place of, is written as it is.
    """
    path = path.resolve()
    if path.exists() and not path.is_file():
        with path.open("wb") as file:
            yield file
        return
    partial = path.with_name(f".{path.name}.{getpid()}.part")
    try:
        with partial.open("xb") as file:
            yield file
        if path.exists():
            partial.chmod(path.stat().st_mode)
        partial.replace(path)
    except BaseException:
        with suppress(OSError):
            partial.unlink()
        raise
