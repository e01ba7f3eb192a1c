"""The exactly pinned tools that work on .proto files: protoc, the stub generator and buf.

They live in a separate virtual environment, `.toolchain`, because the protobuf that generates
and the one that the tests run on are two versions on purpose. Standard library only.
"""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

from environment import ROOT, make_environment, python_of

TOOLCHAIN = ROOT / ".toolchain"
PROTOS = TOOLCHAIN / "protos"
"""A proto root with google/api/*.proto, which protoc and buf (see buf.yaml) both read."""

_REQUIREMENTS = ROOT / "scripts" / "toolchain.txt"


def toolchain() -> Path:
    """The interpreter of the toolchain, which is installed when it is missing or out of date."""
    installed = TOOLCHAIN / "installed.txt"
    wanted = _REQUIREMENTS.read_text(encoding="utf-8")
    if not installed.exists() or installed.read_text(encoding="utf-8") != wanted:
        python = make_environment(TOOLCHAIN, "--requirement", str(_REQUIREMENTS))
        _copy_annotations(python)
        installed.write_text(wanted, encoding="utf-8")
    return python_of(TOOLCHAIN)


def tool(name: str) -> Path:
    """The path of a program of the toolchain, such as ``buf``."""
    found = shutil.which(name, path=str(toolchain().parent))
    if found is None:
        raise FileNotFoundError(f"{name} is not among the tools of {_REQUIREMENTS.name}")
    return Path(found)


def _copy_annotations(python: Path) -> None:
    """Copies google/api/*.proto out of the wheel of googleapis-common-protos."""
    code = "import google.api; print(google.api.__path__[0])"
    found = subprocess.run([str(python), "-c", code], check=True, text=True, capture_output=True)
    target = PROTOS / "google" / "api"
    target.mkdir(parents=True)
    for source in Path(found.stdout.strip()).glob("*.proto"):
        shutil.copyfile(source, target / source.name)
