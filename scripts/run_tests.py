"""Runs the tests: all of them over one backend, and over the other those that it can change.

`make test` runs it with the Python of .venv; `test_runtimes.py` uses a part of it. What takes long
or needs more than .venv has a separate target. Standard library only.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from xml.etree import ElementTree

from backends import backends
from environment import ROOT

SEPARATE = ("packaging", "typing", "browser")
"""Folders of tests/ that `make test-packages`, `make lint` and `make test-browser` run."""

ANY_BACKEND = (
    *SEPARATE,
    *("docs", "structure", "examples", "contract", "json_schema", "schema"),
    *("interop", "interop_google", "charts", "report", "views"),
    *("protojson/test_backend.py", "streams/test_clients.py"),
)
"""Folders and files of tests/ whose results are the same over both backends."""

_NO_BYTECODE = "PYTHONDONTWRITEBYTECODE"


def passes(
    python: Path, environment: Mapping[str, str], left_out: Sequence[str] = (), *options: str
) -> bool:
    """Runs pytest with an interpreter, on all cores; true where tests ran and all of them passed.

    `left_out` names folders and files of tests/. `options` are further arguments of pytest.
    """
    with TemporaryDirectory() as folder:
        report = Path(folder) / "report.xml"
        command = [str(python), "-m", "pytest", "--numprocesses=auto", "--dist=worksteal"]
        command += [f"--ignore=tests/{name}" for name in left_out]
        command += [f"--junit-xml={report}", *options]
        # With it, pytest would rewrite every test file again, and each process compile the package.
        kept = {key: value for key, value in environment.items() if key != _NO_BYTECODE}
        if subprocess.run(command, cwd=ROOT, env=kept).returncode != 0:
            return False
        return _some_passed(report)


def _some_passed(report: Path) -> bool:
    """Reports whether a JUnit file has a test that was not skipped; where it has none, says so."""
    for suite in ElementTree.parse(report).iter("testsuite"):
        if int(suite.attrib["tests"]) > int(suite.attrib["skipped"]):
            return True
    print("no test ran", file=sys.stderr)
    return False


def main() -> int:
    python = Path(sys.executable)
    left_out: Sequence[str] = SEPARATE
    for backend, environment in backends(python).items():
        print(f"tests over the {backend} backend", flush=True)
        if not passes(python, environment, left_out):
            return 1
        # Over pure Python, the command line is left to the runs of test_runtimes.py.
        left_out = (*ANY_BACKEND, "native", "cli", "files")
    return 0


if __name__ == "__main__":
    sys.exit(main())
