"""Runs the programs of the recipes, and compares the code in their pages with them."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
RECIPES = ROOT / "examples" / "recipes"
PROGRAMS = sorted(RECIPES.glob("*.py"))
PAGES = sorted((ROOT / "docs" / "recipes").glob("*.md"))
BLOCK = re.compile(r"^```(?:python|js|ts)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
NAMED = re.compile(r"`(examples/recipes/[\w/]+(?:\.py|\.ipynb)?)`")
SOURCES = {".py", ".js", ".ts", ".mjs"}
ELSEWHERE = {"own_proto/rate.py", "ask_in_a_notebook.ipynb", "web_application", "typescript_page"}
"""Programs that need more than this environment: tests/packaging and tests/browser run them."""
NEEDED = {"ask_in_sql": "duckdb"}
"""Libraries that .venv is without: tests/columns runs these programs."""


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda path: path.stem)
def test_a_program_works(program: Path) -> None:
    if program.stem in NEEDED:
        pytest.importorskip(NEEDED[program.stem])
    # gRPC's own library logs the end of connections, depending on who is faster.
    environment = os.environ | {"GRPC_VERBOSITY": "ERROR"}
    # google.api_core announces years ahead which Python versions it will drop.
    warnings = ["-W", "error", "-W", "ignore::FutureWarning"]
    command = [sys.executable, *warnings, program]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout


@pytest.mark.parametrize("page", PAGES, ids=lambda path: path.stem)
def test_the_code_of_a_page_is_that_of_its_program(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    programs = [_text_of(path) for name in NAMED.findall(text) for path in _sources(ROOT / name)]
    for block in BLOCK.findall(text):
        assert any(_is_part(block, program) for program in programs), block


def _sources(path: Path) -> list[Path]:
    """Returns the sources of a recipe, which is a file or a folder."""
    if path.is_file():
        return [path]
    return [each for each in sorted(path.iterdir()) if each.suffix in SOURCES]


def _text_of(program: Path) -> str:
    """Returns the text of a program, or the cells of a notebook."""
    text = program.read_text(encoding="utf-8")
    if program.suffix != ".ipynb":
        return text
    return "\n".join("".join(cell["source"]) + "\n" for cell in json.loads(text)["cells"])


def _is_part(block: str, program: str) -> bool:
    """Reports whether a block is a run of lines of a program, at any indentation."""
    depths = range(0, 16, 2)
    return any(textwrap.indent(block, " " * depth) in program for depth in depths)


def test_each_program_has_a_page() -> None:
    named = {name for page in PAGES for name in NAMED.findall(page.read_text(encoding="utf-8"))}
    programs = {path.relative_to(RECIPES).as_posix() for path in PROGRAMS} | ELSEWHERE
    assert named == {f"examples/recipes/{name}" for name in programs}
