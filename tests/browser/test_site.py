"""The site in Chromium: nothing is asked of the network, everybody can read it, search works."""

from __future__ import annotations

import importlib
import inspect
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from browser.axe import axe
from browsers import find_browser
from public_names import ROOMS, attributes_of

from turnwire import schema

SITE = Path(__file__).resolve().parents[2] / "build" / "site"
PAGES = (
    *("index", "docs/start/five-minutes", "docs/ces", "reference/python/turnwire.ces"),
    *("reference/messages/ces/Chunk", "reference/command-line", "reference/json-rules"),
)

pytestmark = [
    pytest.mark.skipif(find_browser() is None, reason="Chromium is not on this machine"),
    pytest.mark.skipif(not SITE.exists(), reason="the site is not built: make docs"),
]

if find_browser() is not None:
    from browser.chromium import Chromium


@pytest.fixture(scope="module")
def chromium(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Chromium]:
    browser = Chromium(tmp_path_factory.mktemp("profile"))
    yield browser
    browser.close()


@pytest.mark.parametrize("name", PAGES)
def test_a_page_asks_the_network_for_nothing(chromium: Chromium, name: str) -> None:
    with chromium.page(SITE / f"{name}.html") as page:
        assert [url for url in page.requests() if not url.startswith("file:")] == []
        assert page.complaints() == []


@pytest.mark.parametrize("width", [1000, 320])
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", PAGES)
def test_axe_finds_nothing(chromium: Chromium, name: str, scheme: str, width: int) -> None:
    with chromium.page(SITE / f"{name}.html", scheme=scheme, width=width) as page:
        assert axe(page) == {}
        assert page.evaluate("document.documentElement.scrollWidth") == width


def test_the_reference_has_an_anchor_for_every_public_name() -> None:
    pages = (SITE / "reference" / "python").glob("*.html")
    anchors = {
        anchor
        for page in pages
        for anchor in re.findall(r'\bid="(turnwire[\w.]*)"', page.read_text(encoding="utf-8"))
    }
    missing = []
    for room in ROOMS:
        module = importlib.import_module(room)
        for name in module.__all__:
            found = getattr(module, name)
            if hasattr(found, "DESCRIPTOR"):
                api, _, rest = schema.short_name(found.DESCRIPTOR.full_name).partition(".")
                page = SITE / "reference" / "messages" / api / f"{rest}.html"
                missing += [] if page.exists() else [page.name]
            elif not inspect.ismodule(found):
                # The name may be documented in another module, an attribute at a base class.
                owners = [each.__name__ for each in getattr(found, "__mro__", ())]
                wanted = [[name]]
                if inspect.isclass(found):
                    wanted += [
                        [f"{owner}.{attribute}" for owner in owners]
                        for attribute in attributes_of(found)
                    ]
                missing += [
                    f"{room}.{each[0]}"
                    for each in wanted
                    if not any(f"{other}.{one}" in anchors for other in ROOMS for one in each)
                ]
    assert missing == [], "\n".join(missing)


def test_search_works_without_a_server(chromium: Chromium) -> None:
    with chromium.page(SITE / "search.html") as page:
        page.open(f"{(SITE / 'search.html').as_uri()}?q=transfers")
        found = page.evaluate(
            "new Promise(done => setInterval(() => {"
            " const links = [...document.querySelectorAll('#search-results li a')];"
            " if (links.length) done(links.map(each => each.textContent)) }, 50))"
        )
        assert any("turnwire.ces" in title or "CES" in title for title in found)
