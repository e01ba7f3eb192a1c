"""Inputs of the client: their place in the session, and their repetition in diagnostics."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnwire import ces, from_dict, to_dict

TOOLS = "projects/p/locations/eu/apps/a/tools"
SESSION = "projects/p/locations/eu/apps/a/sessions/s-1"


def sent(**fields: object) -> ces.SessionInput:
    return from_dict(ces.SessionInput, fields)


def request(*inputs: ces.SessionInput, **config: str) -> ces.RunSessionRequest:
    return ces.RunSessionRequest(
        config=from_dict(ces.SessionConfig, {"session": SESSION, **config}), inputs=inputs
    )


def output(turn: int = 0, **fields: object) -> ces.SessionOutput:
    return from_dict(ces.SessionOutput, {"turnIndex": turn, **fields})


def asked(turn: int, *ids: str, **fields: object) -> ces.SessionOutput:
    calls = [{"id": id, "tool": f"{TOOLS}/t"} for id in ids]
    return output(turn, toolCalls={"toolCalls": calls}, **fields)


def message(role: str, *chunks: dict[str, object]) -> ces.Message:
    return from_dict(ces.Message, {"role": role, "chunks": list(chunks)})


def diagnostics(turn: int, *messages: ces.Message) -> ces.SessionOutput:
    told = {"messages": [to_dict(each) for each in messages]}
    return output(turn, turnCompleted=True, diagnosticInfo=told)


def frame(**fields: object) -> ces.BidiSessionClientMessage:
    return from_dict(ces.BidiSessionClientMessage, {"realtimeInput": fields})


def said(session: ces.Session) -> list[tuple[str, str, int | None]]:
    return [(entry.role, entry.text, entry.turn) for entry in session.transcript]


def answers_to(session: ces.Session) -> ces.ToolResponses:
    calls = session.open_tool_calls
    return ces.tool_responses(*(ces.respond(call, output=call.id) for call in calls))


class TestToolResponses:
    @pytest.mark.parametrize("way", ["request", "input", "responses", "frame"])
    def test_answer_their_exchanges_in_whatever_they_are_sent(self, way: str) -> None:
        builder = ces.SessionBuilder()
        builder.add(asked(1, "a", "b"))
        answers = answers_to(builder.session)
        as_input = ces.SessionInput(tool_responses=answers)
        ways: dict[str, ces.SessionItem] = {
            "request": request(as_input),
            "input": as_input,
            "responses": answers,
            "frame": ces.BidiSessionClientMessage(realtime_input=as_input),
        }
        update = builder.add(ways[way])
        assert [len(each.chunks) for each in update.messages] == [2]
        session = builder.session
        assert [(each.id, each.result) for each in session.tool_exchanges] == [
            ("a", "a"),
            ("b", "b"),
        ]
        assert session.open_tool_calls == ()
        assert session.transcript[-1].turn == 1  # the turn that goes on

    def test_a_loop_over_open_calls_ends(self) -> None:
        builder = ces.SessionBuilder()
        replies = iter([asked(1, "a"), asked(1, "b", "c"), output(1, text="done")])
        builder.add(request(sent(text="Go")))
        builder.add(next(replies))
        rounds = 0
        while builder.session.open_tool_calls:
            rounds += 1
            builder.add(request(sent(toolResponses=to_dict(answers_to(builder.session)))))
            builder.add(next(replies))
        assert rounds == 2
        assert [each.status for each in builder.session.tool_exchanges] == ["ok"] * 3

    @pytest.mark.parametrize("role", ["user", "Desk"])
    @pytest.mark.parametrize("id", ["a", ""])
    def test_repetitions_add_neither_a_message_nor_an_exchange(self, role: str, id: str) -> None:
        builder = ces.SessionBuilder()
        builder.add(asked(1, id))
        answers = answers_to(builder.session)
        builder.add(answers)
        told = message(role, {"toolResponse": to_dict(answers.tool_responses[0])})
        told.chunks[0].tool_response.display_name = "T"
        assert builder.add(diagnostics(1, told)).messages == ()
        assert builder.session.messages == (told,)
        (exchange,) = builder.session.tool_exchanges
        assert exchange.response == told.chunks[0].tool_response

    def test_another_result_for_the_same_call_is_another_message(self) -> None:
        builder = ces.SessionBuilder()
        builder.add(asked(1, "a"))
        builder.add(answers_to(builder.session))
        told = message("Desk", {"toolResponse": {"id": "a", "response": {"output": 5}}})
        assert builder.add(diagnostics(1, told)).messages == (told,)
        assert len(builder.session.messages) == 2
        assert [each.result for each in builder.session.tool_exchanges] == [5]

    def test_answering_the_tool_that_ends_the_session_ends_it(self) -> None:
        builder = ces.SessionBuilder()
        call = {"id": "e", "tool": f"{TOOLS}/end_session", "args": {"reason": "tea"}}
        builder.add(output(1, toolCalls={"toolCalls": [call]}))
        assert builder.add(answers_to(builder.session)).ended
        assert builder.session.ended is not None


def test_after_the_end_no_call_waits_for_an_answer() -> None:
    builder = ces.SessionBuilder()
    builder.add(asked(1, "a"))
    builder.add(output(1, endSession={}))
    assert builder.session.open_tool_calls == ()
    assert [each.status for each in builder.session.tool_exchanges] == ["pending"]


class TestTranscript:
    def test_input_stands_in_the_turn_of_the_next_output(self) -> None:
        builder = ces.SessionBuilder()
        builder.add(request(sent(text="Hi")))
        assert said(builder.session) == [("user", "Hi", 1)]
        assert builder.session.turns == ()
        builder.add(output(1, text="Good", turnCompleted=True))
        builder.add(request(sent(text="Bye")))
        assert said(builder.session)[-1] == ("user", "Bye", 2)
        builder.add(output(7, text=" bye", turnCompleted=True))  # the service counts otherwise
        assert said(builder.session) == [
            ("user", "Hi", 1),
            ("agent", "Good", 1),
            ("user", "Bye", 7),
            ("agent", " bye", 7),
        ]
        assert [
            [ces.text_of(told) for told in turn.messages] for turn in builder.session.turns
        ] == [
            ["Hi"],
            ["Bye"],
        ]

    def test_answers_within_a_turn_stand_between_its_outputs(self) -> None:
        items = [
            request(sent(text="Go")),
            output(1, text="Wait. "),
            asked(1, "a"),
            request(sent(toolResponses={"toolResponses": [{"id": "a", "response": {}}]})),
            output(1, text="Done.", turnCompleted=True),
        ]
        session = ces.Session.collect(items)
        kinds = [
            (entry.role, [chunk.WhichOneof("data") for chunk in entry.chunks])
            for entry in session.transcript
        ]
        assert kinds == [
            ("user", ["text"]),
            ("agent", ["text", "tool_call"]),
            ("user", ["tool_response"]),
            ("agent", ["text"]),
        ]
        assert session.turns[0].reply == "Wait. Done."

    @pytest.mark.parametrize(
        ("fields", "chunk"),
        [
            ({"text": "Hi"}, {"text": "Hi"}),
            ({"audio": "AQI="}, {"blob": {"mimeType": "audio/*", "data": "AQI="}}),
            ({"image": {"mimeType": "image/png", "data": "AQ=="}}, None),
            ({"blob": {"mimeType": "application/pdf", "data": "AQ=="}}, None),
            ({"variables": {"a": 1}}, {"updatedVariables": {"a": 1}}),
            ({"event": {"event": "welcome"}}, {"payload": {"event": "welcome"}}),
            (
                {"event": {"event": "found", "variables": {"parcel": "X7"}}},
                {"payload": {"event": "found", "variables": {"parcel": "X7"}}},
            ),
            ({"dtmf": "42#"}, {"payload": {"dtmf": "42#"}}),
            ({"toolResponses": {"toolResponses": [{"id": "x"}]}}, {"toolResponse": {"id": "x"}}),
        ],
    )
    def test_every_kind_of_input_is_a_chunk(
        self, fields: dict[str, object], chunk: dict[str, object] | None
    ) -> None:
        (entry,) = ces.Session.collect(sent(**fields)).transcript
        assert entry.role == "user"
        assert [to_dict(each) for each in entry.chunks] == [chunk or fields]

    def test_every_kind_is_tried(self) -> None:
        kinds = ces.SessionInput.DESCRIPTOR.oneofs_by_name["input_type"].fields
        assert len(kinds) == 8

    def test_an_input_without_content_says_nothing(self) -> None:
        session = ces.Session.collect([sent(), request(), ces.BidiSessionClientMessage()])
        assert session == ces.Session(name=request().config.session)

    def test_fragments_of_a_text_are_one_message(self) -> None:
        pieces = [sent(text="Where ", willContinue=True), sent(text="is it?"), sent(text="Hm?")]
        texts = [ces.text_of(each) for each in ces.Session.collect(pieces).messages]
        assert texts == ["Where is it?", "Hm?"]

    @given(st.lists(st.binary(min_size=1, max_size=3), min_size=1, max_size=6))
    def test_pieces_of_audio_are_one_blob(self, pieces: list[bytes]) -> None:
        items = [ces.SessionInput(audio=piece) for piece in pieces]
        (entry,) = ces.Session.collect(items).transcript
        assert [chunk.blob.data for chunk in entry.chunks] == [b"".join(pieces)]


class TestBidirectional:
    def test_input_during_a_turn_is_for_the_next(self) -> None:
        session = ces.Session.collect(
            [
                frame(text="Hi"),
                output(1, text="Well, "),
                frame(text="Stop!"),
                output(1, text="listen.", turnCompleted=True),
                output(2, text="Yes?"),
            ]
        )
        assert said(session) == [
            ("user", "Hi", 1),
            ("agent", "Well, listen.", 1),
            ("user", "Stop!", 2),
            ("agent", "Yes?", 2),
        ]

    def test_audio_stands_with_its_recognition(self) -> None:
        heard = from_dict(
            ces.BidiSessionServerMessage, {"recognitionResult": {"transcript": "hello"}}
        )
        items: list[ces.SessionItem] = [frame(audio="AQ=="), heard, frame(audio="Ag==")]
        session = ces.Session.collect([*items, output(1, text="Hi")])
        user, _ = session.transcript
        assert user.text == "hello"
        assert [chunk.WhichOneof("data") for chunk in user.chunks] == ["transcript", "blob"]
        told = message("user", {"transcript": "Hello."})
        session = ces.Session.collect([*items, output(1, text="Hi"), diagnostics(1, told)])
        assert said(session) == [("user", "Hello.", 1), ("agent", "Hi", 1)]

    def test_the_config_names_the_entry_agent(self) -> None:
        agent = "projects/p/locations/eu/apps/a/agents/front"
        config = from_dict(ces.BidiSessionClientMessage, {"config": {"entryAgent": agent}})
        assert ces.Session.collect(config).active_agent == "front"
        assert ces.Session.collect(request(entryAgent=agent)).active_agent == "front"


class TestToldAgain:
    def test_diagnostics_take_the_place_of_the_input(self) -> None:
        told = message("user", {"text": "Hi"})
        told.event_time.seconds = 5
        desk = message("Desk", {"text": "Good"})
        session = ces.Session.collect(
            [request(sent(text="Hi")), output(1, text="Good"), diagnostics(1, told, desk)]
        )
        assert session.messages == session.turns[0].messages == (told, desk)
        assert [(entry.text, entry.time is None) for entry in session.transcript] == [
            ("Hi", False),
            ("Good", True),
        ]

    def test_the_same_words_in_two_turns_are_two(self) -> None:
        told = [message("user", {"text": "Yes"}), message("Desk", {"text": "Fine"})]
        turns = [
            request(sent(text="Yes")),
            output(1, text="Fine", turnCompleted=True),
            request(sent(text="Yes")),
            output(2, text="Fine"),
        ]
        for last, texts in (
            (diagnostics(2, *told), ["Yes", "Yes", "Fine"]),
            (diagnostics(2, *told, *told), ["Yes", "Fine", "Yes", "Fine"]),
        ):
            session = ces.Session.collect([*turns, last])
            assert [ces.text_of(each) for each in session.messages] == texts

    @pytest.mark.parametrize("in_one", [True, False])
    def test_inputs_of_one_request_may_be_reported_in_one_message(self, in_one: bool) -> None:
        chunks: list[dict[str, object]] = [
            {"text": "A"},
            {"text": "B"},
            {"updatedVariables": {"a": 1}},
        ]
        told = (
            [message("user", *chunks)] if in_one else [message("user", chunk) for chunk in chunks]
        )
        inputs = [sent(text="A"), sent(text="B"), sent(variables={"a": 1})]
        session = ces.Session.collect([request(*inputs), diagnostics(1, *told)])
        assert session.messages == tuple(told)

    def test_a_message_that_says_more_is_new(self) -> None:
        told = message("user", {"text": "Hi"}, {"updatedVariables": {"a": 1}})
        builder = ces.SessionBuilder()
        builder.add(request(sent(text="Hi")))
        assert builder.add(diagnostics(1, told)).messages == (told,)
        assert builder.session.messages == (told,)

    def test_the_words_of_an_agent_are_not_the_users(self) -> None:
        told = message("Desk", {"text": "Hi"})
        session = ces.Session.collect([request(sent(text="Hi")), diagnostics(1, told)])
        assert [each.role for each in session.messages] == ["user", "Desk"]


def test_variables_are_folded_as_updates() -> None:
    builder = ces.SessionBuilder()
    defaults = message("Desk", {"defaultVariables": {"a": 0, "b": {"c": 1, "d": 2}}})
    builder.add(diagnostics(1, defaults))
    builder.add(request(sent(variables={"b": {"c": 5}}), sent(text="Go")))
    assert builder.session.variables == {"a": 0, "b": {"c": 5}}
    update = message("user", {"updatedVariables": {"b": {"c": 5}}})
    later = message("Desk", {"updatedVariables": {"a": 2}})
    builder.add(diagnostics(2, update, later))
    assert builder.session.variables == {"a": 2, "b": {"c": 5}}
    assert builder.session.variables_at(0) == {"a": 0, "b": {"c": 1, "d": 2}}


def test_an_update_holds_only_its_input() -> None:
    builder = ces.SessionBuilder()
    for piece in (b"\1", b"\2"):
        (told,) = builder.add(ces.SessionInput(audio=piece)).messages
        assert told.chunks[0].blob.data == piece


def test_one_item_or_many_are_taken_everywhere() -> None:
    one = request(sent(text="Hi"))
    builder = ces.SessionBuilder()
    builder.extend(one)
    assert builder.session == ces.Session.collect(one) == ces.Session.collect([one])


def test_the_encoding_of_the_audio_is_that_of_the_last_config() -> None:
    def config(rate: int) -> ces.SessionConfig:
        return ces.SessionConfig(output_audio_config=ces.OutputAudioConfig(sample_rate_hertz=rate))

    builder = ces.SessionBuilder()
    update = builder.add(ces.RunSessionRequest(config=config(8000)))
    assert update.output_audio_config is not None
    assert builder.add(ces.RunSessionRequest()).output_audio_config is None
    builder.add(ces.BidiSessionClientMessage(config=config(16000)))
    found = builder.session.output_audio_config
    assert found is not None
    assert found.sample_rate_hertz == 16000
    assert ces.Session.collect(ces.SessionOutput(text="x")).output_audio_config is None
