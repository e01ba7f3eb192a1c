"""Checks the native core by itself: rustfmt, clippy, cargo-deny and the tests written in Rust.

Where there is no cargo it says so in one line; only TURNWIRE_REQUIRE_NATIVE=1 makes that an error.
Where there is no cargo-deny, that is said, and the licences are left to tests/native.
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
# Known vulnerabilities are left out: their database is fetched, and changes from day to day.
DENY = "cargo deny --offline check bans licenses sources"
# How long each test that searches for a failure does so, in milliseconds; `make fuzz` is longer.
SEARCH = {"ARBTEST_BUDGET_MS": "2000"}


def main() -> int:
    if shutil.which("cargo") is None:
        print("native core: not checked, there is no cargo here", file=sys.stderr)
        return 1 if os.environ.get("TURNWIRE_REQUIRE_NATIVE") == "1" else 0
    checks = list(CHECKS)
    if shutil.which("cargo-deny"):
        checks.append(DENY)
    else:
        print("native core: there is no cargo-deny here to check its crates", file=sys.stderr)
    for check in checks:
        environment = SEARCH | os.environ
        if subprocess.run(check.split(), cwd=ROOT / "native", env=environment).returncode != 0:
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
