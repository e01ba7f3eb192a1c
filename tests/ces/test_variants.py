"""Sessions as services vary them, read whole and byte by byte; the facts are worked out by hand."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from turnwire import ces, read

Json = dict[str, Any]
APP = "projects/p/locations/eu/apps/a"


def said(*outputs: Json) -> Json:
    return {"outputs": list(outputs)}


def told(turn: int, *messages: Json, completed: bool = False, span: Json | None = None) -> Json:
    diagnostics = {"messages": list(messages), "rootSpan": span}
    return said({"turnIndex": turn, "turnCompleted": completed, "diagnosticInfo": diagnostics})


def message(*chunks: Json, role: str = "Desk") -> Json:
    return {"role": role, "chunks": list(chunks)}


def called(name: str, **more: Any) -> Json:
    return {"toolCall": {"tool": f"{APP}/tools/{name}", **more}}


def answered(name: str, response: Json, **more: Any) -> Json:
    return {"toolResponse": {"tool": f"{APP}/tools/{name}", "response": response, **more}}


def moved(agent: str) -> Json:
    return message({"agentTransfer": {"targetAgent": f"{APP}/agents/{agent}"}})


ROLL = [message(called("roll", args={"n": 1})), message(answered("roll", {"output": 4}))]
ROLLED = {"id": "", "name": "roll", "args": {"n": 1}, "status": "ok", "result": 4}
DEFAULTS = message({"defaultVariables": {"a": 0, "b": None}})

RESPONSES: dict[str, tuple[list[Json], Json]] = {
    "an absent index and 0 are the turn after the last completed one": (
        [
            said({"text": "a "}, {"turnIndex": 0, "text": " b", "turnCompleted": True}),
            said({"text": "\n"}),
        ],
        {"turns": [[1, "a  b", True], [2, "\n", False]]},
    ),
    "turns jump and return": (
        [
            said({"turnIndex": 4, "text": "x", "turnCompleted": True}),
            said({"turnIndex": 7, "text": "y"}, {"turnIndex": 4, "text": "z"}, {"text": "w"}),
        ],
        {"turns": [[4, "xz", True], [5, "w", False], [7, "y", False]]},
    ),
    "an output of nothing but turnCompleted": (
        [said({"turnIndex": 1, "text": "x"}), said({"turnIndex": 1, "turnCompleted": True}), {}],
        {"turns": [[1, "x", True]]},
    ),
    "an end inside of a turn": (
        [
            said(
                {"turnIndex": 1, "text": "Bye"},
                {"turnIndex": 1, "endSession": {"metadata": {"stars": 5, "note": None}}},
                {"turnIndex": 1, "text": ".", "turnCompleted": True},
            )
        ],
        {"turns": [[1, "Bye.", True]], "ended": {"stars": 5, "note": None}},
    ),
    "an end that is null is none": (
        [said({"turnIndex": 1, "text": "x", "endSession": None})],
        {"ended": None},
    ),
    "cumulative diagnostics of equal turns without ids": (
        [told(turn, *ROLL * turn) for turn in (1, 2, 3)],
        {"exchanges": [ROLLED] * 3},
    ),
    "each turn's own diagnostics, after other outputs": (
        [
            said({"turnIndex": turn, "text": "One moment. "}, told(turn, *ROLL)["outputs"][0])
            for turn in (1, 2, 3)
        ],
        {"exchanges": [ROLLED] * 3, "turns": [[n, "One moment. ", False] for n in (1, 2, 3)]},
    ),
    "cumulative diagnostics of turns without index": (
        [told(0, *ROLL, completed=True), told(0, *ROLL * 2, completed=True)],
        {"exchanges": [ROLLED] * 2, "turns": [[1, "", True], [2, "", True]]},
    ),
    "a client's calls without ids and their echo in one output": (
        [
            said(
                {
                    "turnIndex": 1,
                    "toolCalls": {"toolCalls": [ROLL[0]["chunks"][0]["toolCall"]] * 2},
                    "diagnosticInfo": {"messages": [ROLL[0], *ROLL]},
                }
            )
        ],
        {"exchanges": [ROLLED, {"status": "pending", "args": {"n": 1}}]},
    ),
    "an id that comes again in the next turn": (
        [
            told(turn, message(called("t", id="1")), message(answered("t", {"output": 1}, id="1")))
            for turn in (1, 2)
        ],
        {"exchanges": [{"id": "1", "status": "ok", "result": 1}]},
    ),
    "defaults that every turn repeats": (
        [
            told(1, DEFAULTS, message({"updatedVariables": {"a": 1}})),
            said({"turnIndex": 2, "progress": "…"}),
            told(2, DEFAULTS, message({"updatedVariables": {"c": [None]}})),
        ],
        {"variables": {"a": 1, "b": None, "c": [None]}},
    ),
    "a transfer there and back": (
        [told(1, moved("desk"), moved("root")), told(2, moved("desk"), moved("root"))],
        {"active_agent": "root"},
    ),
    "a turn of two requests, each traced, the second told twice": (
        [
            told(1, span={"name": "A", "startTime": "2025-01-01T00:00:00Z", "duration": "1s"}),
            told(1, span={"name": "A", "startTime": "2025-01-01T00:00:09Z", "duration": "1s"}),
            said({"turnIndex": 1, "text": "Done."}),
            told(1, span={"name": "A", "startTime": "2025-01-01T00:00:09Z", "duration": "2s"}),
        ],
        {"spans": {"A": 3_000_000_000}},
    ),
    "a trace without a start that is reported again": (
        [told(1, span={"name": "A", "duration": f"{seconds}s"}) for seconds in (1, 1, 2)],
        {"spans": {"A": 2_000_000_000}},
    ),
    "spans without a name, without a duration, with a negative one": (
        [
            told(
                1,
                span={
                    "name": "A",
                    "startTime": "2025-01-01T00:00:00Z",
                    "endTime": "2025-01-01T00:00:01.000000001Z",
                    "childSpans": [
                        {"duration": "5s", "childSpans": [{"name": "B", "duration": "2s"}]},
                        {"name": "unknown"},
                        {"name": "B", "duration": "-0.5s"},
                    ],
                },
            ),
            told(2, span={"name": "A", "duration": "0s"}),
        ],
        {"spans": {"A": 1_000_000_001, "B": 1_500_000_000}},
    ),
}

MESSAGES: dict[str, tuple[list[Json], Json]] = {
    "keys of a response": (
        [
            message(called("t", id=str(index)), answered("t", response, id=str(index)))
            for index, response in enumerate(
                [{"output": False}, {"error": None}, {"error": 0}, {"output": [], "error": ""}]
            )
        ],
        {
            "exchanges": [
                {"status": "ok", "result": False, "error": None},
                {"status": "ok", "result": None, "error": None},
                {"status": "error", "result": None, "error": 0},
                {"status": "error", "result": [], "error": ""},
            ]
        },
    ),
    "a response before its call, and one whose call never comes": (
        [
            message(answered("t", {"output": 1}, id="1"), answered("u", {}, id="2", agentName="B")),
            message(called("t", id="1", args={"n": 1})),
        ],
        {
            "exchanges": [
                {"id": "1", "args": {"n": 1}, "result": 1, "agent": ""},
                {"id": "2", "name": "u", "args": {}, "status": "ok", "result": {}, "agent": "B"},
            ]
        },
    ),
    "children before their parents, a parent told by the response alone": (
        [
            message(called("c", id="3", parentToolCallId="2"), called("b", id="2")),
            message(called("a", id="1"), called("lost", id="4", parentToolCallId="9")),
            message(answered("b", {"error": "x"}, id="2", parentToolCallId="1", agentName="B")),
        ],
        {
            "exchanges": [
                {
                    "id": "1",
                    "children": [
                        {"id": "2", "agent": "B", "status": "error", "children": [{"id": "3"}]}
                    ],
                },
                {"id": "4", "children": []},
            ]
        },
    ),
    "two tools of one toolset without ids": (
        [
            message(
                {"toolCall": {"toolsetTool": {"toolId": "x"}, "displayName": "s"}},
                {"toolCall": {"toolsetTool": {"toolId": "y"}, "displayName": "s"}},
                {"toolResponse": {"toolsetTool": {"toolId": "y"}, "displayName": "s"}},
            )
        ],
        {"exchanges": [{"name": "x", "status": "pending"}, {"name": "y", "result": {}}]},
    ),
    "later defaults, nulls and an empty update": (
        [
            message({"updatedVariables": {"early": 1}}),
            message({"defaultVariables": {"a": {"x": 1}, "b": 2}}, {"updatedVariables": {}}),
            message({"updatedVariables": {"a": None}}),
            message({"defaultVariables": {"b": 3, "big": 9007199254740991}}),
        ],
        {"variables": {"early": 1, "a": None, "b": 3, "big": 9007199254740991}},
    ),
    "an end_session call, pending": ([message(called("end_session", id="e"))], {"ended": None}),
    "an end_session call, answered": (
        [
            message(called("end_session", id="e", args={"reason": "done"})),
            message(answered("end_session", {"output": "ok"}, id="e")),
        ],
        {"ended": {"reason": "done"}},
    ),
}

FRAMES: dict[str, tuple[list[Json], Json]] = {
    "an end in an output and again as a frame": (
        [
            {"sessionOutput": {"turnIndex": 1, "endSession": {"metadata": {"stars": 1}}}},
            {"sessionOutput": {"turnIndex": 1, "text": "Bye", "turnCompleted": True}},
            {"endSession": {}},
        ],
        {"turns": [[1, "Bye", True]], "ended": {"stars": 1}},
    ),
    "frames other than outputs": (
        [
            {"goAway": {}},
            {"recognitionResult": {}},
            {"interruptionSignal": {"bargeIn": True}},
            {},
            {"sessionOutput": {"text": "x"}},
        ],
        {"turns": [[1, "x", False]], "ended": None},
    ),
}

CONVERSATIONS: dict[str, tuple[list[Json], Json]] = {
    "turns beside the deprecated flat list": (
        [
            {
                "turns": [{"messages": [*ROLL, moved("b")]}, {"rootSpan": {"name": "T"}}],
                "messages": [*ROLL, moved("b")],
                "entryAgent": f"{APP}/agents/a",
            }
        ],
        {"exchanges": [ROLLED], "active_agent": "b", "turns": [[1, "", True], [2, "", True]]},
    ),
    "the flat list alone, and beside turns that hold nothing": (
        [{"messages": ROLL}, {"messages": ROLL, "turns": [{}]}],
        {"exchanges": [ROLLED] * 2},
    ),
}

CASES = [
    pytest.param(message_class, items, facts, id=name)
    for message_class, cases in (
        (ces.RunSessionResponse, RESPONSES),
        (ces.Message, MESSAGES),
        (ces.BidiSessionServerMessage, FRAMES),
        (ces.Conversation, CONVERSATIONS),
    )
    for name, (items, facts) in cases.items()
]


def exchange_facts(exchange: ces.ToolExchange, stated: Json) -> Json:
    """The facts that are stated of an exchange, as they were found."""
    found = {name: getattr(exchange, name) for name in stated}
    if "children" in stated:
        pairs = zip(exchange.children, stated["children"], strict=True)
        found["children"] = [exchange_facts(*pair) for pair in pairs]
    return found


@pytest.mark.parametrize(("message_class", "items", "facts"), CASES)
def test_facts(message_class: type[Any], items: list[Json], facts: Json) -> None:
    body = "\n".join(json.dumps(item, ensure_ascii=False) for item in items).encode()

    def single_bytes() -> Iterator[bytes]:
        for at in range(len(body)):
            yield body[at : at + 1]

    session = ces.Session.collect(read(message_class, [body]))
    assert ces.Session.collect(read(message_class, single_bytes())) == session
    for name, stated in facts.items():
        match name:
            case "turns":
                found: Any = [[each.index, each.reply, each.completed] for each in session.turns]
            case "exchanges":
                pairs = zip(session.tool_exchanges, stated, strict=True)
                found = [exchange_facts(*pair) for pair in pairs]
            case "ended":
                found = session.ended and session.ended.metadata
            case "spans":
                found = ces.durations_ns_of(session.root_spans)
            case _:
                found = getattr(session, name)
        assert found == stated
