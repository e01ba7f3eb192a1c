"""The program `turnwire`, also as `python -m turnwire`."""

from __future__ import annotations

import signal
import sys
from types import FrameType

from turnwire._cli import run


def main() -> int:
    """Runs the command line of this process; returns the exit status."""
    if hasattr(signal, "SIGPIPE"):
        # End as other programs of a pipeline do when the reader has seen enough: quietly.
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    signal.signal(signal.SIGTERM, _end)
    return run(sys.argv[1:])


def _end(number: int, _: FrameType | None) -> None:
    # An exception, unlike the signal's own way, lets unfinished files be removed.
    sys.exit(128 + number)


if __name__ == "__main__":
    sys.exit(main())
