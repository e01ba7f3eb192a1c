"""Files by their names on the command line, where `-` is the standard stream."""

from __future__ import annotations

import os
import stat
import sys
import tempfile
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, cast

STANDARD = "-"


def source_of(name: str) -> Path | BinaryIO:
    """What to read: a path, or the bytes of stdin."""
    return sys.stdin.buffer if name == STANDARD else Path(name)


def shown(name: str) -> str:
    """The name of an input as messages to people have it."""
    return "stdin" if name == STANDARD else name


def content_of(name: str) -> bytes:
    """Everything in an input."""
    source = source_of(name)
    return source.read_bytes() if isinstance(source, Path) else source.read()


@contextmanager
def sink_of(name: str) -> Generator[BinaryIO]:
    """Where to write: stdout, or a file that appears under its name only when it is complete."""
    path = Path(name)
    if name == STANDARD:
        yield sys.stdout.buffer
    elif path.exists() and not path.is_file():
        # A device or a named pipe: there is nothing to replace.
        with path.open("wb") as sink:
            yield sink
    else:
        yield from _replacing(path.resolve())


def _replacing(path: Path) -> Generator[BinaryIO]:
    with tempfile.NamedTemporaryFile(
        dir=path.parent, prefix=f".{path.name}.", delete=False
    ) as sink:
        try:
            yield cast(BinaryIO, sink)
            sink.flush()
            os.chmod(sink.name, _mode_for(path))
            os.replace(sink.name, path)
        except BaseException:
            os.unlink(sink.name)
            raise


def _mode_for(path: Path) -> int:
    """The mode of the file that is replaced, or that of any new file."""
    if path.exists():
        return stat.S_IMODE(path.stat().st_mode)
    umask = os.umask(0)
    os.umask(umask)
    return 0o666 & ~umask
