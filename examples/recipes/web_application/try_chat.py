"""Runs the application on loopback: a recording plays the CES API.

    python examples/recipes/web_application/try_chat.py

PORT is the port of the page, 8000 without it.
"""

from __future__ import annotations

import asyncio
import io
import os
import socket
from collections.abc import AsyncIterator, Generator, Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread

import httpx
import uvicorn
from chat import create_app
from fastapi import FastAPI, Request, Response
from fastapi.responses import StreamingResponse

import turnwire
from turnwire import ces

CES_APP = "projects/sample-river/locations/eu/apps/lantern-ferry"
RECORDING = Path(__file__).resolve().parents[2] / "ces_session.ndjson"
REFUSAL = (
    b'{"error": {"code": 400, "status": "FAILED_PRECONDITION", "message": "not in the script"}}'
)


def replies(recording: Path | bytes) -> list[bytes]:
    """Cuts a recording into the bodies that answer one request each: JSON arrays.

    A body ends where the service waits for the client: after a turn, and after tool calls.
    """
    parts: list[list[ces.RunSessionResponse]] = [[]]
    for response in turnwire.read(ces.RunSessionResponse, recording):
        parts[-1].append(response)
        if any(each.turn_completed or each.HasField("tool_calls") for each in response.outputs):
            parts.append([])
    return [body_of(part) for part in parts if part]


def body_of(responses: list[ces.RunSessionResponse]) -> bytes:
    """Returns responses as the body of one HTTP response."""
    body = io.BytesIO()
    turnwire.write(responses, body, "array")
    return body.getvalue()


def player(recording: Path | bytes, *, pause: float = 0.1) -> FastAPI:
    """Returns a service that answers each session with the recording, reply by reply.

    Args:
        recording: The responses of a whole session.
        pause: The time between two pieces of a body, in seconds.
    """
    script = replies(recording)
    sessions: dict[str, Iterator[bytes]] = {}
    app = FastAPI(openapi_url=None)

    @app.post("/v1/{session:path}:streamRunSession")
    async def stream_run_session(session: str, http: Request) -> Response:
        request = turnwire.from_json(ces.RunSessionRequest, await http.body())
        body = next(sessions.setdefault(request.config.session, iter(script)), None)
        if body is None or request.config.session != session:
            return Response(REFUSAL, 400, media_type="application/json")
        return StreamingResponse(pieces(body, pause), media_type="application/json")

    return app


async def pieces(body: bytes, pause: float) -> AsyncIterator[bytes]:
    """Yields a body line by line, as the service flushes one response after another."""
    for line in body.splitlines(keepends=True):
        yield line
        await asyncio.sleep(pause)


@contextmanager
def serving(app: FastAPI) -> Generator[str]:
    """Runs an application on a free port of loopback, in a thread; yields its URL."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        server = uvicorn.Server(
            uvicorn.Config(app, log_level="warning", timeout_graceful_shutdown=1)
        )
        thread = Thread(target=server.run, kwargs={"sockets": [listener]})
        thread.start()
        try:
            yield f"http://127.0.0.1:{listener.getsockname()[1]}"
        finally:
            server.should_exit = True
            thread.join()


def main() -> None:
    """Serves the page until Ctrl-C."""
    with serving(player(RECORDING)) as url:
        app = create_app(httpx.AsyncClient(base_url=url), CES_APP)
        uvicorn.run(app, port=int(os.environ.get("PORT", "8000")), timeout_graceful_shutdown=1)


if __name__ == "__main__":
    main()
