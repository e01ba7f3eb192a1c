"""Starting programs as a person would at a terminal."""

from __future__ import annotations

import signal


def heed_interrupts() -> None:
    """A process that was started in the background ignores Ctrl-C, and so would its children."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
