"""Builds the native core into .venv where cargo is, and says in one line when it does not.

`make` runs it before what is quicker with the core. Everything works without it, so only
TURNWIRE_REQUIRE_NATIVE=1 makes its absence an error.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

from environment import ROOT, python_of


def install_native(environment: Path) -> bool:
    """Builds and installs the core, or says why not; False only where it is required."""
    if shutil.which("cargo"):
        print("building the native core, which takes a minute ...", file=sys.stderr)
        pip = [str(python_of(environment)), "-m", "pip", "install", "--quiet"]
        options = ["--disable-pip-version-check", "--no-deps", "--force-reinstall"]
        if subprocess.run([*pip, *options, str(ROOT / "native")], cwd=ROOT).returncode == 0:
            return True
        reason = "it did not build"
    else:
        reason = "there is no cargo here"
    print(f"no native core: {reason}; pure Python does the work", file=sys.stderr)
    return os.environ.get("TURNWIRE_REQUIRE_NATIVE") != "1"


if __name__ == "__main__":
    if not install_native(ROOT / ".venv"):
        sys.exit(1)
    (ROOT / ".venv" / "native").touch()
