"""Runs the examples in README.md and docs/; their output must be exactly the one shown.

All ``pycon`` blocks of a page are one session. A ``console`` block has commands after ``$ `` and
their output, of stdout and stderr. Both run at the root of the repository; a command that needs no
shell and writes nothing to stderr runs in this process. Links within the repository must have a
target.
"""

from __future__ import annotations

import doctest
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from cli.commands import output_of

ROOT = Path(__file__).resolve().parents[2]
# The first page of the site leads on from where it is gathered, below build/.
SITE = ROOT / "docs" / "site"
PAGES = [
    ROOT / "README.md",
    *(path for path in sorted((ROOT / "docs").rglob("*.md")) if SITE not in path.parents),
]
LINKING = sorted(
    {*PAGES, *ROOT.glob("*.md"), *(ROOT / "proto").rglob("*.md")}
    | {*ROOT.glob("[!.]*/README.md"), *ROOT.glob("[!.]*/[!.]*/README.md")}
    - {*(ROOT / "build").rglob("*.md")}
)
BLOCK = re.compile(r"^```(?P<tag>\w+)\n(?P<body>.*?)^```$", re.MULTILINE | re.DOTALL)
FENCED = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
HEADING = re.compile(r"^#+ (.*?)\s*$", re.MULTILINE)
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
STDERR = re.compile(r"^turnwire: ", re.MULTILINE)
ERROR = re.compile(r"^turnwire: (?!warning: )", re.MULTILINE)
SIMPLE = re.compile(r"turnwire [^|&;<>$`*?~()\n]+")
COMMAND = re.compile(r"^\$ (?P<command>(?:.*\\\n)*.*)\n(?P<output>(?:(?!\$ ).*\n)*)", re.MULTILINE)


def blocks(page: Path, tag: str) -> Iterator[tuple[int, str]]:
    """Yields each block with a language tag, with the number of its first line."""
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
    assert "turnwire " in command, "console blocks are run; use another tag for other commands"
    if SIMPLE.fullmatch(command) and not STDERR.search(output):
        assert output_of(*shlex.split(command)[1:], cwd=ROOT).decode() == output
        return
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
    # A command that prints an error also exits with one of the statuses in docs/cli.md.
    assert done.returncode in ((1, 2, 3) if ERROR.search(output) else (0,))


def test_pages_have_blocks_of_both_kinds() -> None:
    assert len(list(sessions())) > 3
    assert len(list(commands())) > 5


def anchors(page: Path) -> set[str]:
    """Returns the anchors of the headings of a page: lower case, with hyphens for spaces."""
    text = FENCED.sub("", page.read_text(encoding="utf-8"))
    headings = [heading.replace("`", "") for heading in HEADING.findall(text)]
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def links(page: Path) -> Iterator[str]:
    """Yields the targets of the links of a page to files or headings of the repository."""
    for target in LINK.findall(FENCED.sub("", page.read_text(encoding="utf-8"))):
        if not re.match(r"[a-z]+:", target):
            yield target


@pytest.mark.parametrize("page", LINKING, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_links_lead_somewhere(page: Path) -> None:
    broken = []
    for target in links(page):
        path, _, anchor = target.partition("#")
        found = (page.parent / path) if path else page
        if not found.exists() or (anchor and anchor not in anchors(found)):
            broken.append(target)
    assert broken == []


def test_links_are_found() -> None:
    assert sum(len(list(links(page))) for page in LINKING) > 30
