"""The parts of the native core's work, so that what limits it is visible: medians, interleaved.

    python benchmarks/native.py [--runs 11]

`transcode` is JSON text to wire format and `FromString` protobuf's own parser, which together are
the parsing; `serialize` is protobuf's own writer and `print` the core's part of the printing.
"""

from __future__ import annotations

import argparse
import importlib.util
import sys
from typing import Any

from protojson import medians, shown


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=11, help="how many runs (11)")
    arguments = parser.parse_args()
    if not importlib.util.find_spec("turnwire_native"):
        print("native: skipped, turnwire-native is not installed")
        return 0
    orjson: Any = None
    if importlib.util.find_spec("orjson"):
        import orjson

    from google.protobuf import json_format
    from shapes import shapes

    import turnwire
    from turnwire.protojson._accelerator import codec_of

    columns = ("shape", "transcode", "MB/s", "FromString", "parse", "× FromString", "of orjson+FS")
    more = ("serialize", "print", "MB/s", "to_json", "× serialize", "to_dict", "× MessageToDict")
    layout = "{:<18}{:>11}{:>7}{:>12}{:>11}{:>14}{:>14}{:>11}{:>11}{:>7}{:>11}{:>13}{:>11}{:>17}"
    print(f"medians of {arguments.runs} interleaved runs\n")
    print(layout.format(*columns, *more))
    for shape in shapes():
        message_class, text = shape.message_class, shape.text
        codec = codec_of(message_class)
        wire = codec.json_to_wire(text)
        assert wire is not None
        message = message_class.FromString(wire)
        written = message.SerializePartialToString()
        ways: dict[str, Any] = {
            "transcode": lambda c=codec, t=text: c.json_to_wire(t),
            "FromString": lambda c=message_class, w=wire: c.FromString(w),
            "parse": lambda c=message_class, t=text: turnwire.from_json(c, t),
            "serialize": lambda m=message: m.SerializePartialToString(),
            "print": lambda c=codec, w=written: c.wire_to_json(w),
            "to_json": lambda m=message: turnwire.to_json(m),
            "to_dict": lambda m=message: turnwire.to_dict(m),
        }
        if orjson:
            ways["orjson"] = lambda t=text: orjson.loads(t)
        if len(text) < 1_000_000:
            ways["MessageToDict"] = lambda m=message: json_format.MessageToDict(m)
        took = medians(ways, arguments.runs)
        both = took["FromString"] + took.get("orjson", 0.0)
        dicts = took.get("MessageToDict", 0.0) / took["to_dict"]
        size = len(text) / 1e6
        print(
            layout.format(
                shape.name,
                shown(took["transcode"]),
                f"{size / took['transcode']:.0f}",
                shown(took["FromString"]),
                shown(took["parse"]),
                f"{took['parse'] / took['FromString']:.2f}",
                f"{took['parse'] / both:.2f}" if orjson else "-",
                shown(took["serialize"]),
                shown(took["print"]),
                f"{size / took['print']:.0f}",
                shown(took["to_json"]),
                f"{took['to_json'] / took['serialize']:.2f}",
                shown(took["to_dict"]),
                f"{dicts:.1f}" if dicts else "-",
            )
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
