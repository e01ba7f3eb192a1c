"""Runs the drawing program: one process that is kept, watched, and replaced when it ends."""

from __future__ import annotations

import atexit
import json
import math
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from turnwire.errors import ChartError

_WORKER: Final = Path(__file__).with_name("_worker.py")
_WATCH_SECONDS: Final = 0.05
_MAX_REASON: Final = 300


class Limits:
    """The limits of one drawing, which end the process that exceeds them.

    >>> Limits(seconds=5, max_bytes=2**28)
    Limits(seconds=5, max_bytes=268435456)
    """

    def __init__(self, seconds: float, max_bytes: int) -> None:
        if not 0 < seconds < math.inf:
            raise ValueError(f"timeout must be a positive number of seconds, not {seconds!r}")
        if not max_bytes > 0:
            raise ValueError(f"max_memory must be a positive number of bytes, not {max_bytes!r}")
        self.seconds = seconds
        self.max_bytes = max_bytes

    def __repr__(self) -> str:
        return f"Limits(seconds={self.seconds}, max_bytes={self.max_bytes})"


class _Refused(Exception):
    """The renderer's own words about a specification that it does not draw."""


class _Ended(Exception):
    """The process ended before it answered."""


class _Worker:
    """One process; a thread ends it where a job takes too long or too much memory."""

    def __init__(self) -> None:
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "TZ": "UTC"}
        self._process = subprocess.Popen(
            [sys.executable, "-P", str(_WORKER)],
            bufsize=0,  # else a fork would send what another thread has begun to write
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=environment,
        )
        self.is_new = True

    def run(self, job: dict[str, Any], limits: Limits) -> bytes:
        """Returns the answer to a job.

        Raises:
            ChartError: A limit was exceeded.
            _Refused: The renderer refused the specification.
            _Ended: The process ended by itself.
        """
        done = threading.Event()
        exceeded: list[ChartError] = []
        watch = threading.Thread(target=self._watch, args=(limits, done, exceeded), daemon=True)
        watch.start()
        try:
            is_drawn, body = self._exchange(job)
        except (OSError, _Ended):
            self.end()
            if exceeded:
                raise exceeded[0] from None
            raise _Ended from None
        except BaseException:
            self.end()
            raise
        finally:
            done.set()
            watch.join()
        self.is_new = False
        if not is_drawn:
            raise _Refused(body.decode(errors="replace"))
        return body

    def _exchange(self, job: dict[str, Any]) -> tuple[bool, bytes]:
        jobs, answers = self._process.stdin, self._process.stdout
        assert jobs is not None
        assert answers is not None
        unsent = memoryview(json.dumps(job).encode() + b"\n")
        while unsent:
            unsent = unsent[jobs.write(unsent) :]
        line = answers.readline()
        if not line.endswith(b"\n"):
            raise _Ended
        head = json.loads(line)
        body = bytearray()
        while len(body) < head["size"]:
            piece = answers.read(head["size"] - len(body))
            if not piece:
                raise _Ended
            body += piece
        return head["is_drawn"], bytes(body)

    def _watch(self, limits: Limits, done: threading.Event, exceeded: list[ChartError]) -> None:
        deadline = time.monotonic() + limits.seconds
        while not done.wait(_WATCH_SECONDS):
            if time.monotonic() > deadline:
                reason, kind = f"drawing took longer than {limits.seconds:g} seconds", "time"
            elif memory_of(self._process.pid) > limits.max_bytes:
                mebibytes = limits.max_bytes / 2**20
                reason, kind = f"drawing took more than {mebibytes:.0f} MiB of memory", "memory"
            else:
                continue
            exceeded.append(ChartError(f"{reason} and was stopped", kind=kind))
            self._process.kill()
            return

    def end(self) -> None:
        """Ends the process and frees its streams."""
        self._process.kill()
        self._close()
        self._process.wait()

    def forget(self) -> None:
        """Leaves the process to the parent of a fork, which it belongs to."""
        self._close()
        self._process.returncode = 0

    def _close(self) -> None:
        for stream in (self._process.stdin, self._process.stdout):
            assert stream is not None
            stream.close()


class _Keeper:
    """Keeps one process for all drawings of this one."""

    def __init__(self) -> None:
        self._reset()

    def _reset(self) -> None:
        self._lock = threading.Lock()
        self._worker: _Worker | None = None

    def run(self, job: dict[str, Any], limits: Limits) -> bytes:
        with self._lock:
            while True:
                worker, self._worker = self._worker or _Worker(), None
                try:
                    answer = worker.run(job, limits)
                except _Refused:
                    self._worker = worker
                    raise
                except _Ended:
                    # One that waited may have ended by itself, before the job came.
                    if worker.is_new:
                        raise ChartError("drawing crashed", kind="crash") from None
                else:
                    self._worker = worker
                    return answer

    def end(self) -> None:
        if self._worker is not None:
            self._worker.end()
            self._worker = None

    def forget(self) -> None:
        if self._worker is not None:
            self._worker.forget()
        self._reset()  # another thread may have held the lock


_KEEPER: Final = _Keeper()
atexit.register(_KEEPER.end)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_KEEPER.forget)


def run(job: dict[str, Any], limits: Limits) -> bytes:
    """Returns the answer of the drawing program to a job.

    Raises:
        ChartError: The renderer refused the specification, a limit was exceeded, or it crashed.
    """
    try:
        return _KEEPER.run({**job, "seconds": limits.seconds}, limits)
    except _Refused as refused:
        raise _error_of(str(refused)) from None


def _error_of(text: str) -> ChartError:
    """The error for the renderer's words, without the trace of its script."""
    lines = [line.strip() for line in text.splitlines()]
    kept = [line for line in lines if line and not line.startswith("at ")]
    if kept and kept[0].endswith("conversion failed:"):
        kept = kept[1:]
    reason = " ".join(kept).removeprefix("Error: ")
    if len(reason) > _MAX_REASON:
        reason = f"{reason[:_MAX_REASON]}…"
    return ChartError(f"the specification cannot be drawn: {reason}", kind="invalid")


def _resident_on_linux(pid: int) -> int:
    try:
        fields = Path(f"/proc/{pid}/statm").read_bytes().split()
    except OSError:  # it has ended
        return 0
    return int(fields[1]) * _PAGE_BYTES


def _resident_by_ps(pid: int) -> int:
    done = subprocess.run(["ps", "-o", "rss=", "-p", str(pid)], capture_output=True, check=False)
    return int(done.stdout or 0) * 1024


def _unknown(pid: int) -> int:
    return 0


def _way_to_measure() -> Callable[[int], int]:
    if Path("/proc/self/statm").exists():
        return _resident_on_linux
    return _unknown if os.name == "nt" else _resident_by_ps


_PAGE_BYTES: Final = os.sysconf("SC_PAGE_SIZE") if hasattr(os, "sysconf") else 4096
memory_of: Final = _way_to_measure()
"""Returns the bytes of memory that a process holds; 0 where the system does not say."""
