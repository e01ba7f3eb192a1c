"""The main job on two recorded conversations: JSON -> messages -> bytes -> messages -> JSON.

    make demo

Each recording is shown by a command of the program `turnwire`. Then it is read through the stream
reader, in pieces that end anywhere, as they do on a network, and it is proved that nothing is lost.
At the end both are written as pages.
"""

from __future__ import annotations

import itertools
import json
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, TypeVar

from google.protobuf.message import Message

import turnwire
from turnwire import ces
from turnwire import geminidataanalytics as gda

SESSION = Path(__file__).with_name("ces_session.ndjson")
ANSWER = Path(__file__).with_name("analytics_answer.json")
PAGES = Path(__file__).resolve().parents[1] / "build"

M = TypeVar("M", bound=Message)


def main() -> int:
    """Shows both recordings; 1 where something was lost."""
    heading("CES: a session")
    show("session", SESSION)
    heading("Conversational Analytics: an answer")
    show("answer", ANSWER)

    heading("Nothing was lost")
    lines = SESSION.read_text(encoding="utf-8").splitlines()
    whole = [
        prove(SESSION, ces.RunSessionResponse, [json.loads(line) for line in lines]),
        prove(ANSWER, gda.Message, json.loads(ANSWER.read_bytes())),
    ]

    heading("Both as pages")
    PAGES.mkdir(exist_ok=True)
    for path, name in ((SESSION, "session.html"), (ANSWER, "answer.html")):
        show("report", path, "-o", str(PAGES / name))
        print(PAGES / name)
    return 0 if all(whole) else 1


def show(command: str, path: Path, *options: str) -> None:
    """Runs a command of the program `turnwire` on a recording."""
    program = [sys.executable, "-m", "turnwire"]
    subprocess.run([*program, command, str(path), *options], check=True)


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


def prove(path: Path, message_class: type[Message], recorded: Sequence[Any]) -> bool:
    """Takes a recording to messages, to bytes and back to JSON, and compares with what it holds."""
    messages = read(message_class, path)
    wires = [message.SerializeToString() for message in messages]
    back = [message_class.FromString(wire) for wire in wires]
    printed = [json.loads(turnwire.to_json(message)) for message in back]
    same = printed == list(recorded) and back == messages
    size = sum(map(len, wires))
    print(f"{path.name}: {len(messages)} messages, {size} bytes on the wire, JSON again: ", end="")
    print("equal" if same else "DIFFERENT")
    return same


def heading(text: str) -> None:
    """Prints a heading."""
    print(f"\n{text}\n{'=' * len(text)}", flush=True)


if __name__ == "__main__":
    sys.exit(main())
