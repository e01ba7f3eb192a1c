"""mypy --strict and pyright are content with src/ and with the consumers in this folder.

Pyright is strict where no value comes from JSON as Any (see pyrightconfig.json).
A line of a consumer that ends in `# error` must be reported by both, and nothing else may be.
Over the consumers pyright is in strict mode.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

FOLDER = Path(__file__).resolve().parent
ROOT = FOLDER.parents[1]
SRC = ROOT / "src"
CONSUMERS = sorted(path for path in FOLDER.glob("*.py") if not path.name.startswith("test_"))

Place = tuple[str, int]


def places(path: Path, line: int) -> Place:
    return path.resolve().relative_to(ROOT).as_posix(), line


def expected() -> set[Place]:
    return {
        places(path, number)
        for path in CONSUMERS
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1)
        if line.endswith("# error")
    }


def run(*command: str | Path) -> str:
    done = subprocess.run(
        [sys.executable, "-m", *map(str, command)], cwd=ROOT, capture_output=True, text=True
    )
    assert done.returncode == 1, done.stdout + done.stderr
    return done.stdout


def test_the_consumers_expect_errors() -> None:
    assert len(expected()) >= 7


def test_mypy_reports_the_deliberate_errors_and_no_others() -> None:
    said = run("mypy", "--strict", "--no-error-summary", "--hide-error-context", SRC, *CONSUMERS)
    errors = re.findall(r"^(.+?):(\d+): error: ", said, flags=re.MULTILINE)
    assert {places(ROOT / path, int(line)) for path, line in errors} == expected(), said


def test_pyright_reports_the_deliberate_errors_and_no_others() -> None:
    said = run("pyright", "--pythonpath", sys.executable, "--outputjson", "--project", FOLDER)
    found = json.loads(said)["generalDiagnostics"]
    # Pyright counts lines from 0.
    errors = {places(Path(one["file"]), one["range"]["start"]["line"] + 1) for one in found}
    assert errors == expected(), "\n".join(f"{one['file']}: {one['message']}" for one in found)
