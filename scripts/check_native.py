"""Checks the native core by itself: rustfmt, clippy and the tests that are written in Rust.

Where there is no cargo it says so in one line; only TURNWIRE_REQUIRE_NATIVE=1 makes that an error.
Standard library only.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

from environment import ROOT

CHECKS = (
    "cargo fmt --check",
    "cargo clippy --release --all-targets -- -D warnings",
    "cargo test --release --quiet",
)


def main() -> int:
    if shutil.which("cargo") is None:
        print("native core: not checked, there is no cargo here", file=sys.stderr)
        return 1 if os.environ.get("TURNWIRE_REQUIRE_NATIVE") == "1" else 0
    for check in CHECKS:
        if subprocess.run(check.split(), cwd=ROOT / "native").returncode != 0:
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
