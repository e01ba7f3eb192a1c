"""A consumer whose `match` over each oneof is exhaustive, which both checkers can tell."""

from __future__ import annotations

from typing import assert_never, assert_type

import turnwire_schema.geminidataanalytics.v1 as gda_messages
from turnwire_schema.ces.v1 import AudioEncoding, Chunk

import turnwire
from turnwire import ces
from turnwire import geminidataanalytics as gda


def describe_chunk(chunk: ces.Chunk) -> str:
    kind = chunk.WhichOneof("data")
    match kind:
        case "text" | "transcript":
            return f"{len(chunk.text or chunk.transcript)} characters"
        case "blob":
            return f"{len(chunk.blob.data)} bytes of {chunk.blob.mime_type}"
        case "image":
            return chunk.image.alt_text
        case "tool_call":
            return f"call of {chunk.tool_call.display_name}"
        case "tool_response":
            return f"response of {chunk.tool_response.display_name}"
        case "agent_transfer":
            return f"to {chunk.agent_transfer.target_agent}"
        case "payload" | "updated_variables" | "default_variables":
            return kind
        case None:
            return "nothing"
        case _:
            assert_never(kind)


def text_of(message: gda.SystemMessage) -> str:
    kind = message.WhichOneof("kind")
    match kind:
        case "text":
            return "".join(message.text.parts)
        case "error":
            return message.error.text
        case "data":
            return message.data.generated_sql
        case "analysis" | "chart" | "clarification" | "example_queries" | "schema":
            return kind
        case None:
            return ""
        case _:
            assert_never(kind)


def types_are_exact(data: bytes) -> None:
    message = turnwire.from_json(gda.Message, data)
    assert_type(message, gda.Message)
    assert_type(message.system_message.group_id, int)
    assert_type(message.system_message.text.thought_signature, bytes)
    assert_type(turnwire.to_json(message), bytes)
    assert_type(turnwire.from_dict(ces.Chunk, {"text": "hello"}), ces.Chunk)


def packages_of_the_schema_export_its_messages(chunk: Chunk) -> None:
    assert_type(chunk, ces.Chunk)
    assert_type(gda_messages.Message().user_message, gda.UserMessage)
    assert_type(AudioEncoding.LINEAR16, ces.AudioEncoding.ValueType)
