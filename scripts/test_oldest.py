"""Runs the tests of the runtime on the oldest protobuf that pyproject.toml allows.

`make test` runs on the newest protobuf, because .venv takes what the index offers. Here the tests
run over pure Python, and then over the native core those that it can change; where it was not
built, that is said in one line.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib

from build_native import install_native
from environment import ROOT, make_environment
from run_tests import ANY_BACKEND, passes

LEFT_OUT = {
    "pure": ("packaging", "typing", "docs", "native"),
    # The tests of the program start processes, for minutes in all.
    "native": (*ANY_BACKEND, "cli"),
}
"""What is not run over each backend: packages, types, pages, and what it cannot change."""


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
    if found != version:
        print(f"expected protobuf {version}, not {found}", file=sys.stderr)
        return 1
    has_native = install_native(environment)
    for backend, left_out in LEFT_OUT.items():
        if backend == "native" and not has_native:
            print("no tests over the native core: it was not built", file=sys.stderr)
            return 1 if os.environ.get("TURNWIRE_REQUIRE_NATIVE") == "1" else 0
        print(f"tests on protobuf {found}, over the {backend} backend", flush=True)
        chosen = {"TURNWIRE_PURE": "1" if backend == "pure" else "0"}
        if not passes(python, os.environ | chosen, left_out):
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
