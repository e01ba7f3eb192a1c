"""The example session is strict JSON of the schema and shows every kind of content."""

from __future__ import annotations

from pathlib import Path

import pytest
from google.protobuf.message import Message as ProtobufMessage

from turnwire import ces, from_json, to_json

EXAMPLE = Path(__file__).parents[2] / "examples" / "ces_session.ndjson"


@pytest.fixture(scope="module")
def responses() -> list[ces.RunSessionResponse]:
    lines = EXAMPLE.read_bytes().removesuffix(b"\n").split(b"\n")
    return [from_json(ces.RunSessionResponse, line) for line in lines]


def kinds_of(messages: list[ProtobufMessage], oneof: str) -> set[str]:
    return {message.WhichOneof(oneof) for message in messages} - {None}


def members_of(message_class: type[ProtobufMessage], oneof: str) -> set[str]:
    return {field.name for field in message_class.DESCRIPTOR.oneofs_by_name[oneof].fields}


def test_it_shows_every_kind_of_content(responses: list[ces.RunSessionResponse]) -> None:
    outputs = [output for response in responses for output in response.outputs]
    messages = [each for output in outputs for each in output.diagnostic_info.messages]
    chunks = [chunk for message in messages for chunk in message.chunks]
    assert kinds_of([*outputs], "output_type") == members_of(ces.SessionOutput, "output_type")
    assert kinds_of([*chunks], "data") == members_of(ces.Chunk, "data")
    assert any(output.context for output in outputs)
    assert all(message.HasField("event_time") for message in messages)


def test_nothing_is_lost_on_the_way_through_json(responses: list[ces.RunSessionResponse]) -> None:
    for response in responses:
        assert from_json(ces.RunSessionResponse, to_json(response)) == response


def test_its_session(responses: list[ces.RunSessionResponse]) -> None:
    session = ces.Session.collect(responses)
    assert [turn.completed for turn in session.turns] == [True, True, True]
    depths = [depth for depth, _ in ces.walk_exchanges(session.tool_exchanges)]
    assert max(depths) == 2
    assert session.active_agent == "boarding-desk"
    assert session.ended is not None
    assert session.ended.escalated is False
    assert [ces.image_size_of(image) for image in session.turns[1].images] == [(16, 8)]
