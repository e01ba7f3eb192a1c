"""The question of a client, and the request around it."""

from __future__ import annotations

import re
from typing import Final, get_args

from google.protobuf.message import Message as ProtobufMessage
from turnwire_schema.geminidataanalytics.v1.chat_pb2 import (
    ChatRequest,
    ClientManagedResourceContext,
    ConversationReference,
    DataAgentContext,
)
from turnwire_schema.geminidataanalytics.v1.context_pb2 import Context
from turnwire_schema.geminidataanalytics.v1.message_pb2 import Message, UserMessage

from turnwire._arguments import require, wrong_class
from turnwire._required import missing_fields_of
from turnwire.errors import Path, excerpt, path_text
from turnwire.geminidataanalytics._messages import Messages, messages_in

ChatContext = Context | ConversationReference | DataAgentContext | ClientManagedResourceContext
"""The source of the agent's instructions and data sources."""

_PARENT: Final = re.compile(r"projects/[^/\s]+/locations/[^/\s]+")


def user_message(text: str, *, message_id: str = "") -> Message:
    """A user's question as a message.

    Args:
        text: The question.
        message_id: Optional; unique within the conversation.

    Raises:
        TypeError: The text or the id is not a str.

    >>> user_message("Loans per branch?").user_message.text
    'Loans per branch?'
    """
    require(text, str)
    require(message_id, str)
    return Message(message_id=message_id, user_message=UserMessage(text=text))


def chat_request(
    messages: str | Messages,
    *,
    parent: str,
    context: ChatContext,
    thinking_mode: ChatRequest.ThinkingMode.ValueType = ChatRequest.THINKING_MODE_UNSPECIFIED,
) -> ChatRequest:
    """A request to the chat method. `turnwire.to_json` makes its body.

    The fields of the request and of its context that the schema marks as required must be there:
    ``parent``, ``messages`` with a question, the ``datasource_references`` of a `Context`, the
    ``data_agent`` of a `DataAgentContext`, both fields of a `ConversationReference`, and the
    ``inline_context`` of a `ClientManagedResourceContext`. All else, such as whether a name
    exists, is for the service to judge.

    Args:
        messages: The question, as text or as a message; or the messages of the conversation with
            the question last (see `history_of`), for a context that keeps no conversation.
        parent: ``projects/{project}/locations/{location}``.
        context: Its class says which it is: a `Context` is sent inline, a
            `ConversationReference` names a stored conversation, a `DataAgentContext` a stored
            agent, and a `ClientManagedResourceContext` serves clients that keep both themselves.
        thinking_mode: ``ChatRequest.FAST`` or ``ChatRequest.THINKING``; the service chooses when
            it is left out.

    Raises:
        ValueError: ``parent`` has another form, or something required is missing or empty; the
            text says where in the request. ``thinking_mode`` is not the name of a mode.
        TypeError: ``context`` is of none of these classes (None included), ``messages`` holds
            something else, or ``parent`` is not a str.

    >>> from turnwire import geminidataanalytics as gda
    >>> request = chat_request(
    ...     "Loans per branch?",
    ...     parent="projects/sample/locations/global",
    ...     context=gda.DataAgentContext(
    ...         data_agent="projects/sample/locations/global/dataAgents/loans"
    ...     ),
    ... )
    >>> request.WhichOneof("context_provider")
    'data_agent_context'
    """
    require(parent, str)
    if not _PARENT.fullmatch(parent):
        expected = "expected projects/{project}/locations/{location} as parent"
        raise ValueError(f"{expected}, got {excerpt(parent)}")
    held = [user_message(messages)] if isinstance(messages, str) else [*messages_in(messages)]
    request = ChatRequest(parent=parent, messages=held, thinking_mode=thinking_mode)
    match context:
        case Context():
            request.inline_context.CopyFrom(context)
        case ConversationReference():
            request.conversation_reference.CopyFrom(context)
        case DataAgentContext():
            request.data_agent_context.CopyFrom(context)
        case ClientManagedResourceContext():
            request.client_managed_resource_context.CopyFrom(context)
        case _:  # without this, a request without context would leave in silence
            raise wrong_class(context, *get_args(ChatContext))
    _require_fields(request)
    last = request.messages[-1]
    if last.WhichOneof("kind") != "system_message" and not last.user_message.text.strip():
        place = ("messages", len(held) - 1, "userMessage", "text")
        raise _missing(place, "expected a question, got an empty text")
    return request


def _require_fields(message: ProtobufMessage, *path: str) -> None:
    """Checks the request and the context in it; the service judges the rest."""
    for field in missing_fields_of(message):
        raise _missing((*path, field.json_name))
    for field, value in message.ListFields():
        if isinstance(value, ChatContext):
            _require_fields(value, *path, field.json_name)


def _missing(path: Path, reason: str = "expected what the API requires, got nothing") -> ValueError:
    return ValueError(f"{reason} at {path_text(path)}")
