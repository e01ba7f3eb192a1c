"""Remembers which parts of which inputs are finished, so that a run can go on after a kill."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Collection
from pathlib import Path
from typing import Any

from turnwire import __version__
from turnwire._cli.files import STANDARD
from turnwire._cli.inputs import Part
from turnwire._replacing import replacing


class Manifest:
    """A file with a line for each finished part; a line that a kill cut off does not count.

    A part is known by its path, its range, the size and the time of its file, and by the options
    of the run and the version that made its outputs.

    Args:
        path: The file.
        options: Everything that decides about the outputs; its repr must be the same in each run.
    """

    def __init__(self, path: Path, options: object) -> None:
        self._path = path
        shown = f"{__version__} {options!r}"
        self._options = hashlib.sha256(shown.encode()).hexdigest()
        self._done: dict[str, dict[str, Any]] = {}
        self._files: list[tuple[str, list[str]]] = []

    def load(self) -> None:
        """Reads what earlier runs finished and made."""
        try:
            lines = self._path.read_bytes().splitlines()
        except FileNotFoundError:
            return
        for line in lines:
            try:
                entry = json.loads(line)
                self._files.append((entry["input"], entry["files"]))
                self._done[entry["key"]] = entry
            except (ValueError, KeyError, TypeError):
                continue

    def forget(self) -> None:
        """Forgets which parts are finished, but not their outputs."""
        self._done.clear()
        if self._files:
            lines = [json.dumps({"input": name, "files": files}) for name, files in self._files]
            with replacing(self._path, owner=self._path.parent) as file:
                file.write("\n".join([*lines, ""]).encode())

    def files_of(self, names: Collection[str]) -> set[str]:
        """Returns the outputs that earlier runs made of inputs, which are given as real paths."""
        return {path for name, files in self._files if name in names for path in files}

    def entry_of(self, part: Part) -> dict[str, Any] | None:
        """Returns what was noted about a part; None if it is not finished."""
        return self._done.get(self.key_of(part))

    def add(self, part: Part, key: str, facts: dict[str, Any]) -> None:
        """Notes that a part is finished, so that it outlives a crash of the machine.

        Args:
            part: The part.
            key: Its key before it was read: a file that has grown since is not finished.
            facts: The facts to keep.
        """
        if not key:
            return
        name = os.path.realpath(part.name)
        entry = {"key": key, "input": name, "start": part.start, **facts}
        with self._path.open("ab+") as file:
            # After a line that was cut off, a new one begins.
            if file.tell() and not _ends_line(file):
                file.write(b"\n")
            file.write(json.dumps(entry).encode() + b"\n")
            file.flush()
            os.fsync(file.fileno())

    def key_of(self, part: Part) -> str:
        """Returns the key of a part; nothing for stdin, which may hold anything each time."""
        if part.name == STANDARD:
            return ""
        try:
            status = Path(part.name).stat()
        except OSError:
            return ""
        facts = [
            os.path.realpath(part.name),
            part.start,
            part.end,
            part.stem,
            status.st_size,
            status.st_mtime_ns,
            self._options,
        ]
        return hashlib.sha256(json.dumps(facts).encode()).hexdigest()


def _ends_line(file: Any) -> bool:
    file.seek(-1, os.SEEK_END)
    return bool(file.read(1) == b"\n")
