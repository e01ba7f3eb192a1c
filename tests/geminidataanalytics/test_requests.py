"""What a client sends."""

from __future__ import annotations

import pytest

from turnwire import geminidataanalytics as gda
from turnwire.errors import SerializeError

PARENT = "projects/sample/locations/global"


@pytest.mark.parametrize(
    ("context", "member"),
    [
        (gda.Context(system_instruction="Be short."), "inline_context"),
        (gda.ConversationReference(conversation="c"), "conversation_reference"),
        (gda.DataAgentContext(data_agent="a"), "data_agent_context"),
        (gda.ClientManagedResourceContext(agent_id="a"), "client_managed_resource_context"),
        (gda.Context(), "inline_context"),
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
        context=gda.Context(),
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
    with pytest.raises(SerializeError, match=r"expected projects/.project./locations/") as caught:
        gda.chat_request("?", parent=parent, context=gda.Context())
    assert len(str(caught.value)) < 300
    assert caught.value.path == ("parent",)


def test_a_request_without_messages_is_refused() -> None:
    with pytest.raises(SerializeError) as caught:
        gda.chat_request([], parent=PARENT, context=gda.Context())
    assert caught.value.path == ("messages",)


@pytest.mark.parametrize("context", [None, 5, {}, gda.Message()])
def test_a_context_of_another_class_is_refused(context: object) -> None:
    with pytest.raises(TypeError, match="expected a context"):
        gda.chat_request("?", parent=PARENT, context=context)  # type: ignore[arg-type]
