"""mypy and pyright accept the examples of the pages and docstrings, as in a user's program.

Strings for enum values and dicts for messages run, but a type checker refuses them.
"""

from __future__ import annotations

import doctest
import importlib
import json
import os
import pkgutil
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import turnwire
from turnwire._apis import API_BY_NAME, APIS

ROOT = Path(__file__).resolve().parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
BLOCK = re.compile(r"^```(?P<tag>pycon|python)\n(?P<body>.*?)^```$", re.MULTILINE | re.DOTALL)
SEARCH_PATH = (str(ROOT / "src"), str(ROOT / "generated" / "python"))

# A ``python`` block shows the part of a program that matters: the rest of the program.
REST = """
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator

import aiohttp
import httpx
import requests

import duckdb
import turnwire
from turnwire import arrow
IMPORTS
table = GDA.Answer.collect([]).results[0]
url: str = ""
headers: dict[str, str] = {}
body: bytes = b""
def left_out(path: tuple[str | int, ...]) -> None: ...
def show(update: object) -> None: ...

""".replace(
    "IMPORTS", "\n".join(f"from turnwire import {api.name} as {api.alias}" for api in APIS)
).replace("GDA", API_BY_NAME["gda"].alias)

# Libraries that have no types, or that are not in this environment.
UNTYPED = ("duckdb", "pyarrow", "pyarrow.parquet")


def code_of(text: str) -> str:
    return "".join(example.source for example in doctest.DocTestParser().get_examples(text))


def page_examples() -> Iterator[tuple[str, str]]:
    """All ``pycon`` blocks of a page as one program, and each ``python`` block as one."""
    for page in PAGES:
        blocks = list(BLOCK.finditer(page.read_text(encoding="utf-8")))
        sessions = [code_of(block["body"]) for block in blocks if block["tag"] == "pycon"]
        if sessions:
            yield f"page_{page.stem}", "".join(sessions)
        parts = [block["body"] for block in blocks if block["tag"] == "python"]
        for number, part in enumerate(parts, start=1):
            yield f"page_{page.stem}_part_{number}", REST + part


def docstring_examples() -> Iterator[tuple[str, str]]:
    """The examples of each docstring of the package, with the names of its module."""
    for module in pkgutil.walk_packages(turnwire.__path__, "turnwire."):
        if module.name.endswith("__main__"):
            continue
        for test in doctest.DocTestFinder().find(importlib.import_module(module.name)):
            if test.examples:
                code = "".join(example.source for example in test.examples)
                yield f"docstring_{test.name}", f"from {module.name} import *\n{code}"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a module for each example."""
    folder = tmp_path_factory.mktemp("examples")
    for name, code in (*page_examples(), *docstring_examples()):
        path = folder / f"{re.sub('[^a-z0-9]+', '_', name.lower())}.py"
        path.write_text(code, encoding="utf-8")
    for module in UNTYPED:
        stub = folder / module.replace(".", "/") / "__init__.pyi"
        stub.parent.mkdir(exist_ok=True)
        stub.write_text("from typing import Any\n\ndef __getattr__(name: str) -> Any: ...\n")
    return folder


def test_there_are_examples(folder: Path) -> None:
    names = {path.stem for path in folder.iterdir()}
    assert {"page_readme", "page_ces", "page_streams", "page_streams_part_1"} <= names
    assert sum(name.startswith("docstring_") for name in names) > 30


def test_mypy_accepts_the_examples(folder: Path) -> None:
    done = subprocess.run(
        [
            *(sys.executable, "-m", "mypy", "--check-untyped-defs", "--follow-imports=silent"),
            # A lasting cache of the library's types saves most of the time.
            *("--cache-dir", str(ROOT / ".mypy_cache" / "examples"), "."),
        ],
        cwd=folder,
        env={**os.environ, "MYPYPATH": os.pathsep.join(SEARCH_PATH)},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_pyright_accepts_the_examples(folder: Path) -> None:
    options = {
        "include": ["."],
        "typeCheckingMode": "standard",
        "extraPaths": [*SEARCH_PATH, str(ROOT / "native")],
        "reportMissingModuleSource": False,
        # A session shows the value of an expression.
        "reportUnusedExpression": False,
    }
    (folder / "pyrightconfig.json").write_text(json.dumps(options), encoding="utf-8")
    command = [sys.executable, "-m", "pyright", "--pythonpath", sys.executable]
    done = subprocess.run([*command, "--project", folder], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
