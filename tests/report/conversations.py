"""Conversations that the tests of reports show."""

from __future__ import annotations

from typing import Any

from cli.recordings import ANSWER, SESSION
from support.analytics import gda

import turnwire as tw
from turnwire import ces, from_dict


def session() -> ces.Session:
    """Returns the session of the examples."""
    return ces.Session.collect(tw.read(ces.RunSessionResponse, SESSION))


def answers() -> tuple[gda.Answer, ...]:
    """Returns the answers of the examples."""
    return gda.answers_of(tw.read(gda.Message, ANSWER))


def of_messages(*messages: dict[str, Any]) -> ces.Session:
    """Returns the session of one turn whose diagnostics hold these messages."""
    output = {"turnIndex": 1, "turnCompleted": True, "diagnosticInfo": {"messages": [*messages]}}
    return ces.Session.collect(from_dict(ces.SessionOutput, output))


def of_output(**output: Any) -> ces.Session:
    """Returns the session of one output."""
    return ces.Session.collect(from_dict(ces.SessionOutput, {"turnIndex": 1, **output}))


def answer_of(*contents: dict[str, Any]) -> gda.Answer:
    """Returns the answer of system messages."""
    return gda.Answer.collect(
        from_dict(gda.Message, {"systemMessage": content}) for content in contents
    )


def turn(number: int) -> list[dict[str, Any]]:
    """Returns the outputs of an ordinary turn: words, a tool call, a trace, a reply."""
    minute, second = divmod(number, 60)

    def at(milliseconds: int) -> str:
        return f"2025-06-14T18:{minute:02}:{second:02}.{milliseconds:03}Z"

    tool = {"id": f"c-{number}", "tool": "projects/p/locations/eu/apps/a/tools/find_boats"}
    reply = f"The Heron crosses at 18:40 on evening {number}."
    chunks: list[tuple[str, dict[str, Any]]] = [
        ("user", {"text": f"Which boats cross on evening {number}, and may a cello come along?"}),
        ("Ferry Desk", {"toolCall": {**tool, "args": {"evening": number}}}),
        ("Ferry Desk", {"toolResponse": {**tool, "response": {"output": [{"boat": "Heron"}]}}}),
        ("Ferry Desk", {"text": reply}),
    ]
    messages = [
        {"role": role, "chunks": [chunk], "eventTime": at(200 * index)}
        for index, (role, chunk) in enumerate(chunks)
    ]
    spans = [
        {"name": name, "startTime": at(start), "duration": f"{length / 1000}s"}
        for name, start, length in (("Model", 0, 200), ("Tool", 200, 200), ("Model", 400, 400))
    ]
    trace = {"name": "Turn", "startTime": at(0), "duration": "0.8s", "childSpans": spans}
    return [
        {"turnIndex": number, "text": reply},
        {
            "turnIndex": number,
            "turnCompleted": True,
            "diagnosticInfo": {"messages": messages, "rootSpan": trace},
        },
    ]


def long_session(turns: int) -> ces.Session:
    """Returns a session of a number of ordinary turns."""
    return ces.Session.collect(
        from_dict(ces.SessionOutput, output)
        for number in range(1, turns + 1)
        for output in turn(number)
    )
