"""The standard streams, each of which whoever starts the program may have closed."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from typing import BinaryIO, TextIO, cast


def stdin() -> BinaryIO:
    """The bytes of stdin."""
    return _open_one(sys.stdin, "stdin").buffer


def stdout() -> BinaryIO:
    """Where data goes."""
    return _open_one(sys.stdout, "stdout").buffer


def flush() -> None:
    """Writes what is still held back of the data."""
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
    """Says something to people, on stderr; if that cannot be written, nothing more can be done."""
    # Given None, `print` would write to stdout.
    errors = cast("TextIO | None", sys.stderr)
    if errors is not None:
        with suppress(OSError):
            print(f"turnwire: {text}", file=errors, flush=True)


def warn(text: str) -> None:
    """Says something that does not keep the command from going on."""
    say(f"warning: {text}")


def _open_one(stream: TextIO | None, name: str) -> TextIO:
    if stream is None:
        raise OSError(f"{name} is closed")
    return stream
