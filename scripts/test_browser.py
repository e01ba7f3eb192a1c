"""Runs tests/browser in a real Chromium, with axe-core, notebooks and the page in TypeScript.

    python scripts/test_browser.py

What is missing is installed: Chromium by apt, where that is allowed; axe-core by npm as
tests/browser/package-lock.json pins it; the libraries of notebooks into .venv-browser. The npm
package is built, and the recipe that uses it. Without a browser or npm, nothing runs;
TURNWIRE_REQUIRE_BROWSER=1 makes that a failure. Standard library only.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

from browsers import find_browser
from environment import ROOT, make_environment
from npm_package import build_package
from run_tests import passes

FOLDER = ROOT / "tests" / "browser"


def main() -> int:
    if find_browser() is None:
        install_browser()
    missing = [
        name
        for name, found in {"Chromium": find_browser(), "npm": shutil.which("npm")}.items()
        if not found
    ]
    if missing:
        print(f"no browser tests: {' and '.join(missing)} not on this machine", file=sys.stderr)
        return os.environ.get("TURNWIRE_REQUIRE_BROWSER") == "1"
    install = "npm ci --silent --ignore-scripts"
    run(install, FOLDER)
    build_package()
    for command in (install, "npm run --silent build", "npm test --silent"):
        run(command, ROOT / "examples" / "recipes" / "typescript_page")
    python = make_environment(ROOT / ".venv-browser", "--editable", ".[browser]")
    # CI may require the core, which this environment is without.
    without = {key: value for key, value in os.environ.items() if key != "TURNWIRE_REQUIRE_NATIVE"}
    return not passes(python, without, (), "tests/browser")


def run(command: str, folder: Path) -> None:
    """Runs a command in a folder; its failure is that of this program."""
    subprocess.run(command.split(), cwd=folder, check=True)


def install_browser() -> None:
    """Installs Debian's Chromium, as root or by sudo without a password."""
    apt = shutil.which("apt-get")
    if apt is None:
        return
    is_root = hasattr(os, "geteuid") and os.geteuid() == 0
    prefix = [] if is_root else ["sudo", "--non-interactive"]
    if prefix and shutil.which("sudo") is None:
        return
    environment = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
    for command in (["update"], ["install", "--yes", "--no-install-recommends", "chromium"]):
        done = subprocess.run([*prefix, apt, "--quiet=2", *command], env=environment)
        if done.returncode != 0:
            return


if __name__ == "__main__":
    sys.exit(main())
