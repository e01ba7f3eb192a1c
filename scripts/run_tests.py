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

NO_PURE = ("packaging", "typing", "docs", "native")
"""Tests that build packages, check types, run the pages' examples, or are about the native core."""


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
        left_out = NO_PURE
    return 0


if __name__ == "__main__":
    sys.exit(main())
