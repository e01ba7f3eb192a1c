"""Drives a Chromium through its debugging pipe: pages, keys, pictures, requests of a page."""

from __future__ import annotations

import base64
import contextlib
import json
import os
import select
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from browsers import find_browser

_SECONDS = 60.0
_FLAGS = (
    "--headless=new",
    "--remote-debugging-pipe",
    "--no-sandbox",  # CI runs as root
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-background-networking",
    "--hide-scrollbars",
    "--no-first-run",
    "--font-render-hinting=none",
)


class Failed(Exception):
    """The browser refused a command, or did not answer."""


class Chromium:
    """A browser; `page` opens tabs in it."""

    def __init__(self, profile: Path) -> None:
        program = find_browser()
        assert program is not None
        commands, self._commands = os.pipe()
        self._answers, answers = os.pipe()
        # It reads from descriptor 3 and writes to 4, whatever their numbers are here.
        shell = f'exec "$0" "$@" 3</dev/fd/{commands} 4>/dev/fd/{answers}'
        self._process = subprocess.Popen(
            ["sh", "-c", shell, program, *_FLAGS, f"--user-data-dir={profile}"],
            pass_fds=(commands, answers),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(commands)
        os.close(answers)
        self._number = 0
        self._buffer = b""
        self.events: list[dict[str, Any]] = []

    def call(self, method: str, session: str | None = None, **parameters: Any) -> dict[str, Any]:
        """Sends a command and returns its result; events that come before it are kept."""
        self._number += 1
        message: dict[str, Any] = {"id": self._number, "method": method, "params": parameters}
        if session is not None:
            message["sessionId"] = session
        unsent = json.dumps(message).encode() + b"\0"
        while unsent:
            unsent = unsent[os.write(self._commands, unsent) :]
        deadline = time.monotonic() + _SECONDS
        while True:
            answer = self._next(deadline)
            if answer.get("id") == self._number:
                if "error" in answer:
                    raise Failed(f"{method}: {answer['error'].get('message')}")
                result: dict[str, Any] = answer["result"]
                return result

    def wait_for(self, method: str, session: str) -> dict[str, Any]:
        """Returns the first event of a name in a session, which may have come already."""
        deadline = time.monotonic() + _SECONDS
        while True:
            for event in self.events:
                if event["method"] == method and event.get("sessionId") == session:
                    self.events.remove(event)
                    return event
            self._next(deadline)

    def _next(self, deadline: float) -> dict[str, Any]:
        while b"\0" not in self._buffer:
            ready, _, _ = select.select([self._answers], [], [], deadline - time.monotonic())
            piece = os.read(self._answers, 2**20) if ready else b""
            if not piece:
                raise Failed("the browser does not answer")
            self._buffer += piece
        text, _, self._buffer = self._buffer.partition(b"\0")
        message: dict[str, Any] = json.loads(text)
        if "method" in message:
            self.events.append(message)
        return message

    def close(self) -> None:
        with contextlib.suppress(Failed, OSError):
            self.call("Browser.close")
        os.close(self._commands)
        os.close(self._answers)
        try:
            self._process.wait(10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    @contextlib.contextmanager
    def page(self, place: Path | str, **look: Any) -> Iterator[Page]:
        """Opens a file or a URL in a tab, in the look of `Page.look`."""
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        page = Page(self, session)
        for domain in ("Page", "Runtime", "Network", "Log"):
            page.call(f"{domain}.enable")
        page.look(**look)
        page.open(place if isinstance(place, str) else place.resolve().as_uri())
        try:
            yield page
        finally:
            self.call("Target.closeTarget", targetId=target)
            self.events = [each for each in self.events if each.get("sessionId") != session]


class Page:
    """A tab."""

    def __init__(self, browser: Chromium, session: str) -> None:
        self._browser = browser
        self._session = session

    def call(self, method: str, **parameters: Any) -> dict[str, Any]:
        return self._browser.call(method, self._session, **parameters)

    def look(
        self, *, width: int = 1000, scheme: str = "light", media: str = "screen", **features: str
    ) -> None:
        """Sets the width of the window, the colour scheme, the medium, and media features."""
        self.call(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=800,
            deviceScaleFactor=1,
            mobile=False,
        )
        named = {"prefers-color-scheme": scheme}
        named |= {name.replace("_", "-"): value for name, value in features.items()}
        listed = [{"name": name, "value": value} for name, value in named.items()]
        self.call("Emulation.setEmulatedMedia", media=media, features=listed)

    def open(self, url: str) -> None:
        """Goes to a URL and waits until it is loaded."""
        self.call("Page.navigate", url=url)
        self._browser.wait_for("Page.loadEventFired", self._session)

    def evaluate(self, script: str) -> Any:
        """Returns the value of a script; that of a promise once it is there."""
        done = self.call(
            "Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True
        )
        if found := done.get("exceptionDetails"):
            raise Failed(found.get("exception", {}).get("description") or found["text"])
        return done["result"].get("value")

    def wait_until(self, condition: str) -> None:
        """Waits until a script gives true; fails with the text of the page if it does not."""
        script = (
            "new Promise(done => { const began = Date.now(); const look = () => {"
            f" if ({condition}) done(null);"
            f" else if (Date.now() - began > {_SECONDS * 500}) done(document.body.innerText);"
            " else setTimeout(look, 20) }; look() })"
        )
        text = self.evaluate(script)
        if text is not None:
            raise Failed(f"the page does not come to {condition}:\n{text}")

    def type(self, text: str) -> None:
        """Types a text into the element that has the focus."""
        self.call("Input.insertText", text=text)

    def press(self, key: str) -> None:
        """Presses and lets go of a key without a character, such as Tab."""
        for kind in ("keyDown", "keyUp"):
            code = {"Tab": 9, "Enter": 13}[key]
            text = {"text": "\r"} if key == "Enter" and kind == "keyDown" else {}
            self.call(
                "Input.dispatchKeyEvent",
                type=kind,
                key=key,
                code=key,
                windowsVirtualKeyCode=code,
                **text,
            )

    def requests(self) -> list[str]:
        """The URLs that the page asked for, without itself and data in URLs."""
        self.evaluate("new Promise(done => requestAnimationFrame(() => setTimeout(done, 50)))")
        asked = [
            event["params"]["request"]["url"]
            for event in self._events("Network.requestWillBeSent")
            if event["params"]["type"] != "Document"
        ]
        return [url for url in asked if not url.startswith("data:")]

    def complaints(self) -> list[str]:
        """The lines of the console, in which the browser reports violations of the policy."""
        logged = [event["params"]["entry"]["text"] for event in self._events("Log.entryAdded")]
        for event in self._events("Runtime.consoleAPICalled"):
            logged.append(str([each.get("value") for each in event["params"]["args"]]))
        for event in self._events("Runtime.exceptionThrown"):
            logged.append(str(event["params"]["exceptionDetails"]))
        return logged

    def _events(self, method: str) -> list[dict[str, Any]]:
        events = self._browser.events
        return [e for e in events if e["method"] == method and e["sessionId"] == self._session]

    def screenshot(self, *, whole: bool = True) -> bytes:
        """Returns a picture of the page as PNG."""
        taken = self.call("Page.captureScreenshot", captureBeyondViewport=whole)
        return base64.b64decode(taken["data"])

    def pdf(self) -> bytes:
        """Returns the printed page."""
        done = self.call("Page.printToPDF", printBackground=False, preferCSSPageSize=True)
        return base64.b64decode(done["data"])
