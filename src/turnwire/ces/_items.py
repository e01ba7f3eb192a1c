"""The items that a session is put together from."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
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

from turnwire._arguments import holds_items, wrong_class

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
"""An item of a session: a message that arrived, that was stored, or that the client sent."""

SessionItems: TypeAlias = SessionItem | Iterable[SessionItem]
"""Items as they arrived and were sent, or just one."""


def items_in(source: SessionItems) -> Iterator[SessionItem]:
    """The items, one after another.

    Raises:
        TypeError: The source is neither an item nor an iterable of them.
    """
    if isinstance(source, SessionItem):
        yield source
    elif holds_items(source):
        yield from source
    else:
        raise wrong_class(source, *get_args(SessionItem))
