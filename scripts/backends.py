"""Finds the backends of the JSON mapping, as environments to run a program in."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

_HAS_NATIVE = "import importlib.util as u; exit(u.find_spec('turnwire_native') is None)"


def backends(python: Path) -> dict[str, dict[str, str]]:
    """Returns the environment variables for each backend that an interpreter has, by its name.

    The native one comes first where it is installed; the pure one is always there.
    """
    found = {"pure": os.environ | {"TURNWIRE_PURE": "1"}}
    if subprocess.run([str(python), "-c", _HAS_NATIVE]).returncode == 0:
        return {"native": os.environ | {"TURNWIRE_PURE": "0"}} | found
    return found
