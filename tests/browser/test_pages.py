"""The pages of `turnwire.report` in Chromium: nothing is asked for, everybody can read them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from browser.axe import axe
from browsers import find_browser
from support.analytics import gda

import turnwire
from turnwire import ces, report

ROOT = Path(__file__).resolve().parents[2]
HOSTILE = "</style><script>alert(1)</script><img src=x onerror=alert(2)> ]]>\u202e\0\x1b[31m"
SCHEMES = ("light", "dark")

pytestmark = pytest.mark.skipif(find_browser() is None, reason="Chromium is not on this machine")

if find_browser() is not None:
    from browser.chromium import Chromium


def example_session() -> ces.Session:
    path = str(ROOT / "examples" / "ces_session.ndjson")
    return ces.Session.collect(turnwire.read(ces.RunSessionResponse, path))


def example_answers() -> tuple[gda.Answer, ...]:
    path = str(ROOT / "examples" / "analytics_answer.json")
    return gda.answers_of(turnwire.read(gda.Message, path))


def hostile_session() -> ces.Session:
    long = "x" * 5000
    call = {"id": "c1", "displayName": HOSTILE, "args": {HOSTILE: HOSTILE, "long": long}}
    failed = {"id": "c1", "displayName": HOSTILE, "response": {"error": HOSTILE}}
    span = {"name": HOSTILE, "duration": "2s", "childSpans": [{"name": long, "duration": "1s"}]}
    said = [{"role": "user", "chunks": [{"text": HOSTILE}]}]
    said += [{"role": HOSTILE, "chunks": [{"toolCall": call}, {"toolResponse": failed}]}]
    image = {"mimeType": "image/svg+xml", "data": "PHN2ZyBvbmxvYWQ9ImFsZXJ0KDMpIi8+"}
    outputs = [
        {"turnIndex": 1, "text": HOSTILE + long},
        {"turnIndex": 1, "image": image},
        {"turnIndex": 1, "audio": "AAAA"},
        {"turnIndex": 1, "payload": {HOSTILE: [long]}},
        {
            "turnIndex": 1,
            "turnCompleted": True,
            "diagnosticInfo": {"messages": said, "rootSpan": span},
        },
    ]
    return ces.Session.collect(turnwire.from_dict(ces.SessionOutput, each) for each in outputs)


def hostile_answer() -> tuple[gda.Answer, ...]:
    field = {"name": HOSTILE, "type": "STRING"}
    rows = [{HOSTILE: HOSTILE}, {HOSTILE: "x" * 5000}]
    data = {"result": {"name": HOSTILE, "schema": {"fields": [field]}, "data": rows}}
    spec = {"mark": "bar", "title": HOSTILE, "data": {"values": rows}, "encoding": {}}
    parts = [
        {"text": {"textType": "THOUGHT", "parts": [HOSTILE]}},
        {"data": {"generatedSql": f"SELECT '{HOSTILE}'"}},
        {"data": data},
        {"chart": {"result": {"vegaConfig": spec}}},
        {"error": {"text": HOSTILE}},
        {"text": {"textType": "FINAL_RESPONSE", "parts": ["[a](javascript:alert(4)) " + HOSTILE]}},
    ]
    messages = [turnwire.from_dict(gda.Message, {"systemMessage": part}) for part in parts]
    return gda.answers_of(messages)


VIEWS = {
    "session": example_session,
    "answers": example_answers,
    "hostile-session": hostile_session,
    "hostile-answer": hostile_answer,
    "empty": ces.Session,
}


@pytest.fixture(scope="module")
def chromium(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Chromium]:
    browser = Chromium(tmp_path_factory.mktemp("profile"))
    yield browser
    browser.close()


@pytest.fixture(scope="module")
def paths(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("pages")
    written = {name: folder / f"{name}.html" for name in VIEWS}
    for name, make in VIEWS.items():
        written[name].write_text(report.html(make()), encoding="utf-8")
    return written


@pytest.mark.parametrize("name", VIEWS)
def test_a_page_asks_for_nothing_and_breaks_no_policy(
    chromium: Chromium, paths: dict[str, Path], name: str
) -> None:
    with chromium.page(paths[name]) as page:
        assert page.requests() == []
        assert page.complaints() == []
        assert page.evaluate("document.scripts.length") == 0
        ids = page.evaluate("[...document.querySelectorAll('[id]')].map(each => each.id)")
        assert len(ids) == len(set(ids))


def test_the_instruments_work(chromium: Chromium, tmp_path: Path) -> None:
    """A page that does what the others must not is found out."""
    policy = "default-src 'none'"
    bad = tmp_path / "bad.html"
    bad.write_text(
        f'<!doctype html><meta http-equiv="Content-Security-Policy" content="{policy}">'
        "<p style='width: 900px; color: #ccc'>x</p><script>alert(1)</script>"
    )
    with chromium.page(bad, width=320) as page:
        assert any("Content Security Policy" in line for line in page.complaints())
        assert page.evaluate("document.documentElement.scrollWidth") == 320
        assert "html-has-lang" in axe(page)
    open_page = tmp_path / "open.html"
    open_page.write_text("<!doctype html><img src=missing.png><p style='width: 900px'>x</p>")
    with chromium.page(open_page, width=320) as page:
        assert page.requests() == [(tmp_path / "missing.png").as_uri()]
        assert page.evaluate("document.documentElement.scrollWidth") > 320


@pytest.mark.parametrize("width", [1000, 320])
@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("name", VIEWS)
def test_axe_finds_nothing(
    chromium: Chromium, paths: dict[str, Path], name: str, scheme: str, width: int
) -> None:
    with chromium.page(paths[name], scheme=scheme, width=width) as page:
        page.evaluate("document.querySelectorAll('details').forEach(each => each.open = true)")
        assert axe(page) == {}


@pytest.mark.parametrize("width", [320, 1000])
@pytest.mark.parametrize("name", VIEWS)
def test_a_narrow_page_does_not_scroll_sideways(
    chromium: Chromium, paths: dict[str, Path], name: str, width: int
) -> None:
    with chromium.page(paths[name], width=width) as page:
        for _ in range(2):
            assert page.evaluate("document.documentElement.scrollWidth") == width
            page.evaluate("document.querySelectorAll('details').forEach(each => each.open = true)")


def test_long_names_leave_room_for_their_values(chromium: Chromium, tmp_path: Path) -> None:
    variables = {"preferred_language_of_the_customer": "Gaelic", "x" * 500: "y" * 500}
    said = [{"role": "user", "chunks": [{"defaultVariables": variables}]}]
    output = {"turnIndex": 1, "diagnosticInfo": {"messages": said}}
    path = tmp_path / "names.html"
    session = ces.Session.collect(turnwire.from_dict(ces.SessionOutput, output))
    path.write_text(report.html(session), encoding="utf-8")
    for width in (320, 1000):
        with chromium.page(path, width=width) as page:
            [whole, *values] = page.evaluate(
                "[...document.querySelectorAll('dl, dd')].map(each => each.clientWidth)"
            )
            assert len(values) == len(variables)
            assert all(value >= whole * 0.4 for value in values), (whole, values)


@pytest.mark.parametrize("name", ["session", "answers", "hostile-session", "hostile-answer"])
def test_everything_is_printed(chromium: Chromium, paths: dict[str, Path], name: str) -> None:
    with chromium.page(paths[name]) as page:
        assert page.pdf()[:5] == b"%PDF-"
        page.look(media="print", width=700)
        hidden = page.evaluate(
            "[...document.querySelectorAll('main details > :not(summary)')]"
            ".filter(each => !each.checkVisibility())"
            ".map(each => each.outerHTML.slice(0, 200))"
        )
        assert hidden == []
        unnamed = page.evaluate(
            "[...document.querySelectorAll('main a[href^=http]')].filter(each => "
            "!getComputedStyle(each, '::after').content.includes(each.href.slice(8)))"
            ".map(each => each.href)"
        )
        assert unnamed == []
        assert page.evaluate("document.documentElement.scrollWidth") == 700


@pytest.mark.parametrize("name", ["session", "answers"])
def test_links_in_the_page_lead_to_what_is_marked(
    chromium: Chromium, paths: dict[str, Path], name: str
) -> None:
    style = "(({outlineStyle, outlineColor, backgroundColor, borderColor, boxShadow}) => "
    style += (
        "JSON.stringify([outlineStyle, outlineColor, backgroundColor, borderColor, boxShadow]))"
    )
    with chromium.page(paths[name]) as page:
        targets = page.evaluate(
            "[...document.querySelectorAll('a[href^=\"#\"]')].map(each => each.hash)"
        )
        assert any(target.startswith("#turn-") for target in targets)
        for target in sorted(set(targets)):
            place = f"document.getElementById({json.dumps(target[1:])})"
            assert page.evaluate(f"{place} !== null"), target
            marked = f"({place}.querySelector(':scope > h2') ?? {place})"
            before = page.evaluate(f"{style}(getComputedStyle({marked}))")
            page.evaluate(f"location.hash = {json.dumps(target)}")
            assert page.evaluate(f"{place}.matches(':target')")
            if target.startswith(("#turn-", "#call-")):
                assert page.evaluate(f"{style}(getComputedStyle({marked}))") != before, target


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("name", ["session", "answers"])
def test_the_keyboard_reaches_everything(
    chromium: Chromium, paths: dict[str, Path], name: str, scheme: str
) -> None:
    with chromium.page(paths[name], scheme=scheme) as page:
        wanted = page.evaluate(
            "window.wanted = [...document.querySelectorAll("
            "'a[href], summary, [tabindex=\"0\"], audio[controls]')]"
            ".filter(each => each.checkVisibility()); wanted.length"
        )
        assert wanted > 3
        reached: list[int] = []
        for _ in range(wanted + 40):  # an audio element has several stops
            page.press("Tab")
            index, name, outline = page.evaluate(
                "[wanted.indexOf(document.activeElement), document.activeElement.localName, "
                "getComputedStyle(document.activeElement).outlineStyle]"
            )
            if index < 0:
                continue
            # Within audio the browser marks its own buttons.
            assert name == "audio" or outline != "none", index
            reached.append(index)
            if len(set(reached)) == wanted:
                break
        assert sorted(set(reached)) == list(range(wanted))
        assert reached == sorted(reached)


def test_a_summary_opens_by_key(chromium: Chromium, paths: dict[str, Path]) -> None:
    with chromium.page(paths["session"]) as page:
        page.evaluate("document.querySelector('details:not([open]) > summary').focus()")
        page.press("Enter")
        assert page.evaluate("document.activeElement.parentElement.open")


@pytest.mark.parametrize("name", ["session", "answers"])
def test_nothing_moves_and_forced_colours_keep_the_words(
    chromium: Chromium, paths: dict[str, Path], name: str
) -> None:
    with chromium.page(paths[name]) as page:
        words = page.evaluate("document.body.innerText")
        page.look(forced_colors="active", prefers_reduced_motion="reduce")
        assert page.evaluate("document.body.innerText") == words
        assert page.evaluate("document.getAnimations().length") == 0
        assert page.evaluate("getComputedStyle(document.documentElement).scrollBehavior") == "auto"


def test_a_page_of_a_chart_draws_it_without_asking(chromium: Chromium, tmp_path: Path) -> None:
    [chart] = [each for each in example_answers()[-1].charts if each.image is not None]
    path = tmp_path / "chart.html"
    path.write_text(chart.to_html(), encoding="utf-8")
    with chromium.page(path) as page:
        assert page.requests() == []
        assert page.complaints() == []
        assert page.evaluate("document.querySelectorAll('#chart svg path').length") > 2
