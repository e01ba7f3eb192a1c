"""The licences of the native core's crates: each is allowed, and the wheel has its notice."""

from __future__ import annotations

import json
import shutil
import subprocess
import tomllib
from pathlib import Path

import native_notices
import pytest

NATIVE = Path(__file__).parents[2] / "native"


def is_allowed(expression: str, allowed: set[str]) -> bool:
    """Returns whether an SPDX expression, alternatives joined by AND, can be met."""
    parts = (part.strip("() ") for part in expression.split(" AND "))
    return all(not allowed.isdisjoint(part.split(" OR ")) for part in parts)


def test_expressions() -> None:
    allowed = {"MIT", "Unicode-3.0", "Apache-2.0 WITH LLVM-exception"}
    assert is_allowed("(MIT OR GPL-3.0-only) AND Unicode-3.0", allowed)
    assert is_allowed("Apache-2.0 WITH LLVM-exception", allowed)
    assert not is_allowed("MIT AND GPL-3.0-only", allowed)
    assert not is_allowed("", allowed)


def test_licences_of_all_crates() -> None:
    if not shutil.which("cargo"):
        pytest.skip("cargo is missing")
    command = ["cargo", "metadata", "--locked", "--format-version", "1"]
    found = subprocess.run(command, cwd=NATIVE, capture_output=True, text=True)
    if found.returncode != 0:
        pytest.skip(f"cargo cannot read the crates here: {found.stderr.strip()[-200:]}")
    allowed = set(tomllib.loads((NATIVE / "deny.toml").read_text())["licenses"]["allow"])
    packages = json.loads(found.stdout)["packages"]
    assert len(packages) > 10
    refused = {
        package["name"]: package["license"]
        for package in packages
        if not is_allowed(package["license"] or "", allowed)
    }
    assert not refused


def test_the_wheel_has_the_notices_of_all_crates() -> None:
    if not shutil.which("cargo"):
        pytest.skip("cargo is missing")
    try:
        text = native_notices.notices()
    except (subprocess.CalledProcessError, FileNotFoundError) as error:
        pytest.skip(f"cargo has not downloaded the crates here: {error}")
    assert text == native_notices.NOTICES.read_text(encoding="utf-8")
    project = tomllib.loads((NATIVE / "pyproject.toml").read_text())["project"]
    assert native_notices.NOTICES.name in project["license-files"]
    # Crates whose only licence asks for its notice.
    for name in ("zmij", "memchr", "pyo3"):
        assert f"\n{name} " in text
    assert "syn " not in text
