"""Checks the .proto files with buf: format, lint, and breaking changes since the last release.

    python scripts/check_proto.py              check all three; exit 1 if one of them fails
    python scripts/check_proto.py --fix        format the files in place
    python scripts/check_proto.py --release    make the schema of today the one to compare with

The rules are in buf.yaml. Standard library only.
"""

from __future__ import annotations

import argparse
import subprocess
import sys

from environment import ROOT
from toolchain import tool

RELEASED = "tests/contract/released.binpb.gz"
"""The descriptor set of the last release, without comments."""


def buf(*arguments: str) -> bool:
    """Runs buf at the root of the repository, and returns whether it found nothing."""
    return subprocess.run([str(tool("buf")), *arguments], cwd=ROOT).returncode == 0


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    action = parser.add_mutually_exclusive_group()
    action.add_argument("--fix", action="store_true", help="format the files in place")
    action.add_argument("--release", action="store_true", help=f"write {RELEASED}")
    arguments = parser.parse_args()
    if arguments.fix:
        return 0 if buf("format", "--write", "proto") else 1
    if arguments.release:
        return 0 if buf("build", "proto", "--exclude-source-info", "--output", RELEASED) else 1
    checks = [
        buf("format", "--diff", "--exit-code", "proto"),
        buf("lint"),
        buf("breaking", "proto", "--exclude-imports", f"--against={RELEASED}"),
    ]
    if not all(checks):
        return 1
    print("proto/ is formatted, clean, and compatible with the last release")
    return 0


if __name__ == "__main__":
    sys.exit(main())
