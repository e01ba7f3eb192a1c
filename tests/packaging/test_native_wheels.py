"""Compares the configured wheels of the core with the platforms that docs/native.md names."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

# One wheel for each platform: the stable ABI of the oldest Python works on all newer ones.
WHEELS = {
    "linux": {
        "cp311-manylinux_x86_64",
        "cp311-manylinux_aarch64",
        "cp311-musllinux_x86_64",
        "cp311-musllinux_aarch64",
    },
    "macos": {"cp311-macosx_x86_64", "cp311-macosx_arm64"},
    "windows": {"cp311-win_amd64"},
}


@pytest.mark.parametrize("platform", WHEELS)
def test_the_configured_wheels(platform: str) -> None:
    pytest.importorskip("cibuildwheel")
    command = [sys.executable, "-m", "cibuildwheel", "native", "--print-build-identifiers"]
    done = subprocess.run(
        [*command, "--platform", platform], cwd=ROOT, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    assert set(done.stdout.split()) == WHEELS[platform]


def test_the_program_that_tries_each_wheel() -> None:
    pytest.importorskip("turnwire_native")
    command = [sys.executable, "native/try_wheel.py"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert (done.stdout, done.stderr) == ("works\n", "")
