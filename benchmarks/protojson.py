"""The JSON mapping against google's json_format: medians and ratios, both ways, on five shapes.

    python benchmarks/protojson.py [--runs 11] [--pure]

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


def repeats(way: Way, seconds: float = 0.02) -> int:
    """How often a way must be called for its time to be measurable."""
    start = time.perf_counter()
    way()
    once = time.perf_counter() - start
    return max(1, int(seconds / once)) if once else 1000


def medians(ways: dict[str, Way], runs: int) -> dict[str, float]:
    """The median seconds of one call of each way, from interleaved runs."""
    counts = {name: repeats(way) for name, way in ways.items()}
    times: dict[str, list[float]] = {name: [] for name in ways}
    for _ in range(runs):
        for name, way in ways.items():
            start = time.perf_counter()
            for _ in range(counts[name]):
                way()
            times[name].append((time.perf_counter() - start) / counts[name])
    return {name: statistics.median(taken) for name, taken in times.items()}


def shown(seconds: float) -> str:
    """A duration in the unit that suits it."""
    for unit, size in (("s", 1.0), ("ms", 1e-3)):
        if seconds >= size:
            return f"{seconds / size:.2f} {unit}"
    return f"{seconds / 1e-6:.1f} µs"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=11, help="how many runs (11)")
    parser.add_argument("--pure", action="store_true", help="measure the pure-Python backend")
    arguments = parser.parse_args()
    if arguments.pure:
        os.environ["TURNWIRE_PURE"] = "1"

    from google.protobuf import __version__ as protobuf_version
    from google.protobuf import json_format
    from shapes import shapes

    import turnwire

    python = sys.version.split()[0]
    print(f"backend {turnwire.backend}, protobuf {protobuf_version}, Python {python}")
    print(
        f"medians of {arguments.runs} interleaved runs; × is how often json_format's time it is\n"
    )
    columns = ("shape", "JSON", "parse", "×", "print", "×", "FromString", "SerializeToString")
    print(("{:<18}" + "{:>9}" + "{:>11}{:>7}" * 2 + "{:>12}{:>19}").format(*columns))
    for shape in shapes():
        message_class, text = shape.message_class, shape.text
        message = turnwire.from_json(message_class, text)
        wire = message.SerializeToString()
        # The ways of one shape are used up before the next shape begins.
        time_of = medians(
            {
                "parse": lambda c=message_class, t=text: turnwire.from_json(c, t),
                "parse, theirs": lambda c=message_class, t=text: json_format.Parse(t, c()),
                "print": lambda m=message: turnwire.to_json(m),
                "print, theirs": lambda m=message: json_format.MessageToJson(m),
                "FromString": lambda c=message_class, w=wire: c.FromString(w),
                "SerializeToString": lambda m=message: m.SerializeToString(),
            },
            arguments.runs,
        )
        print(
            f"{shape.name:<18}{len(text) / 1000:>6.1f} kB"
            f"{shown(time_of['parse']):>11}{time_of['parse, theirs'] / time_of['parse']:>7.2f}"
            f"{shown(time_of['print']):>11}{time_of['print, theirs'] / time_of['print']:>7.2f}"
            f"{shown(time_of['FromString']):>12}{shown(time_of['SerializeToString']):>19}"
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
