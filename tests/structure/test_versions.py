"""The parts that are released together have one version, and the core that is built fits."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

import turnwire

ROOT = Path(__file__).resolve().parents[2]


def toml(path: str) -> Any:
    return tomllib.loads((ROOT / path).read_text(encoding="utf-8"))


def minor(version: str) -> tuple[int, ...]:
    """Returns the major and minor version: 0.1.7 gives (0, 1)."""
    return tuple(map(int, version.split(".")[:2]))


VERSION = toml("pyproject.toml")["project"]["version"]
NATIVE = toml("native/Cargo.toml")["package"]["version"]


def test_the_package_says_its_version() -> None:
    assert turnwire.__version__ == VERSION


@pytest.mark.parametrize("path", ["package.json", "package-lock.json"])
def test_the_npm_package_has_the_same_version(path: str) -> None:
    package = json.loads((ROOT / "interop" / "typescript" / path).read_text(encoding="utf-8"))
    assert package["version"] == VERSION


def test_the_native_core_has_its_version_locked() -> None:
    packages = toml("native/Cargo.lock")["package"]
    [locked] = [one["version"] for one in packages if one["name"] == "turnwire-native"]
    assert locked == NATIVE
    assert minor(NATIVE) == minor(VERSION)


def number(path: str, name: str) -> int:
    """A number that a source file gives a name to."""
    [found] = re.findall(rf"\b{name}(?:: u32)? = (\d+)", (ROOT / path).read_text(encoding="utf-8"))
    return int(found)


def test_the_native_core_fits() -> None:
    theirs = number("native/src/python/mod.rs", "INTERFACE")
    assert number("src/turnwire/_backend.py", "_INTERFACE") == theirs

    [wanted] = toml("pyproject.toml")["project"]["optional-dependencies"]["native"]
    bounds = re.fullmatch(r"turnwire-native>=([\d.]+),<([\d.]+)", wanted)
    assert bounds is not None
    assert minor(bounds[1]) <= minor(NATIVE) < minor(bounds[2])
