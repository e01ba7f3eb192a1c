"""Views as notebooks show them: markup that is safe anywhere, or else the repr."""

from __future__ import annotations

import sys
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from support.analytics import gda

import turnwire
from turnwire import ces

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
HOSTILE = "</div></style><script>alert(1)</script><img src=x onerror=alert(2)>\u202e\0\x1b[31m"


def views() -> dict[str, Any]:
    items = turnwire.read(ces.RunSessionResponse, str(EXAMPLES / "ces_session.ndjson"))
    session = ces.Session.collect(items)
    messages = turnwire.read(gda.Message, str(EXAMPLES / "analytics_answer.json"))
    answer = gda.Answer.collect(messages)
    rows = [{HOSTILE: HOSTILE}] * 500
    result = turnwire.from_dict(gda.DataResult, {"name": HOSTILE, "data": rows})
    said = [{"role": HOSTILE, "chunks": [{"text": HOSTILE * 100}]}] * 300
    call = ces.ToolCall(id="1", display_name=HOSTILE)
    call.args[HOSTILE] = float("nan")
    return {
        "Session": session,
        "Turn": session.turns[1],
        "ToolExchange": session.tool_exchanges[0],
        "Answer": answer,
        "Table": answer.results_for_display[0],
        "Chart": answer.charts[0],
        "hostile Session": ces.Session.collect(turnwire.from_dict(ces.Message, m) for m in said),
        "hostile Table": gda.Table(result),
        "hostile ToolExchange": ces.ToolExchange(call=call),
        "bad Chart": gda.Chart(gda.AnalysisEvent(result_vega_chart_json=HOSTILE)),
        "empty Session": ces.Session(),
        "empty Turn": ces.Turn(index=1),
        "empty Answer": gda.Answer(),
        "empty Table": gda.Table(gda.DataResult()),
        "empty Chart": gda.Chart(gda.ChartResult()),
    }


VIEWS = views()
VOID = {"br", "hr", "img", "wbr"}
OPTIONAL = {"li", "td", "th", "tr", "thead", "tbody"}
"""Elements that HTML lets end without a tag."""


class Markup(HTMLParser):
    """Collects the elements and attributes of markup, and checks that it is balanced."""

    def __init__(self, markup: str) -> None:
        super().__init__()
        self.elements: set[str] = set()
        self.attributes: set[str] = set()
        self.roots: list[str | None] = []
        self._open: list[str] = []
        self.feed(markup)
        self.close()
        assert self._open == []

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        if not self._open:
            self.roots.append(dict(attributes).get("class"))
        self.elements.add(tag)
        self.attributes |= {name for name, _ in attributes}
        assert not any("javascript:" in (value or "").lower() for _, value in attributes)
        if tag not in VOID:
            self._open.append(tag)

    def handle_startendtag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.elements.add(tag)
        self.attributes |= {name for name, _ in attributes}

    def handle_endtag(self, tag: str) -> None:
        while self._open[-1] != tag:
            assert self._open.pop() in OPTIONAL
        self._open.pop()

    def handle_data(self, data: str) -> None:
        assert self._open or not data.strip()


@pytest.mark.parametrize("name", VIEWS)
def test_markup_is_one_safe_element(name: str) -> None:
    markup = VIEWS[name]._repr_html_()
    assert markup is not None
    parsed = Markup(markup)
    assert parsed.roots == ["turnwire"]
    assert not parsed.elements & {"script", "style", "link", "iframe", "object", "form", "meta"}
    assert not [each for each in parsed.attributes if each.startswith("on")]
    assert not set(markup) & set("\0\x1b\u202e")
    assert len(markup) < 200_000
    assert markup == VIEWS[name]._repr_html_()


def test_the_markup_has_the_content() -> None:
    for name, word in {
        "Session": "Which boats cross tonight?",
        "Turn": "read_scale",
        "ToolExchange": "find_boats",
        "Answer": "Scarlet runner leads with",
        "Table": "Scarlet runner",
        "Chart": "<svg",
    }.items():
        assert word in VIEWS[name]._repr_html_(), name


def test_six_views_have_markup() -> None:
    found = {type(view).__name__ for view in VIEWS.values()}
    assert found == {"Session", "Turn", "ToolExchange", "Answer", "Table", "Chart"}
    assert not hasattr(ces.SessionEnd, "_repr_html_")


@pytest.mark.parametrize("name", VIEWS)
def test_without_the_extra_the_repr_is_shown(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in [each for each in sys.modules if each.startswith("turnwire.report")]:
        monkeypatch.delitem(sys.modules, module)
    monkeypatch.setitem(sys.modules, "jinja2", None)
    assert VIEWS[name]._repr_html_() is None


def test_whatever_goes_wrong_the_repr_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    from turnwire.report import _fragment

    def fail(view: object) -> str:
        raise RecursionError

    monkeypatch.setattr(_fragment, "html_of", fail)
    assert VIEWS["Session"]._repr_html_() is None
