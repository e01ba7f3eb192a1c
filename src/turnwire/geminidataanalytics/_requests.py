"""What a client sends: a question, and the request around it."""

from __future__ import annotations

import re
from collections.abc import Iterable

from turnwire_schema.geminidataanalytics.v1.chat_pb2 import (
    ChatRequest,
    ClientManagedResourceContext,
    ConversationReference,
    DataAgentContext,
)
from turnwire_schema.geminidataanalytics.v1.context_pb2 import Context
from turnwire_schema.geminidataanalytics.v1.message_pb2 import Message, UserMessage

from turnwire.errors import SerializeError, excerpt
from turnwire.geminidataanalytics._messages import wrong_class

ChatContext = Context | ConversationReference | DataAgentContext | ClientManagedResourceContext
"""Where the agent's instructions and data sources come from."""

_PARENT = re.compile(r"projects/[^/\s]+/locations/[^/\s]+")


def user_message(text: str, *, message_id: str = "") -> Message:
    """A user's question as a message.

    Args:
        text: The question.
        message_id: Optional; unique within the conversation.

    >>> user_message("Loans per branch?").user_message.text
    'Loans per branch?'
    """
    return Message(message_id=message_id, user_message=UserMessage(text=text))


def chat_request(
    messages: str | Iterable[Message],
    *,
    parent: str,
    context: ChatContext,
    thinking_mode: ChatRequest.ThinkingMode.ValueType = ChatRequest.THINKING_MODE_UNSPECIFIED,
) -> ChatRequest:
    """A request to the chat method. `turnwire.to_json` makes its body.

    Args:
        messages: The question; or the messages of the conversation with the question last
            (see `history_of`), for a context that keeps no conversation.
        parent: ``projects/{project}/locations/{location}``.
        context: Its class says which it is: a `Context` is sent inline, a
            `ConversationReference` names a stored conversation, a `DataAgentContext` a stored
            agent, and a `ClientManagedResourceContext` serves clients that keep both themselves.
        thinking_mode: ``ChatRequest.FAST`` or ``ChatRequest.THINKING``; the service chooses when
            it is left out.

    Raises:
        SerializeError: ``parent`` has another form, or there is no message.
        TypeError: ``context`` is of none of these classes.

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
    if not _PARENT.fullmatch(parent):
        expected = "expected projects/{project}/locations/{location}"
        raise _refusal("parent", f"{expected}, got {excerpt(parent)}")
    request = ChatRequest(
        parent=parent,
        messages=[user_message(messages)] if isinstance(messages, str) else messages,
        thinking_mode=thinking_mode,
    )
    if not request.messages:
        raise _refusal("messages", "expected at least one message, got none")
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
            raise wrong_class(context, "a context")
    return request


def _refusal(name: str, reason: str) -> SerializeError:
    field = ChatRequest.DESCRIPTOR.fields_by_name[name].full_name
    return SerializeError(reason, kind="value", path=(name,), field=field)
