"""Makes .venv with the package in editable form and every development tool from the index.

`make` runs it when .venv is missing or older than pyproject.toml. Standard library only; the
check of the version comes first, so that an old Python gets a sentence instead of a SyntaxError.
"""

import sys

if sys.version_info < (3, 11):  # noqa: UP036
    sys.exit(
        "Turnwire needs Python 3.11 or newer, but {} is {}.{}; name another one: "
        "make PYTHON=python3.13 ...".format(sys.executable, *sys.version_info[:2])
    )

import os
import shutil
import subprocess
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def python_of(environment: Path) -> Path:
    """The interpreter of a virtual environment."""
    return environment / ("Scripts/python.exe" if os.name == "nt" else "bin/python")


def make_environment(environment: Path, *requirements: str) -> Path:
    """Makes a virtual environment anew, installs requirements into it, returns its interpreter."""
    shutil.rmtree(environment, ignore_errors=True)
    venv.create(environment, with_pip=True, symlinks=os.name != "nt")
    python = python_of(environment)
    pip = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*pip, *requirements], check=True, cwd=ROOT)
    return python


if __name__ == "__main__":
    print("making .venv, which takes a minute ...", file=sys.stderr)
    make_environment(ROOT / ".venv", "--editable", ".[dev]")
    (ROOT / ".venv" / "installed").touch()
