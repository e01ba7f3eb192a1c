"""Runs the snippets of the docs with real HTTP clients against a server on loopback."""

import asyncio
import http.client
import re
import sys
import threading
import urllib.error
import urllib.request
import warnings
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import aiohttp
import httpx
import pytest
import requests
from support.analytics import gda
from support.cases import for_each

import turnwire
from turnwire import ces
from turnwire.errors import ParseError, StreamError, TruncatedStream, UnknownFieldWarning
from turnwire.streams import aread, read

Message = gda.Message
DOCS = Path(__file__).parents[2] / "docs"

TEXTS = ["Hi é🙂", 'a "quoted"\nline', "}{ ][", "\u2028", "last"]
FINAL = gda.TextMessage.FINAL_RESPONSE
EXPECTED = [
    Message(system_message=gda.SystemMessage(text=gda.TextMessage(parts=[text], text_type=FINAL)))
    for text in TEXTS
]
VALUES = [
    f'{{"systemMessage": {{"text": {{"parts": ["{text}"], "textType": "FINAL_RESPONSE"}}}}}}'
    for text in ("Hi é🙂", 'a \\"quoted\\"\\nline', "}{ ][", "\\u2028", "last")
]
ARRAY = "[" + "\n,\n".join(VALUES) + "]\n"
STATUS = '{\n  "error": {"code": 403, "status": "PERMISSION_DENIED", "message": "No."}\n}\n'
THOUGHT = '[{"systemMessage": {"text": {"parts": ["Hm."], "textType": "THOUGHT"}}}]'
BODIES = {
    "/array": ARRAY,
    "/ndjson": "\r\n".join(VALUES) + "\r\n",
    "/sse": "".join(f"event: message\ndata: {value}\n\n" for value in VALUES),
    "/cut": ARRAY[:-40],
    "/new-field": ARRAY.replace('"parts"', '"mood": {"a": 1}, "parts"'),
    "/error-element": f"[{VALUES[0]},\n{STATUS}]",
    "/thought": THOUGHT,
    "/empty": "",
    "/empty-array": "[]",
    "/detail": '{"detail": "boom"}',
    "/error": STATUS,
    "/html": "<html>502 Bad Gateway</html>",
    "/v1/s-1:streamRunSession": '[{"outputs": [{"text": "Ahoy", "mood": 1}]},\n{"outputs": []}]',
}


class Server(ThreadingHTTPServer):
    def handle_error(self, request: Any, client_address: Any) -> None:
        # A client that stops reading may hang up; that does not fail a test.
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        # A client may hang up as soon as it has what it wants.
        path, _, status = self.path.partition("?")
        with suppress(ConnectionError):
            body = BODIES.get(path, '{"error": {"code": 404, "message": "no such session"}}')
            self.answer(body.encode(), int(status or (200 if path in BODIES else 404)))

    def answer(self, body, status):
        self.send_response(status)
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        position, size = 0, 1
        while position < len(body):
            chunk = body[position : position + size]
            self.wfile.write(b"%x\r\n%s\r\n" % (len(chunk), chunk))
            self.wfile.flush()
            position += size
            size = size * 3 % 47 + 1
        self.wfile.write(b"0\r\n\r\n")

    do_POST = do_GET

    def log_message(self, *args):
        pass


@pytest.fixture(scope="module")
def server():
    with Server(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


formats = pytest.mark.parametrize("path", ["/array", "/ndjson", "/sse"])


def snippets_of(page):
    return re.findall(r"```python\n(.*?)```", (DOCS / page).read_text("utf-8"), re.DOTALL)


# The other snippets need no server.
SNIPPETS = [
    code
    for page in ("streams.md", "conversational-analytics.md")
    for code in snippets_of(page)
    if "url" in code
]


def run(snippet, url):
    """Runs a snippet of the docs; returns the messages that it showed and the paths left out."""
    shown = []
    names = {
        "aiohttp": aiohttp,
        "httpx": httpx,
        "requests": requests,
        "urllib": urllib,
        "turnwire": turnwire,
        "gda": gda,
        "url": url,
        "headers": {"Content-Type": "application/json"},
        "body": b"{}",
        "show": lambda change: shown.extend(change.messages),
    }
    try:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always", UnknownFieldWarning)
            exec(snippet, names)  # trusted: a page of this repository
            if "chat" in names:
                asyncio.run(names["chat"]())
    except Exception as error:
        error.shown = shown
        raise
    return shown, [warning.message.place for warning in caught]


snippets = pytest.mark.parametrize(
    "snippet", [pytest.param(code, id=f"snippet{at}") for at, code in enumerate(SNIPPETS)]
)


@formats
@snippets
def test_the_snippets_of_the_docs(server, path, snippet):
    assert run(snippet, server + path) == (EXPECTED, [])


@snippets
def test_the_snippets_go_on_when_the_service_adds_a_field(server, snippet):
    shown, left_out = run(snippet, server + "/new-field")
    assert shown == EXPECTED
    assert left_out == [("systemMessage", "text", "mood")]


@snippets
@for_each("path", ["/empty", "/empty-array", "/detail", "/thought"])
def test_the_snippets_see_that_there_is_no_answer(server, path, snippet):
    with pytest.raises(RuntimeError, match="no answer"):
        run(snippet, server + path)


@snippets
@for_each("path", ["/empty", "/empty-array", "/detail", "/array"])
@for_each("status", [400, 404, 500, 503])
def test_the_snippets_see_the_status(server, path, status, snippet):
    refused = (
        httpx.HTTPStatusError,
        requests.HTTPError,
        aiohttp.ClientResponseError,
        urllib.error.HTTPError,
    )
    with pytest.raises(refused, match=str(status)):
        run(snippet, f"{server}{path}?{status}")


@snippets
@pytest.mark.parametrize("path", ["/error?403", "/error?200", "/error-element?200"])
def test_the_snippets_lose_no_reason(server, path, snippet):
    with pytest.raises(StreamError, match=r"403 PERMISSION_DENIED: No\.") as caught:
        run(snippet, server + path)
    assert caught.value.shown == EXPECTED[: path.startswith("/error-element")]


@snippets
@pytest.mark.parametrize(
    ("path", "error", "count"), [("/cut", TruncatedStream, 4), ("/html?502", ParseError, 0)]
)
def test_the_snippets_raise_the_error_of_the_body(server, path, error, count, snippet):
    with pytest.raises(error) as caught:
        run(snippet, server + path)
    assert caught.value.shown == EXPECTED[:count]


def test_the_ces_snippet(server):
    (snippet,) = snippets_of("ces.md")
    names = {"ces": ces, "headers": {}, "httpx": httpx, "turnwire": turnwire}
    exec(snippet.replace("https://ces.googleapis.com", server), names)
    builder = ces.SessionBuilder()
    for session in ("s-1", "s-1", "s-2"):
        config = ces.SessionConfig(session=session)
        request = ces.RunSessionRequest(config=config, inputs=[ces.SessionInput(text="Hi")])
        if session == "s-1":
            with pytest.warns(UnknownFieldWarning, match=r"left out the unknown \$\.outputs\.mood"):
                builder.extend(names["service"](request))
        else:
            with pytest.raises(StreamError, match="no such session"):
                builder.extend(names["service"](request))
    assert builder.session.turns[0].reply == "AhoyAhoy"


def test_the_docs_show_every_client():
    shown = "".join(SNIPPETS)
    for client in ("httpx.stream", "httpx.AsyncClient", "requests.", "aiohttp.", "urllib."):
        assert client in shown


@formats
@pytest.mark.parametrize("named", [True, False])
def test_httpx_lines(server, path, named):
    options = {"format": path[1:]} if named else {}
    with httpx.Client() as client, client.stream("GET", server + path) as response:
        assert list(read(Message, response.iter_lines(), **options)) == EXPECTED


@formats
@pytest.mark.parametrize("named", [True, False])
def test_requests_lines(server, path, named):
    options = {"format": path[1:]} if named else {}
    with requests.get(server + path, stream=True, timeout=10) as response:
        assert list(read(Message, response.iter_lines(), **options)) == EXPECTED


@formats
def test_requests_raw(server, path):
    with requests.get(server + path, stream=True, timeout=10) as response:
        assert list(read(Message, response.raw)) == EXPECTED


@pytest.mark.parametrize("format", ["auto", "array", "ndjson", "sse", "object", "concatenated"])
def test_a_refused_request_is_a_stream_error_whatever_was_asked_for(server, format):
    with (
        httpx.stream("GET", server + "/error?403") as response,
        pytest.raises(StreamError) as caught,
    ):
        list(read(Message, response.iter_bytes(), format=format))
    assert (caught.value.code, caught.value.status) == (403, "PERMISSION_DENIED")


def test_a_body_that_ends_too_early(server):
    found = []
    with httpx.stream("GET", server + "/cut") as response, pytest.raises(TruncatedStream):
        found.extend(read(Message, response.iter_bytes()))
    assert found == EXPECTED[:4]


def test_a_whole_response_is_refused_with_advice(server):
    response = httpx.get(server + "/array")
    with pytest.raises(TypeError, match=r"pass response.iter_bytes\(\)"):
        read(Message, response)
    with pytest.raises(TypeError, match=r"pass response.aiter_bytes\(\)"):
        aread(Message, response)

    async def content():
        async with aiohttp.ClientSession() as session, session.get(server + "/array") as response:
            with pytest.raises(TypeError, match=r"use turnwire.aread"):
                read(Message, response.content)
            with pytest.raises(TypeError, match=r"pass response.content"):
                aread(Message, response)

    asyncio.run(content())


def test_http_client(server):
    connection = http.client.HTTPConnection(server.removeprefix("http://"), timeout=10)
    connection.request("GET", "/array")
    with connection.getresponse() as response:
        assert list(read(Message, response)) == EXPECTED
    connection.close()
