"""The incremental builder, and how its views behave as values."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Iterator
from dataclasses import FrozenInstanceError, fields

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.analytics import result, system, text, user

from turnwire import geminidataanalytics as gda
from turnwire.geminidataanalytics._draft import LISTS


def test_a_draft_fills_every_list_of_an_answer() -> None:
    assert {field.name for field in fields(gda.Answer)} == {"question", "text", *LISTS}


def test_a_builder_can_be_copied_and_pickled_at_any_time() -> None:
    builder = gda.AnswerBuilder()
    builder.extend([user("Loaves?"), result("loaves", {"n": "31"})])
    others = [copy.deepcopy(builder), pickle.loads(pickle.dumps(builder))]
    builder.add(text("FINAL_RESPONSE", "31"))
    for other in others:
        other.add(text("FINAL_RESPONSE", "31"))
        assert other.answer == builder.answer


def test_the_builder_returns_the_additions_of_each_message() -> None:
    builder = gda.AnswerBuilder()
    assert builder.answer == gda.Answer()
    assert builder.add(user("Loaves?")).question == "Loaves?"
    change = builder.add(result("loaves", {"n": "31"}))
    assert [table.name for table in change.results] == ["loaves"]
    assert (change.question, change.text, change.sql) == (None, None, ())
    assert builder.answer.text is None
    assert builder.add(text("FINAL_RESPONSE", "31")).text == "31"
    assert builder.add(text("FINAL_RESPONSE", "in all")).text == "in all"
    assert (builder.answer.question, builder.answer.text) == ("Loaves?", "31\n\nin all")
    assert builder.add(user("Rolls?")).question == "Rolls?"
    assert (builder.answer.text, builder.answer.results) == (None, ())


def test_the_builder_keeps_the_messages_before_a_failure() -> None:
    def broken() -> Iterator[gda.Message]:
        yield text("FINAL_RESPONSE", "212 tickets.")
        raise EOFError

    builder = gda.AnswerBuilder()
    with pytest.raises(EOFError):
        builder.extend(broken())
    assert builder.answer.text == "212 tickets."


def test_extending_adds_messages_one_message_or_stored_ones() -> None:
    messages = [user("Loaves?", timestamp="2025-02-03T08:00:00Z"), text("FINAL_RESPONSE", "31")]
    messages[1].timestamp.seconds = messages[0].timestamp.seconds + 1
    stored = [gda.StorageMessage(message=message) for message in messages]
    page = gda.ListMessagesResponse(messages=stored[::-1])
    for source in (messages, iter(messages), stored, page, [stored[0], messages[1]]):
        builder = gda.AnswerBuilder()
        builder.extend(source)
        assert builder.answer == gda.Answer.collect(messages)
        builder.extend(user("Rolls?"))
        assert builder.answer.question == "Rolls?"


def test_a_view_has_no_hash() -> None:
    answer = gda.Answer.collect([user("?"), result("r", {"n": "1"}), text("FINAL_RESPONSE", "1")])
    for view in (gda.Answer(), answer, answer.results[0], answer.steps[0], answer.groups[0]):
        with pytest.raises(TypeError, match="unhashable"):
            hash(view)


def test_answers_compare_by_content() -> None:
    messages = [user("?"), result("r", {"n": "1"}), text("FINAL_RESPONSE", "1")]
    copies = [gda.Message.FromString(message.SerializeToString()) for message in messages]
    answer = gda.Answer.collect(messages)
    assert answer == gda.Answer.collect(copies)
    assert answer.results[0].rows
    assert answer == gda.Answer.collect(copies)  # reading rows makes no difference
    assert answer != gda.Answer.collect(copies[:-1])


MESSAGES = st.sampled_from(
    [
        gda.Message(),
        gda.Message(system_message=gda.SystemMessage()),
        gda.Message(user_message=gda.UserMessage()),
        user("Loaves?", messageId="q"),
        text("THOUGHT", "a"),
        text("FINAL_RESPONSE", "b", "c"),
        text("FOLLOWUP_QUESTIONS", "d"),
        result("r", {"n": "1"}),
        result("", {"n": None}),
        system({"data": {}, "groupId": 0}),
        system({"chart": {"result": {"vegaConfig": {"mark": None}}}}),
        system({"chart": {"query": {}}}),
        system({"analysis": {"progressEvent": {"resultVegaChartJson": "not json"}}}),
        system({"error": {"text": "e"}}, timestamp="2025-02-03T08:00:00Z"),
    ]
)


@given(st.lists(MESSAGES, max_size=12))
def test_collecting_reads_everything_and_changes_nothing(messages: list[gda.Message]) -> None:
    before = [message.SerializeToString(deterministic=True) for message in messages]
    builder = gda.AnswerBuilder()
    for count, message in enumerate(messages, 1):
        builder.add(message)
        assert builder.answer == gda.Answer.collect(messages[:count])
    turns = gda.answers_of(messages)
    assert [message for turn in turns for message in turn.messages] == messages
    assert gda.Answer.collect(messages) == (turns[-1] if turns else gda.Answer())
    for turn in turns:
        repr(turn)
        indices = sorted(index for group in turn.groups for index in group.indices)
        assert indices == list(range(len(turn.messages)))
    gda.history_of(messages)
    assert [message.SerializeToString(deterministic=True) for message in messages] == before


@given(st.lists(MESSAGES, max_size=6))
def test_views_can_be_copied_and_pickled(messages: list[gda.Message]) -> None:
    answer = gda.Answer.collect(messages)
    assert copy.copy(answer) == copy.deepcopy(answer) == answer
    assert pickle.loads(pickle.dumps(answer)) == answer


def test_views_cannot_be_changed() -> None:
    answer = gda.Answer.collect([result("r", {"n": "1"})])
    with pytest.raises(FrozenInstanceError):
        answer.text = "31"  # type: ignore[misc]
    with pytest.raises(FrozenInstanceError):
        answer.results[0].message = gda.DataResult()  # type: ignore[misc]
