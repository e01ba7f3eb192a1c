"""Turns, endings, agents and transcripts of sessions put together from outputs and frames."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from google.protobuf.timestamp_pb2 import Timestamp
from hypothesis import given
from hypothesis import strategies as st

from turnwire import SerializeError, ces, from_dict

AGENTS = "projects/p/locations/eu/apps/a/agents"


def output(index: int = 0, **fields: object) -> ces.SessionOutput:
    return from_dict(ces.SessionOutput, {"turnIndex": index, **fields})


def frame(**fields: object) -> ces.BidiSessionServerMessage:
    return from_dict(ces.BidiSessionServerMessage, fields)


def message(role: str = "Desk", *chunks: dict[str, object]) -> ces.Message:
    return from_dict(ces.Message, {"role": role, "chunks": list(chunks)})


def replies(session: ces.Session) -> list[tuple[int, str, bool]]:
    return [(turn.index, turn.reply, turn.completed) for turn in session.turns]


def stored(name: str, text: str) -> ces.Conversation:
    turns = [{"messages": [{"role": "user", "chunks": [{"text": text}]}]}]
    return from_dict(ces.Conversation, {"name": name, "turns": turns})


def test_stored_conversations_of_two_names_are_not_one_session() -> None:
    ann, bob = stored("a/conversations/ann", "I am Ann"), stored("a/conversations/bob", "I am Bob")
    with pytest.raises(ValueError, match=r'"a/conversations/bob"; .*sessions_of'):
        ces.Session.collect([ann, bob])
    builder = ces.SessionBuilder()
    builder.add(ann)
    with pytest.raises(ValueError, match="sessions_of"):
        builder.add(bob)
    assert builder.session == ces.Session.collect(ann)
    assert [session.name for session in ces.sessions_of([ann, bob, ann])] == [ann.name, bob.name]
    nameless = stored("", "on it goes")
    assert len(ces.Session.collect([ann, nameless, ann]).turns) == 3


def test_the_name_of_a_session() -> None:
    config = ces.SessionConfig(session="a/sessions/s")
    request = ces.RunSessionRequest(config=config)
    builder = ces.SessionBuilder()
    assert builder.add(output(text="Ahoy!")).name == ""
    assert builder.add(request).name == "a/sessions/s"
    assert builder.add(request).name == ""
    builder.add(stored("a/conversations/s", "hello"))
    assert builder.session.name == "a/sessions/s"
    assert ces.Session.collect(ces.BidiSessionClientMessage(config=config)).name == "a/sessions/s"


def test_outputs_without_index_belong_to_the_turn_after_the_last_completed_one() -> None:
    session = ces.Session.collect(
        [
            output(text="a"),
            output(text=" b", turnCompleted=True),
            output(text="c", turnCompleted=True),
            output(5, text="d", turnCompleted=True),
            output(text="e"),
            output(5, text=" late"),
        ]
    )
    assert replies(session) == [
        (1, "a b", True),
        (2, "c", True),
        (5, "d late", True),
        (6, "e", False),
    ]


@given(st.lists(st.text(alphabet=" \n\tab€"), min_size=1), st.integers(1, 4))
def test_a_reply_is_its_deltas_and_nothing_else(deltas: list[str], per_response: int) -> None:
    outputs = [output(1, text=delta) for delta in deltas]
    responses = [
        ces.RunSessionResponse(outputs=outputs[start : start + per_response])
        for start in range(0, len(outputs), per_response)
    ]
    session = ces.Session.collect(responses)
    assert session.turns[0].reply == "".join(deltas)
    assert session == ces.Session.collect(outputs)


def test_interleaved_turns_are_kept_apart() -> None:
    session = ces.Session.collect([output(2, text="x"), output(1, text="a"), output(2, text="y")])
    assert replies(session) == [(1, "a", False), (2, "xy", False)]


def test_a_stored_turn_has_the_text_that_a_simulated_caller_meant() -> None:
    turns = [ces.Conversation.Turn(user_intended_text="Rack four?"), ces.Conversation.Turn()]
    builder = ces.SessionBuilder()
    update = builder.add(ces.Conversation(turns=turns))
    for session in (update, builder.session):
        assert [turn.user_intended_text for turn in session.turns] == ["Rack four?", ""]


def test_every_kind_of_output() -> None:
    turn = ces.Session.collect(
        [
            output(1, progress="p"),
            output(1, audio="AQI="),
            output(1, audio="Aw=="),
            output(1, payload={"n": 1, "text": "no reply"}),
            output(1, image={"mimeType": "image/png", "data": "AA==", "altText": "alt"}),
            output(1, citations={"citedChunks": [{"uri": "u", "text": "quoted"}, {"uri": "v"}]}),
            output(1, googleSearchSuggestions={"htmls": ["<a>"]}),
            output(1, toolCalls={"toolCalls": [{"id": "1"}]}),
            output(1, diagnosticInfo={"rootSpan": {"name": "Turn"}}),
            output(1, context=[{"@type": "type.googleapis.com/google.protobuf.Empty"}]),
        ]
    ).turns[0]
    assert turn.reply == ""
    assert turn.audio == b"\1\2\3"
    assert turn.payloads == ({"n": 1, "text": "no reply"},)
    assert turn.progress == ("p",)
    assert [image.alt_text for image in turn.images] == ["alt"]
    (cited,) = turn.citations
    assert [source.uri for source in cited.sources] == ["u", "v"]
    assert [list(each.htmls) for each in turn.suggestions] == [["<a>"]]
    assert [call.id for call in turn.tool_calls] == ["1"]
    assert turn.root_span == ces.Span(name="Turn")
    assert [packed.TypeName() for packed in turn.context] == ["google.protobuf.Empty"]
    assert len(turn.diagnostics) == 1


class TestEnding:
    def test_in_an_output(self) -> None:
        session = ces.Session.collect(
            [
                output(1, text="Bye.", turnCompleted=True),
                output(endSession={"metadata": {"session_escalated": True, "reason": "asked"}}),
            ]
        )
        assert session.ended is not None
        assert session.ended.metadata == {"session_escalated": True, "reason": "asked"}
        assert session.ended.escalated is True
        assert replies(session) == [(1, "Bye.", True)]  # no empty second turn

    def test_outputs_after_the_end_still_count(self) -> None:
        session = ces.Session.collect(
            [
                frame(sessionOutput={"turnIndex": 1, "text": "Bye"}),
                frame(endSession={}),
                frame(sessionOutput={"turnIndex": 1, "audio": "AQ==", "turnCompleted": True}),
            ]
        )
        assert session.ended is not None
        assert session.ended.metadata == {}
        assert session.ended.escalated is None
        assert (session.turns[0].audio, session.turns[0].completed) == (b"\1", True)

    @given(st.permutations([{"metadata": {"reason": "asked"}}, {}, {"metadata": {}}]))
    def test_an_end_without_metadata_takes_none_away(self, ends: list[dict[str, object]]) -> None:
        told = [output(1, endSession=end) for end in ends]
        framed = [frame(endSession=end) for end in ends]
        for items in (told, framed, [told[0], *framed[1:]], [framed[0], *told[1:]]):
            ended = ces.Session.collect(items).ended
            assert ended is not None
            assert ended.metadata == {"reason": "asked"}

    def test_of_two_ends_with_metadata_the_last_counts(self) -> None:
        ends = [frame(endSession={"metadata": {"stars": stars}}) for stars in (1, 5)]
        ended = ces.Session.collect(ends).ended
        assert ended is not None
        assert ended.metadata == {"stars": 5}

    @pytest.mark.parametrize("metadata", [{"session_escalated": "true"}, {"escalated": True}, {}])
    def test_escalation_is_not_guessed(self, metadata: dict[str, object]) -> None:
        ended = ces.Session.collect(frame(endSession={"metadata": metadata})).ended
        assert ended is not None
        assert ended.escalated is None

    @pytest.mark.parametrize(
        "tool",
        [
            {"tool": "projects/p/locations/eu/apps/a/tools/end_session"},
            {"displayName": "End Session"},
            {"toolsetTool": {"toolId": "endSession"}},
        ],
    )
    def test_by_an_answered_tool_call(self, tool: dict[str, object]) -> None:
        call = message(
            "Desk", {"toolCall": {**tool, "args": {"reason": "done", "session_escalated": False}}}
        )
        assert ces.Session.collect(call).ended is None
        answer = message("Desk", {"toolResponse": {**tool, "response": {}}})
        builder = ces.SessionBuilder()
        updates = [builder.add(each) for each in (call, answer, answer)]
        ended = builder.session.ended
        updates.append(builder.add(frame(endSession={})))
        assert [update.ended is not None for update in updates] == [False, True, False, False]
        assert ended is not None
        assert ended.metadata == {"reason": "done", "session_escalated": False}
        assert ended.escalated is False

    def test_metadata_that_json_has_not_spoils_only_itself(self) -> None:
        end = ces.EndSession()
        end.metadata.update({"session_escalated": True, "score": float("nan")})
        ended = ces.Session.collect(ces.SessionOutput(end_session=end)).ended
        assert ended is not None
        assert ended.escalated is True
        assert "score" in repr(ended)
        with pytest.raises(SerializeError):
            ended.metadata  # noqa: B018

    def test_another_tool_does_not_end_it(self) -> None:
        answered = message("Desk", {"toolResponse": {"displayName": "end_session_survey"}})
        assert ces.Session.collect(answered).ended is None

    def test_go_away_is_a_notice(self) -> None:
        session = ces.Session.collect([frame(goAway={})])
        assert session.ended is None
        assert session.going_away


class TestFrames:
    def test_recognized_speech_belongs_to_the_turn_that_answers_it(self) -> None:
        session = ces.Session.collect(
            [
                frame(recognitionResult={"transcript": "what"}),
                frame(recognitionResult={"transcript": "what time"}),
                frame(sessionOutput={"turnIndex": 1, "text": "Six."}),
                frame(interruptionSignal={"bargeIn": True}),
                frame(recognitionResult={"transcript": "thanks"}),
                frame(sessionOutput={"turnIndex": 1, "turnCompleted": True}),
                frame(sessionOutput={"turnIndex": 2, "text": "Bye."}),
                frame(),
            ]
        )
        assert [turn.recognized for turn in session.turns] == ["what time", "thanks"]
        assert [turn.interrupted for turn in session.turns] == [True, False]
        assert session.recognitions == ("what", "what time", "thanks")
        assert session.interruptions == (True,)
        assert [(entry.role, entry.text, entry.turn) for entry in session.transcript] == [
            ("user", "what time", 1),
            ("agent", "Six.", 1),
            ("user", "thanks", 2),
            ("agent", "Bye.", 2),
        ]

    def test_an_interruption_before_any_turn(self) -> None:
        builder = ces.SessionBuilder()
        assert builder.add(frame(interruptionSignal={})).interrupted
        assert builder.session.interruptions == (False,)


class TestTranscript:
    def test_diagnostics_tell_it_where_they_are_there(self) -> None:
        told = [
            {"role": "user", "chunks": [{"text": "Hi"}], "eventTime": "2025-06-14T18:00:00.5Z"},
            {"role": "Desk", "chunks": [{"text": "Hello."}]},
        ]
        session = ces.Session.collect(
            output(1, text="Hello.", turnCompleted=True, diagnosticInfo={"messages": told})
        )
        assert [(entry.role, entry.text) for entry in session.transcript] == [
            ("user", "Hi"),
            ("Desk", "Hello."),
        ]
        assert session.transcript[0].time == datetime(2025, 6, 14, 18, 0, 0, 500_000, UTC)
        assert session.transcript[1].time is None

    def test_outputs_tell_it_where_there_are_none(self) -> None:
        session = ces.Session.collect(
            [
                output(1, text="A "),
                output(1, text="plan:"),
                output(1, image={"mimeType": "image/png", "data": "AA=="}),
                output(1, toolCalls={"toolCalls": [{"id": "1"}]}),
                output(1, payload={"n": 1}),
                output(1, progress="…"),
                output(1, text="Done."),
            ]
        )
        (entry,) = session.transcript
        kinds = [chunk.WhichOneof("data") for chunk in entry.chunks]
        assert kinds == ["text", "image", "tool_call", "payload", "text"]
        assert (entry.role, entry.text) == ("agent", "A plan:Done.")

    def test_a_time_outside_of_the_calendar_is_left_out(self) -> None:
        broken = ces.Message(role="user", event_time=Timestamp(seconds=2**62))
        assert ces.Session.collect(broken).transcript[0].time is None


class TestAgents:
    def test_nothing_is_known_without_a_transfer(self) -> None:
        assert ces.Session.collect([message("Desk", {"text": "Hi"})]).active_agent is None

    def test_the_entry_agent_is_active_until_a_transfer(self) -> None:
        stored = ces.Conversation(entry_agent=f"{AGENTS}/front")
        assert ces.Session.collect(stored).active_agent == "front"
        turn = stored.turns.add()
        turn.messages.append(
            message("Front", {"agentTransfer": {"targetAgent": f"{AGENTS}/back_2"}})
        )
        session = ces.Session.collect(stored)
        assert session.active_agent == "back_2"
        assert [transfer.target_agent for transfer in session.transfers] == [f"{AGENTS}/back_2"]


class TestConversations:
    def test_turns_are_numbered_and_complete(self) -> None:
        stored = from_dict(
            ces.Conversation,
            {
                "turns": [
                    {
                        "messages": [
                            {"role": "USER", "chunks": [{"text": "Hi"}]},
                            {"role": "Desk", "chunks": [{"text": "Hello,"}, {"text": " you."}]},
                            {"role": "Desk", "chunks": [{"transcript": "Yes?"}]},
                            {"role": "Desk", "chunks": []},
                        ]
                    },
                    {"rootSpan": {"name": "Turn"}},
                ]
            },
        )
        session = ces.Session.collect(stored)
        assert replies(session) == [(1, "Hello, you.\nYes?", True), (2, "", True)]
        assert session.root_spans == (ces.Span(name="Turn"),)
        assert len(session.messages) == 4
        both = ces.Session.collect([stored, stored])
        assert [turn.index for turn in both.turns] == [1, 2, 3, 4]

    def test_the_deprecated_flat_list_counts_where_the_turns_hold_no_messages(self) -> None:
        flat = ces.Conversation(messages=[message("Desk", {"text": "Hello."})])
        flat.turns.add().root_span.name = "Turn"
        session = ces.Session.collect(flat)
        assert [entry.text for entry in session.transcript] == ["Hello."]
        assert [span.name for span in session.root_spans] == ["Turn"]

    def test_the_deprecated_flat_list_counts_only_without_turns(self) -> None:
        flat = ces.Conversation(messages=[message("Desk", {"text": "Hello."})])
        session = ces.Session.collect(flat)
        assert (session.turns, [entry.text for entry in session.transcript]) == ((), ["Hello."])
        flat.turns.add().messages.append(flat.messages[0])
        assert len(ces.Session.collect(flat).messages) == 1
