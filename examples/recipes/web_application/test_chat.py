"""Tests of the application: `httpx.MockTransport` gives it a recording instead of a network."""

from __future__ import annotations

import asyncio
import base64
import json
from collections.abc import Iterable, Sequence

import httpx
import pytest
from chat import MAX_REQUESTS, create_app
from try_chat import CES_APP, RECORDING, replies

import turnwire
from turnwire import ces

FIRST, BEFORE_TOOLS, AFTER_TOOLS, LAST = replies(RECORDING)
SESSION = "2b3f5a0e-6f52-4b6e-9d0f-1c7a4a3c5d10"


class Service:
    """Answers each request with the next reply, and keeps the requests."""

    def __init__(self, answers: Iterable[httpx.Response | Exception]) -> None:
        self.answers = iter(answers)
        self.requests: list[ces.RunSessionRequest] = []

    def __call__(self, http: httpx.Request) -> httpx.Response:
        request = turnwire.from_json(ces.RunSessionRequest, http.content)
        assert http.url.path == f"/v1/{CES_APP}/sessions/{SESSION}:streamRunSession"
        assert request.config.session == f"{CES_APP}/sessions/{SESSION}"
        self.requests.append(request)
        match next(self.answers):
            case httpx.Response() as response:
                return response
            case error:
                raise error


def post(service: Service, body: object, session: str = SESSION) -> httpx.Response:
    """Sends a message to the application, as the page does."""

    async def sent() -> httpx.Response:
        async with httpx.AsyncClient(
            transport=httpx.MockTransport(service), base_url="http://service"
        ) as client:
            app = httpx.ASGITransport(create_app(client, CES_APP))
            async with httpx.AsyncClient(transport=app, base_url="http://chat") as browser:
                return await browser.post(f"/sessions/{session}/messages", json=body)

    return asyncio.run(sent())


def parts(
    *answers: bytes | httpx.Response | Exception, text: str = "Ahoy!"
) -> tuple[list[dict[str, str]], Service]:
    """Returns the parts of an answer, and the service with the requests to it."""
    service = Service(
        httpx.Response(200, content=each) if isinstance(each, bytes) else each for each in answers
    )
    response = post(service, {"text": text})
    assert response.status_code == 200
    return [json.loads(line) for line in response.text.splitlines()], service


def kinds(found: Sequence[dict[str, str]]) -> list[str]:
    return [part["kind"] for part in found]


def test_the_text_arrives_in_pieces() -> None:
    found, service = parts(FIRST, text="Which boats cross?")
    assert kinds(found) == ["progress", "text", "text", "text", "text"]
    assert "".join(part["value"] for part in found[1:]) == (
        "Two boats cross tonight:\n  - 18:40 Heron\n  - 20:10 Otter\n"
        "The Otter carries a lantern at the bow."
    )
    assert [each.inputs[0].text for each in service.requests] == ["Which boats cross?"]


def test_tools_are_run_and_answered_in_the_same_turn() -> None:
    found, service = parts(BEFORE_TOOLS, AFTER_TOOLS)
    assert "".join(part["value"] for part in found if part["kind"] == "text").startswith(
        "I ask the skipper, and your scale. Your cello weighs 9 kg"
    )
    _, second = service.requests
    answered = second.inputs[0].tool_responses.tool_responses
    assert [(each.id, ces.result_of(each)) for each in answered] == [
        ("k-1", {"kilograms": 9}),
        ("k-2", {"colour": "amber"}),
    ]


def test_an_image_is_a_data_url_with_its_text() -> None:
    found, _ = parts(BEFORE_TOOLS, AFTER_TOOLS)
    (image,) = [part for part in found if part["kind"] == "image"]
    head, _, data = image["value"].partition(",")
    assert head == "data:image/png;base64"
    assert base64.b64decode(data).startswith(b"\x89PNG")
    assert image["alt"] == "Deck plan of the Otter, the cabin marked in amber"


def test_the_audio_of_a_turn_is_one_wav_file() -> None:
    found, _ = parts(LAST)
    (audio,) = [part for part in found if part["kind"] == "audio"]
    assert len(base64.b64decode(audio["value"].partition(",")[2])) == 44 + 128


@pytest.mark.parametrize(("escalated", "kind"), [(b"false", "ended"), (b"true", "escalated")])
def test_the_end_of_a_session_is_the_last_part(escalated: bytes, kind: str) -> None:
    found, _ = parts(
        LAST.replace(b'"session_escalated":false', b'"session_escalated":' + escalated)
    )
    assert kinds(found) == ["text", "text", "audio", kind]


@pytest.mark.parametrize(
    "refusal",
    [
        httpx.Response(429, json={"error": {"code": 429, "message": "Slow down, Ada."}}),
        httpx.Response(503, text="<html>Ada</html>"),
        httpx.Response(500),
        httpx.Response(200, content=b"[]"),
        httpx.ConnectError("Ada"),
    ],
    ids=lambda refusal: str(refusal),
)
def test_a_refusal_is_a_failure_without_private_words(
    refusal: httpx.Response | Exception, caplog: pytest.LogCaptureFixture
) -> None:
    found, _ = parts(refusal)
    assert found == [{"kind": "failed", "value": "", "alt": ""}]
    assert "Ada" not in caplog.text


def test_an_error_of_the_service_follows_what_came_before_it(
    caplog: pytest.LogCaptureFixture,
) -> None:
    error = b'[{"error": {"code": 8, "message": "out of lanterns"}}'
    found, _ = parts(FIRST[: FIRST.index(b'{"outputs":[{"turnIndex":1,"cit')] + error[1:])
    assert kinds(found) == ["progress", "text", "text", "text", "text", "failed"]
    assert "StreamError: stream_error, element 5, code 8" in caplog.text


@pytest.mark.parametrize("tenths", range(10))
def test_a_cut_stream_is_a_failure_after_its_whole_parts(tenths: int) -> None:
    whole, _ = parts(FIRST)
    found, _ = parts(FIRST[: len(FIRST) * tenths // 10])
    assert found[-1]["kind"] == "failed"
    assert found[:-1] == whole[: len(found) - 1]


def test_an_agent_that_only_calls_tools_is_stopped() -> None:
    calls = [BEFORE_TOOLS.replace(b'"k-1"', b'"k-1-%d"' % number) for number in range(20)]
    found, service = parts(*calls)
    assert len(service.requests) == MAX_REQUESTS
    assert found[-1]["kind"] == "failed"


@pytest.mark.parametrize("body", [{"text": ""}, {"text": "a" * 4001}, {}, [], "Ahoy!"])
def test_other_messages_are_refused(body: object) -> None:
    assert post(Service([]), body).status_code == 422


def test_the_name_of_a_session_is_a_uuid() -> None:
    assert post(Service([]), {"text": "Ahoy!"}, session="s1:runSession").status_code == 422
