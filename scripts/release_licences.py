"""Finds installed packages whose licence is not among those that we know to be harmless."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path

KNOWN = re.compile(
    r"(?i)\b(apache|mit|bsd|isc|psf|python software foundation|mpl-2\.0|mozilla public license 2"
    r"|hpnd|zlib|unlicense|0bsd|cc0|lgpl)\b"
)
"""Licences that let a program use a package and be distributed with it."""

_ASK = """
import json
from importlib.metadata import distributions
print(json.dumps({
    found.metadata["Name"]: [
        *(found.metadata.get_all("License-Expression") or ()),
        *(line for line in found.metadata.get_all("Classifier") or () if "License ::" in line),
        *((found.metadata.get("License") or "").splitlines()[:1]),
    ]
    for found in distributions()
}))
"""


def unknown_licences(python: Path) -> dict[str, list[str]]:
    """Returns the stated licences of each package of an environment that has no known one."""
    done = subprocess.run([str(python), "-c", _ASK], check=True, capture_output=True)
    found: dict[str, list[str]] = json.loads(done.stdout)
    return {name: stated for name, stated in found.items() if not any(map(KNOWN.search, stated))}
