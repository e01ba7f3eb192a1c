"""The answer of a turn, put together from its messages."""

from __future__ import annotations

from typing import Any

import pytest
from support.analytics import result, system, text, user

from turnwire import geminidataanalytics as gda
from turnwire.protojson import from_dict


def test_the_type_of_a_text_decides_how_parts_are_joined() -> None:
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
    assert not answer.completed


def test_a_text_type_of_a_newer_service_is_not_the_answer() -> None:
    message = text("FINAL_RESPONSE", "x")
    message.system_message.text.text_type = 77  # type: ignore[assignment]
    answer = gda.Answer.collect([message])
    assert answer.text is None
    assert [step.kind for step in answer.steps] == ["text"]


def test_nothing_is_an_empty_answer() -> None:
    assert gda.Answer.collect([]) == gda.Answer()
    assert gda.answers_of([]) == ()
    assert repr(gda.Answer()) == "Answer(None)"


def test_a_question_of_the_agent_completes_the_turn() -> None:
    questions = [{"question": "Which year?", "options": ["2024", "2025"]}, {"question": "Where?"}]
    answer = gda.Answer.collect([system({"clarification": {"questions": questions}})])
    assert [asked.question for asked in answer.clarifications] == ["Which year?", "Where?"]
    assert answer.completed
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


def listed(*times: str | None) -> list[dict[str, Any]]:
    """Two turns as stored messages, the oldest first."""
    final = {"textType": "FINAL_RESPONSE"}
    contents: list[dict[str, Any]] = [
        {"userMessage": {"text": "Loaves?"}},
        {"systemMessage": {"text": {"parts": ["31"], **final}}},
        {"userMessage": {"text": "Rolls?"}},
        {"systemMessage": {"text": {"parts": ["8"], **final}}},
    ]
    return [
        {"message": {**content, **({} if time is None else {"timestamp": time})}}
        for content, time in zip(contents, times, strict=True)
    ]


TIMES = ["2025-02-03T08:00:00Z", "2025-02-03T08:00:01Z", "2025-02-03T08:00:01.5Z"]


@pytest.mark.parametrize(
    "times",
    [
        (*TIMES, "2025-02-03T08:00:02Z"),
        (TIMES[0], TIMES[0], TIMES[0], TIMES[1]),  # messages of one time keep their order
        (TIMES[0], None, None, TIMES[1]),
        (None, TIMES[0], TIMES[1], None),
    ],
)
def test_stored_messages_are_read_the_oldest_first_however_they_are_listed(
    times: tuple[str | None, ...],
) -> None:
    stored = listed(*times)
    for messages in (stored, stored[::-1]):
        page = from_dict(gda.ListMessagesResponse, {"messages": messages})
        turns = [("Loaves?", "31"), ("Rolls?", "8")]
        for source in (page, list(page.messages), iter(page.messages)):
            assert [(turn.question, turn.text) for turn in gda.answers_of(source)] == turns
        assert gda.Answer.collect(page).text == "8"
        assert [gda.text_of(message) for message in gda.history_of(page)] == [
            "Loaves?",
            "31",
            "Rolls?",
            "8",
        ]
        assert [group.indices for group in gda.groups_of(page)] == [(0,), (1,), (2,), (3,)]


def test_the_messages_of_a_stream_keep_their_order() -> None:
    stream = [from_dict(gda.Message, each["message"]) for each in listed(*TIMES, TIMES[0])][::-1]
    assert [turn.question for turn in gda.answers_of(stream)] == [None, "Rolls?", "Loaves?"]


@pytest.mark.parametrize(
    "wrong",
    [None, 5, "text", b"{}", {"systemMessage": {}}, gda.Field(), [None], [gda.Field()]],
)
def test_other_objects_are_refused_by_their_class(wrong: Any) -> None:
    item = wrong[0] if isinstance(wrong, list) else wrong
    for read in (gda.Answer.collect, gda.answers_of, gda.history_of, gda.groups_of):
        with pytest.raises(TypeError, match=rf"expected .* got .*{type(item).__name__}"):
            read(wrong)


def test_one_message_is_a_stream_of_one() -> None:
    message = gda.user_message("Loaves?")
    for one in (message, gda.StorageMessage(message=message)):
        assert gda.Answer.collect(one) == gda.Answer.collect([one])
        assert gda.answers_of(one) == gda.answers_of([one])
        assert gda.history_of(one) == (message,)
        assert [group.messages for group in gda.groups_of(one)] == [(message,)]


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
    durations = [step.duration_ns for step in answer.steps]
    assert durations == [1_500_000_000, None, 2_500_000_000]
    assert answer.duration_ns == 4_000_000_000
    assert gda.Answer.collect(answer.messages[-1:]).duration_ns is None


def test_a_new_turn_starts_its_own_clock() -> None:
    answer = gda.Answer.collect(
        [
            system({"error": {}}, timestamp="2025-02-03T08:00:00Z"),
            user("?"),
            system({"error": {}}, timestamp="2025-02-03T09:00:00Z"),
        ]
    )
    assert [step.duration_ns for step in answer.steps] == [None]


def test_a_timestamp_out_of_range_spoils_nothing() -> None:
    late, early = system({"error": {}}), system({"error": {}})
    late.timestamp.seconds, early.timestamp.seconds = 2**63 - 1, 0
    durations = [step.duration_ns for step in gda.Answer.collect([early, late]).steps]
    assert durations == [None, (2**63 - 1) * 10**9]


def test_an_answer_prints_on_one_short_line() -> None:
    long = [text("FINAL_RESPONSE", "x" * 10**6), result("r" * 10**5, {"c" * 10**5: "y" * 10**6})]
    answer = gda.Answer.collect(long)
    image = {"mimeType": "m" * 10**5, "data": "AAAA"}
    anchor = {"endOffsetBytes": 1, "sourceIds": ["s"] * 1000}
    citation = {
        "sources": [{"id": "s", "title": "t" * 1000}],
        "anchors": [{"textMessageAnchor": anchor}],
    }
    cited = text("FINAL_RESPONSE", "word")
    cited.system_message.MergeFrom(from_dict(gda.SystemMessage, {"citation": citation}))
    charts = gda.Answer.collect([system({"chart": {"result": {"image": image}}})]).charts
    groups = gda.groups_of([system({"groupId": 0})] * 1000)
    views = (*answer.results, *answer.steps, *answer.groups, *groups, *charts)
    for view in (answer, *views, *gda.citations_of(cited)[:1]):
        assert len(repr(view)) < 400
        assert "\n" not in repr(view)
