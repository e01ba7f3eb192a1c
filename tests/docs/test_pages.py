"""README.md and docs/ are true: their sessions are run, and the output must be exactly theirs.

All ``pycon`` blocks of a page are one session. A ``console`` block has commands after ``$ `` and
what they print, to stdout or stderr. Both run at the root of the repository.
"""

from __future__ import annotations

import doctest
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
BLOCK = re.compile(r"^```(?P<tag>\w+)\n(?P<body>.*?)^```$", re.MULTILINE | re.DOTALL)
COMMAND = re.compile(r"^\$ (?P<command>(?:.*\\\n)*.*)\n(?P<output>(?:(?!\$ ).*\n)*)", re.MULTILINE)


def blocks(page: Path, tag: str) -> Iterator[tuple[int, str]]:
    """Each block with that language tag, with the number of its first line."""
    text = page.read_text(encoding="utf-8")
    for block in BLOCK.finditer(text):
        if block["tag"] == tag:
            yield text.count("\n", 0, block.start("body")) + 1, block["body"]


def sessions() -> Iterator[doctest.DocTest]:
    for page in PAGES:
        examples = []
        for line, body in blocks(page, "pycon"):
            for example in doctest.DocTestParser().get_examples(body, page.name):
                example.lineno += line - 1
                examples.append(example)
        if examples:
            name = page.relative_to(ROOT).as_posix()
            yield doctest.DocTest(examples, {}, name, str(page), 0, None)


def commands() -> Iterator[tuple[str, str, str]]:
    for page in PAGES:
        for line, body in blocks(page, "console"):
            for found in COMMAND.finditer(body):
                place = line + body.count("\n", 0, found.start())
                yield f"{page.relative_to(ROOT)}:{place}", found["command"], found["output"]


@pytest.mark.parametrize("session", list(sessions()), ids=lambda session: session.name)
def test_python_session(session: doctest.DocTest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    said: list[str] = []
    doctest.DocTestRunner(optionflags=doctest.FAIL_FAST).run(session, out=said.append)
    assert not said, "".join(said)


@pytest.mark.parametrize(
    ("command", "output"), [pytest.param(*rest, id=place) for place, *rest in commands()]
)
def test_console_command(command: str, output: str) -> None:
    assert "turnwire " in command, "console blocks are run; other commands need another tag"
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    done = subprocess.run(
        ["bash", "-c", command],
        cwd=ROOT,
        env={**os.environ, "PATH": path},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    assert done.stdout == output


def test_every_page_is_found() -> None:
    assert all(page.exists() for page in PAGES)
    assert any(list(blocks(page, "pycon")) for page in PAGES)
