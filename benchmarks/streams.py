"""Framing speed, linearity and memory, printed as a table.

Usage: python benchmarks/streams.py [--file-mb 200]
"""

from __future__ import annotations

import argparse
import json
import resource
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import turnwire
from turnwire.streams import Framer, read
from turnwire.streams._scan import Scanner

Message = turnwire.schema.message_class("gda.Message")

TYPICAL = [
    {"systemMessage": {"text": {"parts": ["Opening the vault"], "textType": "PROGRESS"}}},
    {
        "timestamp": "2026-01-01T09:00:00Z",
        "systemMessage": {
            "data": {
                "result": {
                    "name": "loaves",
                    "schema": {"fields": [{"name": "day", "type": "STRING"}]},
                    "data": [{"day": "Mon", "loaves": "31"}, {"day": "Tue", "loaves": "12"}],
                }
            }
        },
    },
    {
        "systemMessage": {
            "text": {
                "parts": ['The heaviest parcel weighs 18 kg, as the table "parcels" shows.'],
                "textType": "FINAL_RESPONSE",
            }
        }
    },
]


def array(size: int, indent: int | None) -> bytes:
    separators = (",", ":") if indent is None else None
    texts = [json.dumps(value, indent=indent, separators=separators) for value in TYPICAL]
    rounds = size // sum(map(len, texts))
    return ("[" + ",\n".join(texts * rounds) + "]").encode()


def ndjson(size: int) -> bytes:
    return array(size, None)[1:-1].replace(b",\n", b"\n") + b"\n"


def chunks(body: bytes, size: int) -> Iterator[bytes]:
    for start in range(0, len(body), size):
        yield body[start : start + size]


def frame(body: bytes, chunk_size: int, format: str = "auto") -> None:
    framer = Framer(format)  # type: ignore[arg-type]
    for chunk in chunks(body, chunk_size):
        framer.feed(chunk)
        if framer.error:
            raise framer.error
    framer.close()


def scan(body: bytes) -> None:
    """Finds the end of the whole, and makes nothing of it."""
    scanner = Scanner()
    scanner.load(body)
    scanner.resume(0)


def peers() -> dict[str, Callable[[bytes], object]]:
    found: dict[str, Callable[[bytes], object]] = {"json.loads of the whole": json.loads}
    try:
        import ijson
    except ImportError:
        print("ijson is not installed: compared with json.loads only\n")
    else:
        found["ijson"] = lambda body: list(ijson.items(body, "item"))
    return found


def speed(title: str, body: bytes, jobs: dict[str, Callable[[bytes], object]], rounds: int) -> None:
    times: dict[str, list[float]] = {name: [] for name in jobs}
    for _ in range(rounds):
        for name, job in jobs.items():
            start = time.process_time()
            job(body)
            times[name].append(time.process_time() - start)
    base = statistics.median(next(iter(times.values())))
    for name, taken in times.items():
        median = statistics.median(taken)
        rate = len(body) / median / 1e6
        print(f"{title:34} {name:26} {rate:8.0f} MB/s {median / base:7.1f}x the time")


def linear(title: str, bodies: list[bytes], chunk_size: int) -> None:
    for body in bodies:
        start = time.process_time()
        frame(body, chunk_size)
        taken = time.process_time() - start
        size = len(body) / 1e6
        print(f"{title:34} {size:8.0f} MB {taken:8.2f} s {size / taken:8.0f} MB/s")


def memory(megabytes: int) -> None:
    part = ndjson(2**20)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "messages.ndjson"
        with path.open("wb") as file:
            for _ in range(megabytes):
                file.write(part)
        for _ in read(Message, part):
            pass
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        start, count = time.process_time(), 0
        for _ in read(Message, path):
            count += 1
        taken = time.process_time() - start
        after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    print(
        f"reading a {megabytes} MB NDJSON file: {count:,} messages, {taken:.1f} s, "
        f"peak memory {before / 1024:.1f} MB before, {after / 1024:.1f} MB after"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--file-mb", type=int, default=100, help="size of the NDJSON file")
    parser.add_argument("--rounds", type=int, default=7)
    options = parser.parse_args()
    print(f"backend {turnwire.backend}")
    memory(options.file_mb)
    print()
    framer = {"Framer, 64 kB chunks": lambda body: frame(body, 2**16)}
    whole = {"Framer, one chunk": lambda body: frame(body, len(body)), "its scan alone": scan}
    jobs = framer | whole | peers()
    speed("5 MB array, compact", array(5_000_000, None), jobs, options.rounds)
    speed("5 MB array, pretty-printed", array(5_000_000, 2), jobs, options.rounds)
    lines = ndjson(5_000_000)
    speed(
        "5 MB NDJSON, named", lines, {"Framer": lambda b: frame(b, 2**16, "ndjson")}, options.rounds
    )
    speed("5 MB NDJSON, detected", lines, framer, options.rounds)
    events = b"".join(b"data: %s\n\n" % line for line in lines.splitlines())
    speed("5 MB event stream", events, framer, options.rounds)
    print()
    linear(
        "array in 64 kB chunks", [array(size * 10**6, None) for size in (25, 50, 100, 200)], 2**16
    )
    row = b'{"day":"Mon","loaves":"31"},'
    for name, filler in ("one string", b"x" * 28), ("rows", row):
        bodies = []
        for size in (15, 30, 60):
            inner = filler * (size * 10**6 // len(filler))
            inner = b'"' + inner + b'"' if name == "one string" else b"[" + inner + b"{}]"
            bodies.append(b'[{"a":' + inner + b"}]")
        linear(f"one element ({name}), 1 kB chunks", bodies, 2**10)
        linear(f"one object ({name}), 1 kB chunks", [body[1:-1] for body in bodies], 2**10)


if __name__ == "__main__":
    main()
