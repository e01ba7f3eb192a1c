"""Judges the .proto files with buf: format, lint, and breaking changes since the last tag.

    python scripts/check_proto.py          check all three; exit 1 when one of them fails
    python scripts/check_proto.py --fix    format the files in place

The rules are in buf.yaml. Standard library only.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

from environment import ROOT
from generate import DESCRIPTOR_SET, GENERATED
from toolchain import tool


def buf(*arguments: str) -> bool:
    """Runs buf at the root of the repository; whether it found nothing."""
    return subprocess.run([str(tool("buf")), *arguments], cwd=ROOT).returncode == 0


def git(*arguments: str) -> bytes | None:
    """What a git command prints, or None where it fails."""
    done = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True)
    return done.stdout if done.returncode == 0 else None


def breaks_nothing() -> bool:
    """Compares with the descriptor set that the last tag committed: buf reads it as an image."""
    described = git("describe", "--tags", "--abbrev=0", "--match=v*")
    if described is None:
        shallow = git("rev-parse", "--is-shallow-repository") == b"true\n"
        reason = (
            "this clone is shallow and has no tags, `git fetch --unshallow --tags` gets them"
            if shallow
            else "no version has been tagged yet"
        )
        print(f"buf breaking: nothing to compare with, {reason}")
        return True
    tag = described.decode().strip()
    descriptor_set = (GENERATED / DESCRIPTOR_SET).relative_to(ROOT).as_posix()
    released = git("show", f"{tag}:{descriptor_set}")
    if released is None:
        print(f"{tag} has no {descriptor_set}", file=sys.stderr)
        return False
    with tempfile.TemporaryDirectory() as folder:
        image = Path(folder) / DESCRIPTOR_SET
        image.write_bytes(released)
        return buf("breaking", "proto", "--exclude-imports", f"--against={image}")


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--fix", action="store_true", help="format the files in place")
    if parser.parse_args().fix:
        return 0 if buf("format", "--write", "proto") else 1
    checks = [buf("format", "--diff", "--exit-code", "proto"), buf("lint"), breaks_nothing()]
    if not all(checks):
        return 1
    print("proto/ is formatted, clean and compatible")
    return 0


if __name__ == "__main__":
    sys.exit(main())
