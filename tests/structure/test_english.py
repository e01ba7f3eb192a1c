"""Holds the rule of CONTRIBUTING on English over comments, docstrings, pages and names."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SUFFIXES = {".py", ".rs", ".md", ".proto", ".toml", ".ts", ".go", ".java"}
FOLDERS = (
    *("benchmarks", "docs", "examples", "interop", "native", "proto", "scripts", "src", "tests"),
)
BUILT = {"target", "node_modules", "gen", "dist", "build", "__pycache__"}
OPENINGS = "What|That|How|As|Who"

RULE = re.compile(
    # A docstring, a comment or a heading that opens with a clause.
    rf'(?:"""|^\s*(?:\#+|//[/!]?)\ )(?:{OPENINGS})\ '
    r'|"""(?:When|Where|Which|Why)\ '
    r"|\b(?:is|are)\ no\ (?!longer\b)[a-z]+"
    r"|\b(?:is|are)\ told\b"
    r"|\bhand(?:s|ed|ing)?\ back\b"
    r"|\bof\ (?:its|their)\ own\b"
    r"|\b(?:anew|for\ ever|once\ more|save\ for)\b"
    r"|(?<![A-Z])(?:MOST|LEAST)_",
    re.VERBOSE,
)

# Quoted words of a sentence, such as the examples in CONTRIBUTING; not the three quotes of Python.
QUOTED = re.compile(r'(?<!")"(?! )[^"\n]+(?<! )"(?!")')


def files(folder: str) -> Iterator[Path]:
    """Yields the hand-written files of a folder; ``.`` means the pages at the root."""
    root = ROOT / folder
    for path in sorted(root.glob("*.md") if folder == "." else root.rglob("*")):
        below = path.relative_to(ROOT)
        if path.suffix in SUFFIXES and not BUILT & set(below.parts) and path != Path(__file__):
            yield path


def breaches(text: str, *, page: bool = False) -> Iterator[tuple[int, str]]:
    """Yields each line of a text that breaks the rule, with its number."""
    for number, line in enumerate(text.splitlines(), start=1):
        if RULE.search(QUOTED.sub("", line) if page else line):
            yield number, line.strip()


@pytest.mark.parametrize("folder", [".", *FOLDERS])
def test_english(folder: str) -> None:
    found = [
        f"{path.relative_to(ROOT)}:{number}: {line}"
        for path in files(folder)
        for number, line in breaches(path.read_text(encoding="utf-8"), page=path.suffix == ".md")
    ]
    assert found == [], "\n" + "\n".join(found)


@pytest.mark.parametrize("folder", [".", *FOLDERS])
def test_the_folder_has_files(folder: str) -> None:
    assert any(files(folder))


@pytest.mark.parametrize(
    "line",
    [
        '    """What `make` makes."""',
        '    """When a span started."""',
        "# As nobody here knows.",
        "/// How it is read.",
        "## What it does",
        "There are no schemas here",
        "the caller is told",
        "it is handed back",
        "a parser of its own",
        "each is made anew",
        "it stays for ever",
        "all of them, save for one",
        "read it once more",
        "MOST_BITS = 3",
        "self._LEAST_SIZE",
    ],
)
def test_the_rule_finds(line: str) -> None:
    assert list(breaches(line)) == [(1, line.strip())]


@pytest.mark.parametrize(
    "line",
    [
        '"""Returns the name that a field has in JSON."""',
        "# A field that is no longer read.",
        "ALMOST_ALL = 1",
        "at_least_one = as_text(1)",
        "whatever = how_many  # counts",
        'Write "not a table" for "is no table".',
    ],
)
def test_the_rule_lets_pass(line: str) -> None:
    assert list(breaches(line, page=True)) == []
