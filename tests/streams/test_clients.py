"""Real HTTP clients, used exactly as docs/streams.md tells: chunked answers at odd boundaries."""

import asyncio
import http.client
import re
import threading
import urllib.request
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import SimpleNamespace

import aiohttp
import httpx
import pytest
import requests
from turnwire_schema.ces.v1.message_pb2 import Message

from turnwire.errors import StreamError, TruncatedStream
from turnwire.streams import aread, read

DOCS = Path(__file__).parents[2] / "docs" / "streams.md"

TEXTS = ["Hi é🙂", 'a "quoted"\nline', "}{ ][", "\u2028", "last"]
EXPECTED = [Message(role="Desk", chunks=[{"text": text}]) for text in TEXTS]
VALUES = [
    '{"role": "Desk", "chunks": [{"text": "Hi é🙂"}]}',
    '{"role": "Desk", "chunks": [{"text": "a \\"quoted\\"\\nline"}]}',
    '{"role": "Desk", "chunks": [{"text": "}{ ]["}]}',
    '{"role": "Desk", "chunks": [{"text": "\\u2028"}]}',
    '{"role": "Desk", "chunks": [{"text": "last"}]}',
]
ARRAY = "[" + "\n,\n".join(VALUES) + "]\n"
BODIES = {
    "/array": ARRAY,
    "/ndjson": "\r\n".join(VALUES) + "\r\n",
    "/sse": "".join(f"event: message\ndata: {value}\n\n" for value in VALUES),
    "/error": '{\n  "error": {"code": 403, "status": "PERMISSION_DENIED", "message": "No."}\n}\n',
    "/cut": ARRAY[:-40],
}


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        # A client may hang up as soon as it has what it wants.
        with suppress(ConnectionError):
            self.answer(BODIES[self.path].encode())

    def answer(self, body):
        self.send_response(403 if self.path == "/error" else 200)
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
    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


formats = pytest.mark.parametrize("path", ["/array", "/ndjson", "/sse"])


SNIPPETS = re.findall(r"```python\n(.*?)```", DOCS.read_text("utf-8"), re.DOTALL)


@formats
@pytest.mark.parametrize("snippet", SNIPPETS)
def test_the_snippets_of_the_docs(server, path, snippet):
    found = []
    names = {
        "aiohttp": aiohttp,
        "httpx": httpx,
        "requests": requests,
        "urllib": urllib,
        "turnwire": SimpleNamespace(read=read, aread=aread),
        "gda": SimpleNamespace(Message=Message),
        "url": server + path,
        "headers": {},
        "body": {},
        "show": found.append,
    }
    exec(snippet, names)  # the docs are ours
    if "chat" in names:
        asyncio.run(names["chat"]())
    assert found == EXPECTED


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
        httpx.stream("GET", server + "/error") as response,
        pytest.raises(StreamError) as caught,
    ):
        list(read(Message, response.iter_bytes(), format=format))
    assert (caught.value.code, caught.value.status) == (403, "PERMISSION_DENIED")


def test_a_body_that_ends_too_early(server):
    found = []
    with httpx.stream("GET", server + "/cut") as response, pytest.raises(TruncatedStream):
        found.extend(read(Message, response.iter_bytes()))
    assert found == EXPECTED[:4]


def test_whole_responses_are_refused_with_the_way_to_do_it(server):
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
