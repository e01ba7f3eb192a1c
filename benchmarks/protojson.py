"""The JSON mapping against json_format and protobuf-py: medians and ratios, on five shapes.

    python benchmarks/protojson.py [--runs 11] [--pure] [--cpu]

Every run takes each way once, one after the other, so that a slow moment of the machine hits them
alike; a ratio is that of the medians. Ways that take microseconds are repeated within a run.
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
import time
from collections.abc import Callable
from typing import Any

Way = Callable[[], Any]

_clock = time.perf_counter


def repeats(way: Way, seconds: float = 0.02) -> int:
    """Returns the number of calls that take a measurable time."""
    start = _clock()
    way()
    once = _clock() - start
    return max(1, int(seconds / once)) if once else 1000


def medians(ways: dict[str, Way], runs: int) -> dict[str, float]:
    """The median seconds of one call of each way, from interleaved runs."""
    counts = {name: repeats(way) for name, way in ways.items()}
    times: dict[str, list[float]] = {name: [] for name in ways}
    for _ in range(runs):
        for name, way in ways.items():
            start = _clock()
            for _ in range(counts[name]):
                way()
            times[name].append((_clock() - start) / counts[name])
    return {name: statistics.median(taken) for name, taken in times.items()}


def shown(seconds: float) -> str:
    """A duration in the unit that suits it."""
    for unit, size in (("s", 1.0), ("ms", 1e-3)):
        if seconds >= size:
            return f"{seconds / size:.2f} {unit}"
    return f"{seconds / 1e-6:.1f} µs"


def runs_asked_for(description: str) -> int:
    """The runs that the command line asks for; it may also choose the backend and the clock.

    Call it before the first import of turnwire, which is when the backend is chosen.
    """
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--runs", type=int, default=11, help="how many runs (11)")
    parser.add_argument("--pure", action="store_true", help="measure the pure-Python backend")
    parser.add_argument("--cpu", action="store_true", help="measure CPU time, on a busy machine")
    arguments = parser.parse_args()
    if arguments.cpu:
        global _clock
        _clock = time.process_time
    if arguments.pure:
        os.environ["TURNWIRE_PURE"] = "1"
    return int(arguments.runs)


def main() -> int:
    runs = runs_asked_for(__doc__.splitlines()[0])

    from google.protobuf import __version__ as protobuf_version
    from google.protobuf import json_format
    from peers import protobuf_py_class
    from shapes import shapes

    import turnwire

    python = sys.version.split()[0]
    print(f"backend {turnwire.backend}, protobuf {protobuf_version}, Python {python}")
    print(f"medians of {runs} interleaved runs")
    print(
        "×: how often the time of json_format it is, and that of protobuf-py with its extension\n"
    )
    columns = ("shape", "JSON", "parse", "× json_format", "× protobuf-py")
    more = ("print", "× json_format", "× protobuf-py", "FromString", "SerializeToString")
    print(("{:<18}{:>10}" + "{:>11}{:>15}{:>15}" * 2 + "{:>12}{:>19}").format(*columns, *more))
    for shape in shapes():
        message_class, text = shape.message_class, shape.text
        message = turnwire.from_json(message_class, text)
        wire = message.SerializeToString()
        # The ways of one shape are used up before the next shape begins.
        ways: dict[str, Way] = {
            "parse": lambda c=message_class, t=text: turnwire.from_json(c, t),
            "parse, json_format": lambda c=message_class, t=text: json_format.Parse(t, c()),
            "print": lambda m=message: turnwire.to_json(m),
            "print, json_format": lambda m=message: json_format.MessageToJson(m),
            "FromString": lambda c=message_class, w=wire: c.FromString(w),
            "SerializeToString": lambda m=message: m.SerializeToString(),
        }
        peer = protobuf_py_class(message_class)
        if peer is not None:
            theirs = peer.from_json(text)
            assert turnwire.from_json(message_class, theirs.to_json()) == message
            ways["parse, protobuf-py"] = lambda c=peer, t=text: c.from_json(t)
            ways["print, protobuf-py"] = lambda m=theirs: m.to_json()
        took = medians(ways, runs)

        def times(what: str, other: str, took: dict[str, float] = took) -> str:
            theirs = took.get(f"{what}, {other}")
            return "-" if theirs is None else f"{theirs / took[what]:.2f}"

        cells = (
            (shown(took[what]), times(what, "json_format"), times(what, "protobuf-py"))
            for what in ("parse", "print")
        )
        print(
            f"{shape.name:<18}{len(text) / 1000:>7.1f} kB"
            + "".join("{:>11}{:>15}{:>15}".format(*three) for three in cells)
            + f"{shown(took['FromString']):>12}{shown(took['SerializeToString']):>19}"
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
