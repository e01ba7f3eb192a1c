"""Starts programs as a person at a terminal does."""

from __future__ import annotations

import signal


def heed_interrupts() -> None:
    """Makes Ctrl-C work in a process started in the background, where it would be ignored."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
