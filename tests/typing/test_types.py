"""mypy --strict and pyright accept src/, the programs of users, and all examples.

`make lint` runs it. Each checker runs once, since it looks through src/ and all that it imports;
mypy reads scripts/ too.

- Over src/, pyright has its standard rules, since values from JSON are Any.
- Over the programs of users, which are in this folder and in examples/, both are strict. A line
  that ends in `# error` must be reported by both, and nothing else may be.
- The examples are those of the pages and docstrings. Strings for enum values and dicts for
  messages run, but a type checker refuses them.
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

FOLDER = Path(__file__).resolve().parent
ROOT = FOLDER.parents[1]
SRC = ROOT / "src"
SCRIPTS = ROOT / "scripts"
APPLICATION = ROOT / "examples" / "recipes" / "web_application"
CONSUMERS = [
    *sorted(path for path in FOLDER.glob("*.py") if not path.name.startswith("test_")),
    *sorted(APPLICATION.glob("*.py")),
]

Place = tuple[str, int]


def place(path: Path, line: int) -> Place:
    path = path.resolve()
    return path.relative_to(ROOT).as_posix() if path.is_relative_to(ROOT) else path.name, line


def expected() -> set[Place]:
    return {
        place(path, number)
        for path in CONSUMERS
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1)
        if line.endswith("# error")
    }


def run(*command: str | Path) -> str:
    done = subprocess.run(
        [sys.executable, "-m", *map(str, command)], cwd=ROOT, capture_output=True, text=True
    )
    assert done.returncode == 1, done.stdout + done.stderr
    return done.stdout


PAGES = [
    ROOT / "README.md",
    *sorted((ROOT / "docs").glob("*.md")),
    *sorted((ROOT / "docs" / "start").glob("*.md")),
]
BLOCK = re.compile(r"^```(?P<tag>pycon|python)\n(?P<body>.*?)^```$", re.MULTILINE | re.DOTALL)

# A ``python`` block shows the part of a program that matters: the rest of the program.
REST = """
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator

import aiohttp
import httpx
import requests

import apache_beam as beam
import duckdb
import polars
import pyarrow as pa
from pyspark.sql import SparkSession
import turnwire
from turnwire import arrow, bulk
IMPORTS
spark = SparkSession.builder.getOrCreate()
connection = duckdb.connect()
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
UNTYPED = ("apache_beam", "duckdb", "polars", "pyarrow", "pyarrow.parquet", "pyspark.sql")

# Examples are not strict, so that they stay short. Pyright finds undefined names in them too, and
# sees those that a module imports for itself.
NOT_STRICT = (
    "# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls\n"
    "# mypy: disable-error-code=name-defined\n"
)


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
        path.write_text(NOT_STRICT + code, encoding="utf-8")
    return folder


def test_there_are_examples(folder: Path) -> None:
    names = {path.stem for path in folder.iterdir()}
    assert {"page_readme", "page_ces", "page_streams", "page_streams_part_1"} <= names
    assert sum(name.startswith("docstring_") for name in names) > 30


def test_the_consumers_expect_errors() -> None:
    assert len(expected()) >= 7


def test_mypy_reports_the_deliberate_errors_and_no_others(folder: Path) -> None:
    options = "--strict", "--no-error-summary", "--hide-error-context"
    said = run("mypy", *options, SRC, SCRIPTS, *CONSUMERS, *sorted(folder.glob("*.py")))
    errors = re.findall(r"^(.+?):(\d+): error: ", said, flags=re.MULTILINE)
    assert {place(ROOT / path, int(line)) for path, line in errors} == expected(), said


def test_pyright_reports_the_deliberate_errors_and_no_others(folder: Path) -> None:
    for module in UNTYPED:
        stub = folder / module.replace(".", "/") / "__init__.pyi"
        stub.parent.mkdir(parents=True, exist_ok=True)
        stub.write_text("from typing import Any\n\ndef __getattr__(name: str) -> Any: ...\n")
    consumers = [os.path.relpath(each, folder) for each in (FOLDER, APPLICATION)]
    options = {
        "include": [os.path.relpath(SRC, folder), *consumers, "."],
        "exclude": ["**/test_types.py"],
        "typeCheckingMode": "standard",
        "strict": consumers,
        "extraPaths": [
            *(str(SRC), str(ROOT / "generated" / "python"), str(ROOT / "native")),
            str(APPLICATION),
        ],
        "reportMissingModuleSource": False,
        # A session shows the value of an expression.
        "reportUnusedExpression": False,
    }
    (folder / "pyrightconfig.json").write_text(json.dumps(options), encoding="utf-8")
    said = run("pyright", "--pythonpath", sys.executable, "--outputjson", "--project", folder)
    found = json.loads(said)["generalDiagnostics"]
    # Pyright counts lines from 0.
    errors = {place(Path(one["file"]), one["range"]["start"]["line"] + 1) for one in found}
    assert errors == expected(), "\n".join(f"{one['file']}: {one['message']}" for one in found)
