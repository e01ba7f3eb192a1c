"""Runs the tests of the runtime on the oldest protobuf that pyproject.toml allows.

`make test` runs on the newest protobuf, because .venv takes what the index offers. The tests that
build packages, check types or lint say nothing about the runtime and are left out.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib

from build_native import install_native
from environment import ROOT, make_environment

LEFT_OUT = ["packaging", "typing", "docs"]


def oldest_protobuf() -> str:
    """The lower bound of the dependency on protobuf, such as ``6.31.1``."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    bounds = [re.fullmatch(r"protobuf>=([\d.]+),.*", line) for line in project["dependencies"]]
    [version] = [bound[1] for bound in bounds if bound]
    return version


def main() -> int:
    version = oldest_protobuf()
    environment = ROOT / f".venv-protobuf-{version}"
    python = make_environment(environment, "--editable", ".[test]", f"protobuf=={version}")
    if not install_native(environment):
        return 1
    ignored = [f"--ignore=tests/{name}" for name in LEFT_OUT]
    return subprocess.run([str(python), "-m", "pytest", *ignored], cwd=ROOT).returncode


if __name__ == "__main__":
    sys.exit(main())
