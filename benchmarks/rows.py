"""Reading the 50,000 rows of a result as dicts, against reading the same JSON with orjson.

python benchmarks/rows.py [--runs 11] [--pure]
"""

from __future__ import annotations

import importlib.util
import sys
from typing import Any

from protojson import medians, runs_asked_for, shown


def main() -> int:
    runs = runs_asked_for(__doc__.splitlines()[0])

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
    took = medians(ways, runs)
    print(f"backend {turnwire.backend}; {len(bare.data):,} rows, {len(text) / 1e6:.1f} MB of JSON")
    for name, seconds in sorted(took.items(), key=lambda item: item[1]):
        print(f"{name:<38}{shown(seconds):>11}  × {base} {seconds / took[base]:.2f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
