"""Makes virtual environments that hold the package in editable form and what a task needs.

    python scripts/environment.py .venv

`make` runs it where an environment is missing or older than pyproject.toml. Standard library only.
The check of the version comes first, so that an old Python gets a sentence and not a SyntaxError.
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
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
GENERATED = ROOT / "generated"

REQUIREMENTS = {
    ".venv": ".[dev]",
    ".venv-demo": ".[html]",
    ".venv-docs": ".[docs]",
    ".venv-release": ".[release]",
}
"""The environments that `make` knows, each with what is installed into it."""


def python_of(environment: Path) -> Path:
    """Returns the interpreter of a virtual environment."""
    return environment / ("Scripts/python.exe" if os.name == "nt" else "bin/python")


def make_environment(
    environment: Path, *requirements: str, interpreter: Path = Path(sys.executable)
) -> Path:
    """Makes a new virtual environment, installs requirements into it, returns its interpreter."""
    shutil.rmtree(environment, ignore_errors=True)
    subprocess.run([str(interpreter), "-m", "venv", str(environment)], check=True)
    python = python_of(environment)
    pip = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*pip, *requirements], check=True, cwd=ROOT)
    return python


if __name__ == "__main__":
    name = sys.argv[1]
    print(f"making {name} ...", file=sys.stderr)
    make_environment(ROOT / name, "--editable", REQUIREMENTS[name])
    (ROOT / name / "installed").touch()
