"""Runs the tests of the runtime on the oldest protobuf that pyproject.toml allows.

`make test` runs on the newest protobuf, because .venv takes what the index offers. Here the native
core is not installed: what it needs of protobuf is messages' own bytes and descriptors, while the
pure backend uses the whole interface of messages, and is what `pip install turnwire` gives.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib

from environment import ROOT, make_environment
from run_tests import NO_PURE, passes


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
    ask = [str(python), "-c", "import google.protobuf; print(google.protobuf.__version__)"]
    found = subprocess.run(ask, check=True, stdout=subprocess.PIPE, text=True).stdout.strip()
    print(f"tests on protobuf {found}, over the pure backend", flush=True)
    if found != version:
        print(f"expected protobuf {version}", file=sys.stderr)
        return 1
    return 0 if passes(python, os.environ | {"TURNWIRE_PURE": "1"}, NO_PURE) else 1


if __name__ == "__main__":
    sys.exit(main())
