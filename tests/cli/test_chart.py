"""`turnwire chart`: which charts are drawn, and under which names."""

from __future__ import annotations

from pathlib import Path

import pytest
from cli.commands import failure_of, output_of
from cli.recordings import ANSWER, SESSION
from support.analytics import gda

import turnwire as tw


def test_a_chart_by_its_number(tmp_path: Path) -> None:
    for number, title in (("1", "Packets per week"), ("2", "Packets per variety")):
        assert output_of("chart", ANSWER, "-o", tmp_path / "c.svg", "--index", number) == b""
        assert title in (tmp_path / "c.svg").read_text(encoding="utf-8")


def test_all_charts_have_numbered_names(tmp_path: Path) -> None:
    output_of("chart", ANSWER, "-o", tmp_path / "c.png", "--all", "--scale", "1.5")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["c-1.png", "c-2.png"]
    assert all(path.read_bytes()[:4] == b"\x89PNG" for path in tmp_path.iterdir())


def test_a_page(tmp_path: Path) -> None:
    output_of("chart", ANSWER, "-o", tmp_path / "c.html", "--index", "2")
    assert (tmp_path / "c.html").read_text(encoding="utf-8").startswith("<!doctype html>")


@pytest.mark.parametrize(
    ("options", "status", "words"),
    [
        (["-o", "c.svg"], 1, "it holds 2 charts: say --index N, or --all"),
        (["-o", "c.svg", "--index", "3"], 1, "holds 2 charts, and none with the number 3"),
        (["-o", "c.svg", "--index", "1", "--all"], 2, "--index chooses one chart"),
        (["-o", "c.gif"], 2, "expected a name that ends in .svg, .png or .html; got 'c.gif'"),
        (["-o", "-"], 2, "expected a name that ends in .svg, .png or .html; got '-'"),
        (["-o", "c.png", "--scale", "x"], 2, "expected a number from 0 to 16; got 'x'"),
        (["-o", "missing/c.svg", "--index", "1"], 3, "No such file or directory"),
        ([], 2, "required: -o"),
    ],
)
def test_wrong_usage(tmp_path: Path, options: list[str], status: int, words: str) -> None:
    found, said = failure_of("chart", Path(ANSWER).resolve(), *options, cwd=tmp_path)
    assert found == status
    assert words in said
    assert not list(tmp_path.iterdir())


def test_other_recordings_say_so(tmp_path: Path) -> None:
    _, said = failure_of("chart", SESSION, "-o", tmp_path / "c.svg")
    assert "this looks like a CES session; use turnwire session" in said
    _, said = failure_of("chart", "-", "-o", tmp_path / "c.svg", stdin=b"[]")
    assert "it holds no chart with a specification" in said


def test_a_chart_that_cannot_be_drawn_is_named(tmp_path: Path) -> None:
    result = gda.ChartResult()
    result.vega_config.update({"mark": "bar", "data": {"url": "https://e.org/x.csv"}})
    chart = gda.ChartMessage(result=result)
    body = tw.to_json(gda.Message(system_message=gda.SystemMessage(chart=chart)))
    status, said = failure_of("chart", "-", "-o", tmp_path / "c.svg", stdin=body)
    assert status == 1
    assert 'stdin: chart 1: the data is at "https://e.org/x.csv", which is not fetched' in said
    assert not (tmp_path / "c.svg").exists()


@pytest.mark.parametrize(
    ("command", "missing"),
    [
        (["chart", "-o", "c.svg"], "it holds no chart with a specification"),
        (["answer", "--csv"], "the answer has no result"),
    ],
)
def test_an_input_that_breaks_off_before_what_is_asked_for_says_so(
    tmp_path: Path, command: list[str], missing: str
) -> None:
    name, *options = command
    cut = ANSWER.read_bytes()[:5000]
    status, said = failure_of(name, "-", *options, stdin=cut, cwd=tmp_path)
    assert status == 1
    warning, error = said.splitlines()
    assert warning == f"turnwire: warning: stdin: {missing}"
    assert error.endswith("the stream ended inside of a JSON value")

    unknown = b'{"systemMessage": {"diagram": 1}}'
    _, said = failure_of(name, "-", *options, stdin=unknown, cwd=tmp_path)
    warning, error = said.splitlines()
    assert "unknown at $.systemMessage.diagram" in warning
    assert error == f"turnwire: stdin: {missing}"
