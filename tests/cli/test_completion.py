"""Completion scripts and the manual page know every command and option."""

from __future__ import annotations

import shutil
import subprocess
import sys

import pytest
from cli.commands import failure_of, output_of

from turnwire._cli import COMMANDS

NAMES = ("answer", "session", "report", "chart", "check", "convert", "tabulate", "schema")


def test_the_names_are_all() -> None:
    assert len(NAMES) == len(COMMANDS)


@pytest.mark.parametrize("shell", ["bash", "zsh", "tcsh"])
def test_scripts(shell: str) -> None:
    script = output_of("completion", shell).decode()
    assert "completion" in script
    for name in (*NAMES, "--allow-rejects") if shell != "tcsh" else NAMES:
        assert name in script
    if program := shutil.which(shell):
        assert subprocess.run([program, "-n"], input=script.encode()).returncode == 0


@pytest.mark.skipif(shutil.which("bash") is None, reason="needs bash")
def test_bash_completes_commands_and_options() -> None:
    script = output_of("completion", "bash").decode()
    program = f"""{script}
COMP_WORDS=(turnwire con); COMP_CWORD=1; _shtab_turnwire; echo "${{COMPREPLY[@]}}"
COMP_WORDS=(turnwire convert --res); COMP_CWORD=2; _shtab_turnwire; echo "${{COMPREPLY[@]}}"
COMP_WORDS=(turnwire help stre); COMP_CWORD=2; _shtab_turnwire; echo "${{COMPREPLY[@]}}"
"""
    done = subprocess.run(["bash", "-c", program], capture_output=True, check=True)
    assert done.stdout.split() == [b"convert", b"--resume", b"streams"]


def test_a_missing_library_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "shtab", None)
    status, said = failure_of("completion", "bash")
    assert status == 3
    assert 'pip install "turnwire[completion]"' in said


def test_the_manual_has_every_command_and_is_valid() -> None:
    page = output_of("manual")
    for name in NAMES:
        assert f".SS {name}\n".encode() in page
    assert rb".B \-\-allow\-rejects N|N%" in page
    if program := shutil.which("groff"):
        done = subprocess.run(
            [program, "-Kutf8", "-man", "-Tutf8", "-ww", "-z"],
            input=page,
            capture_output=True,
            check=True,
        )
        assert done.stderr == b""
