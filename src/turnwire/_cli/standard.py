"""Reads and writes the standard streams; each may be closed when the program starts."""

from __future__ import annotations

import os
import shutil
import sys
from contextlib import suppress
from typing import BinaryIO, TextIO, cast

from turnwire._printable import on_one_line

_MAX_CHARACTERS = 2000


def stdin() -> BinaryIO:
    """Returns stdin as a file of bytes."""
    return _open_one(sys.stdin, "stdin").buffer


def stdout() -> BinaryIO:
    """Returns stdout as a file of bytes."""
    return _open_one(sys.stdout, "stdout").buffer


def screen_width() -> int | None:
    """Returns the columns of the terminal; None if stdout is not one, such as a pipe."""
    return shutil.get_terminal_size().columns if stdout().isatty() else None


def flush() -> None:
    """Writes the data that is still in a buffer."""
    output = cast("TextIO | None", sys.stdout)
    if output is None:
        return
    try:
        output.flush()
    except OSError:
        # Python would try it again, and fail again, when the process ends.
        os.dup2(os.open(os.devnull, os.O_WRONLY), output.fileno())
        raise


def say(text: str) -> None:
    """Writes a message for people to stderr, on one line, fit to show and cut where it is long.

    Does nothing if stderr cannot be written.
    """
    # Given None, `print` would write to stdout.
    errors = cast("TextIO | None", sys.stderr)
    if errors is not None:
        shown = text if len(text) <= _MAX_CHARACTERS else f"{text[: _MAX_CHARACTERS - 1]}…"
        with suppress(OSError):
            print(f"turnwire: {on_one_line(shown)}", file=errors, flush=True)


def warn(text: str) -> None:
    """Writes a warning: a message about something that does not stop the command."""
    say(f"warning: {text}")


def _open_one(stream: TextIO | None, name: str) -> TextIO:
    if stream is None:
        raise OSError(f"{name} is closed")
    return stream
