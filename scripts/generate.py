"""Makes everything that is generated, or checks that it is up to date.

    python scripts/generate.py            write generated/ and the outputs of the steps below
    python scripts/generate.py --check    compare; exit 1 on any difference or leftover

Each step is a program that other steps do not need to run in the same process: the stubs, which
later steps import, may have changed before.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from pathlib import Path

from environment import GENERATED, ROOT

STEPS = (
    "stubs.py",
    "json_schema.py",
    "vectors.py",
    "interop_registries.py",
    "pages.py",
)
"""The programs in scripts/ that generate files, in order. All of them take ``--check``."""

_PARTS = frozenset(("python", "turnwire.binpb", "jsonschema"))
"""Everything that may stand in generated/."""


def run_step(step: str, check: bool) -> bool:
    """Runs one step and returns whether it succeeded."""
    command = [sys.executable, str(Path(__file__).with_name(step)), *(["--check"] if check else [])]
    return subprocess.run(command, cwd=ROOT).returncode == 0


def leftovers() -> list[str]:
    """Returns the names in generated/ that no step writes."""
    return sorted(path.name for path in GENERATED.iterdir() if path.name not in _PARTS)


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--check", action="store_true", help="compare, write nothing")
    check = parser.parse_args().check
    failed = []
    for step in STEPS:
        if not run_step(step, check):
            failed.append(step)
            if not check:
                break
    for name in leftovers():
        print(f"generated/ holds a leftover: {name}", file=sys.stderr)
        failed.append(name)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
