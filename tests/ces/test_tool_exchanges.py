"""Tool calls and their responses pair and nest, wherever they are reported."""

from __future__ import annotations

import pickle
from typing import Any

import pytest
from google.protobuf.struct_pb2 import Struct
from hypothesis import given
from hypothesis import strategies as st

from turnwire import ces, from_dict

TOOLS = "projects/p/locations/eu/apps/a/tools"


def call(name: str = "t", id: str = "", **fields: object) -> ces.Message:
    made = {"id": id, "tool": f"{TOOLS}/{name}", **fields}
    return from_dict(ces.Message, {"chunks": [{"toolCall": made}]})


def answer(name: str = "t", id: str = "", output: object = None, **fields: object) -> ces.Message:
    made = {"id": id, "tool": f"{TOOLS}/{name}", "response": {"output": output}, **fields}
    return from_dict(ces.Message, {"chunks": [{"toolResponse": made}]})


def diagnostics(turn: int, *messages: ces.Message) -> ces.SessionOutput:
    info = ces.SessionOutput.DiagnosticInfo(messages=messages)
    return ces.SessionOutput(turn_index=turn, diagnostic_info=info)


def asked(turn: int, *messages: ces.Message) -> ces.SessionOutput:
    calls = ces.ToolCalls(tool_calls=[each.chunks[0].tool_call for each in messages])
    return ces.SessionOutput(turn_index=turn, tool_calls=calls)


def exchanges(*items: ces.SessionItem) -> list[tuple[str, str, object]]:
    session = ces.Session.collect(items)
    return [(each.name, each.status, each.result) for each in session.tool_exchanges]


class TestPairing:
    def test_answers_pair_with_their_calls(self) -> None:
        calls = [call("a", "1"), call("b", "2")]
        builder = ces.SessionBuilder()
        builder.add(asked(1, *calls))
        answers = ces.tool_responses(
            *(ces.respond(each, output=each.id) for each in builder.session.open_tool_calls)
        )
        for response in answers.tool_responses:
            builder.add(ces.Message(role="user", chunks=[ces.Chunk(tool_response=response)]))
        assert [each.result for each in builder.session.tool_exchanges] == ["1", "2"]
        assert builder.session.open_tool_calls == ()

    @given(st.permutations(range(5)))
    def test_by_id_in_any_order(self, order: list[int]) -> None:
        calls = [call("same", f"c{index}") for index in range(5)]
        answers = [answer("same", f"c{index}", index) for index in order]
        assert exchanges(*calls, *answers) == [("same", "ok", index) for index in range(5)]

    @given(st.lists(st.tuples(st.sampled_from("ab"), st.booleans()), max_size=12))
    def test_without_ids_by_name_in_order(self, steps: list[tuple[str, bool]]) -> None:
        items: list[ces.Message] = []
        made: dict[str, int] = {"a": 0, "b": 0}
        answered: dict[str, int] = {"a": 0, "b": 0}
        expected: list[list[object]] = []
        places: dict[tuple[str, int], int] = {}
        for name, is_call in steps:
            if is_call:
                places[name, made[name]] = len(expected)
                expected.append([name, "pending", None])
                made[name] += 1
                items.append(call(name, args={"n": made[name]}))
            elif answered[name] < made[name]:
                expected[places[name, answered[name]]][1:] = ["ok", len(items)]
                items.append(answer(name, output=len(items)))
                answered[name] += 1
        assert exchanges(*items) == [tuple(each) for each in expected]

    def test_a_response_without_id_answers_a_call_with_one(self) -> None:
        items = [call("a", "1"), call("a", "2"), answer("a", output=1), answer("a", "2", 2)]
        assert exchanges(*items) == [("a", "ok", 1), ("a", "ok", 2)]

    def test_a_response_with_id_answers_a_call_without(self) -> None:
        assert exchanges(call("a"), answer("a", "1", 1)) == [("a", "ok", 1)]

    def test_a_response_without_a_call_is_kept_and_marked(self) -> None:
        session = ces.Session.collect([answer("b", output=1), call("a", "1")])
        first, second = session.tool_exchanges
        assert (first.unmatched, first.name, first.args, first.status) == (True, "b", {}, "ok")
        assert "unmatched" in repr(first)
        assert (second.unmatched, second.status) == (False, "pending")

    def test_a_response_before_its_call(self) -> None:
        assert exchanges(answer("a", "1", 1), call("a", "1")) == [("a", "ok", 1)]

    def test_a_later_response_to_one_call_replaces_the_earlier(self) -> None:
        assert exchanges(call("a", "1"), answer("a", "1", 1), answer("a", "1", 2)) == [
            ("a", "ok", 2)
        ]

    def test_the_duration_is_between_the_two_messages(self) -> None:
        asking, answering = call("a", "1"), answer("a", "1")
        asking.event_time.FromJsonString("2025-06-14T18:00:00.9Z")
        answering.event_time.FromJsonString("2025-06-14T18:00:01.000000001Z")
        (exchange,) = ces.Session.collect([asking, answering]).tool_exchanges
        assert exchange.duration_ns == 100_000_001
        answering.ClearField("event_time")
        (exchange,) = ces.Session.collect([asking, answering]).tool_exchanges
        assert exchange.duration_ns is None


class TestSeenAgain:
    def test_one_id_is_one_exchange_wherever_it_is_seen(self) -> None:
        full = call("a", "1", agentName="Clerk")
        session = ces.Session.collect(
            [
                asked(1, call("a", "1")),
                asked(1, call("a", "1")),
                diagnostics(1, full),
                diagnostics(2, full, answer("a", "1", 1)),
                full,
            ]
        )
        (exchange,) = session.tool_exchanges
        assert (exchange.status, exchange.agent) == ("ok", "Clerk")

    def test_diagnostics_repeat_calls_without_ids_that_the_client_was_asked_to_run(self) -> None:
        first, second = call("a", args={"n": 1}), call("a", args={"n": 1})
        told = diagnostics(1, first, second, call("a"), answer("a", output=1))
        assert exchanges(asked(1, first, second), told) == [
            ("a", "ok", 1),
            ("a", "pending", None),
            ("a", "pending", None),
        ]

    @given(st.lists(st.integers(1, 3), min_size=1, max_size=4))
    def test_cumulative_diagnostics_without_ids_count_once(self, sizes: list[int]) -> None:
        so_far: list[ces.Message] = []
        outputs: list[ces.SessionOutput] = []
        for turn, size in enumerate(sizes, 1):
            # The same call with the same answer in every turn: only the place tells them apart.
            so_far += [call("a"), answer("a", output=1)] * size
            outputs.append(diagnostics(turn, *so_far))
        session = ces.Session.collect(outputs)
        assert len(session.tool_exchanges) == sum(sizes)
        assert list(session.messages) == so_far
        assert [len(turn.messages) for turn in session.turns] == [2 * size for size in sizes]

    def test_equal_turns_are_two(self) -> None:
        rolled = [
            ces.Message(role="user", chunks=[ces.Chunk(text="Roll")]),
            call("roll"),
            answer("roll", output=4),
        ]
        assert exchanges(diagnostics(1, *rolled), diagnostics(2, *rolled)) == [
            ("roll", "ok", 4),
            ("roll", "ok", 4),
        ]

    @given(st.lists(st.sampled_from(["text", "progress", "span"]), max_size=3))
    def test_outputs_without_diagnostics_change_nothing_of_it(self, before: list[str]) -> None:
        rolled = [call("roll"), answer("roll", output=4)]
        items: list[ces.SessionOutput] = []
        for turn in (1, 2, 3):
            for kind in before:
                output = ces.SessionOutput(turn_index=turn)
                if kind == "span":
                    output.diagnostic_info.root_span.name = "Turn"
                else:
                    setattr(output, kind, "One moment")
                items.append(output)
            items.append(diagnostics(turn, *rolled))
        assert exchanges(*items) == [("roll", "ok", 4)] * 3

    def test_equal_turns_at_equal_times_are_one(self) -> None:
        rolled = [call("roll"), answer("roll", output=4)]
        for message in rolled:
            message.event_time.FromJsonString("2025-06-14T18:00:00Z")
        told = [
            diagnostics(1, *rolled),
            diagnostics(2, *rolled),
            diagnostics(3, *rolled, call("x")),
        ]
        assert exchanges(*told) == [("roll", "ok", 4), ("x", "pending", None)]

    def test_equal_beginnings_of_turns_are_two(self) -> None:
        first = diagnostics(1, call("roll"), answer("roll", output=4))
        second = diagnostics(2, call("roll"), answer("roll", output=6))
        assert exchanges(first, second) == [("roll", "ok", 4), ("roll", "ok", 6)]

    def test_the_list_of_one_turn_that_comes_again_or_grows_counts_once(self) -> None:
        before = diagnostics(1, call("x"), answer("x", output=0))
        steps = [call("a"), answer("a", output=1), call("a")]
        grown = [diagnostics(2, *steps[:count]) for count in (1, 2, 2, 3, 3)]
        assert exchanges(before, *grown) == [
            ("x", "ok", 0),
            ("a", "ok", 1),
            ("a", "pending", None),
        ]

    def test_a_part_of_a_turn_that_begins_like_an_earlier_turn(self) -> None:
        one, two = call("a"), call("b")
        session = ces.Session.collect(
            [
                diagnostics(1, one, two),
                diagnostics(2, two),
                diagnostics(2, one),
                diagnostics(2, two),
            ]
        )
        assert [list(turn.messages) for turn in session.turns] == [[one, two], [two, one]]

    def test_a_turn_reported_in_parts_and_then_as_a_whole(self) -> None:
        one, two = call("a"), call("b")
        session = ces.Session.collect(
            [diagnostics(1, one), diagnostics(1, two), diagnostics(1, one, two)]
        )
        assert list(session.messages) == [one, two]


class TestNesting:
    def test_in_any_order_of_arrival(self) -> None:
        leaf = call("leaf", "3", parentToolCallId="2")
        middle = call("middle", "2", parentToolCallId="1")
        session = ces.Session.collect([leaf, middle, call("root", "1"), call("other", "4")])
        assert [
            (depth, each.name) for depth, each in ces.walk_exchanges(session.tool_exchanges)
        ] == [
            (0, "root"),
            (1, "middle"),
            (2, "leaf"),
            (0, "other"),
        ]

    def test_a_parent_that_is_missing(self) -> None:
        (exchange,) = ces.Session.collect([call("a", "1", parentToolCallId="x")]).tool_exchanges
        assert (exchange.parent_id, exchange.children) == ("x", ())

    def test_calls_without_ids_nest_and_so_do_responses_without_calls(self) -> None:
        session = ces.Session.collect(
            [call("p", "1"), call("a", parentToolCallId="1"), answer("b", parentToolCallId="1")]
        )
        (parent,) = session.tool_exchanges
        assert [child.name for child in parent.children] == ["a", "b"]

    @given(st.lists(st.integers(0, 7), min_size=1, max_size=8))
    def test_every_call_stays_whatever_the_parents(self, parents: list[int]) -> None:
        items = [
            call(f"t{index}", f"c{index}", parentToolCallId=f"c{parent}")
            for index, parent in enumerate(parents)
        ]
        walked = list(ces.walk_exchanges(ces.Session.collect(items).tool_exchanges))
        assert sorted(each.name for _, each in walked) == sorted(f"t{n}" for n in range(len(items)))

    def test_a_circle_starts_with_its_first_call(self) -> None:
        items = [
            call("a", "1", parentToolCallId="2"),
            call("b", "2", parentToolCallId="1"),
            call("c", "3", parentToolCallId="3"),
        ]
        session = ces.Session.collect(items)
        assert [
            (depth, each.name) for depth, each in ces.walk_exchanges(session.tool_exchanges)
        ] == [
            (0, "a"),
            (1, "b"),
            (0, "c"),
        ]

    def test_a_deep_chain(self) -> None:
        items = [call("t", f"{n}", parentToolCallId=f"{n - 1}") for n in range(5000)]
        session = ces.Session.collect(reversed(items))
        depths = [depth for depth, _ in ces.walk_exchanges(session.tool_exchanges)]
        assert depths == list(range(5000))


class TestVariables:
    def changes(self, *changes: dict[str, dict[str, object]]) -> list[ces.Message]:
        return [from_dict(ces.Message, {"chunks": [change]}) for change in changes]

    def test_folded_by_name_at_every_message(self) -> None:
        messages = self.changes(
            {"updatedVariables": {"early": 1}},
            {"defaultVariables": {"a": {"x": 1, "y": 2}, "b": None}},
            {"updatedVariables": {"a": {"x": 3}, "c": [1]}},
            {"defaultVariables": {"a": 0, "b": None}},
        )
        session = ces.Session.collect(messages)
        states = [
            {"early": 1},
            {"early": 1, "a": {"x": 1, "y": 2}, "b": None},
            {"early": 1, "a": {"x": 3}, "b": None, "c": [1]},
            {"early": 1, "a": {"x": 3}, "b": None, "c": [1]},
        ]
        assert [session.variables_at(index) for index in range(4)] == states
        assert session.variables == session.variables_at(-1) == states[-1]
        with pytest.raises(IndexError):
            session.variables_at(4)
        with pytest.raises(IndexError):
            ces.Session().variables_at(0)

    def test_defaults_that_every_turn_repeats_set_nothing_back(self) -> None:
        default, update = self.changes(
            {"defaultVariables": {"a": 1}}, {"updatedVariables": {"a": 2}}
        )
        outputs = [diagnostics(1, default, update), diagnostics(2, default, call("x"))]
        assert ces.Session.collect(outputs).variables == {"a": 2}
        later = diagnostics(2, call("x"), default)
        assert ces.Session.collect([outputs[0], later]).variables == {"a": 2}

    @given(st.lists(st.tuples(st.booleans(), st.sampled_from("ab"), st.integers(0, 3))))
    def test_an_update_outranks_every_default_and_changes_are_reported(
        self, changes: list[tuple[bool, str, int]]
    ) -> None:
        messages = self.changes(
            *(
                {"updatedVariables" if is_update else "defaultVariables": {name: value}}
                for is_update, name, value in changes
            )
        )
        expected = {name: value for is_update, name, value in changes if not is_update}
        expected |= {name: value for is_update, name, value in changes if is_update}
        stored = ces.Conversation(turns=[ces.Conversation.Turn(messages=messages)])
        outputs = [diagnostics(turn, each) for turn, each in enumerate(messages, 1)]
        for items in ([stored], messages, outputs):
            builder = ces.SessionBuilder()
            changed: dict[str, object] = {}
            for item in items:
                before = builder.session.variables
                update = builder.add(item)
                changed |= update.variables
                for name, value in update.variables.items():
                    assert name not in before or before[name] != value
            assert changed == builder.session.variables == expected


@given(st.data())
def test_reading_changes_no_message(data: st.DataObject) -> None:
    response = data.draw(
        st.sampled_from([{}, {"output": None}, {"error": None}, {"error": 1}, {"x": {}}])
    )
    items = [
        call("a", "1"),
        ces.Message(
            chunks=[ces.Chunk(tool_response=ces.ToolResponse(id="1", response=Struct()))],
        ),
        from_dict(ces.Message, {"chunks": [{"toolResponse": {"id": "1", "response": response}}]}),
        ces.Message(chunks=[ces.Chunk(), ces.Chunk(updated_variables=Struct())]),
        diagnostics(1, call("b"), answer("b")),
        ces.SessionOutput(end_session=ces.EndSession()),
        ces.Conversation(turns=[ces.Conversation.Turn()]),
        ces.BidiSessionServerMessage(),
    ]
    before = [item.SerializeToString(deterministic=True) for item in items]
    session = ces.Session.collect(items)
    repr(session), session.variables, session.root_spans, session.transcript
    for exchange in session.tool_exchanges:
        repr(exchange), exchange.args, exchange.result, exchange.error, exchange.agent
    for turn in session.turns:
        repr(turn), turn.reply, turn.images, turn.payloads, turn.citations, turn.diagnostics
    assert session.ended is not None
    assert session.ended.escalated is None
    assert [item.SerializeToString(deterministic=True) for item in items] == before


def test_an_exchange_knows_its_turn_and_its_time() -> None:
    def message(chunk: dict[str, Any], second: int) -> dict[str, Any]:
        return {"chunks": [chunk], "eventTime": f"2025-06-14T18:00:{second:02}.5Z"}

    def output(turn: int, *messages: dict[str, Any]) -> ces.SessionOutput:
        told = {"turnIndex": turn, "diagnosticInfo": {"messages": list(messages)}}
        return from_dict(ces.SessionOutput, {**told, "turnCompleted": True})

    session = ces.Session.collect(
        [
            output(
                1,
                message({"toolCall": {"id": "a", "tool": "t/a"}}, 1),
                message({"toolCall": {"id": "b", "tool": "t/b", "parentToolCallId": "a"}}, 2),
            ),
            output(
                2,
                message({"toolResponse": {"id": "a", "tool": "t/a"}}, 3),
                message({"toolResponse": {"id": "lost", "tool": "t/c"}}, 4),
            ),
            from_dict(ces.Message, {"chunks": [{"toolCall": {"id": "d"}}]}),
        ]
    )
    found = {each.id: each for _, each in ces.walk_exchanges(session.tool_exchanges)}
    assert {key: each.turn for key, each in found.items()} == {"a": 1, "b": 1, "lost": 2, "d": None}
    seconds = {key: each.time and each.time.second for key, each in found.items()}
    assert seconds == {"a": 1, "b": 2, "lost": 4, "d": None}
    assert str(found["a"].time) == "2025-06-14 18:00:01.500000+00:00"
    assert pickle.loads(pickle.dumps(session)).tool_exchanges == session.tool_exchanges


def test_times_outside_of_the_calendar_are_not_known() -> None:
    message = ces.Message(chunks=[ces.Chunk(tool_call=ces.ToolCall(id="a"))])
    message.event_time.seconds = 2**60
    [exchange] = ces.Session.collect(message).tool_exchanges
    assert exchange.time is None
