"""Measures what engines and tables add to `turnwire.bulk.convert`, as ratios on one core.

    .venv-engines/bin/python benchmarks/engines.py [LINES [ENGINE...]]

`make test-engines` makes the environment; engines that are not installed are left out.
"""

from __future__ import annotations

import importlib.util
import json
import os
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

if importlib.util.find_spec("pyarrow") is None:
    print("engines.py needs pyarrow")
    sys.exit()

import pyarrow as pa
import pyarrow.parquet as parquet

from turnwire import bulk, ces

_ROUNDS = 3
_PARTS = 8
_PER_CONVERSATION = 40
TO_MESSAGES = bulk.mapper(message=ces.Message)
TO_TABLES = bulk.mapper(
    message=ces.Message,
    tables=("conversations", "turns", "messages", "tool_calls", "variables"),
    conversation="session",
)


def line(number: int) -> str:
    chunks: list[dict[str, Any]] = [{"text": f"Parcel {number} left Lyon. " * 8}]
    if number % 3 == 0:
        args = {"parcel": f"X{number}", "weights": [number, 2.5, 3], "to": {"city": "Nice"}}
        chunks.append({"toolCall": {"id": f"c-{number}", "displayName": "track", "args": args}})
    return json.dumps({"role": "user", "chunks": chunks, "eventTime": "2025-05-01T07:00:00.25Z"})


def local(path: Path) -> int:
    lines = parquet.ParquetFile(path)
    return sum(batch.num_rows for batch in TO_MESSAGES(lines.iter_batches(10_000)))


def local_tables(path: Path) -> int:
    lines = parquet.ParquetFile(path)
    batches = TO_TABLES(lines.iter_batches(10_000))
    return sum(len(batch["messages"]) - batch["messages"].null_count for batch in batches)


def duckdb_run(path: Path) -> int:
    import duckdb

    connection = duckdb.connect(config={"threads": 1})

    def parsed(texts: pa.ChunkedArray) -> pa.ChunkedArray:
        batches = TO_MESSAGES(pa.table({"value": texts}).to_batches())
        return pa.chunked_array([batch.to_struct_array() for batch in batches])

    [example] = TO_MESSAGES(pa.table({"value": ["{}"]}).to_batches())
    rows = pa.table({"row": example.to_struct_array()})
    [kind] = connection.from_arrow(rows).types
    connection.create_function("parsed", parsed, ["VARCHAR"], kind, type="arrow")
    made = connection.sql(f"select unnest(parsed(value)) from '{path}'")
    return int(made.to_arrow_table().num_rows)


def polars_run(path: Path) -> int:
    import polars

    def converted(frame: polars.DataFrame) -> polars.DataFrame:
        return polars.from_arrow(pa.Table.from_batches(TO_MESSAGES(frame.to_arrow().to_batches())))

    lines = polars.scan_parquet(path)
    schema = converted(lines.head(1).collect()).schema
    made = lines.map_batches(converted, schema=schema, streamable=True)
    return int(made.collect(engine="streaming").height)


def beam_run(path: Path) -> int:
    import apache_beam as beam

    with beam.Pipeline("DirectRunner") as pipeline:
        lines = pipeline | beam.io.ReadFromParquet(str(path))
        outputs = lines | bulk.beam_transform(message=ces.Message)
        counted = outputs.messages | beam.combiners.Count.Globally()
        _ = counted | beam.io.WriteToText(str(path.parent / "count"), num_shards=1)
    return int(next(path.parent.glob("count-*")).read_text())


def spark_session() -> Any:
    from pyspark.sql import SparkSession

    os.environ["PYSPARK_PYTHON"] = sys.executable
    # One core, as the local run.
    session = SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false")
    session = session.config("spark.driver.host", "127.0.0.1")
    return session.config("spark.log.level", "ERROR").getOrCreate()


def spark_run(path: Path) -> int:
    from pyspark.sql import Observation, functions

    lines = spark_session().read.parquet(str(path))
    rows = lines.mapInArrow(TO_MESSAGES, bulk.ddl(lines.schema, message=ces.Message))
    counted = Observation()
    counting = rows.observe(counted, functions.count(functions.lit(1)).alias("rows"))
    # All columns are made, and written nowhere.
    counting.write.format("noop").mode("overwrite").save()
    return int(counted.get["rows"])


RUNS: dict[str, tuple[str | None, Callable[[Path], int]]] = {
    "local": (None, local),
    "tables": (None, local_tables),
    "polars": ("polars", polars_run),
    "duckdb": ("duckdb", duckdb_run),
    "spark": ("pyspark", spark_run),
    "beam": ("apache_beam", beam_run),
}


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 200_000
    runs = {
        name: run
        for name, (module, run) in RUNS.items()
        if module is None or importlib.util.find_spec(module) is not None
        if name == "local" or not sys.argv[2:] or name in sys.argv[2:]
    }
    texts = [line(number) for number in range(count)]
    size = sum(map(len, texts)) / 1e6
    times: dict[str, list[float]] = {name: [] for name in runs}
    busy: dict[str, list[float]] = {name: [] for name in runs}
    with TemporaryDirectory() as folder:
        path = Path(folder) / "lines.parquet"
        sessions = [str(number // _PER_CONVERSATION) for number in range(count)]
        table = pa.table({"value": texts, "session": sessions})
        parquet.write_table(table, path, row_group_size=count // _PARTS)
        for name, run in runs.items():  # started, and imported
            assert run(path) == count, name
        for _ in range(_ROUNDS):
            for name, run in runs.items():
                start, start_busy = time.perf_counter(), time.process_time()
                run(path)
                times[name].append(time.perf_counter() - start)
                busy[name].append(time.process_time() - start_busy)
    base = statistics.median(times["local"])
    print(f"{count:,} messages, {size:.0f} MB of JSON, one core, medians of {_ROUNDS} rounds")
    print(f"{'engine':8} {'seconds':>8} {'MB/s':>6} {'ratio':>6} {'MB per second of CPU':>21}")
    for name, measured in times.items():
        seconds = statistics.median(measured)
        # The work of Spark is in other processes.
        of_cpu = f"{size / statistics.median(busy[name]):21.1f}" if name != "spark" else ""
        print(f"{name:8} {seconds:8.2f} {size / seconds:6.1f} {seconds / base:6.2f} {of_cpu}")


if __name__ == "__main__":
    main()
