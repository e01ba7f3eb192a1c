"""Peak memory of parsing and printing the 50,000 rows, each in a separate process.

    python benchmarks/memory.py [--pure]

The figure is the rise of the peak above the memory held before: the text for parsing, the message
for printing, and all imported modules. A small message is read and printed before.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path

PARTS = {
    "parse": ("FromString", "transcode", "from_json", "json_format.Parse"),
    "print": ("SerializeToString", "to_json", "json_format.MessageToJson"),
}
READ_TEXT = ("transcode", "from_json", "json_format.Parse")


def memory(what: str) -> int:
    """Returns bytes of this process: `VmRSS` is the memory that it holds, `VmHWM` its peak."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith(f"{what}:"):
            return int(line.split()[1]) * 1024
    raise LookupError(what)


def reset_peak() -> None:
    """Makes `VmHWM` count from here."""
    Path("/proc/self/clear_refs").write_text("5")


def measure(part: str, folder: Path) -> None:
    """Does one thing once, and prints the rise of the peak as a multiple of the JSON's size."""
    from google.protobuf import json_format

    import turnwire
    from turnwire.protojson._accelerator import codecs

    Message = turnwire.schema.message_class("gda.Message")
    small = turnwire.from_json(Message, '{"systemMessage":{"text":{"parts":["a"]}}}')
    turnwire.to_json(small)
    json_format.Parse(json_format.MessageToJson(small), Message())
    size = (folder / "rows.json").stat().st_size
    # Read from files, so that no memory is left over from making them, which would be used first.
    data = (folder / ("rows.json" if part in READ_TEXT else "rows.bin")).read_bytes()
    message = None if part in PARTS["parse"] else Message.FromString(data)
    reset_peak()
    before = memory("VmRSS")
    result: object
    match part:
        case "FromString":
            result = Message.FromString(data)
        case "transcode":
            result = codecs[Message].json_to_wire(data)
        case "from_json":
            result = turnwire.from_json(Message, data)
        case "json_format.Parse":
            result = json_format.Parse(data, Message())
        case "SerializeToString":
            result = message.SerializeToString()
        case "to_json":
            result = turnwire.to_json(message)
        case _:
            result = json_format.MessageToJson(message)
    print((memory("VmHWM") - before) / size)
    del result


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pure", action="store_true", help="measure the pure-Python backend")
    parser.add_argument("--part", help=argparse.SUPPRESS)
    parser.add_argument("--folder", type=Path, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.pure:
        os.environ["TURNWIRE_PURE"] = "1"
    if arguments.part:
        measure(arguments.part, arguments.folder)
        return 0
    if sys.platform != "linux":
        print("memory: skipped, it is measured on Linux only")
        return 0

    from shapes import shapes

    import turnwire

    shape = shapes()[3]
    wire = turnwire.from_json(shape.message_class, shape.text).SerializeToString()
    print(f"backend {turnwire.backend}; peak memory above what is held before, × the JSON's size")
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "rows.json").write_bytes(shape.text)
        (Path(folder) / "rows.bin").write_bytes(wire)
        for part in (part for parts in PARTS.values() for part in parts):
            if part == "transcode" and turnwire.backend == "pure":
                continue
            command = [sys.executable, __file__, "--part", part, "--folder", folder]
            done = subprocess.run(command, capture_output=True, text=True, check=True)
            print(f"{part:<28}{float(done.stdout):>6.1f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
