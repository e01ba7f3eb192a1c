"""Runs the real program in a process of its own."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

PROGRAM = [sys.executable, "-m", "turnwire"]


def turnwire(
    *arguments: str | Path, stdin: bytes = b"", cwd: Path | None = None
) -> subprocess.CompletedProcess[bytes]:
    command = [*PROGRAM, *map(str, arguments)]
    return subprocess.run(command, input=stdin, cwd=cwd, capture_output=True, timeout=60)


def output_of(*arguments: str | Path, stdin: bytes = b"", cwd: Path | None = None) -> bytes:
    """The stdout of a run that went well, which says nothing on stderr."""
    done = turnwire(*arguments, stdin=stdin, cwd=cwd)
    assert (done.returncode, done.stderr) == (0, b"")
    return done.stdout


def failure_of(
    *arguments: str | Path, stdin: bytes = b"", cwd: Path | None = None
) -> tuple[int, str]:
    """The exit status and stderr of a run that went wrong."""
    done = turnwire(*arguments, stdin=stdin, cwd=cwd)
    return done.returncode, done.stderr.decode()
