"""Searches the native core for inputs that break what it promises, for as long as one likes.

    python scripts/fuzz.py SECONDS

First the searches in Rust (native/src/fuzz), all at once for so many seconds; then the comparisons
of both backends in tests/native, with so many examples each. What they find is random: each prints
how to see it again.
"""

from __future__ import annotations

import os
import subprocess
import sys

from environment import ROOT, python_of

EXAMPLES_PER_SECOND = 10


def main(seconds: int) -> int:
    in_rust = os.environ | {"ARBTEST_BUDGET_MS": str(seconds * 1000), "RUST_TEST_THREADS": "64"}
    search = ["cargo", "test", "--release", "--quiet", "fuzz::"]
    in_python = os.environ | {
        "TURNWIRE_EXAMPLES": str(seconds * EXAMPLES_PER_SECOND),
        "TURNWIRE_REQUIRE_NATIVE": "1",
    }
    compare = [str(python_of(ROOT / ".venv")), "-m", "pytest", "tests/native"]
    print(f"searching in Rust for {seconds} s ...", flush=True)
    found = subprocess.run(search, cwd=ROOT / "native", env=in_rust).returncode
    print("comparing the backends ...", flush=True)
    differ = subprocess.run(compare, cwd=ROOT, env=in_python).returncode
    return found or differ


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1])))
