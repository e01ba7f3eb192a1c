"""The web pages of the recipes in Chromium, each with its servers on loopback."""

from __future__ import annotations

import asyncio
import os
import re
import shutil
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Event

import httpx
import pytest
from browser.axe import axe
from browsers import find_browser
from chat import create_app
from fastapi import FastAPI
from fastapi.responses import StreamingResponse
from try_chat import CES_APP, RECORDING, player, serving

pytestmark = pytest.mark.skipif(find_browser() is None, reason="Chromium is not on this machine")

if find_browser() is not None:
    from browser.chromium import Chromium, Page

RECIPES = Path(__file__).resolve().parents[2] / "examples" / "recipes"
ADDRESS = re.compile(r"http://127\.0\.0\.1:\d+")
IDLE = "!document.querySelector('form').inert"
FAILED = "The answer did not arrive whole. Please send the message again."


@pytest.fixture(scope="module")
def chromium(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Chromium]:
    browser = Chromium(tmp_path_factory.mktemp("profile"))
    yield browser
    browser.close()


@contextmanager
def running(*command: str | Path, **environment: str) -> Iterator[str]:
    """Runs a server until the block ends; yields the address that it prints."""
    environment = os.environ | environment
    process = subprocess.Popen(
        command, env=environment, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    )
    assert process.stdout is not None
    try:
        found = next(filter(None, map(ADDRESS.search, process.stdout)))
        yield found[0]
    finally:
        process.terminate()
        process.communicate()


@contextmanager
def chatting(service: FastAPI) -> Iterator[str]:
    """Runs the web application with a service; yields its address."""
    with (
        serving(service) as url,
        serving(create_app(httpx.AsyncClient(base_url=url), CES_APP)) as address,
    ):
        yield address


def say(page: Page, text: str) -> None:
    page.evaluate("document.querySelector('#text').focus()")
    page.type(text)
    page.press("Enter")


def test_a_conversation_in_the_web_application(chromium: Chromium) -> None:
    program = RECIPES / "web_application" / "try_chat.py"
    with running(sys.executable, program, PORT="0") as address, chromium.page(address) as page:
        say(page, "Which boats cross tonight?")
        page.wait_until(IDLE)
        assert page.evaluate("talk.innerText").endswith("The Otter carries a lantern at the bow.")

        say(page, "The Otter, please, with my cello.")
        page.wait_until(IDLE)
        assert "Your cello weighs 9 kg" in page.evaluate("talk.innerText")
        image = "document.querySelector('img')"
        assert page.evaluate(f"[{image}.naturalWidth, {image}.naturalHeight]") == [16, 8]
        assert page.evaluate(f"{image}.alt").startswith("Deck plan of the Otter")

        say(page, "Port side, and that is all.")
        page.wait_until("document.querySelector('audio')?.ended")
        assert page.evaluate("document.querySelector('audio').duration") == 64 / 8000
        assert page.evaluate("document.querySelector('#status').innerText") == (
            "The conversation has ended."
        )
        assert page.evaluate("document.forms[0].checkVisibility()") is False
        assert page.complaints() == []
        assert all(url.startswith(address) for url in page.requests())


@pytest.mark.parametrize("width", [1000, 320])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_everybody_can_read_the_web_application(
    chromium: Chromium, scheme: str, width: int
) -> None:
    look = {"scheme": scheme, "width": width}
    with (
        chatting(player(RECORDING, pause=0)) as address,
        chromium.page(address, **look) as page,
    ):
        assert axe(page) == {}
        for text in ("Which boats cross tonight?", "x" * 200, "Port side."):
            say(page, text)
            page.wait_until(IDLE)
        assert axe(page) == {}
        assert page.evaluate("document.documentElement.scrollWidth") == width
        dark = page.evaluate("matchMedia('(prefers-color-scheme: dark)').matches")
        assert dark is (scheme == "dark")


@pytest.mark.parametrize("rest", [b'{"outputs": [{"turnCompleted": true}]}\n', b""])
def test_a_person_takes_over(chromium: Chromium, rest: bytes) -> None:
    end = b'{"outputs": [{"endSession": {"metadata": {"session_escalated": true}}}]}\n'
    body = b'{"outputs": [{"text": "One moment."}]}\n' + end + rest
    with chatting(player(body)) as address, chromium.page(address) as page:
        say(page, "A person, please.")
        page.wait_until("document.querySelector('#status').innerText.includes('takes over')")
        assert page.evaluate("document.forms[0].checkVisibility()") is False


@pytest.mark.parametrize(
    "rest",
    [b'{"error": {"code": 8, "message": "m"}}]', b'{"outputs": [{"te'],
    ids=["error", "cut"],
)
def test_a_failure_keeps_what_came_before_it(chromium: Chromium, rest: bytes) -> None:
    service = FastAPI()

    @service.post("/{path:path}")
    async def answer(path: str) -> StreamingResponse:
        return StreamingResponse(iter([b'[{"outputs": [{"text": "Ahoy!"}]},\n', rest]))

    with chatting(service) as address, chromium.page(address) as page:
        say(page, "Hello?")
        page.wait_until(IDLE)
        assert page.evaluate("talk.textContent") == "YouHello?FerryAhoy!"
        assert page.evaluate("document.querySelector('#status').innerText") == FAILED
        assert page.evaluate("document.querySelector('#text').value") == "Hello?"


def test_a_browser_that_leaves_ends_the_call(chromium: Chromium) -> None:
    """The first text is shown long before the answer is complete, which it never is."""
    left = Event()
    service = FastAPI()

    async def endless() -> AsyncIterator[bytes]:
        yield b'[{"outputs": [{"text": "One moment"}]},\n'
        try:
            await asyncio.sleep(600)
        finally:
            left.set()

    @service.post("/{path:path}")
    async def answer(path: str) -> StreamingResponse:
        return StreamingResponse(endless())

    with chatting(service) as address, chromium.page(address) as page:
        say(page, "Hello?")
        page.wait_until("talk.innerText.includes('One moment')")
        assert not left.is_set()
        page.open("about:blank")
        assert left.wait(30)


TYPESCRIPT = RECIPES / "typescript_page"
built = pytest.mark.skipif(
    shutil.which("node") is None or not (TYPESCRIPT / "build" / "page.js").exists(),
    reason="the page in TypeScript is not built: make test-browser",
)
REPLY = "Two boats cross tonight:\n  - 18:40 Heron\n  - 20:10 Otter\n"


@pytest.fixture(scope="module")
def typescript() -> Iterator[str]:
    with running("node", TYPESCRIPT / "build" / "serve.js", PORT="0") as address:
        yield address


def read(page: Page, form: str, end: str) -> None:
    """Chooses a format and an end in the page, and lets it read the session."""
    page.evaluate(f"document.querySelector('#format').value = '{form}'")
    page.evaluate(f"document.querySelector('#end').value = '{end}'")
    page.evaluate("document.querySelector('button').focus()")
    page.press("Enter")


@built
@pytest.mark.parametrize("form", ["array", "ndjson", "events"])
def test_the_typescript_page_shows_messages_as_they_come(
    chromium: Chromium, typescript: str, form: str
) -> None:
    with chromium.page(typescript) as page:
        # A response has an entry once it is complete.
        page.evaluate(
            "new MutationObserver((_, observer) => { observer.disconnect();"
            " window.early = !performance.getEntries().some(e => e.name.includes('/session')) })"
            ".observe(document.querySelector('#log'), { childList: true })"
        )
        read(page, form, "whole")
        page.wait_until(IDLE)
        assert page.evaluate("early") is True
        assert page.evaluate("performance.getEntries().some(e => e.name.includes('/session'))")
        assert page.evaluate("document.querySelector('#status').innerText") == "Complete."
        turns = page.evaluate("[...document.querySelectorAll('#log p')].map(p => p.textContent)")
        assert turns[0] == f"{REPLY}The Otter carries a lantern at the bow."
        assert turns[-1] == "The boarding desk keeps a seat for you. Bon voyage!"
        notes = page.evaluate("[...document.querySelectorAll('small')].map(s => s.textContent)")
        assert notes[2:4] == ["calls read_scale", "calls light_lantern"]
        assert "end of the session" in notes
        assert page.evaluate("document.querySelector('img').naturalWidth") == 16
        assert page.complaints() == []
        assert all(url.startswith((typescript, "blob:")) for url in page.requests())


@built
@pytest.mark.parametrize("form", ["array", "ndjson", "events"])
@pytest.mark.parametrize(
    ("end", "status"),
    [
        ("error", "The service reports 429: Slow down."),
        ("cut", "The answer is not whole: the stream ended in the middle."),
        ("lost", "The answer is not whole: network error"),
    ],
)
def test_the_typescript_page_keeps_what_came_before_an_error(
    chromium: Chromium, typescript: str, form: str, end: str, status: str
) -> None:
    with chromium.page(typescript) as page:
        read(page, form, end)
        page.wait_until(IDLE)
        assert page.evaluate("document.querySelector('#status').innerText") == status
        assert page.evaluate("document.querySelector('#log').textContent").startswith(REPLY)


@built
@pytest.mark.parametrize("width", [1000, 320])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_everybody_can_read_the_typescript_page(
    chromium: Chromium, typescript: str, scheme: str, width: int
) -> None:
    with chromium.page(typescript, scheme=scheme, width=width) as page:
        read(page, "array", "whole")
        page.wait_until(IDLE)
        assert axe(page) == {}
        assert page.evaluate("document.documentElement.scrollWidth") == width
