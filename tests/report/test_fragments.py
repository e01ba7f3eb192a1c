"""The short markup of a view, which stands within another page."""

from __future__ import annotations

from typing import Any

import pytest
from report.conversations import answers, long_session, of_messages, session
from report.pages import parsed
from report.test_content import HOSTILE, hostile_views

from turnwire.report._fragment import html_of

SESSION, ANSWER = session(), answers()[-1]
VIEWS: dict[str, Any] = {
    "answer": ANSWER,
    "table": ANSWER.results[-1],
    "chart": ANSWER.charts[0],
    "session": SESSION,
    "turn": SESSION.turns[1],
    "exchange": SESSION.tool_exchanges[3],
}
SHOWN = {
    "answer": ("Scarlet runner leads", "Spring 2025, please."),
    "table": ("variety", "packets"),
    "chart": ("Packets per week",),
    "session": ("Bon voyage!", "find_boats"),
    "turn": ("my cello", "read_wind"),
    "exchange": ("plan_crossing", "read_tide", "the wind vane sleeps"),
}


@pytest.mark.parametrize("name", VIEWS)
def test_a_view_is_one_element_with_its_facts(name: str) -> None:
    tree = parsed(html_of(VIEWS[name]).strip())
    [element] = tree.content
    assert not isinstance(element, str)
    assert element.attributes["class"] == "turnwire"
    assert all(fact in tree.text for fact in SHOWN[name])
    assert [*tree.all("style", "script", "link")] == []


def test_it_is_short() -> None:
    fragment = html_of(long_session(200))
    assert len(fragment) < 20_000
    assert "not shown: 760 of 800 entries; turnwire.report.html shows everything" in fragment
    assert len(html_of(of_messages({"role": "user", "chunks": [{"text": "x" * 10**6}]}))) < 5_000


@pytest.mark.parametrize("text", HOSTILE, ids=lambda text: repr(text[:20]))
def test_texts_stay_texts(text: str) -> None:
    for view in hostile_views(text):
        for each in [view, *getattr(view, "turns", ()), *getattr(view, "results", ())]:
            fragment = html_of(each)
            tags = {element.tag for element in parsed(fragment).all()} - {"#document"}
            assert tags <= {
                *(
                    "div",
                    "table",
                    "thead",
                    "tbody",
                    "tr",
                    "th",
                    "td",
                    "ul",
                    "li",
                    "b",
                    "code",
                    "pre",
                )
            }
            assert "javascript:" not in fragment.lower() or "href" not in fragment
            assert all(char.isprintable() or char == "\n" for char in fragment)


def test_other_objects_are_refused() -> None:
    with pytest.raises(TypeError, match="expected a view"):
        html_of("text")  # type: ignore[arg-type]
