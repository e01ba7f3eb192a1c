"""Reading the 50,000 rows of a result as dicts, against reading the same JSON with orjson.

python benchmarks/rows.py [--runs 11] [--pure]
"""

from __future__ import annotations

import argparse
import importlib.util
import os
import sys
from typing import Any

from protojson import medians, shown


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=11, help="how many runs (11)")
    parser.add_argument("--pure", action="store_true", help="measure the pure-Python backend")
    arguments = parser.parse_args()
    if arguments.pure:
        os.environ["TURNWIRE_PURE"] = "1"

    import json

    from shapes import shapes

    import turnwire
    from turnwire import geminidataanalytics as gda

    shape = shapes()[3]
    plain = turnwire.from_json(shape.message_class, shape.text).system_message.data.result
    bare = type(plain)()
    bare.CopyFrom(plain)
    bare.ClearField("schema")
    text = json.dumps(turnwire.to_dict(bare), separators=(",", ":"), ensure_ascii=False).encode()
    ways: dict[str, Any] = {
        "json.loads": lambda: json.loads(text),
        "rows_of, no schema": lambda: gda.rows_of(bare),
        "rows_of, a schema of STRING columns": lambda: gda.rows_of(plain),
        "to_dict of the result": lambda: turnwire.to_dict(bare),
    }
    base = "json.loads"
    if importlib.util.find_spec("orjson"):
        import orjson

        base = "orjson.loads"
        ways[base] = lambda: orjson.loads(text)
    took = medians(ways, arguments.runs)
    print(f"backend {turnwire.backend}; {len(bare.data):,} rows, {len(text) / 1e6:.1f} MB of JSON")
    for name, seconds in sorted(took.items(), key=lambda item: item[1]):
        print(f"{name:<38}{shown(seconds):>11}  × {base} {seconds / took[base]:.2f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
