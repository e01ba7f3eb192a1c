"""The main job on two recorded conversations: JSON -> messages -> bytes -> messages -> JSON.

    make demo

Each recording is read through the stream reader, in pieces that end anywhere, as they do on a
network. Then it is shown, as `turnwire session FILE` and `turnwire answer FILE` show it, and it is
proved that nothing was lost on the way.
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
from turnwire._cli import show_answer, show_session
from turnwire._cli.layout import screen_width

SESSION = Path(__file__).with_name("ces_session.ndjson")
ANSWER = Path(__file__).with_name("analytics_answer.json")

M = TypeVar("M", bound=Message)


def main() -> int:
    """Shows both recordings; 1 where something was lost."""
    responses = read(ces.RunSessionResponse, SESSION)
    heading("CES: a session")
    print("\n".join(show_session.lines_of(ces.Session.collect(responses))))
    messages = read(gda.Message, ANSWER)
    heading("Conversational Analytics: an answer")
    print("\n".join(show_answer.lines_of(gda.Answer.collect(messages), screen_width())))

    heading("Nothing was lost")
    recorded = [json.loads(line) for line in SESSION.read_text(encoding="utf-8").splitlines()]
    whole = prove(SESSION.name, responses, recorded)
    return 0 if prove(ANSWER.name, messages, json.loads(ANSWER.read_bytes())) and whole else 1


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


def heading(text: str) -> None:
    """Prints a heading."""
    print(f"\n{text}\n{'=' * len(text)}")


if __name__ == "__main__":
    sys.exit(main())
