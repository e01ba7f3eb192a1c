"""Searches for inputs that break the core, for a given time.

    python scripts/fuzz.py SECONDS

First the searches in Rust (native/src/fuzz) run side by side for so long; then the comparisons of
both backends in tests/native, with ten examples per second each. The inputs are random; a search
that fails prints the way to repeat it. A missing core is an error only with
TURNWIRE_REQUIRE_NATIVE=1.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

from backends import backends
from environment import ROOT, python_of
from run_tests import passes

EXAMPLES_PER_SECOND = 10


def main(seconds: int) -> int:
    python = python_of(ROOT / ".venv")
    native = backends(python).get("native")
    if native is None or shutil.which("cargo") is None:
        print("no search: the core or cargo is not here", file=sys.stderr)
        return int(os.environ.get("TURNWIRE_REQUIRE_NATIVE") == "1")
    print(f"searching in Rust for {seconds} s ...", flush=True)
    search = ["cargo", "test", "--release", "--quiet", "fuzz::"]
    in_rust = os.environ | {"ARBTEST_BUDGET_MS": str(seconds * 1000), "RUST_TEST_THREADS": "64"}
    found = subprocess.run(search, cwd=ROOT / "native", env=in_rust).returncode
    print("comparing the backends ...", flush=True)
    examples = {"TURNWIRE_EXAMPLES": str(seconds * EXAMPLES_PER_SECOND)}
    same = passes(python, native | examples, (), "tests/native")
    return 1 if found or not same else 0


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1])))
