"""The incremental builder, what it refuses, and how its views behave as values."""

from __future__ import annotations

import copy
import pickle
from dataclasses import FrozenInstanceError
from typing import Any

import pytest
from google.protobuf.struct_pb2 import Struct
from hypothesis import given
from hypothesis import strategies as st

from turnwire import ces, from_dict, to_dict

AGENTS = "projects/p/locations/eu/apps/a/agents"


def output(index: int = 0, **fields: object) -> ces.SessionOutput:
    return from_dict(ces.SessionOutput, {"turnIndex": index, **fields})


def frame(**fields: object) -> ces.BidiSessionServerMessage:
    return from_dict(ces.BidiSessionServerMessage, fields)


def message(role: str = "Desk", *chunks: dict[str, object]) -> ces.Message:
    return from_dict(ces.Message, {"role": role, "chunks": list(chunks)})


CALLS = {"toolCalls": [{"id": "1", "tool": "a/b"}, {"tool": "a/b", "args": {"n": 1}}]}
TOLD = [
    message("user", {"text": "Hi"}),
    message("Desk", {"defaultVariables": {"a": 0}}, {"updatedVariables": {"a": 1, "b": None}}),
    message("Desk", {"toolCall": {"tool": "a/b", "args": {"n": 1}}}),
    message("Desk", {"toolResponse": {"tool": "a/b", "response": {"output": 1}}}),
    message("Desk", {"toolCall": {"id": "2", "tool": "a/c", "parentToolCallId": "1"}}),
    message("Desk", {"agentTransfer": {"targetAgent": f"{AGENTS}/back"}}),
]
ITEMS = st.one_of(
    st.sampled_from(TOLD),
    st.builds(
        output,
        st.integers(0, 3),
        text=st.sampled_from(["", " ", "a"]),
        turnCompleted=st.booleans(),
        diagnosticInfo=st.integers(0, len(TOLD)).map(
            lambda count: {"messages": [to_dict(told) for told in TOLD[:count]]}
        ),
    ),
    st.builds(output, st.integers(0, 3), toolCalls=st.just(CALLS)),
    st.builds(output, st.integers(0, 3), endSession=st.just({"metadata": {"a": None}})),
    st.sampled_from(
        [
            ces.SessionOutput(),
            ces.RunSessionResponse(),
            ces.RunSessionRequest(inputs=[ces.SessionInput(text="Hi"), ces.SessionInput()]),
            ces.SessionInput(text="H", will_continue=True),
            from_dict(ces.SessionInput, {"variables": {"a": 1, "b": None}}),
            from_dict(ces.BidiSessionClientMessage, {"realtimeInput": {"audio": "AQ=="}}),
            from_dict(ces.ToolResponses, {"toolResponses": [{"id": "1"}, {"tool": "a/b"}]}),
            ces.RunSessionResponse(outputs=[output(text="a"), output(2, turnCompleted=True)]),
            frame(),
            frame(goAway={}),
            frame(endSession={}),
            frame(interruptionSignal={"bargeIn": True}),
            frame(recognitionResult={"transcript": "what"}),
            frame(sessionOutput={"text": "b", "turnCompleted": True}),
            ces.Conversation(turns=[ces.Conversation.Turn(messages=TOLD[:4])]),
            ces.Conversation(messages=TOLD, entry_agent=f"{AGENTS}/front"),
        ]
    ),
)


class TestBuilder:
    def test_add_returns_the_changes(self) -> None:
        builder = ces.SessionBuilder()
        update = builder.add(
            ces.RunSessionResponse(
                outputs=[
                    output(1, text="Wait"),
                    output(1, toolCalls={"toolCalls": [{"id": "1"}, {"id": "1"}]}),
                    output(1, text=".", audio=None, turnCompleted=True),
                ]
            )
        )
        assert (update.text, update.completed_turns) == ("Wait.", (1,))
        assert [call.id for call in update.tool_calls] == ["1"]
        again = builder.add(output(2, toolCalls={"toolCalls": [{"id": "1"}]}))
        assert again.tool_calls == ()
        assert builder.add(output(2, audio="AQ==")).audio == b"\1"
        told = builder.add(output(2, diagnosticInfo={"messages": [{"role": "user"}]}))
        assert told.messages == (ces.Message(role="user"),)

    def test_later_items_do_not_change_a_session(self) -> None:
        builder = ces.SessionBuilder()
        builder.add(output(1, text="a"))
        before = builder.session
        builder.add(output(1, text="b"))
        assert (before.turns[0].reply, builder.session.turns[0].reply) == ("a", "ab")

    @given(st.lists(ITEMS, max_size=12))
    def test_at_every_item_the_builder_has_what_collecting_gives(
        self, items: list[ces.SessionItem]
    ) -> None:
        before = [item.SerializeToString(deterministic=True) for item in items]
        builder = ces.SessionBuilder()
        for count, item in enumerate(items, 1):
            builder.add(item)
            assert builder.session == ces.Session.collect(items[:count])
        assert ces.Session.collect(iter(items)) == builder.session
        assert [item.SerializeToString(deterministic=True) for item in items] == before

    @given(st.lists(ITEMS, max_size=12))
    def test_the_updates_make_up_the_session(self, items: list[ces.SessionItem]) -> None:
        builder = ces.SessionBuilder()
        updates = [builder.add(item) for item in items]
        session = builder.session
        added = [output for update in updates for output in update.outputs]
        assert sorted(added, key=lambda each: each[0]) == list(session.outputs)
        for name in ("tool_calls", "transfers", "recognitions", "interruptions"):
            assert sum((getattr(update, name) for update in updates), ()) == getattr(session, name)
        for name in ("images", "payloads", "progress", "suggestions"):
            assert sum(len(getattr(update, name)) for update in updates) == len(
                getattr(session, name)
            )
        changed: dict[str, Any] = {}
        for update in updates:
            changed |= update.variables
        assert changed == session.variables
        assert sum(update.ended is not None for update in updates) == (session.ended is not None)
        assert {index for update in updates for index in update.completed_turns} == set(
            session.completed_turns
        )
        assert any(update.going_away for update in updates) == session.going_away
        seen = {each.id for update in updates for each in update.tool_exchanges}
        assert seen == {each.id for _, each in ces.walk_exchanges(session.tool_exchanges)}

    @given(st.lists(ITEMS, max_size=6), ITEMS)
    def test_a_builder_can_be_copied_and_pickled_at_any_time(
        self, items: list[ces.SessionItem], last: ces.SessionItem
    ) -> None:
        builder = ces.SessionBuilder()
        builder.extend(items)
        others = [copy.deepcopy(builder), pickle.loads(pickle.dumps(builder))]
        builder.add(last)
        for other in others:
            other.add(last)
            assert other.session == builder.session

    @pytest.mark.parametrize(
        ("item", "hint"),
        [
            ({"outputs": []}, "from_json"),
            ("text", "from_json"),
            (Struct(), "FromString"),
            (None, "NoneType"),
        ],
    )
    def test_refuses_other_objects(self, item: object, hint: str) -> None:
        with pytest.raises(TypeError, match=hint):
            ces.SessionBuilder().add(item)  # type: ignore[arg-type]

    def test_refuses_a_proto_plus_message_with_advice(self) -> None:
        google = pytest.importorskip("google.cloud.ces_v1")
        theirs = google.RunSessionResponse(outputs=[google.SessionOutput(text="Hi")])
        with pytest.raises(TypeError, match="serialize"):
            ces.SessionBuilder().add(theirs)
        ours = ces.RunSessionResponse.FromString(type(theirs).serialize(theirs))
        assert ces.Session.collect(ours).turns[0].reply == "Hi"


def test_views_print_short_and_without_secrets() -> None:
    secret = "s3cr3t" * 1000
    session = ces.Session.collect(
        [
            output(1, text="x" * 100_000),
            output(1, audio="AAAA" * 100_000),
            output(1, toolCalls={"toolCalls": [{"id": "1", "args": {"token": secret}}]}),
            message("Desk", {"updatedVariables": {"token": secret}}),
            message("user", {"toolResponse": {"id": "1", "response": {"output": secret}}}),
            frame(endSession={"metadata": {"note": secret}}),
        ]
    )
    views: list[object] = [
        session,
        *session.turns,
        *session.tool_exchanges,
        *session.transcript,
        session.ended,
        ces.SessionBuilder().add(output(1, text="x" * 100_000)),
    ]
    for view in views:
        assert len(repr(view)) < 250
        assert "s3cr3t" not in repr(view)


def test_views_print_short_whatever_the_names() -> None:
    long = "n" * 100_000
    call = {"id": long, "tool": long, "agentName": long}
    session = ces.Session.collect(
        [
            message(long, {"toolCall": call}, *[{"text": "x"}] * 1000),
            message("Desk", {"agentTransfer": {"targetAgent": long}}),
            frame(endSession={"metadata": {f"{number}{long}": 1 for number in range(20)}}),
        ]
    )
    completed = [output(index, turnCompleted=True) for index in range(1, 1000)]
    update = ces.SessionBuilder().add(ces.RunSessionResponse(outputs=completed))
    for view in (session, *session.tool_exchanges, *session.transcript, session.ended, update):
        assert len(repr(view)) < 600


@given(st.lists(ITEMS, max_size=6))
def test_views_can_be_copied_and_pickled(items: list[ces.SessionItem]) -> None:
    session = ces.Session.collect(items)
    assert copy.copy(session) == copy.deepcopy(session) == session
    assert pickle.loads(pickle.dumps(session)) == session


def test_sessions_with_calls_nested_to_any_depth_compare_and_can_be_pickled() -> None:
    calls = [
        message("Desk", {"toolCall": {"id": f"{n}", "parentToolCallId": f"{n - 1}"}})
        for n in range(3000)
    ]
    session, same = ces.Session.collect(calls), ces.Session.collect(calls)
    other = ces.Session.collect([*calls, message("Desk", {"toolResponse": {"id": "2999"}})])
    assert session == same != other
    assert session.tool_exchanges[0] != other.tool_exchanges[0]
    assert copy.deepcopy(session) == pickle.loads(pickle.dumps(session)) == session
    assert copy.copy(session.tool_exchanges[0]) == session.tool_exchanges[0]


class TestSessionsOf:
    def asked(self, session: str, text: str) -> ces.RunSessionRequest:
        return ces.RunSessionRequest(
            config=ces.SessionConfig(session=session), inputs=[ces.SessionInput(text=text)]
        )

    def test_items_with_a_name_choose_the_session_and_others_follow(self) -> None:
        config = from_dict(ces.BidiSessionClientMessage, {"config": {"session": "b"}})
        items = [
            output(text="before"),
            self.asked("a", "Hi"),
            output(text="1"),
            config,
            frame(sessionOutput={"text": "2"}),
            self.asked("a", "Bye"),
            output(text="3"),
        ]
        first, a, b = ces.sessions_of(iter(items))
        assert first == ces.Session.collect(items[0])
        assert a == ces.Session.collect([*items[1:3], *items[5:]])
        assert b == ces.Session.collect(items[3:5])

    def test_conversations_are_sessions_and_parts_of_one_name_are_one(self) -> None:
        def part(name: str, text: str) -> ces.Conversation:
            said = message("Desk", {"text": text})
            return ces.Conversation(name=name, turns=[ces.Conversation.Turn(messages=[said])])

        sessions = ces.sessions_of([part("a", "1"), part("", "2"), part("", "3"), part("a", "4")])
        assert [session.text for session in sessions] == ["1\n4", "2", "3"]
        assert ces.sessions_of(part("a", "1")) == (ces.Session.collect(part("a", "1")),)
        assert ces.sessions_of([]) == ()


def test_views_cannot_be_changed() -> None:
    session = ces.Session.collect(output(1, text="a"))
    with pytest.raises(FrozenInstanceError):
        session.turns = ()  # type: ignore[misc]
    with pytest.raises(FrozenInstanceError):
        session.turns[0].completed = True  # type: ignore[misc]


@pytest.mark.parametrize("wrong", [None, 5, "text", b"{}", {"outputs": []}, ces.Span(), [None]])
def test_other_objects_are_refused_by_their_class(wrong: Any) -> None:
    item = wrong[0] if isinstance(wrong, list) else wrong
    for read in (ces.Session.collect, ces.SessionBuilder().extend):
        with pytest.raises(TypeError, match=rf"expected .* got .*{type(item).__name__}"):
            read(wrong)


def test_nothing_is_an_empty_session() -> None:
    assert ces.Session.collect([]) == ces.Session.collect(iter(())) == ces.Session()


@pytest.mark.parametrize("wrong", [None, {"text": "a"}, ces.Chunk(text="a")])
def test_the_text_of_something_else_is_refused(wrong: Any) -> None:
    with pytest.raises(TypeError, match=rf"expected a Message.* got .*{type(wrong).__name__}"):
        ces.text_of(wrong)


def test_views_compare_by_content() -> None:
    def made(text: str) -> ces.Session:
        return ces.Session.collect(output(1, text=text))

    assert made("a") == made("a")
    assert made("a") != made("b")
    assert made("a").turns == made("a").turns


def test_an_update_by_a_stored_conversation_has_its_replies_and_turns() -> None:
    def said(role: str, text: str) -> ces.Message:
        return ces.Message(role=role, chunks=[ces.Chunk(text=text)])

    turns = [
        ces.Conversation.Turn(
            messages=[said("user", "Boats?"), said("Desk", "Two."), said("Desk", "")]
        ),
        ces.Conversation.Turn(messages=[said("user", "Tonight?"), said("Desk", "Yes.")]),
    ]
    builder = ces.SessionBuilder()
    update = builder.add(ces.Conversation(turns=turns))
    assert (update.text, update.completed_turns, update.outputs) == ("Two.\nYes.", (1, 2), ())
    assert [turn.reply for turn in builder.session.turns] == ["Two.", "Yes."]
    assert builder.add(ces.Conversation(turns=turns[:1])).completed_turns == (3,)
    flat = ces.SessionBuilder().add(ces.Conversation(messages=turns[1].messages))
    assert (flat.text, flat.completed_turns) == ("", ())


def test_a_view_has_no_hash_and_returns_copies() -> None:
    variables = {"updatedVariables": {"seats": [1]}}
    session = ces.Session.collect(from_dict(ces.Message, {"chunks": [variables]}))
    session.variables["seats"].append(2)
    assert session.variables == session.variables_at(-1) == {"seats": [1]}
    for view in (ces.Session(), session, session.transcript[0], ces.Turn(1)):
        with pytest.raises(TypeError, match="unhashable"):
            hash(view)


def test_no_text_is_none_and_an_empty_text_is_one() -> None:
    assert ces.text_of(ces.Message()) is None
    assert ces.text_of(ces.Message(chunks=[ces.Chunk(image=ces.Image())])) is None
    assert ces.text_of(ces.SessionOutput(turn_completed=True)) is None
    assert ces.text_of(ces.RunSessionResponse(outputs=[ces.SessionOutput(audio=b"a")])) is None
    for held in (
        ces.Message(chunks=[ces.Chunk(transcript="")]),
        ces.SessionOutput(text=""),
        ces.RunSessionResponse(outputs=[ces.SessionOutput(text="")]),
    ):
        assert ces.text_of(held) == ""
