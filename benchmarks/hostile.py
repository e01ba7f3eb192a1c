"""Peak memory of hostile inputs: small documents that could make a reader ask for a lot.

    python benchmarks/hostile.py [--pure]

The figures are the rise of the peak as a multiple of the input's size, each in a separate process:
that of Turnwire; and the floor, which is what the result itself takes, made by protobuf's parser
and, where it is rows, `json.loads`. The bar is 20 times the size, or 1.25 times the floor where
that is more: 60 bytes of a Python dict and its key stand for 15 bytes of JSON. Exit status 1 says
that an input is above its bar. Linux only.
"""

from __future__ import annotations

import argparse
import contextlib
import importlib
import json
import os
import subprocess
import sys
import tempfile
from collections import deque
from collections.abc import Callable
from typing import Any

from memory import memory, reset_peak

BAR = 20
BAR_TO_FLOOR = 1.25

Use = Callable[[bytes], object]


def _read(
    name: str, format: str = "auto", unknown: str | Callable[[object], object] = "ignore"
) -> Use:
    """Returns a function that reads a stream to its end and returns the last message."""

    def use(data: bytes) -> object:
        import turnwire

        message_class = turnwire.schema.message_class(name)
        messages = turnwire.read(message_class, [data], format=format, unknown=unknown)
        return deque(messages, maxlen=1)

    return use


def _refused(use: Use) -> Use:
    """Returns a function that expects an error of Turnwire's family."""

    def refuse(data: bytes) -> object:
        import turnwire

        try:
            return use(data)
        except turnwire.TurnwireError as error:
            return error

    return refuse


def _answer(look: Callable[[Any], object]) -> Use:
    """Returns a function that collects an answer and looks at a part of it."""

    def use(data: bytes) -> object:
        import turnwire
        from turnwire._apis import API_BY_NAME

        views = importlib.import_module(API_BY_NAME["gda"].views)
        answer = views.Answer.collect(turnwire.read(views.Message, [data]))
        return answer, look(answer)

    return use


def _command(*arguments: str) -> Use:
    """Returns a function that shows an input with the command `turnwire`."""

    def use(data: bytes) -> object:
        from turnwire._cli import run

        with tempfile.NamedTemporaryFile(suffix=".json") as file, open(os.devnull, "w") as nothing:
            file.write(data)
            file.flush()
            with contextlib.redirect_stdout(nothing), contextlib.redirect_stderr(nothing):
                return run([*arguments, file.name])

    return use


def citations(count: int) -> bytes:
    """Many anchors, each over the whole text."""
    anchor = {"textMessageAnchor": {"endOffsetBytes": 50 * count, "sourceIds": ["a"]}}
    text = {"textType": "FINAL_RESPONSE", "parts": ["x" * (50 * count)]}
    system = {"text": text, "citation": {"anchors": [anchor] * count, "sources": [{"id": "a"}]}}
    return _message(system)


def rows(count: int) -> bytes:
    """Rows without a schema, each with another key."""
    return _message({"data": {"result": {"data": [{f"key{n}": 1} for n in range(count)]}}})


def _message(system: dict[str, Any]) -> bytes:
    return json.dumps([{"systemMessage": system}], separators=(",", ":")).encode()


def empty_objects(count: int) -> bytes:
    return b"[" + b"{}," * (count - 1) + b"{}]"


def unknown_members(count: int) -> bytes:
    return b"{" + b",".join(b'"u%d":[]' % n for n in range(count)) + b"}"


def unknown_arrays(count: int) -> bytes:
    return b'{"u":[' + b"[]," * (count - 1) + b"[]]}"


INPUTS: dict[str, tuple[Callable[[], bytes], Use]] = {
    "citations over all of a text": (lambda: citations(30_000), _answer(lambda a: a.citations)),
    "rows, each with another key": (lambda: rows(240_000), _answer(lambda a: a.results[0].rows)),
    "an event of short lines": (
        lambda: b"data:abc\n" * 3_000_000,
        _refused(_read("gda.Message", "sse")),
    ),
    "an array of empty objects": (
        lambda: empty_objects(2_000_000),
        _read("gda.Message"),
    ),
    "blank lines": (lambda: b"\n" * 20_000_000, _read("gda.Message", "ndjson")),
    "unknown members": (
        lambda: unknown_members(500_000),
        _read("gda.Message", unknown="warn"),
    ),
    "unknown members, each reported": (
        lambda: unknown_members(500_000),
        _read("gda.Message", unknown=lambda path: None),
    ),
    "unknown members of members": (
        lambda: (
            b"[" + b",".join(b'{"systemMessage":{"u%d":{}}}' % n for n in range(200_000)) + b"]"
        ),
        _read("gda.Message", unknown="warn"),
    ),
    "an unknown array of numbers": (
        lambda: b'{"u":[' + b"1," * 5_000_000 + b"1]}",
        _read("gda.Message"),
    ),
    "an unknown array of arrays": (
        lambda: unknown_arrays(2_000_000),
        _read("gda.Message"),
    ),
    "a bad element after many": (
        lambda: b'{"u":[' + b"{}," * 2_000_000 + b"{]}",
        _refused(_read("gda.Message")),
    ),
    "answer: rows, each with another key": (lambda: rows(240_000), _command("answer")),
    "answer --json: the same": (lambda: rows(240_000), _command("answer", "--json")),
    "answer: an array of empty objects": (lambda: empty_objects(50_000), _command("answer")),
    "answer: unknown members": (lambda: unknown_members(500_000), _command("answer")),
    "answer: an unknown array of arrays": (lambda: unknown_arrays(2_000_000), _command("answer")),
    "answer: citations": (lambda: citations(30_000), _command("answer")),
}
"""Makes each input, and uses it."""

OF_ROWS = {name for name in INPUTS if "rows" in name or "the same" in name}
"""The inputs of which rows are made, as `json.loads` makes them."""


def loads(data: bytes) -> object:
    """Reads the input with `json.loads`; None where it is not one JSON text."""
    try:
        return json.loads(data)
    except ValueError:
        return None


def last_message(data: bytes) -> bytes:
    """Returns the last message of the input in wire format."""
    import turnwire

    message_class = turnwire.schema.message_class("gda.Message")
    last = deque([message_class()], maxlen=1)
    with contextlib.suppress(turnwire.TurnwireError):
        last.extend(turnwire.read(message_class, [data]))
    return last[0].SerializeToString()


def measure(name: str, way: str) -> float:
    """Returns the rise of the peak in this process, as a multiple of the input's size.

    Args:
        name: The input.
        way: `turnwire`, `protobuf` or `loads`.
    """
    import turnwire

    make, use = INPUTS[name]
    # Everything that is imported or kept on first use is there before.
    small = _message({"data": {"result": {"data": [{"a": 1}]}}})
    _answer(lambda answer: answer.results[0].rows)(small)
    if name.startswith("answer"):
        use(small)
    data = made = make()
    if way == "loads":
        use = loads
    elif way == "protobuf":
        # Made in another process, whose memory is not used again here.
        use = turnwire.schema.message_class("gda.Message").FromString
        data = _run("--input", name, "--way", "wire")
    reset_peak()
    before = memory("VmRSS")
    result = use(data)
    rise = memory("VmHWM") - before
    del result
    return rise / len(made)


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--pure", action="store_true", help="measure the pure-Python backend")
    parser.add_argument("--input", choices=INPUTS, help=argparse.SUPPRESS)
    parser.add_argument("--way", default="turnwire", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.pure:
        os.environ["TURNWIRE_PURE"] = "1"
    if sys.platform != "linux":
        print("hostile: skipped, memory is measured on Linux only")
        return 0
    if arguments.input:
        if arguments.way == "wire":
            sys.stdout.buffer.write(last_message(INPUTS[arguments.input][0]()))
        else:
            print(measure(arguments.input, arguments.way))
        return 0

    import turnwire

    print(f"backend {turnwire.backend}; rise of the peak, × the input's size")
    print(f"{'':<38}{'Turnwire':>10}{'floor':>8}{'bar':>8}")
    failed = False
    for name in INPUTS:
        of_result = ("protobuf", "loads") if name in OF_ROWS else ("protobuf",)
        floor = sum(float(_run("--input", name, "--way", way)) for way in of_result)
        ours = float(_run("--input", name, "--way", "turnwire"))
        bar = max(BAR, BAR_TO_FLOOR * floor)
        failed = failed or ours > bar
        note = "  above the bar" * (ours > bar)
        print(f"{name:<38}{ours:>10.1f}{floor:>8.1f}{bar:>8.1f}{note}", flush=True)
    return int(failed)


def _run(*arguments: str) -> bytes:
    command = [sys.executable, "-W", "ignore", __file__, *arguments]
    return subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout


if __name__ == "__main__":
    sys.exit(main())
