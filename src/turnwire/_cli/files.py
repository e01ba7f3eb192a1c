"""Opens files by their names on the command line, where `-` is the standard stream."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, cast

from turnwire._cli import standard
from turnwire._replacing import replacing
from turnwire.streams._compression import Decompressor, compressing, compression_of

STANDARD = "-"
_PIECE_BYTES = 2**16


def shown(name: str) -> str:
    """Returns the name of an input in messages to people."""
    return "stdin" if name == STANDARD else name


def suffix_of(name: str) -> str:
    """Returns the suffix of a file name in lower case, leaving out that of a compression."""
    path = Path(name)
    return (path.with_suffix("") if compression_of(path) else path).suffix.lower()


def is_same(name: str, other: str) -> bool:
    """Reports whether two names mean one file, or both a standard stream."""
    if STANDARD in (name, other):
        return name == other
    return os.path.realpath(name) == os.path.realpath(other)


def source_of(name: str) -> Path | BinaryIO:
    """Returns the path of an input, or the bytes of stdin."""
    return standard.stdin() if name == STANDARD else Path(name)


def pieces_of(source: Path | BinaryIO) -> Iterator[bytes]:
    """Yields the bytes of an input as they arrive."""
    if isinstance(source, Path):
        with source.open("rb") as file:
            yield from pieces_of(file)
        return
    # A single read() notices Ctrl-C late, or never while data keeps coming.
    read: Callable[[int], bytes] = getattr(source, "read1", source.read)
    yield from iter(lambda: read(_PIECE_BYTES), b"")


def unpacked_pieces_of(source: Path | BinaryIO) -> Iterator[bytes]:
    """Yields the bytes of an input, unpacked if its suffix or first bytes show a compression.

    Raises:
        TurnwireError: The compressed data is not valid.
    """
    unpacker = Decompressor(compression_of(source) if isinstance(source, Path) else None)
    for piece in pieces_of(source):
        yield from unpacker.feed(piece)
    yield from unpacker.close()


def arrives(name: str) -> bool:
    """Reports whether an input is a pipe or a device, which may bring more at any time."""
    if name == STANDARD:
        return not stat.S_ISREG(os.fstat(standard.stdin().fileno()).st_mode)
    return not Path(name).is_file()


@contextmanager
def sink_of(name: str, *, owner: Path | None = None) -> Generator[BinaryIO]:
    """Yields the file to write: stdout, or one that appears only when it is complete.

    A file whose name ends in ``.gz`` or ``.zst`` is compressed.

    Args:
        name: The name of the file.
        owner: As for `replacing`.
    """
    if name == STANDARD:
        yield standard.stdout()
        return
    compression = compression_of(name)
    with replacing(Path(name), owner=owner) as file:
        if compression is None:
            yield file
        else:
            with compressing(file, compression) as compressed:
                yield cast("BinaryIO", compressed)
