"""The site in Chromium: nothing is asked of the network, everybody can read it, search works."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from browser.axe import axe
from browsers import find_browser

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


def test_search_works_without_a_server(chromium: Chromium) -> None:
    with chromium.page(SITE / "search.html") as page:
        page.open(f"{(SITE / 'search.html').as_uri()}?q=transfers")
        found = page.evaluate(
            "new Promise(done => setInterval(() => {"
            " const links = [...document.querySelectorAll('#search-results li a')];"
            " if (links.length) done(links.map(each => each.textContent)) }, 50))"
        )
        assert any("turnwire.ces" in title or "CES" in title for title in found)
