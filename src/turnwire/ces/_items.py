"""What a session is put together from, and the refusal of anything else."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TypeAlias, get_args

from google.protobuf.message import Message as ProtobufMessage
from turnwire_schema.ces.v1.bidi_session_pb2 import (
    BidiSessionClientMessage,
    BidiSessionServerMessage,
)
from turnwire_schema.ces.v1.conversation_pb2 import Conversation
from turnwire_schema.ces.v1.message_pb2 import Message
from turnwire_schema.ces.v1.session_input_pb2 import SessionInput
from turnwire_schema.ces.v1.session_output_pb2 import SessionOutput
from turnwire_schema.ces.v1.session_pb2 import RunSessionRequest, RunSessionResponse
from turnwire_schema.ces.v1.tool_pb2 import ToolResponses

SessionItem: TypeAlias = (
    RunSessionResponse
    | SessionOutput
    | BidiSessionServerMessage
    | Conversation
    | Message
    | RunSessionRequest
    | SessionInput
    | ToolResponses
    | BidiSessionClientMessage
)
"""What a session can be put together from: what arrives, what is stored, what the client sends."""


def holds_items(value: object) -> bool:
    """Whether it is an iterable whose items may be messages, and not one of characters or keys."""
    return isinstance(value, Iterable) and not isinstance(value, str | bytes | Mapping)


def refusal(item: object) -> str:
    """What is wrong with an object that is no part of a session, and what to do about it."""
    classes = [item_class.__name__ for item_class in get_args(SessionItem)]
    expected = (
        f"expected a {', '.join(classes[:-1])} or {classes[-1]} of turnwire.ces, got "
        f"{type(item).__module__}.{type(item).__qualname__}"
    )
    if isinstance(item, ProtobufMessage):
        return f"{expected}; a message of another library goes by way of its wire bytes"
    if hasattr(type(item), "pb"):
        return f"{expected}; of a proto-plus message, parse type(item).serialize(item)"
    return f"{expected}; parse JSON with turnwire.from_json or turnwire.read first"
