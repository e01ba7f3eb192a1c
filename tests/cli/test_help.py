"""`turnwire help` shows the pages of docs/, each under the name of its file."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from cli.commands import PROGRAM, failure_of, output_of

from turnwire._cli.help import topics

DOCS = Path(__file__).resolve().parents[2] / "docs"
PAGES = [path for path in DOCS.rglob("*.md") if path != DOCS / "site" / "index.md"]
FENCED = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)


def test_the_list_has_every_page_with_its_title() -> None:
    lines = output_of("help").decode().splitlines()
    for page in PAGES:
        title = page.read_text(encoding="utf-8").splitlines()[0].removeprefix("# ")
        assert [line.split(maxsplit=1)[1] for line in lines if line.split()[:1] == [page.stem]] == [
            title
        ]
    assert len(topics()) == len(PAGES), "two pages have the same name"


def test_pages_in_a_pipe_are_text_whose_links_name_topics() -> None:
    for topic, path in topics().items():
        shown = output_of("help", topic).decode()
        words = FENCED.sub("", shown)
        assert re.findall(r"\]\(.*?\)|<!--", words) == [], topic
        blocks = FENCED.findall(path.read_text(encoding="utf-8"))
        assert FENCED.findall(shown) == blocks, topic
        named = re.findall(r"\(`turnwire help (\S+)`\)", words)
        assert set(named) <= topics().keys(), topic
    assert "JSON mapping (`turnwire help json`)" in output_of("help", "five-minutes").decode()


def test_a_command_shows_its_options() -> None:
    assert output_of("help", "convert").startswith(b"usage: turnwire convert")
    assert output_of("help", "CES") == output_of("help", "ces")


def test_an_unknown_topic_has_near_names() -> None:
    status, said = failure_of("help", "conversational-analytic")
    assert status == 2
    assert "did you mean conversational-analytics?" in said
    assert "did you mean streams?" in failure_of("help", "StreamError")[1]
    assert "mention it: bulk" in failure_of("help", "Parquet")[1]
    assert failure_of("help", "\x1b[2J") == (
        2,
        'turnwire: no topic "\\x1b[2J"; turnwire help lists the topics\n',
    )


@pytest.mark.skipif(os.name == "nt", reason="needs a pseudo-terminal")
@pytest.mark.parametrize("has_rich", [True, False])
def test_a_terminal_gets_a_pager_and_colours(has_rich: bool, tmp_path: Path) -> None:
    import pty

    pager = tmp_path / "pager"
    pager.write_text(f"#!{sys.executable}\nimport sys\nprint('paged', sys.stdin.read())\n")
    pager.chmod(0o700)
    program = [*PROGRAM, "help", "streams"]
    if not has_rich:
        code = "import sys; sys.modules['rich.console'] = None; from turnwire import __main__ as m"
        program = [sys.executable, "-c", f"{code}; m.main()", "help", "streams"]
    main, side = pty.openpty()
    kept = {
        name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "MANPAGER")
    }
    variables = kept | {"PAGER": str(pager), "TERM": "xterm", "COLUMNS": "70"}
    with subprocess.Popen(program, stdin=side, stdout=side, stderr=side, env=variables):
        os.close(side)
        shown = _all_of(main).decode()
    assert shown.startswith("paged ")
    assert ("\x1b[" in shown) == has_rich
    if has_rich:
        lines = re.sub(r"\x1b\[[\d;]*m", "", shown).splitlines()
        assert max(map(len, lines[1:])) <= 70
        assert not any(line.startswith(("#", "```")) for line in lines)


def _all_of(terminal: int) -> bytes:
    """Reads until the program ends, which Linux reports as an error."""
    found = b""
    try:
        while piece := os.read(terminal, 65536):
            found += piece
    except OSError:
        pass
    os.close(terminal)
    return found
