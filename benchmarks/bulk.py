"""Checking and converting recordings on one machine, as ratios in one run.

python benchmarks/bulk.py [--runs 5] [--mb 60]

Times are those of the processor, so that other work on the machine disturbs little, but for two
processes, which are compared by the clock.
"""

from __future__ import annotations

import argparse
import contextlib
import gzip
import io
import itertools
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from google.protobuf import json_format
from google.protobuf.message import Message
from shapes import shapes

import turnwire
from turnwire import ces, streams
from turnwire._cli import run
from turnwire._cli.files import unpacked_pieces_of
from turnwire._cli.lines import Lines

WORDS = [
    *(
        "boat",
        "seat",
        "river",
        "cello",
        "amber",
        "lantern",
        "evening",
        "weather",
        "ticket",
        "please",
    ),
    *("could", "you", "find", "two", "side", "by", "the", "a", "to", "on", "at", "for", "with"),
    *("and", "is", "are", "there", "any", "other", "when", "which", "how", "much", "tonight"),
]
# The peak of this process itself: that of getrusage begins with the memory of whoever started it.
PROGRAM = (
    "import resource, sys; from turnwire._cli import run; status = run(sys.argv[1:]);"
    "own = next(line for line in open('/proc/self/status') if line.startswith('VmHWM')).split()[1];"
    "children = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss;"
    "print(max(int(own), children), file=sys.stderr); sys.exit(status)"
)


def message_lines(size: int, count: int) -> bytes:
    """CES messages of a length with their line feeds, of words as people write them."""
    chosen = random.Random(size)
    start = b'{"role":"user","chunks":[{"text":"'
    lines = []
    for _ in range(10_000):
        text = " ".join(chosen.choices(WORDS, k=size // 4)).encode()
        lines.append(start + text[: size - len(start) - 5] + b'"}]}\n')
    return b"".join(itertools.islice(itertools.cycle(lines), count))


def command(*arguments: str | Path) -> None:
    """Runs a command in this process, which must go well."""
    with contextlib.redirect_stdout(io.TextIOWrapper(io.BytesIO())):
        status = run([*map(str, arguments)])
    assert status == 0, arguments


def medians(ways: dict[str, Callable[[], object]], runs: int) -> dict[str, float]:
    """The median seconds of the processor of each way; every run takes each once."""
    took: dict[str, list[float]] = {name: [] for name in ways}
    for _ in range(runs):
        for name, way in ways.items():
            start = time.process_time()
            way()
            took[name].append(time.process_time() - start)
    return {name: statistics.median(times) for name, times in took.items()}


def read(message_class: type[Message], path: Path) -> None:
    for _ in turnwire.read(message_class, path, unknown="ignore"):
        pass


def read_with_json_format(message_class: type[Message], path: Path) -> None:
    with path.open("rb") as file:
        for line in file:
            json_format.Parse(line, message_class())


def convert_as_before(path: Path, output: Path) -> None:
    """Converts a line at a time through the stream reader, which `convert` did at first."""
    source = Lines(unpacked_pieces_of(path))
    messages = streams.read(ces.Message, source, unknown="ignore")
    with output.open("wb") as file:
        streams.write(messages, file, "ndjson")


def unpack(path: Path) -> None:
    with gzip.open(path) as file:
        while file.read(2**18):
            pass


def measured(*arguments: str | Path) -> tuple[float, float, float]:
    """The seconds by the clock and of the processor, and the peak of memory, in MB, of a command.

    It runs in a new process.
    """
    start, busy = time.perf_counter(), seconds_of_children()
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, *map(str, arguments)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        check=True,
    )
    peak = int(done.stderr.split()[-1]) / 1000
    return time.perf_counter() - start, seconds_of_children() - busy, peak


def seconds_of_children() -> float:
    """The seconds of the processor that all processes started here have taken."""
    times = os.times()
    return times.children_user + times.children_system


def show(what: str, ratio: float, bar: str, detail: str) -> None:
    print(f"{what:<58}{ratio:>8.2f}  ({bar:<7}) {detail}")


def check_speed(folder: Path, size: int, runs: int) -> None:
    path = folder / "messages.ndjson"
    path.write_bytes(message_lines(134, size // 134))
    took = medians(
        {
            "read": lambda: read(ces.Message, path),
            "check": lambda: command("check", path),
            "mapping": lambda: command("check", "--rules", "mapping", path),
        },
        runs,
    )
    rate = f"{size / 1e6 / took['check']:.0f} MB/s"
    show("check, 134-byte messages, times read", took["read"] / took["check"], "4", rate)
    show("the same, --rules mapping", took["read"] / took["mapping"], "4", "")

    packed = folder / "messages.ndjson.gz"
    packed.write_bytes(gzip.compress(path.read_bytes(), 6))
    convert: list[str | Path]
    convert = ["convert", "--type", "ces.Message", packed, "-o", folder / "unpacked", "--resume"]
    took = medians(
        {
            "gzip": lambda: unpack(packed),
            "check": lambda: command("check", packed),
            "convert": lambda: command(*convert, "--to", "ndjson"),
        },
        runs,
    )
    for name in ("check", "convert"):
        show(f"{name} of gzip, times Python's gzip alone", took[name] / took["gzip"], "~1", "")

    shape = shapes()[1]
    path = folder / "diagnostics.ndjson"
    copies = max(1, size // (10 * len(shape.text)))
    few = folder / "few.ndjson"
    few.write_bytes((shape.text + b"\n") * copies)
    path.write_bytes((shape.text + b"\n") * copies * 10)
    took = medians(
        {
            # It takes seconds, so that it reads a tenth of the file.
            "json_format": lambda: read_with_json_format(shape.message_class, few),
            "read": lambda: read(shape.message_class, path),
            "all": lambda: command("check", path),
            "mapping": lambda: command("check", "--rules", "mapping", path),
        },
        runs,
    )
    for name in ("mapping", "all"):
        ratio = 10 * took["json_format"] / took[name]
        detail = f"{took['read'] / took[name]:.1f} times read"
        show(f"check, diagnostics, --rules {name}, times json_format", ratio, "90", detail)


def convert_speed(folder: Path, size: int, runs: int) -> None:
    path, output = folder / "messages.ndjson", folder / "output.ndjson"
    convert: list[str | Path]
    convert = ["convert", "--type", "ces.Message", "--unknown", "ignore", path, "-o", output]
    took = medians(
        {
            "before": lambda: convert_as_before(path, output),
            "now": lambda: command(*convert),
            "many": lambda: command(*convert, "--resume"),
        },
        runs,
    )
    rate = f"{size / 1e6 / took['now']:.0f} MB/s"
    show("convert, NDJSON to NDJSON, times as before", took["before"] / took["now"], "2", rate)
    show("the same as one of many inputs", took["before"] / took["many"], "2", "")


def processes(folder: Path, size: int, runs: int) -> None:
    """Two processes against one, on eight inputs; and the memory of each.

    By the clock, they need two idle cores. How far they can come there, the seconds of the
    processor show: two should take those of one. Starts are measured apart.
    """
    inputs = [folder / f"input-{number}.ndjson" for number in range(8)]
    for path in inputs:
        path.write_bytes(message_lines(134, 1))
    starts = []
    for count in ("1", "2"):
        with tempfile.TemporaryDirectory(dir=folder) as output:
            run = [
                *("convert", "--type", "ces.Message", "--to", "ndjson", "--jobs", count),
                *inputs,
            ]
            starts.append(min(measured(*run, "-o", f"{output}/")[1] for _ in range(runs)))
    print(f"seconds of the processor on eight lines: {starts[0]:.2f}, with two {starts[1]:.2f}")
    for path in inputs:
        path.write_bytes(message_lines(134, size // 134))
    peaks: dict[int, float] = {}
    for target in ("ndjson", "delimited"):
        convert = ["convert", "--type", "ces.Message", *inputs, "--to", target]
        seconds: dict[int, list[float]] = {1: [], 2: []}
        busy: dict[int, list[float]] = {1: [], 2: []}
        for _ in range(runs):
            for jobs, times in seconds.items():
                with tempfile.TemporaryDirectory(dir=folder) as output:
                    jobs_option = ["--jobs", str(jobs), "-o", f"{output}/"]
                    took, took_busy, peak = measured(*convert, *jobs_option)
                times.append(took)
                busy[jobs].append(took_busy)
                peaks[jobs] = max(peak, peaks.get(jobs, 0))
        one, two = (min(times) for times in seconds.values())
        load = f"{one:.1f} s, load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores"
        show(f"convert to {target}, two processes, times one", one / two, "1.8", load)
        show("their seconds of the processor, times one", min(busy[2]) / min(busy[1]), "~1", "")
    for path in inputs[1:]:
        path.unlink()
    large = folder / "large.ndjson"
    with large.open("wb") as file:
        for _ in range(4):
            file.write(inputs[0].read_bytes())
    threads(large, runs)
    small, much = (measured("check", path)[2] for path in (inputs[0], large))
    print(f"peak memory: convert {peaks[1]:.0f} MB, its processes {peaks[2]:.0f} MB (300)")
    print(f"peak memory of check: {small:.0f} MB, of four times the input {much:.0f} MB (300)")


def threads(path: Path, runs: int) -> None:
    """Two threads against one, of a single input."""
    seconds: dict[str, list[float]] = {"1": [], "2": []}
    busy: dict[str, list[float]] = {"1": [], "2": []}
    for _ in range(runs):
        for jobs, times in seconds.items():
            took, took_busy, _ = measured("check", path, "--jobs", jobs)
            times.append(took)
            busy[jobs].append(took_busy)
    one, two = (min(times) for times in seconds.values())
    load = f"{one:.1f} s, load {os.getloadavg()[0]:.1f}"
    show("check of one input, two threads, times one", one / two, "1.8", load)
    show("their seconds of the processor, times one", min(busy["2"]) / min(busy["1"]), "~1", "")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--mb", type=int, default=60, help="the size of an input in MB")
    options = parser.parse_args()
    print(f"backend {turnwire.backend}, Python {sys.version.split()[0]}; ratios, bars in brackets")
    with tempfile.TemporaryDirectory() as name:
        folder, size = Path(name), options.mb * 10**6
        check_speed(folder, size, options.runs)
        convert_speed(folder, size, options.runs)
        processes(folder, size, options.runs)
    return 0


if __name__ == "__main__":
    sys.exit(main())
