"""What a session is put together from."""

from __future__ import annotations

from typing import TypeAlias

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
