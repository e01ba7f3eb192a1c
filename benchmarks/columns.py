"""Columns: results to Arrow and to frames, and messages from wire format and from JSON.

python benchmarks/columns.py [--runs 11] [--pure]

orjson, pandas, polars and ptars (0.0.25) are compared with where they are installed.
"""

from __future__ import annotations

import importlib.util
import io
import json
import random
import sys
from typing import Any

from protojson import medians, runs_asked_for, shown

ROWS = 50_000
CELLS = {
    "day": ("DATE", lambda r: f"2025-{r.randint(1, 12):02}-{r.randint(1, 28):02}"),
    "station": ("STRING", lambda r: r.choice(["Mill", "Harbour", "Station Road"])),
    "note": ("STRING", lambda r: f"note {r.randrange(ROWS)} of the day"),
    "rides": ("INT64", lambda r: str(r.randrange(1_000_000))),
    "takings": ("NUMERIC", lambda r: f"{r.randrange(1_000_000)}.{r.randrange(100):02}"),
    "share": ("FLOAT64", lambda r: repr(r.random())),
}
AT = {"at": ("TIMESTAMP", lambda r: f"2025-05-04T10:{r.randrange(60):02}:{r.randrange(60):02}Z")}


def has(name: str) -> bool:
    return importlib.util.find_spec(name) is not None


def result_of(columns: dict[str, Any]) -> tuple[Any, bytes]:
    """A result with rows of these columns, and the JSON text of the rows."""
    import turnwire
    from turnwire import geminidataanalytics as gda

    r = random.Random(1)
    rows = [{name: cell(r) for name, (_, cell) in columns.items()} for _ in range(ROWS)]
    fields = [{"name": name, "type": kind} for name, (kind, _) in columns.items()]
    result = turnwire.from_dict(gda.DataResult, {"schema": {"fields": fields}, "data": rows})
    return result, json.dumps({"data": rows}, separators=(",", ":")).encode()


def result_ways() -> dict[str, Any]:
    """The ways from a result to columns and to rows."""
    import pyarrow as pa

    from turnwire import geminidataanalytics as gda

    result, text = result_of(CELLS)
    timed, timed_text = result_of(CELLS | AT)
    table = gda.Table(result)
    ways: dict[str, Any] = {
        "to_arrow": table.to_arrow,
        "Table.from_pylist(rows_of)": lambda: pa.Table.from_pylist(gda.rows_of(result)),
        "rows_of, with timestamps": lambda: gda.rows_of(timed),
        "SerializePartialToString": result.SerializePartialToString,
        "json.loads": lambda: json.loads(text),
    }
    if has("orjson"):
        import orjson

        ways["orjson.loads"] = lambda: orjson.loads(text)
        ways["orjson.loads, with timestamps"] = lambda: orjson.loads(timed_text)
    if has("pandas"):
        ways["to_pandas"] = table.to_pandas
    if has("polars"):
        ways["to_polars"] = table.to_polars
    return ways


def message_ways(message_class: Any, text: bytes, count: int) -> tuple[dict[str, Any], int]:
    """The ways from many messages to columns, and the bytes of their wire format."""
    import pyarrow as pa
    import pyarrow.json as pyarrow_json

    import turnwire
    from turnwire import arrow

    wires = [turnwire.from_json(message_class, text).SerializeToString()] * count
    lines = (text + b"\n") * count
    column = pa.array(wires, pa.binary())
    ways: dict[str, Any] = {
        "wire": lambda: arrow.parse(message_class, column),
        "JSON": lambda: arrow.read(message_class, lines, format="ndjson").read_all(),
    }
    options = pyarrow_json.ReadOptions(use_threads=False)
    try:
        pyarrow_json.read_json(io.BytesIO(lines), options)
    except pa.ArrowException as error:
        print(f"pyarrow.json does not read {message_class.__name__}: {str(error)[:70]}")
    else:
        ways["pyarrow.json"] = lambda: pyarrow_json.read_json(io.BytesIO(lines), options)
    if has("ptars"):
        import ptars

        pool = ptars.HandlerPool([message_class.DESCRIPTOR.file])
        handler = pool.get_for_message(message_class.DESCRIPTOR)
        ways["ptars"] = lambda: handler.list_to_record_batch(wires)
    return ways, sum(map(len, wires))


def main() -> int:
    runs = runs_asked_for(__doc__.splitlines()[0])

    from shapes import shapes

    import turnwire

    took = medians(result_ways(), runs)
    print(f"backend {turnwire.backend}; a result of {ROWS:,} rows")
    for name, seconds in took.items():
        base = "orjson.loads" + (", with timestamps" if "timestamps" in name else "")
        more = f"  × {base} {seconds / took[base]:.2f}" if base in took else ""
        print(f"{name:<30}{shown(seconds):>11}  × to_arrow {seconds / took['to_arrow']:.2f}{more}")
    for shape, count in zip(shapes()[:2], (10_000, 100), strict=False):
        ways, size = message_ways(shape.message_class, shape.text, count)
        took = medians(ways, runs)
        print(f"{count:,} × {shape.name}, {size / 1e6:.1f} MB of wire format")
        for name, seconds in took.items():
            speed = f"{size / seconds / 1e6:,.0f} MB/s of wire"
            more = f"  × ptars {seconds / took['ptars']:.2f}" if "ptars" in took else ""
            print(f"{name:<30}{shown(seconds):>11}  {speed:>20}{more}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
