"""A kill at any moment loses nothing, and leaves no half output and no file that stays."""

from __future__ import annotations

import os
import shutil
import signal
import sys
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from turnwire._cli import convert, run

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
CHANGES = {"os.rename", "os.remove", "os.mkdir", "os.rmdir", "shutil.rmtree"}
INPUTS = {
    "a.ndjson": b'{"role":"a"}\n{"role":5}\n',
    "b.ndjson": b'{"role":"b"}\n',
    "c.ndjson": b'{"role":6}\n{"role":"c"}\n',
}
NO_KILL = 10**9
assert convert  # imported before the forks, each of which would take the time for it


def is_change(event: str, arguments: Sequence[Any]) -> bool:
    """Whether an event of Python's audit changes files."""
    if event == "open":
        return isinstance(arguments[1], str) and not arguments[1].startswith("r")
    return event in CHANGES


def status_of(arguments: Sequence[str], folder: Path, kill_at: int) -> int:
    """Runs the command line in a fork, which is killed before a change of files in a folder."""
    sys.stdout.flush()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # about threads of the test runner
        pid = os.fork()
    if pid:
        return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    count = 0

    def kill(event: str, details: Sequence[Any]) -> None:
        nonlocal count
        if is_change(event, details) and str(details[0]).startswith(str(folder)):
            count += 1
            if count == kill_at:
                os.kill(os.getpid(), signal.SIGKILL)

    status = 99
    try:
        null = os.open(os.devnull, os.O_RDWR)
        os.dup2(null, 1)
        os.dup2(null, 2)
        sys.addaudithook(kill)
        status = run(arguments)
    finally:
        os._exit(status)


def files_in(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and path.name != "manifest.ndjson"
    }


@pytest.mark.parametrize(("output", "first"), [("out.ndjson", 1), ("out.json.gz", 2), ("out/", 3)])
def test_a_kill_before_any_change(output: str, first: int, tmp_path: Path) -> None:
    for name, data in INPUTS.items():
        (tmp_path / name).write_bytes(data)
    work = tmp_path / "work"
    work.mkdir()
    command = ["convert", "--type", "ces.Message", str(tmp_path / "*.ndjson")]
    command += ["-o", f"{work}/{output}", "--rejects", str(work / "rejects")]
    command += ["--to", "ndjson"] if output.endswith("/") else []
    assert status_of(command, work, NO_KILL) == 1
    expected = files_in(work)
    for kill_at in range(first, NO_KILL, 4):  # each takes a tenth of a second
        shutil.rmtree(work)
        work.mkdir()
        if status_of(command, work, kill_at) == 1:
            break
        for name, data in files_in(work).items():
            assert data == expected.get(name, data), (kill_at, name)
        assert status_of([*command, "--resume"], work, NO_KILL) == 1
        assert files_in(work) == expected, kill_at
    assert kill_at > len(INPUTS) * 5
