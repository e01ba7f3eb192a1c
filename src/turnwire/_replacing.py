"""Writes a file that appears under its name only when it is complete."""

from __future__ import annotations

import errno
import hashlib
import os
import secrets
import stat
from collections.abc import Generator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

_MAX_LINKS = 40


@contextmanager
def replacing(path: Path, *, owner: Path | None = None) -> Generator[BinaryIO]:
    """Yields a file to write, which takes the place of `path` when the block ends well.

    If anything goes wrong, the file that stood there before still does. Several writers of one
    path do not disturb each other: the last one to finish wins. A device, a named pipe, and a path
    such as ``/dev/stdout``, which names an open file, are written as they are.

    Args:
        path: The file.
        owner: A folder in which only one run works at a time. After a kill, the next run in it
            writes to the same temporary file, so that none is left.

    Raises:
        OSError: The file cannot be written. It names `path`, never the temporary file.
    """
    with _naming(path):
        file = _opened_as_it_is(path)
    if file is not None:
        with file:
            yield file
        return
    target = Path(os.path.realpath(path))
    with _naming(path):
        if target.is_symlink():  # one that leads back to itself
            raise OSError(errno.ELOOP, os.strerror(errno.ELOOP))
    # Nobody else has this name. It is short, since that of `target` may be as long as can be.
    token = secrets.token_hex(16) if owner is None else _token_of(owner, target)
    partial = target.with_name(f".{token}.part")
    try:
        with _naming(path):
            if owner is not None:
                partial.unlink(missing_ok=True)
            file = partial.open("xb")
        with file:
            yield file
            with _naming(path):
                file.flush()
                os.fsync(file.fileno())
        with _naming(path):
            with suppress(FileNotFoundError):
                partial.chmod(stat.S_IMODE(target.stat().st_mode))
            partial.replace(target)
    except BaseException:
        with suppress(OSError):
            partial.unlink()
        raise
    _sync_folder(target.parent)


def _token_of(owner: Path, target: Path) -> str:
    names = os.fsencode(os.path.realpath(owner)), os.fsencode(target)
    return hashlib.sha256(b"\0".join(names)).hexdigest()[:32]


def _opened_as_it_is(path: Path) -> BinaryIO | None:
    """Opens what no file can take the place of; returns None for a file, present or not."""
    number = _open_descriptor_named(path)
    if number is not None:
        # Opening it by its name would start at the beginning again, and cut what is there.
        return os.fdopen(os.dup(number), "wb")
    return path.open("wb") if path.exists() and not path.is_file() else None


def _open_descriptor_named(path: Path) -> int | None:
    """Returns the descriptor that a path such as ``/dev/fd/3`` names; None for any other path."""
    own = {os.path.realpath(folder) for folder in ("/dev/fd", "/proc/self/fd")}
    for _ in range(_MAX_LINKS):
        folder = os.path.realpath(path.parent)
        if folder in own and path.name.isdecimal():
            return int(path.name)
        path = Path(folder, path.name)
        if not path.is_symlink():
            return None
        path = Path(folder, path.readlink())
    return None


def _sync_folder(folder: Path) -> None:
    """Makes a new name in a folder outlive a crash of the machine, where the system can do that."""
    with suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


@contextmanager
def _naming(path: Path) -> Generator[None]:
    """Makes an OSError about a file that nobody asked for one about `path`."""
    try:
        yield
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from None
