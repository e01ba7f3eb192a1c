"""The properties of the page that need no browser; tests/browser has the others."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from itertools import pairwise
from typing import Any

import pytest
from report.conversations import answer_of, answers, long_session, of_messages, of_output, session
from report.pages import Element, parsed

from turnwire import ces, report

POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; media-src data:; "
    "base-uri 'none'; form-action 'none'"
)
TAGS = {
    *("html", "head", "meta", "title", "style", "body", "header", "nav", "main", "footer"),
    *("section", "article", "h1", "h2", "h3", "p", "div", "pre", "code", "a", "time", "details"),
    *("summary", "ol", "ul", "li", "dl", "dt", "dd", "table", "thead", "tbody", "tr", "th", "td"),
    *("figure", "figcaption", "img", "audio", "b", "i", "span", "sup", "small"),
    *("svg", "g", "rect", "path", "line", "text"),
}
ATTRIBUTES = {
    *("lang", "charset", "http-equiv", "content", "name", "class", "href", "rel", "id", "dir"),
    *("datetime", "open", "tabindex", "role", "aria-label", "style", "src", "alt", "controls"),
    "preload",
}
VIEWS: dict[str, Any] = {"session": session(), "answers": answers(), "empty": ces.Session()}


@pytest.fixture(params=VIEWS)
def page(request: pytest.FixtureRequest) -> Element:
    return parsed(report.html(VIEWS[request.param]))


def article(page: Element, heading: str) -> Element:
    """Returns the first entry of a heading."""
    return next(each for each in page.all("article") if next(each.all("h3")).text == heading)


def outside_of_drawings(element: Element) -> list[Element]:
    """Returns all elements but those of drawings."""
    if element.tag == "svg":
        return []
    below = [each for each in element.content if isinstance(each, Element)]
    return [element, *(found for each in below for found in outside_of_drawings(each))]


def test_it_loads_nothing_and_runs_nothing(page: Element) -> None:
    [policy] = (each for each in page.all("meta") if "http-equiv" in each.attributes)
    assert policy.attributes == {"http-equiv": "Content-Security-Policy", "content": POLICY}
    head = [each for each in page.one("head").content if isinstance(each, Element)]
    assert [each.tag for each in head].index("style") > head.index(policy)
    for element in page.all():
        assert element.tag in TAGS | {"#document"}
        for name, value in element.attributes.items():
            assert not name.startswith("on")
            if name == "src":
                assert (value or "").startswith(("data:image/", "data:audio/"))
            if name == "href":
                assert (value or "").startswith(("#", "https://", "http://"))
    for element in outside_of_drawings(page):
        assert element.attributes.keys() <= ATTRIBUTES, element.tag


def test_the_structure(page: Element) -> None:
    assert page.one("html").attributes["lang"] == "en"
    assert page.one("h1").text
    assert page.one("main")
    sections = [each for each in page.one("main").all("section") if each.attributes["id"] != "end"]
    headings = [each.one("h2") for each in sections]
    links = [each.attributes["href"] for nav in page.all("nav") for each in nav.all("a")]
    assert links == [f"#{each.attributes['id']}" for each in sections]
    assert [next(each.all("a")).attributes["href"] for each in headings] == links
    levels = [int(each.tag[1]) for each in page.all("h1", "h2", "h3")]
    assert all(after - before <= 1 for before, after in pairwise([0, *levels]))
    for entry in page.all("article"):
        assert entry.one("h3").text


def test_ids_and_links_fit(page: Element) -> None:
    ids = [each.attributes["id"] for each in page.all() if "id" in each.attributes]
    assert len(ids) == len(set(ids))
    assert all(re.fullmatch(r"[A-Za-z][A-Za-z0-9_-]*", each or "") for each in ids)
    targets = [each.attributes["href"] or "" for each in page.all("a")]
    assert {each[1:] for each in targets if each.startswith("#")} <= {*ids}


def test_boxes_that_scroll_are_reached_by_keyboard(page: Element) -> None:
    for element in page.all():
        classes = (element.attributes.get("class") or "").split()
        if {"scroll", "code"} & {*classes}:
            assert element.attributes["tabindex"] == "0"
            assert element.attributes["role"] == "group"
            assert element.attributes["aria-label"]


def test_links_to_other_sites_say_nothing_of_the_page(page: Element) -> None:
    for link in page.all("a"):
        if (link.attributes["href"] or "").startswith("http"):
            assert link.attributes["rel"] == "noopener noreferrer"


def test_fifty_turns_are_small() -> None:
    assert len(report.html(long_session(50)).encode()) < 100_000


@pytest.mark.parametrize("name", ["session", "answers"])
def test_the_same_input_gives_the_same_bytes(name: str) -> None:
    program = (
        f"from report.conversations import {name}; from turnwire import report; import sys; "
        f"sys.stdout.buffer.write(report.html({name}()).encode())"
    )
    path = os.pathsep.join(sys.path)
    pages = {
        subprocess.run(
            [sys.executable, "-c", program],
            env={**os.environ, "PYTHONPATH": path, "PYTHONHASHSEED": seed, "TZ": zone},
            capture_output=True,
            check=True,
        ).stdout
        for seed, zone in (("1", "UTC"), ("2", "Asia/Tokyo"))
    }
    assert pages == {report.html(VIEWS[name]).encode()}


def test_tool_calls_are_nested_lists_with_their_state_in_words() -> None:
    page = parsed(report.html(session()))
    call = page.by_id("call-p-2")
    assert call.tag == "li"
    assert [each.attributes["id"] for each in call.all("li")] == [
        "call-p-2",
        "call-p-3",
        "call-p-4",
    ]
    assert page.by_id("call-p-2") in [*page.by_id("call-p-1").all("li")]
    head = next(call.all("i")).text
    assert "agent Skipper" in head
    assert "took 1.4 s" in head
    assert [next(page.by_id(f"call-{key}").all("b")).text for key in ("c-1", "k-2", "p-4")] == [
        "ok",
        "pending",
        "error",
    ]
    error = [*page.by_id("call-p-4").all("details")][-1]
    assert next(error.all("summary")).text == "error"
    assert "open" in error.attributes
    assert "the wind vane sleeps" in error.text


def test_calls_of_any_depth_are_nested_as_far_as_browsers_go() -> None:
    calls = [
        {"toolCall": {"id": f"c{n}", "tool": "t/a", "parentToolCallId": f"c{n - 1}"}}
        for n in range(3000)
    ]
    page = report.html(of_messages({"role": "agent", "chunks": calls}))
    assert page.count("<li id=") == 3000
    assert page.count("<ul>") == page.count("</ul>") - page.count("<ul ") == 20


LONG_IDS = [f"{'x' * 100}{number}" for number in range(20)]


def test_ids_of_calls_are_made_unique_and_safe() -> None:
    names = ["a b", "a-b", "a-b-2", "a b", 'x"><script>', "\u202e\x00é", "", *LONG_IDS]
    calls = [{"toolCall": {"id": name, "tool": f"t/{n}"}} for n, name in enumerate(names)]
    page = parsed(report.html(of_messages({"role": "agent", "chunks": calls})))
    ids = [each.attributes["id"] or "" for each in page.all("li") if "id" in each.attributes]
    # A call that comes twice under one id is one call.
    assert len(ids) == len(set(ids)) == len(names) - 1
    assert all(re.fullmatch(r"call[A-Za-z0-9_-]*", each) for each in ids)


LONG = "many words " * 100


@pytest.mark.parametrize(("args", "is_open"), [({"short": 1}, True), ({"long": LONG}, False)])
def test_long_values_are_closed_and_errors_open(args: dict[str, Any], is_open: bool) -> None:
    tool = {"id": "c", "tool": "t/a"}
    response = {**tool, "response": {"error": {"message": LONG}}}
    page = parsed(
        report.html(
            of_messages(
                {"chunks": [{"toolCall": {**tool, "args": args}}, {"toolResponse": response}]}
            )
        )
    )
    arguments, error = page.by_id("call-c").all("details")
    assert ("open" in arguments.attributes) == is_open
    assert "open" in error.attributes


def test_thoughts_and_variables_can_be_folded() -> None:
    page = parsed(report.html(answers()))
    assert "Loans are counted" in article(page, "thought").one("details").text
    page = parsed(report.html(session()))
    assert "cello" in article(page, "variables changed").one("details").text
    assert "3 port" in article(page, "variables").one("details").text


def test_sql_is_one_block() -> None:
    page = parsed(report.html(answers()))
    block = article(page, "SQL").one("pre")
    assert block.attributes["class"] == "code sql"
    assert block.text == (
        "SELECT variety, SUM(packet) AS packets\nFROM library.loans\nGROUP BY variety"
    )
    assert re.search(r"\.sql\{[^}]*user-select:all", report.html(answers()))


def test_the_waterfall_has_the_numbers_of_the_table() -> None:
    seen = session()
    page = parsed(report.html(seen))
    traces = [each for each in page.all("article") if each.attributes["class"] == "trace"]
    assert len(traces) == 3
    for trace, turn in zip(traces, seen.turns, strict=True):
        rows = ces.span_rows(turn)
        [picture] = (each for each in trace.all("div") if each.attributes.get("role") == "img")
        assert picture.attributes["aria-label"]
        bars = [each for each in picture.content if isinstance(each, Element)]
        assert [each.text for each in bars] == [row.name for row in rows]
        whole = max(row.offset_ns + (row.duration_ns or 0) for row in rows)
        for bar, row in zip(bars, rows, strict=True):
            place = dict(re.findall(r"--(\w):([\d.e+]+)", bar.attributes["style"] or ""))
            assert float(place["s"]) == pytest.approx(100 * row.offset_ns / whole, rel=0.01)
            assert float(place["w"]) == pytest.approx(
                100 * (row.duration_ns or 0) / whole, rel=0.01
            )
            classes = (bar.attributes.get("class") or "").split()
            assert ("c" in classes, "e" in classes) == (row.critical, row.start_estimated)
        _, *lines = trace.one("table").all("tr")
        cells = [[cell.text for cell in line.all("td")] for line in lines]
        assert [line[0].lstrip("– ") for line in cells] == [row.name for row in rows]
        assert [line[1] for line in cells] == [row.kind for row in rows]
        assert [line[2].startswith("about ") for line in cells] == [
            row.start_estimated for row in rows
        ]
        assert [line[5] == "yes" for line in cells] == [row.critical for row in rows]
    assert "750 ms" in traces[0].one("table").text
    assert "time of llm: 650 ms in 2 spans; time of tool: 750 ms in 1 span" in traces[0].text


def test_tokens_and_times_to_the_first_output_are_shown() -> None:
    child = {"name": "LLM", "duration": "1s", "attributes": {"output_tokens": 5}}
    span = {
        "name": "Agent",
        "attributes": {"input_tokens": 9, "time_to_first_chunk_ms": 120},
        "childSpans": [child, {**child, "attributes": {"output_tokens": 7, "input_tokens": 9}}],
    }
    page = report.html(of_output(turnCompleted=True, diagnosticInfo={"rootSpan": span}))
    assert "input_tokens: 9; output_tokens: 12; time_to_first_chunk_ms: 120" in page


def test_times_are_in_utc_with_the_offset_in_the_turn() -> None:
    said = [
        {"role": "user", "chunks": [{"text": "Hi"}], "eventTime": "2025-06-14T20:00:00+02:00"},
        {"role": "a", "chunks": [{"text": "Ho"}], "eventTime": "2025-06-14T18:00:01.250500Z"},
    ]
    page = parsed(report.html(of_messages(*said)))
    times = [each.attributes["datetime"] for each in page.all("time")]
    assert times == ["2025-06-14T18:00:00Z", "2025-06-14T18:00:00Z", "2025-06-14T18:00:01.250500Z"]
    assert article(page, "reply (a)").one("p").text == "18:00:01.250 +1.25 s"


def test_an_empty_conversation_says_so() -> None:
    for view in (ces.Session(), ()):
        assert "It holds no turns." in parsed(report.html(view)).one("main").text


def test_states_of_turns_are_words() -> None:
    page = parsed(report.html(of_output(text="Well")))
    assert page.by_id("turn-1").one("h2").text == "Turn 1 not completed"


def test_a_stored_conversation_is_a_session() -> None:
    said = ces.Message(role="user", chunks=[ces.Chunk(text="Ahoy!")])
    stored = ces.Conversation(name="a/b", turns=[ces.Conversation.Turn(messages=[said])])
    assert report.html(stored) == report.html(ces.Session.collect(stored))


@pytest.mark.parametrize("wrong", [None, {}, "text", 5, [1], [ces.Session()]])
def test_wrong_views_are_refused(wrong: Any) -> None:
    with pytest.raises(TypeError, match=r"expected (Session|nothing but answers in a list)"):
        report.html(wrong)


def test_recovered_means_that_an_answer_followed() -> None:
    error: dict[str, Any] = {"error": {"text": "no such table"}}
    final: dict[str, Any] = {"text": {"textType": "FINAL_RESPONSE", "parts": ["31"]}}
    for contents, heading in (
        ((error, final), "recovered from"),
        ((final, error), "error"),
        ((error,), "error"),
        ((error, {"clarification": {"questions": [{"question": "Which?"}]}}), "error"),
    ):
        found = article(parsed(report.html(answer_of(*contents))), heading)
        assert "no such table" in found.text


def contrast(first: str, second: str) -> float:
    def luminance(colour: str) -> float:
        digits = colour[1:] if len(colour) == 7 else "".join(2 * each for each in colour[1:])
        parts = [int(digits[at : at + 2], 16) / 255 for at in (0, 2, 4)]
        linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    lighter, darker = sorted((luminance(first), luminance(second)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def test_texts_stand_out_in_light_and_dark() -> None:
    schemes = re.findall(r":root\{([^}]*)\}", report.html(ces.Session()))
    assert len(schemes) == 3  # light, dark, print
    for scheme in schemes:
        colours = dict(re.findall(r"--([\w-]+):(#\w+)", scheme))
        for text in ("text", "soft", "link", "user", "reply", "bad", "wait"):
            for back in ("back", "card", "bad-card"):
                assert contrast(colours[text], colours[back]) >= 4.5, (text, back)
