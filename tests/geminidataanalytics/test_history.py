"""The messages that may be sent back to the service."""

from __future__ import annotations

from typing import Any

from support.analytics import system

from turnwire import geminidataanalytics as gda
from turnwire.protojson import from_dict


def progress(text: str, **members: Any) -> gda.Message:
    return system({"text": {"parts": [text], "textType": "PROGRESS"}}, **members)


def test_thought_signatures_go_back_as_they_came() -> None:
    content = {"text": {"parts": ["Hm."], "textType": "THOUGHT", "thoughtSignature": "+/8="}}
    thought = system(content, messageId="t-1", timestamp="2025-02-03T08:00:00Z")
    (kept,) = gda.history_of([thought])
    assert kept is thought
    assert kept.system_message.text.thought_signature == b"\xfb\xff"


def test_errors_and_empty_messages_stay_behind() -> None:
    question = gda.user_message("?")
    assert gda.history_of(
        [
            gda.Message(),
            question,
            system({}),
            system({"error": {"text": "no such table"}}),
            gda.Message(user_message=gda.UserMessage()),
        ]
    ) == (question,)


def test_the_echo_of_the_question_is_a_duplicate() -> None:
    question = gda.user_message("Loaves?")
    echo = from_dict(
        gda.Message,
        {
            "userMessage": {"text": "Loaves?"},
            "messageId": "q-1",
            "timestamp": "2025-02-03T08:00:00Z",
        },
    )
    answer = progress("31")
    assert gda.history_of([question, echo, answer]) == (question, answer)


def test_one_message_id_is_one_message() -> None:
    first, other = progress("a", messageId="m"), progress("b", messageId="n")
    again = progress("a again", messageId="m")
    assert gda.history_of([first, other, first, again]) == (first, other)


def test_a_timed_message_that_comes_again_is_a_duplicate() -> None:
    first = progress("a", timestamp="2025-02-03T08:00:00Z")
    later = progress("a", timestamp="2025-02-03T08:00:01Z")
    assert gda.history_of([first, later, progress("b"), first]) == (first, later, progress("b"))


def test_equal_words_elsewhere_stay() -> None:
    yes, working = gda.user_message("yes"), progress("Working")
    conversation = (yes, working, yes, working)
    assert gda.history_of(conversation) == conversation
    assert gda.history_of([yes, working, working]) == (yes, working)


def test_a_history_is_its_own_history() -> None:
    messages = [gda.user_message("a"), gda.user_message("a"), progress("x"), progress("x")]
    once = gda.history_of(messages)
    assert gda.history_of(once) == once


def test_messages_with_ids_of_their_own_are_two() -> None:
    yes = {"userMessage": {"text": "yes"}}
    stored = [{"messageId": name, "message": yes} for name in "aba"]
    page = from_dict(gda.ListMessagesResponse, {"messages": stored})
    assert [message.message_id for message in gda.history_of(page)] == ["a", "b"]


def stored(number: int) -> gda.StorageMessage:
    message = gda.user_message(f"question {number}")
    message.timestamp.seconds = number
    return gda.StorageMessage(message_id=f"m{number}", message=message)


def test_pages_of_stored_messages_are_one_conversation() -> None:
    newest_first = [
        gda.ListMessagesResponse(messages=[stored(4), stored(3)], next_page_token="2"),
        gda.ListMessagesResponse(messages=[stored(2)], next_page_token="3"),
        gda.ListMessagesResponse(messages=[stored(1)]),
    ]
    questions = [f"question {number}" for number in (1, 2, 3, 4)]
    assert [gda.text_of(message) for message in gda.history_of(newest_first)] == questions
    assert [answer.question for answer in gda.answers_of(iter(newest_first))] == questions
    assert gda.Answer.collect(newest_first).question == questions[-1]


def test_the_messages_of_a_request_are_a_history() -> None:
    question, answer = gda.user_message("Loaves?"), progress("31")
    request = gda.ChatRequest(messages=[question, gda.Message(), answer])
    assert gda.history_of(request) == (question, answer)
    assert gda.history_of([request, gda.user_message("And today?")])[-1].user_message.text == (
        "And today?"
    )
    assert gda.Answer.collect(request).question == "Loaves?"
