"""mypy is content with the examples in the docs and docstrings, as it would be with a user's copy.

Strings for enum values and dicts for messages run, but a type checker refuses them.
"""

from __future__ import annotations

import doctest
import importlib
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGES = ("ces.md", "conversational-analytics.md", "streams.md")
PACKAGES = ("ces", "geminidataanalytics")
PYCON = re.compile(r"^```pycon\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def code_of(text: str) -> str:
    return "".join(example.source for example in doctest.DocTestParser().get_examples(text))


def examples() -> dict[str, str]:
    found = {}
    for page in PAGES:
        text = (ROOT / "docs" / page).read_text(encoding="utf-8")
        found[f"page_{Path(page).stem}"] = "".join(map(code_of, PYCON.findall(text)))
    for package in PACKAGES:
        for path in (ROOT / "src" / "turnwire" / package).glob("*.py"):
            name = f"turnwire.{package}" + ("" if path.stem == "__init__" else f".{path.stem}")
            for test in doctest.DocTestFinder().find(importlib.import_module(name)):
                if test.examples:
                    code = "".join(example.source for example in test.examples)
                    # A docstring's example knows the names of its module.
                    found[f"docstring_{test.name}"] = f"from {name} import *\n{code}"
    return found


def test_examples_are_typed(tmp_path: Path) -> None:
    found = examples()
    assert len(found) > 30
    for name, code in found.items():
        (tmp_path / f"{re.sub('[^a-z0-9]+', '_', name.lower())}.py").write_text(
            code, encoding="utf-8"
        )
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--check-untyped-defs", "--follow-imports=silent", "."],
        cwd=tmp_path,
        env={**os.environ, "MYPYPATH": f"{ROOT / 'src'}{os.pathsep}{ROOT / 'generated/python'}"},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("page", PAGES)
def test_the_pages_have_examples(page: str) -> None:
    assert PYCON.search((ROOT / "docs" / page).read_text(encoding="utf-8"))
