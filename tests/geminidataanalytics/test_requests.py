"""Questions and the requests around them."""

from __future__ import annotations

from typing import Any

import pytest
from google.protobuf.struct_pb2 import Struct

from turnwire import from_dict
from turnwire import geminidataanalytics as gda
from turnwire.errors import TurnwireError

PARENT = "projects/sample/locations/global"
AGENT = gda.DataAgentContext(data_agent="a")
INLINE = from_dict(
    gda.Context,
    {"datasourceReferences": {"bq": {"tableReferences": [{"tableId": "loaves"}]}}},
)


@pytest.mark.parametrize(
    ("context", "member"),
    [
        (INLINE, "inline_context"),
        (
            gda.ConversationReference(conversation="c", data_agent_context=AGENT),
            "conversation_reference",
        ),
        (AGENT, "data_agent_context"),
        (
            gda.ClientManagedResourceContext(inline_context=INLINE),
            "client_managed_resource_context",
        ),
    ],
)
def test_the_class_of_the_context_chooses_its_field(context: gda.ChatContext, member: str) -> None:
    request = gda.chat_request("Loaves?", parent=PARENT, context=context)
    assert request.WhichOneof("context_provider") == member
    assert getattr(request, member) == context
    assert request.parent == PARENT
    assert [message.user_message.text for message in request.messages] == ["Loaves?"]


def test_messages_are_copied_and_the_mode_is_set() -> None:
    question = gda.user_message("Loaves?", message_id="q-1")
    request = gda.chat_request(
        iter([question]),
        parent=PARENT,
        context=AGENT,
        thinking_mode=gda.ChatRequest.FAST,
    )
    request.messages[0].message_id = "changed"
    assert question.message_id == "q-1"
    assert request.thinking_mode == gda.ChatRequest.FAST


@pytest.mark.parametrize(
    "parent",
    [
        "",
        "sample",
        "projects/p",
        "projects//locations/l",
        "x" * 999,
        f"{PARENT}\n",
        "projects/a b/locations/l",
    ],
)
def test_a_wrong_parent_is_refused(parent: str) -> None:
    with pytest.raises(ValueError, match=r"expected projects/.project./locations/") as caught:
        gda.chat_request("?", parent=parent, context=AGENT)
    assert len(str(caught.value)) < 300
    assert not isinstance(caught.value, TurnwireError)


def test_a_parent_is_text() -> None:
    with pytest.raises(TypeError, match="expected a str, got NoneType"):
        gda.chat_request("?", parent=None, context=AGENT)  # type: ignore[arg-type]


def test_a_request_without_messages_is_refused() -> None:
    with pytest.raises(ValueError, match=r"got nothing at \$\.messages$"):
        gda.chat_request([], parent=PARENT, context=AGENT)


@pytest.mark.parametrize("context", [None, 5, {}, gda.Message()])
def test_a_context_of_another_class_is_refused(context: object) -> None:
    with pytest.raises(TypeError, match=r"expected a Context, .* of turnwire\.gemini"):
        gda.chat_request("?", parent=PARENT, context=context)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("context", "path"),
    [
        (gda.Context(), "inlineContext.datasourceReferences"),
        (gda.Context(system_instruction="Be short."), "inlineContext.datasourceReferences"),
        (
            gda.Context(datasource_references=gda.DatasourceReferences()),
            "inlineContext.datasourceReferences",
        ),
        (gda.DataAgentContext(), "dataAgentContext.dataAgent"),
        (
            gda.DataAgentContext(context_version=gda.DataAgentContext.STAGING),
            "dataAgentContext.dataAgent",
        ),
        (
            gda.ConversationReference(data_agent_context=AGENT),
            "conversationReference.conversation",
        ),
        (
            gda.ConversationReference(conversation="c"),
            "conversationReference.dataAgentContext",
        ),
        (
            gda.ConversationReference(
                conversation="c",
                data_agent_context=gda.DataAgentContext(
                    context_version=gda.DataAgentContext.PUBLISHED
                ),
            ),
            "conversationReference.dataAgentContext.dataAgent",
        ),
        (
            gda.ClientManagedResourceContext(agent_id="a"),
            "clientManagedResourceContext.inlineContext",
        ),
        (
            gda.ClientManagedResourceContext(
                inline_context=gda.Context(system_instruction="Be short.")
            ),
            "clientManagedResourceContext.inlineContext.datasourceReferences",
        ),
    ],
)
def test_the_required_fields_of_a_context_are_required(context: gda.ChatContext, path: str) -> None:
    with pytest.raises(ValueError, match=rf"the API requires, got nothing at \$\.{path}$"):
        gda.chat_request("?", parent=PARENT, context=context)


@pytest.mark.parametrize(
    "messages",
    ["", "  ", gda.user_message(""), [gda.user_message("Loaves?"), gda.Message()]],
)
def test_an_empty_question_is_refused(messages: str | gda.Messages) -> None:
    with pytest.raises(ValueError, match=r"expected a question, .* at \$\.messages\["):
        gda.chat_request(messages, parent=PARENT, context=AGENT)


def test_one_message_is_a_conversation_of_one() -> None:
    question = gda.user_message("Loaves?")
    stored = gda.StorageMessage(message_id="m-1", message=question)
    for messages in (question, stored, [stored], gda.ListMessagesResponse(messages=[stored])):
        request = gda.chat_request(messages, parent=PARENT, context=AGENT)
        assert [gda.text_of(message) for message in request.messages] == ["Loaves?"]


@pytest.mark.parametrize(
    "wrong", [None, 5, {"a": 1}, gda.Field(), ["a"], [gda.Field()], [Struct()]]
)
def test_other_objects_are_refused(wrong: Any) -> None:
    with pytest.raises(TypeError, match=r"expected .*message"):
        gda.chat_request(wrong, parent=PARENT, context=AGENT)


@pytest.mark.parametrize("wrong", [None, 5, gda.Message()])
def test_a_question_is_text(wrong: Any) -> None:
    with pytest.raises(TypeError, match=rf"expected a str, got .*{type(wrong).__name__}"):
        gda.user_message(wrong)
