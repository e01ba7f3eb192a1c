"""Peak memory of hostile inputs: small documents that could make a reader ask for a lot.

    python benchmarks/hostile.py [--pure]

The figures are the rise of the peak as a multiple of the input's size, each in a separate process,
and that of `json.loads` on the same JSON, which keeps every value as a Python object. The bar is 20
times the size, or four times the figure of `json.loads` where that is more. Exit status 1 says that
an input is above. Linux only.
"""

from __future__ import annotations

import argparse
import importlib
import json
import os
import subprocess
import sys
from collections import deque
from collections.abc import Callable
from typing import Any

from memory import memory, reset_peak

BAR = 20
BAR_TO_LOADS = 4

Use = Callable[[bytes], object]


def _read(name: str, format: str = "auto", unknown: str = "ignore") -> Use:
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


INPUTS: dict[str, tuple[Callable[[], bytes], Use]] = {
    "citations over all of a text": (lambda: citations(8_000), _answer(lambda a: a.citations)),
    "rows, each with another key": (lambda: rows(60_000), _answer(lambda a: a.results[0].rows)),
    "an event of short lines": (
        lambda: b"data:abc\n" * 3_000_000,
        _refused(_read("gda.Message", "sse")),
    ),
    "an array of empty objects": (
        lambda: b"[" + b"{}," * 2_000_000 + b"{}]",
        _read("gda.Message"),
    ),
    "blank lines": (lambda: b"\n" * 20_000_000, _read("gda.Message", "ndjson")),
    "unknown members": (
        lambda: b"{" + b",".join(b'"u%d":[]' % n for n in range(500_000)) + b"}",
        _read("gda.Message", unknown="warn"),
    ),
    "an unknown array of numbers": (
        lambda: b'{"u":[' + b"1," * 5_000_000 + b"1]}",
        _read("gda.Message"),
    ),
    "an unknown array of arrays": (
        lambda: b'{"u":[' + b"[]," * 2_000_000 + b"[]]}",
        _read("gda.Message"),
    ),
    "a bad element after many": (
        lambda: b'{"u":[' + b"{}," * 2_000_000 + b"{]}",
        _refused(_read("gda.Message")),
    ),
}
"""Makes each input, and uses it."""


def loads(data: bytes) -> object:
    """Reads the input with `json.loads`; None where it is not one JSON text."""
    try:
        return json.loads(data)
    except ValueError:
        return None


def measure(name: str, *, by_loads: bool) -> float:
    """Returns the rise of the peak in this process, as a multiple of the input's size."""
    import turnwire

    make, use = INPUTS[name]
    if by_loads:
        use = loads
    # Everything that is imported or kept on first use is there before.
    list(turnwire.read(turnwire.schema.message_class("gda.Message"), [b'[{"systemMessage":{}}]']))
    data = make()
    reset_peak()
    before = memory("VmRSS")
    result = use(data)
    rise = memory("VmHWM") - before
    del result
    return rise / len(data)


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--pure", action="store_true", help="measure the pure-Python backend")
    parser.add_argument("--input", choices=INPUTS, help=argparse.SUPPRESS)
    parser.add_argument("--loads", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.pure:
        os.environ["TURNWIRE_PURE"] = "1"
    if sys.platform != "linux":
        print("hostile: skipped, memory is measured on Linux only")
        return 0
    if arguments.input:
        print(measure(arguments.input, by_loads=arguments.loads))
        return 0

    import turnwire

    print(f"backend {turnwire.backend}; rise of the peak, × the input's size")
    print(f"{'':<34}{'Turnwire':>10}{'json.loads':>12}")
    failed = False
    for name in INPUTS:
        ours, theirs = (float(_run("--input", name, *more)) for more in ([], ["--loads"]))
        is_above = ours > max(BAR, BAR_TO_LOADS * theirs)
        failed = failed or is_above
        print(f"{name:<34}{ours:>10.1f}{theirs:>12.1f}{'  above the bar' * is_above}", flush=True)
    return int(failed)


def _run(*arguments: str) -> str:
    command = [sys.executable, "-W", "ignore", __file__, *arguments]
    return subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout


if __name__ == "__main__":
    sys.exit(main())
