"""Compares generated files with the committed ones, or writes them. Standard library only."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path


def bring_up_to_date(
    root: Path, parts: Iterable[str], new: dict[str, bytes], *, command: str, check: bool
) -> int:
    """Makes the parts of a folder hold the new files and no others, or says where they differ.

    Args:
        root: The folder.
        parts: The files and folders in it that are generated; others are left alone.
        new: What they shall hold, by path below the root.
        command: What to run when something differs.
        check: Whether to compare only, and write nothing.

    Returns:
        The exit status: 1 where a comparison found a difference, else 0.
    """
    old = contents(root, parts)
    changed = [f"missing: {path}" for path in sorted(new.keys() - old.keys())]
    changed += [f"left over: {path}" for path in sorted(old.keys() - new.keys())]
    changed += [f"different: {path}" for path in sorted(new.keys() & old) if new[path] != old[path]]
    if check and changed:
        for line in changed:
            print(f"{root.name}/ is not up to date: {line}", file=sys.stderr)
        print(f"run `{command}` and commit the result", file=sys.stderr)
        return 1
    if not check:
        _write(root, old, new)
    print(f"{root.name}/ is up to date: {len(new)} files")
    return 0


def contents(root: Path, parts: Iterable[str]) -> dict[str, bytes]:
    """The files in those parts of a folder by path, without what Python caches there."""
    paths = [path for part in parts for path in (root / part, *(root / part).rglob("*"))]
    return {
        path.relative_to(root).as_posix(): path.read_bytes()
        for path in paths
        if path.is_file() and "__pycache__" not in path.parts
    }


def _write(root: Path, old: dict[str, bytes], new: dict[str, bytes]) -> None:
    for name in old.keys() - new.keys():
        (root / name).unlink()
    for name, data in new.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
