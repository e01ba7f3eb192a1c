"""Builds the npm package of interop/typescript, with the pinned buf. Standard library only.

    python scripts/npm_package.py

`make npm-package` runs it.
"""

from __future__ import annotations

import os
import subprocess

from environment import ROOT
from toolchain import tool


def build_package() -> None:
    """Installs what the package needs, generates its sources and compiles them into dist/."""
    path = os.pathsep.join([str(tool("buf").parent), os.environ["PATH"]])
    for command in ("npm ci --silent", "npm run --silent build"):
        folder = ROOT / "interop" / "typescript"
        subprocess.run(command.split(), cwd=folder, env=os.environ | {"PATH": path}, check=True)


if __name__ == "__main__":
    build_package()
    print("interop/typescript/dist is built")
