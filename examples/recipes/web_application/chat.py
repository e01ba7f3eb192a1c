"""Streams a CES session to a page in a browser: FastAPI, httpx and Turnwire.

    uvicorn --factory --app-dir examples/recipes/web_application chat:from_environment

The application keeps nothing between two messages: the service has the history of the session.
`try_chat.py` runs it without a network.
"""

from __future__ import annotations

import logging
import os
from base64 import b64encode
from collections.abc import AsyncGenerator, AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Annotated, Literal
from uuid import UUID

import httpx
from fastapi import FastAPI
from fastapi.responses import FileResponse
from fastapi.staticfiles import StaticFiles
from pydantic import BaseModel, Field

import turnwire
from turnwire import ces

log = logging.getLogger("chat")

PAGE = Path(__file__).parent / "page"
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; "
    "media-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
    "require-trusted-types-for 'script'"
)
AUDIO = ces.OutputAudioConfig(
    audio_encoding=ces.AudioEncoding.LINEAR16,
    sample_rate_hertz=8000,
)
MAX_REQUESTS = 8
"""The limit of requests for one message, where an agent calls tool after tool."""


class Said(BaseModel):
    """A message of the user."""

    text: Annotated[str, Field(min_length=1, max_length=4000)]


class Part(BaseModel):
    """A piece of the answer, in the order in which it is to be shown.

    The value is the text to append, a URL with the data of the image or the audio, or empty.
    """

    kind: Literal["text", "progress", "image", "audio", "ended", "escalated", "failed"]
    value: str = ""
    alt: str = ""


def from_environment() -> FastAPI:
    """Returns the web application for the CES app and the access token of the environment."""
    service = httpx.AsyncClient(
        base_url="https://ces.googleapis.com",
        headers={"Authorization": f"Bearer {os.environ['CES_TOKEN']}"},
        # An agent may think for minutes.
        timeout=httpx.Timeout(10, read=300),
    )
    return create_app(service, os.environ["CES_APP"])


def create_app(service: httpx.AsyncClient, ces_app: str) -> FastAPI:
    """Returns the web application.

    Args:
        service: A client with the base URL, the credentials and the timeouts of the service.
        ces_app: The resource name of the CES app.
    """

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncGenerator[None]:
        async with service:
            yield

    app = FastAPI(lifespan=lifespan, openapi_url=None)

    @app.post("/sessions/{session}/messages")
    async def answer_message(session: UUID, said: Said) -> AsyncIterator[Part]:
        async for part in answer(service, f"{ces_app}/sessions/{session}", said.text):
            yield part

    @app.get("/")
    async def page() -> FileResponse:
        return FileResponse(PAGE / "index.html", headers={"Content-Security-Policy": POLICY})

    app.mount("/page", StaticFiles(directory=PAGE))
    return app


async def answer(service: httpx.AsyncClient, session: str, text: str) -> AsyncIterator[Part]:
    """Sends a message of the user; yields the answer while it arrives.

    A failure is the last part. Closing the iterator, or cancelling its task, ends the call.
    """
    builder = ces.SessionBuilder()
    config = ces.SessionConfig(session=session, output_audio_config=AUDIO)
    sent = ces.SessionInput(text=text)
    try:
        for _ in range(MAX_REQUESTS):
            request = ces.RunSessionRequest(config=config, inputs=[sent])
            builder.add(request)
            async for response in run(service, request):
                for part in parts_of(builder.add(response)):
                    yield part
            calls = builder.session.open_tool_calls
            if not calls:
                break
            responses = [await run_tool(call) for call in calls]
            sent = ces.SessionInput(tool_responses=ces.tool_responses(*responses))
    except turnwire.TurnwireError as error:
        log.error("%s: %s", session, error.without_values())
    except httpx.HTTPError as error:
        log.error("%s: %s", session, type(error).__name__)
    whole = builder.session
    if whole.audio:
        yield Part(kind="audio", value=data_url("audio/wav", ces.to_wav(whole.audio, AUDIO)))
    if whole.ended:
        yield Part(kind="escalated" if whole.ended.escalated else "ended")
    if not whole.completed_turns:
        yield Part(kind="failed")


async def run(
    service: httpx.AsyncClient, request: ces.RunSessionRequest
) -> AsyncIterator[ces.RunSessionResponse]:
    """Makes one request; yields the responses as they arrive."""
    async with service.stream(
        "POST",
        f"/v1/{request.config.session}:streamRunSession",
        content=turnwire.to_json(request),
        headers={"Content-Type": "application/json"},
    ) as response:
        chunks = response.aiter_bytes()
        async for message in turnwire.aread(ces.RunSessionResponse, chunks):
            yield message
        # The body of a refusal says why, so it is read first.
        response.raise_for_status()


def parts_of(update: ces.Session) -> Iterator[Part]:
    """Yields the parts that one response adds."""
    for note in update.progress:
        yield Part(kind="progress", value=note)
    if update.text:
        yield Part(kind="text", value=update.text)
    for image in update.images:
        yield Part(kind="image", value=data_url(image.mime_type, image.data), alt=image.alt_text)


async def run_tool(call: ces.ToolCall) -> ces.ToolResponse:
    """Runs a tool of this application for the agent."""
    match ces.tool_name_of(call):
        case "read_scale":
            return ces.respond(call, output={"kilograms": 9})
        case "light_lantern":
            return ces.respond(call, output={"colour": ces.args_of(call).get("colour")})
        case name:
            return ces.respond(call, error=f"this application has no tool {name}")


def data_url(mime_type: str, data: bytes) -> str:
    """Returns a URL that holds the data, for an image or a player of the page."""
    return f"data:{mime_type};base64,{b64encode(data).decode()}"
