"""Runs Google's own tests of json_format over `turnwire.json_format`, on both backends.

The tests are not part of the project. They are run by a program of yours, which
$JSON_FORMAT_SUITE names:

    PROGRAM PYTHON MODULE       puts MODULE in the place of google.protobuf.json_format, runs the
                                tests with PYTHON, and prints a JSON object for each:
                                {"test": NAME, "outcome": "passed" or "failed", "reason": TEXT}

The tests that fail must be those that tests/json_format/suite_failures.json names. Without such a
program nothing is run; only JSON_FORMAT_SUITE_REQUIRE=1 makes that an error.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

from backends import backends
from environment import ROOT

FAILURES = ROOT / "tests" / "json_format" / "suite_failures.json"


def outcomes(program: str, environment: dict[str, str]) -> dict[str, str | None]:
    """Runs the suite; gives the reason for each test that failed, None for one that passed."""
    command = [program, sys.executable, "turnwire.json_format"]
    done = subprocess.run(command, env=environment, stdout=subprocess.PIPE, text=True)
    lines = (line for line in done.stdout.splitlines() if line.startswith("{"))
    tests = map(json.loads, lines)
    return {test["test"]: None if test["outcome"] == "passed" else test["reason"] for test in tests}


def main() -> int:
    program = os.environ.get("JSON_FORMAT_SUITE")
    if not program:
        print("json_format suite: not run; name its program in $JSON_FORMAT_SUITE", file=sys.stderr)
        return 1 if os.environ.get("JSON_FORMAT_SUITE_REQUIRE") == "1" else 0
    expected = json.loads(FAILURES.read_text(encoding="utf-8"))
    is_right = True
    for backend, environment in backends(Path(sys.executable)).items():
        found = outcomes(program, environment)
        failed = {name: reason for name, reason in found.items() if reason is not None}
        print(f"json_format suite over the {backend} backend: ", end="")
        print(f"{len(found) - len(failed)} of {len(found)} passed")
        for name in sorted(failed.keys() - expected.keys()):
            print(f"  fails: {name}: {failed[name]}")
        for name in sorted(expected.keys() - failed.keys()):
            print(f"  passes now: take {name} off {FAILURES.relative_to(ROOT)}")
        is_right &= bool(found) and failed.keys() == expected.keys()
    return 0 if is_right else 1


if __name__ == "__main__":
    sys.exit(main())
