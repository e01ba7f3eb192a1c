"""Reading the 50,000 rows of a result as dicts, against reading the same JSON with orjson.

python benchmarks/rows.py [--runs 11] [--pure]
"""

from __future__ import annotations

import importlib
import importlib.util
import json
import sys
from typing import Any

from protojson import medians, runs_asked_for, shown

TYPES = {"id": "INTEGER", "revenue": "FLOAT", "active": "BOOLEAN"}
"""The columns that hold no text."""


def with_types(result: Any) -> Any:
    """A copy of the result whose schema says what the columns are: cells are plain JSON values."""
    typed = type(result)()
    typed.CopyFrom(result)
    for field in typed.schema.fields:
        field.type = TYPES.get(field.name, "STRING")
    return typed


def as_sent(result: Any) -> Any:
    """The same with all cells but nulls as strings, which is how the API sends simple values."""
    sent = with_types(result)
    for row in sent.data:
        for value in row.fields.values():
            match value.WhichOneof("kind"):
                case "number_value":
                    value.string_value = f"{value.number_value:.15g}"
                case "bool_value":
                    value.string_value = str(value.bool_value).lower()
    return sent


def text_of(result: Any) -> bytes:
    """The JSON text of the rows alone."""
    import turnwire

    data = turnwire.to_dict(result)["data"]
    return json.dumps({"data": data}, separators=(",", ":"), ensure_ascii=False).encode()


def main() -> int:
    runs = runs_asked_for(__doc__.splitlines()[0])

    from shapes import shapes

    import turnwire
    from turnwire._apis import API_BY_NAME

    gda = importlib.import_module(API_BY_NAME["gda"].views)

    shape = shapes()[3]
    plain = turnwire.from_json(shape.message_class, shape.text).system_message.data.result
    bare = type(plain)()
    bare.CopyFrom(plain)
    bare.ClearField("schema")
    typed, sent = with_types(plain), as_sent(plain)
    texts = {"": text_of(bare), " of the strings": text_of(sent)}
    loads: dict[str, Any] = {"json.loads": json.loads}
    if importlib.util.find_spec("orjson"):
        import orjson

        loads["orjson.loads"] = orjson.loads
    base = list(loads)[-1]
    ways: dict[str, Any] = {
        "rows_of, no schema": lambda: gda.rows_of(bare),
        "rows_of, a schema of STRING columns": lambda: gda.rows_of(plain),
        "rows_of, typed columns": lambda: gda.rows_of(typed),
        "rows_of, typed columns of the strings": lambda: gda.rows_of(sent),
        "to_dict of the result": lambda: turnwire.to_dict(bare),
    }
    for reader, load in loads.items():
        for which, text in texts.items():
            ways[reader + which] = lambda load=load, text=text: load(text)
    took = medians(ways, runs)
    megabytes = " and ".join(f"{len(text) / 1e6:.1f}" for text in texts.values())
    print(f"backend {turnwire.backend}; {len(bare.data):,} rows, {megabytes} MB of JSON")
    for name, seconds in sorted(took.items(), key=lambda item: item[1]):
        same = base + (" of the strings" if name.endswith(" of the strings") else "")
        print(f"{name:<38}{shown(seconds):>11}  × {base} of the same {seconds / took[same]:.2f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
