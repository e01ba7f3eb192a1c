"""The main job on two recorded conversations: JSON -> messages -> bytes -> messages -> JSON.

    make demo

Each recording is read through the stream reader, in pieces that end anywhere, as they do on a
network; then the answers in it are shown, and it is proved that nothing was lost on the way.
"""

from __future__ import annotations

import itertools
import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, TypeVar

from google.protobuf.message import Message

import turnwire
from turnwire import ces
from turnwire import geminidataanalytics as gda

EXAMPLES = Path(__file__).resolve().parent

M = TypeVar("M", bound=Message)


def main() -> int:
    """Shows both recordings; 1 where something was lost."""
    session, answer = EXAMPLES / "ces_session.ndjson", EXAMPLES / "analytics_answer.json"

    responses = read(ces.RunSessionResponse, session)
    show_session(ces.Session.collect(responses))
    messages = read(gda.Message, answer)
    show_answer(gda.Answer.collect(messages))

    heading("Nothing was lost")
    recorded = [json.loads(line) for line in session.read_text(encoding="utf-8").splitlines()]
    whole = prove(session.name, responses, recorded)
    return 0 if prove(answer.name, messages, json.loads(answer.read_bytes())) and whole else 1


def read(message_class: type[M], path: Path) -> list[M]:
    """The messages of a recording, from pieces of 1, 2, 3, 5, 8, ... bytes."""
    return list(turnwire.read(message_class, awkward_pieces(path.read_bytes())))


def awkward_pieces(data: bytes) -> Iterator[bytes]:
    """Cuts bytes anywhere: within characters, numbers and escapes too."""
    start = 0
    for size in itertools.cycle([1, 2, 3, 5, 8, 13, 21]):
        if start >= len(data):
            return
        yield data[start : start + size]
        start += size


def show_session(session: ces.Session) -> None:
    """The turns of a CES session, its tool calls as a tree, and how it ended."""
    heading("CES: a session")
    for turn in session.turns:
        print(f"turn {turn.index}: {turn.reply}")
        for payload in turn.payloads:
            print(f"  payload: {compact(payload)}")
        for image in turn.images:
            print(f"  image: {image.alt_text} ({image.mime_type}, {len(image.data)} bytes)")
        if turn.audio:
            print(f"  audio: {len(turn.audio)} bytes")
    print("\ntool calls:")
    for depth, exchange in ces.walk_exchanges(session.tool_exchanges):
        indent, call = "  " * depth, f"{exchange.name}({compact(exchange.args)})"
        outcome = exchange.error if exchange.status == "error" else exchange.result
        shown = "" if exchange.status == "pending" else compact(outcome)
        print(f"  {indent}{call} -> {exchange.status} {shown}".rstrip())
    print(f"\nvariables: {compact(session.variables)}")
    print(f"active agent: {session.active_agent}")
    print(f"ended: {session.ended}")


def show_answer(answer: gda.Answer) -> None:
    """The last answer of a Conversational Analytics conversation, with its rows."""
    heading("Conversational Analytics: an answer")
    print(f"question: {answer.question}")
    for thought in answer.thoughts:
        print(f"thought: {compact(thought)}")
    for error in answer.errors:
        print(f"repaired: {error}")
    print(f"SQL:\n{answer.sql[-1]}")
    for result in answer.results_for_display:
        print(f"\n{result.name}:")
        print_table(result.columns, result.rows)
    for chart in answer.charts:
        print(f"\nchart: {chart.spec.get('title')}")
    print(f"\nanswer: {answer.text}")
    for question in answer.follow_ups:
        print(f"follow-up: {question}")


def prove(name: str, messages: Sequence[Message], recorded: Sequence[Any]) -> bool:
    """Takes messages to bytes and back to JSON, and compares that with the recording."""
    wires = [message.SerializeToString() for message in messages]
    back = [type(message).FromString(wire) for message, wire in zip(messages, wires, strict=True)]
    printed = [json.loads(turnwire.to_json(message)) for message in back]
    same = printed == list(recorded) and back == list(messages)
    size = sum(map(len, wires))
    print(f"{name}: {len(messages)} messages, {size} bytes on the wire, JSON again: ", end="")
    print("equal" if same else "DIFFERENT")
    return same


def print_table(columns: Sequence[str], rows: Sequence[dict[str, Any]]) -> None:
    """Prints rows under their columns."""
    lines = [list(columns), *([str(row[column]) for column in columns] for row in rows)]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    for line in lines:
        cells = (cell.ljust(width) for cell, width in zip(line, widths, strict=True))
        print(f"  {'  '.join(cells)}".rstrip())


def compact(value: Any) -> str:
    """A JSON value on one line, cut to 72 characters."""
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 72 else text[:71] + "…"


def heading(text: str) -> None:
    """Prints a heading."""
    print(f"\n{text}\n{'=' * len(text)}")


if __name__ == "__main__":
    sys.exit(main())
