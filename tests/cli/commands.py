"""Runs the command line: in this process, or as the real program where the process matters."""

from __future__ import annotations

import contextlib
import io
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from unittest.mock import patch

from support.processes import heed_interrupts

from turnwire._cli import run

PROGRAM = [sys.executable, "-m", "turnwire"]


def turnwire(
    *arguments: str | Path, stdin: bytes = b"", cwd: Path | None = None, closed: str | None = None
) -> subprocess.CompletedProcess[bytes]:
    """Runs a command in this process, with files in memory as its standard streams.

    `closed` names a standard stream that whoever starts the program has closed.
    """
    command = [*map(str, arguments)]
    with standard_streams(stdin, closed) as (output, errors), contextlib.chdir(cwd or "."):
        try:
            status: object = run(command)
        except SystemExit as stopped:  # argparse: wrong usage, --help and --version
            status = stopped.code or 0
    assert isinstance(status, int)
    return subprocess.CompletedProcess(command, status, output.getvalue(), errors.getvalue())


@contextlib.contextmanager
def standard_streams(
    stdin: bytes, closed: str | None = None
) -> Iterator[tuple[io.BytesIO, io.BytesIO]]:
    """Puts files in memory in place of the standard streams; yields stdout and stderr."""
    output, errors = io.BytesIO(), io.BytesIO()
    streams = {
        "stdin": io.TextIOWrapper(io.BytesIO(stdin), "utf-8"),
        "stdout": io.TextIOWrapper(output, "utf-8", newline="\n"),
        "stderr": io.TextIOWrapper(errors, "utf-8", "backslashreplace", newline="\n"),
    }
    # Python has None in the place of a stream that is closed at its start.
    with patch.multiple(sys, **{**streams, **({closed: None} if closed else {})}):
        yield output, errors
        for name in ("stdout", "stderr"):
            streams[name].flush()
    for stream in streams.values():
        stream.detach()  # else it would close the file in memory


def output_of(*arguments: str | Path, stdin: bytes = b"", cwd: Path | None = None) -> bytes:
    """Returns the stdout of a run that goes well, which writes nothing to stderr."""
    done = turnwire(*arguments, stdin=stdin, cwd=cwd)
    assert (done.returncode, done.stderr) == (0, b"")
    return done.stdout


def failure_of(
    *arguments: str | Path, stdin: bytes = b"", cwd: Path | None = None
) -> tuple[int, str]:
    """Returns the exit status and stderr of a run that goes wrong."""
    done = turnwire(*arguments, stdin=stdin, cwd=cwd)
    return done.returncode, done.stderr.decode()


def started(*arguments: str | Path) -> subprocess.Popen[bytes]:
    """Starts the real program with pipes as its standard streams."""
    pipe = subprocess.PIPE
    command = [*PROGRAM, *map(str, arguments)]
    return subprocess.Popen(
        command, stdin=pipe, stdout=pipe, stderr=pipe, preexec_fn=heed_interrupts
    )
