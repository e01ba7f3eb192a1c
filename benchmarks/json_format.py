"""The drop-in against google's json_format, with their defaults: medians and ratios.

    python benchmarks/json_format.py [--runs 11] [--pure] [--cpu]

Every run takes each way once, one after the other, so that a slow moment of the machine hits them
alike; a ratio is that of the medians.
"""

from __future__ import annotations

import sys

from protojson import Way, medians, runs_asked_for, shown

_FUNCTIONS = ("Parse", "ParseDict", "MessageToJson", "MessageToDict")


def main() -> int:
    runs = runs_asked_for(__doc__.splitlines()[0])

    from google.protobuf import __version__ as protobuf_version
    from google.protobuf import json_format as google
    from shapes import shapes

    import turnwire
    from turnwire import json_format

    python = sys.version.split()[0]
    print(f"backend {turnwire.backend}, protobuf {protobuf_version}, Python {python}")
    print(f"medians of {runs} interleaved runs; ×: the time of google's function over ours\n")
    print(f"{'shape':<18}" + "".join(f"{name:>15}{'×':>8}" for name in _FUNCTIONS))
    for shape in shapes():
        message_class, text = shape.message_class, shape.text
        message = turnwire.from_json(message_class, text)
        value = google.MessageToDict(message)
        assert json_format.MessageToJson(message) == google.MessageToJson(message)
        ways: dict[str, Way] = {}
        for whose, module in (("ours", json_format), ("theirs", google)):
            ways |= {
                f"Parse {whose}": lambda m=module, c=message_class, t=text: m.Parse(t, c()),
                f"ParseDict {whose}": lambda m=module, c=message_class, v=value: m.ParseDict(
                    v, c()
                ),
                f"MessageToJson {whose}": lambda m=module, a=message: m.MessageToJson(a),
                f"MessageToDict {whose}": lambda m=module, a=message: m.MessageToDict(a),
            }
        took = medians(ways, runs)
        cells = (
            f"{shown(took[f'{name} ours']):>15}"
            f"{took[f'{name} theirs'] / took[f'{name} ours']:>8.1f}"
            for name in _FUNCTIONS
        )
        print(f"{shape.name:<18}" + "".join(cells))
    return 0


if __name__ == "__main__":
    sys.exit(main())
