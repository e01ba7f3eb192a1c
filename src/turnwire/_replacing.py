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

    Raises:
        OSError: The file cannot be written. It names `path`, never the temporary file.
    """
    target = path.resolve()
    if path.exists() and not path.is_file():
        with path.open("wb") as file:
            yield file
        return
    partial = target.with_name(f".{target.name}.{getpid()}.part")
    try:
        with _naming(path):
            file = partial.open("xb")
        with file:
            yield file
        with _naming(path):
            if target.exists():
                partial.chmod(target.stat().st_mode)
            partial.replace(target)
    except BaseException:
        with suppress(OSError):
            partial.unlink()
        raise


@contextmanager
def _naming(path: Path) -> Generator[None]:
    """Makes an OSError about a file that nobody asked for one about `path`."""
    try:
        yield
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from None
