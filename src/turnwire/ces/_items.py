"""What a session is put together from, and the refusal of anything else."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TypeAlias, get_args

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

from turnwire.ces._refusal import refusal

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


def item_refusal(value: object) -> TypeError:
    """The error for an object that is no part of a session."""
    return TypeError(refusal(value, *get_args(SessionItem)))
