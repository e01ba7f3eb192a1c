"""Runs the tests: all of them once, and then over the other backend those that it can change.

`make test` runs it with the Python of .venv; `make test-oldest` uses a part of it.
Standard library only.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from backends import backends
from environment import ROOT

ANY_BACKEND = (
    *("packaging", "typing", "docs"),
    *("contract", "json_schema", "schema", "interop", "interop_google"),
)
"""Tests that a backend cannot change."""


def passes(python: Path, environment: dict[str, str], left_out: Sequence[str] = ()) -> bool:
    """Runs pytest with an interpreter; whether all tests passed."""
    command = [str(python), "-m", "pytest", *(f"--ignore=tests/{name}" for name in left_out)]
    return subprocess.run(command, cwd=ROOT, env=environment).returncode == 0


def main() -> int:
    python = Path(sys.executable)
    left_out: Sequence[str] = ()
    for backend, environment in backends(python).items():
        print(f"tests over the {backend} backend", flush=True)
        if not passes(python, environment, left_out):
            return 1
        # The tests of the program start processes, for minutes in all; over the pure backend it is
        # `make test-oldest` that runs them.
        left_out = (*ANY_BACKEND, "native", "cli")
    return 0


if __name__ == "__main__":
    sys.exit(main())
