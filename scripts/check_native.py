"""Checks the native core by itself: rustfmt, clippy, its crates and the tests written in Rust.

Without cargo it prints one line and checks nothing; TURNWIRE_REQUIRE_NATIVE=1 makes that an error.
Without cargo-deny it prints one line too: tests/native checks the licences anyway.
Standard library only.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

import native_notices
from environment import ROOT

CHECKS = (
    "cargo fmt --check",
    "cargo clippy --release --all-targets -- -D warnings",
    "cargo test --release --quiet",
)
# Without known vulnerabilities: their database is downloaded and changes from day to day.
DENY = "cargo deny --offline check bans licenses sources"
# The time of each search for a failure, in milliseconds; `make fuzz` searches longer.
SEARCH = {"ARBTEST_BUDGET_MS": "2000"}


def main() -> int:
    if shutil.which("cargo") is None:
        print("native core: not checked, cargo is missing", file=sys.stderr)
        return 1 if os.environ.get("TURNWIRE_REQUIRE_NATIVE") == "1" else 0
    checks = list(CHECKS)
    if shutil.which("cargo-deny"):
        checks.append(DENY)
    else:
        print("native core: cargo-deny is missing, which checks its crates", file=sys.stderr)
    for check in checks:
        environment = SEARCH | os.environ
        if subprocess.run(check.split(), cwd=ROOT / "native", env=environment).returncode != 0:
            return 1
    return native_notices.main(["--check"])


if __name__ == "__main__":
    sys.exit(main())
