"""Makes native/THIRD_PARTY_NOTICES.txt: the licences of all crates that are linked into the core.

    python scripts/native_notices.py [--check]

The file goes into the wheel, as these licences demand. The texts are those in the crates that
cargo has downloaded. Standard library only.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from environment import ROOT

NATIVE = ROOT / "native"
NOTICES = NATIVE / "THIRD_PARTY_NOTICES.txt"
LICENCE_FILES = ("LICENSE-MIT", "LICENSE", "LICENSE.txt", "LICENSE-APACHE")
"""The files of a crate that may hold its licence, the best one first."""
LINE = "-" * 80


def linked_crates() -> list[dict[str, Any]]:
    """The packages that are linked into the core, without those that only run while it is built."""
    command = ["cargo", "metadata", "--locked", "--format-version", "1"]
    found = subprocess.run(command, cwd=NATIVE, capture_output=True, check=True, text=True)
    metadata = json.loads(found.stdout)
    packages = {package["id"]: package for package in metadata["packages"]}
    nodes = {node["id"]: node for node in metadata["resolve"]["nodes"]}
    linked: set[str] = set()
    waiting = [metadata["resolve"]["root"]]
    while waiting:
        for dependency in nodes[waiting.pop()]["deps"]:
            package = packages[dependency["pkg"]]
            kinds = {kind["kind"] for kind in dependency["dep_kinds"]}
            is_macro = any("proc-macro" in target["kind"] for target in package["targets"])
            if None in kinds and not is_macro and package["id"] not in linked:
                linked.add(package["id"])
                waiting.append(package["id"])
    return sorted((packages[key] for key in linked), key=lambda package: str(package["name"]))


def notices() -> str:
    """The text of the file."""
    parts = ["The core contains code of these crates, under the licences that follow.\n"]
    for package in linked_crates():
        folder = Path(package["manifest_path"]).parent
        files = [folder / name for name in LICENCE_FILES if (folder / name).is_file()]
        if not files:
            raise FileNotFoundError(f"no licence file in {folder}")
        # The Apache licence demands the notices too.
        files = [files[0], *(path for path in [folder / "NOTICE.txt"] if path.is_file())]
        text = "\n\n".join(path.read_text(encoding="utf-8").strip() for path in files)
        title = f"{package['name']} {package['version']} ({package['license']})"
        parts.append(f"{LINE}\n{title}\n{package['repository']}\n{LINE}\n{text}\n")
    return "\n".join(parts)


def main(arguments: list[str]) -> int:
    text = notices()
    if arguments != ["--check"]:
        NOTICES.write_text(text, encoding="utf-8")
    elif NOTICES.read_text(encoding="utf-8") != text:
        print(f"{NOTICES.name} differs: run scripts/native_notices.py", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
