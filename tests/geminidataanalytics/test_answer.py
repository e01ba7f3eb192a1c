"""The answer of a turn, put together from its messages."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnwire import geminidataanalytics as gda
from turnwire.protojson import from_dict


def user(text: str, **members: Any) -> gda.Message:
    return from_dict(gda.Message, {"userMessage": {"text": text}, **members})


def system(content: dict[str, Any], **members: Any) -> gda.Message:
    return from_dict(gda.Message, {"systemMessage": content, **members})


def text(text_type: str, *parts: str) -> gda.Message:
    return system({"text": {"textType": text_type, "parts": list(parts)}})


def result(name: str, *rows: dict[str, Any]) -> gda.Message:
    return system({"data": {"result": {"name": name, "data": list(rows)}}})


def test_parts_are_joined_by_what_their_text_is() -> None:
    answer = gda.Answer.collect(
        [
            text("THOUGHT", "One.", "Two."),
            text("PROGRESS", "Reading", "Counting"),
            text("FINAL_RESPONSE", "It is ", "9", ".\n"),
            text("FOLLOWUP_QUESTIONS", "Why?", "Since when?"),
            text("FOLLOWUP_QUESTIONS", "Where?"),
        ]
    )
    assert answer.thoughts == ("One.\nTwo.",)
    assert answer.progress == ("Reading\nCounting",)
    assert answer.text == "It is 9.\n"
    assert answer.follow_ups == ("Why?", "Since when?", "Where?")


def test_several_final_responses_are_joined_by_a_blank_line() -> None:
    answer = gda.Answer.collect(
        [text("FINAL_RESPONSE", "A"), text("THOUGHT", "x"), text("FINAL_RESPONSE", "B", "b")]
    )
    assert answer.text == "A\n\nBb"


def test_an_empty_final_response_is_an_answer_and_leaves_no_blank_line() -> None:
    assert gda.Answer.collect([text("FINAL_RESPONSE")]).text == ""
    finals = [text("FINAL_RESPONSE", "A"), text("FINAL_RESPONSE")]
    assert gda.Answer.collect(finals).text == "A"


@pytest.mark.parametrize("other", ["TEXT_TYPE_UNSPECIFIED", "THOUGHT", "PROGRESS"])
def test_no_other_text_is_the_answer(other: str) -> None:
    answer = gda.Answer.collect([text(other, "31 loaves.")])
    assert answer.text is None
    assert not answer.complete


def test_a_text_type_of_a_newer_service_is_not_the_answer() -> None:
    message = text("FINAL_RESPONSE", "x")
    message.system_message.text.text_type = 77  # type: ignore[assignment]
    answer = gda.Answer.collect([message])
    assert answer.text is None
    assert [step.kind for step in answer.steps] == ["text"]


def test_nothing_is_an_empty_answer() -> None:
    assert gda.Answer.collect([]) == gda.Answer()
    assert gda.answers_of([]) == []
    assert repr(gda.Answer()) == "Answer(None)"


def test_a_question_of_the_agent_completes_the_turn() -> None:
    questions = [{"question": "Which year?", "options": ["2024", "2025"]}, {"question": "Where?"}]
    answer = gda.Answer.collect([system({"clarification": {"questions": questions}})])
    assert [asked.question for asked in answer.clarifications] == ["Which year?", "Where?"]
    assert answer.complete
    assert answer.text is None


def test_the_last_turn_is_collected_and_each_has_an_answer() -> None:
    conversation = [
        text("FINAL_RESPONSE", "Welcome."),
        user("Loaves?"),
        text("FINAL_RESPONSE", "31"),
        user("Rolls?"),
        user("Rolls, please?"),
        text("FINAL_RESPONSE", "8"),
    ]
    answer = gda.Answer.collect(conversation)
    assert (answer.question, answer.text, len(answer.messages)) == ("Rolls, please?", "8", 2)
    assert [(turn.question, turn.text) for turn in gda.answers_of(conversation)] == [
        (None, "Welcome."),
        ("Loaves?", "31"),
        ("Rolls?", None),
        ("Rolls, please?", "8"),
    ]


def test_a_stored_conversation_is_read_as_it_is_listed() -> None:
    page = from_dict(
        gda.ListMessagesResponse,
        {
            "messages": [
                {"messageId": "m1", "message": {"userMessage": {"text": "Loaves?"}}},
                {
                    "messageId": "m2",
                    "message": {
                        "messageId": "own",
                        "systemMessage": {"text": {"parts": ["31"], "textType": "FINAL_RESPONSE"}},
                    },
                },
            ],
            "nextPageToken": "more",
        },
    )
    before = page.SerializeToString(deterministic=True)
    (answer,) = gda.answers_of(page)
    assert [message.message_id for message in answer.messages] == ["m1", "own"]
    assert gda.Answer.collect(page.messages) == answer
    assert page.SerializeToString(deterministic=True) == before


def test_results_stay_apart_and_the_last_of_a_name_wins() -> None:
    answer = gda.Answer.collect(
        [
            result("rides", {"n": "1"}),
            result("stations_sample_values", {"s": "Mill"}),
            result("late"),
            result("", {"x": "0"}),
            result("rides", {"n": "2"}),
        ]
    )
    names = [table.name for table in answer.results]
    assert names == ["rides", "stations_sample_values", "late", "", "rides"]
    assert [table.rows[0] for table in answer.results_for_display] == [
        {"n": "1"},
        {"x": "0"},
        {"n": "2"},
    ]
    assert list(answer.results_by_name) == ["rides", "stations_sample_values", "late"]
    assert answer.results_by_name["rides"].rows == [{"n": "2"}]


def test_each_kind_of_data_has_its_place() -> None:
    job = {"projectId": "p", "jobId": "j"}
    example = {"sqlQuery": "SELECT 1", "naturalLanguageQuestion": "One?"}
    answer = gda.Answer.collect(
        [
            system({"data": {"query": {"question": "Rides?", "name": "rides"}}}),
            system({"data": {"generatedSql": "SELECT 2"}}),
            system({"data": {"generatedLookerQuery": {"model": "m", "explore": "e"}}}),
            system({"data": {"matchedQuery": {"exampleQuery": example}}}),
            system({"data": {"bigQueryJob": job}}),
            system({"exampleQueries": {"exampleQueries": [example, example]}}),
            system({"error": {"text": "no such table"}}),
            system({"analysis": {"query": {"question": "Trend?"}}}),
            system({"analysis": {"progressEvent": {"code": "print(1)"}}}),
            system({"schema": {"query": {"question": "Tables?"}}}),
        ]
    )
    assert [query.name for query in answer.queries] == ["rides"]
    assert answer.sql == ("SELECT 2",)
    assert [query.explore for query in answer.looker_queries] == ["e"]
    assert [query.example_query.sql_query for query in answer.matched_queries] == ["SELECT 1"]
    assert [done.job_id for done in answer.big_query_jobs] == ["j"]
    assert len(answer.example_queries) == 2
    assert answer.errors == ("no such table",)
    assert [part.WhichOneof("kind") for part in answer.analyses] == ["query", "progress_event"]
    assert [step.kind for step in answer.steps] == [
        "data.query",
        "data.generated_sql",
        "data.generated_looker_query",
        "data.matched_query",
        "data.big_query_job",
        "example_queries",
        "error",
        "analysis.query",
        "analysis.code",
        "schema.query",
    ]


def test_groups_keep_zero_apart_from_none() -> None:
    ids = [0, None, 1, 0, None, -1, 1]
    messages = [
        system({"error": {"text": "x"}, **({} if number is None else {"groupId": number})})
        for number in ids
    ]
    answer = gda.Answer.collect([user("?"), *messages])
    assert [(group.group_id, group.indices) for group in answer.groups] == [
        (None, (0,)),
        (0, (1, 4)),
        (None, (2,)),
        (1, (3, 7)),
        (None, (5,)),
        (-1, (6,)),
    ]
    assert answer.groups[1].messages == (messages[0], messages[3])


def test_steps_take_the_time_since_the_timestamp_before() -> None:
    answer = gda.Answer.collect(
        [
            user("?", timestamp="2025-02-03T09:00:00+01:00"),
            system({"error": {"text": "a"}}, timestamp="2025-02-03T08:00:01.5Z"),
            system({"error": {"text": "b"}}),
            system({"error": {"text": "c"}}, timestamp="2025-02-03T08:00:04Z"),
        ]
    )
    durations = [step.duration for step in answer.steps]
    assert durations == [timedelta(seconds=1.5), None, timedelta(seconds=2.5)]
    assert answer.duration == timedelta(seconds=4)
    assert gda.Answer.collect(answer.messages[-1:]).duration is None


def test_a_new_turn_starts_its_own_clock() -> None:
    answer = gda.Answer.collect(
        [
            system({"error": {}}, timestamp="2025-02-03T08:00:00Z"),
            user("?"),
            system({"error": {}}, timestamp="2025-02-03T09:00:00Z"),
        ]
    )
    assert [step.duration for step in answer.steps] == [None]


def test_a_timestamp_out_of_range_spoils_nothing() -> None:
    late, early = system({"error": {}}), system({"error": {}})
    late.timestamp.seconds, early.timestamp.seconds = 2**63 - 1, 0
    assert [step.duration for step in gda.Answer.collect([early, late]).steps] == [None, None]


def test_the_builder_tells_what_each_message_adds() -> None:
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


def test_the_builder_keeps_what_came_before_a_failure() -> None:
    def broken() -> Iterator[gda.Message]:
        yield text("FINAL_RESPONSE", "212 tickets.")
        raise EOFError

    builder = gda.AnswerBuilder()
    with pytest.raises(EOFError):
        deque(map(builder.add, broken()))
    assert builder.answer.text == "212 tickets."


def test_an_answer_prints_on_one_short_line() -> None:
    long = [text("FINAL_RESPONSE", "x" * 10**6), result("r" * 10**5, {"c" * 10**5: "y" * 10**6})]
    answer = gda.Answer.collect(long)
    for view in (answer, *answer.results, *answer.steps, *answer.groups):
        assert len(repr(view)) < 300
        assert "\n" not in repr(view)


def test_answers_compare_by_content() -> None:
    messages = [user("?"), result("r", {"n": "1"}), text("FINAL_RESPONSE", "1")]
    copies = [gda.Message.FromString(message.SerializeToString()) for message in messages]
    answer = gda.Answer.collect(messages)
    assert answer == gda.Answer.collect(copies)
    assert answer.results[0].rows
    assert answer == gda.Answer.collect(copies)  # that rows were read is no difference
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
    turns = gda.answers_of(messages)
    assert [message for turn in turns for message in turn.messages] == messages
    assert gda.Answer.collect(messages) == (turns[-1] if turns else gda.Answer())
    for turn in turns:
        repr(turn)
        indices = sorted(index for group in turn.groups for index in group.indices)
        assert indices == list(range(len(turn.messages)))
    gda.history_of(messages)
    assert [message.SerializeToString(deterministic=True) for message in messages] == before
