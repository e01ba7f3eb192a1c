"""Builds the core into .venv where cargo is; elsewhere says so in one line.

`make` runs it before tests and benchmarks. Everything works without the core, so its absence is an
error only with TURNWIRE_REQUIRE_NATIVE=1. The wheel stays in build/native for other
environments: the stable ABI and the wire format fit every Python and every protobuf.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

from environment import ROOT, python_of

_WHEELS = ROOT / "build" / "native"


def build_native(environment: Path) -> bool:
    """Builds the core and installs it, or says why not; returns False only where it is required."""
    shutil.rmtree(_WHEELS, ignore_errors=True)
    if shutil.which("cargo"):
        print("building the native core, which takes a minute ...", file=sys.stderr)
        options = ["--quiet", "--disable-pip-version-check", "--no-deps"]
        pip = [str(python_of(environment)), "-m", "pip"]
        build = [*pip, "wheel", *options, "--wheel-dir", str(_WHEELS), str(ROOT / "native")]
        if subprocess.run(build, cwd=ROOT).returncode == 0:
            install_native(environment)
            return True
        reason = "it did not build"
    else:
        reason = "cargo is not on the path"
    print(f"no native core: {reason}; pure Python does the work", file=sys.stderr)
    return os.environ.get("TURNWIRE_REQUIRE_NATIVE") != "1"


def install_native(environment: Path) -> bool:
    """Installs the wheel that was built last; returns False where it is missing."""
    wheel = next(_WHEELS.glob("*.whl"), None)
    if wheel is None:
        return False
    pip = [str(python_of(environment)), "-m", "pip", "install", "--quiet"]
    options = ["--disable-pip-version-check", "--no-deps", "--force-reinstall"]
    subprocess.run([*pip, *options, str(wheel)], check=True)
    return True


if __name__ == "__main__":
    if not build_native(ROOT / ".venv"):
        sys.exit(1)
    (ROOT / ".venv" / "native").touch()
