"""Shows how far a run over many inputs is: a bar on a terminal, else a line every ten seconds."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Generator
from contextlib import contextmanager
from typing import Any, TextIO, cast

from turnwire._cli import standard
from turnwire._cli.report import Counter

_LINE_SECONDS = 10.0
_BAR_SECONDS = 0.1


@contextmanager
def shown_progress(total: int, counters: tuple[Counter, Counter]) -> Generator[None]:
    """Shows bytes, rate and rejects on stderr while the block runs.

    Args:
        total: The bytes of all inputs; 0 if that is not known.
        counters: The bytes that were read so far, and the number of rejects.
    """
    bar = _bar()
    ended = threading.Event()
    target = _follow_on_bar if bar is not None else _follow_in_lines
    thread = threading.Thread(target=target, args=(bar, total, counters, ended), daemon=True)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()


def _bar() -> Any:
    """Returns rich's bar for a terminal; None without one or without rich."""
    errors = cast("TextIO | None", sys.stderr)
    if errors is None or not errors.isatty():
        return None
    try:
        from rich import progress
        from rich.console import Console
    except ImportError:
        return None
    return progress.Progress(
        progress.BarColumn(),
        progress.TaskProgressColumn(),
        progress.DownloadColumn(),
        progress.TransferSpeedColumn(),
        progress.TimeRemainingColumn(),
        progress.TextColumn("{task.fields[rejected]:,} rejected"),
        console=Console(stderr=True),
        transient=True,
    )


def _follow_on_bar(
    bar: Any, total: int, counters: tuple[Counter, Counter], ended: threading.Event
) -> None:
    with bar:
        task = bar.add_task("", total=total or None, rejected=0)
        while True:
            has_ended = ended.wait(_BAR_SECONDS)
            done, rejected = (counter.value for counter in counters)
            bar.update(task, completed=done, rejected=rejected)
            if has_ended:
                return


def _follow_in_lines(
    _: Any, total: int, counters: tuple[Counter, Counter], ended: threading.Event
) -> None:
    began = time.monotonic()
    while not ended.wait(_LINE_SECONDS):
        done, rejected = (counter.value for counter in counters)
        share = f"{done / total:.0%}, " if total else ""
        rate = done / (time.monotonic() - began)
        standard.say(f"{share}{_size(done)}, {_size(rate)}/s, {rejected:,} rejected")


def _size(count: float) -> str:
    """Returns a number of bytes in kB or, where it is large, in MB, such as ``250 kB``."""
    return f"{count / 1e3:,.0f} kB" if count < 1e7 else f"{count / 1e6:,.0f} MB"
