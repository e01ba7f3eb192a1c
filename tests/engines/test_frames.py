"""DuckDB and Polars give the rows of the local run, by the recipes of ``docs/bulk.md``."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pytest
from engines import recorded

from turnwire import bulk, ces


def test_duckdb(tmp_path: Path) -> None:
    duckdb = pytest.importorskip("duckdb")
    path = tmp_path / "lines.parquet"
    recorded.write(path)
    to_messages = bulk.mapper(message=ces.Message)
    connection = duckdb.connect()

    def parsed(texts: pa.ChunkedArray) -> pa.ChunkedArray:
        batches = to_messages(pa.table({"value": texts}).to_batches())
        return pa.chunked_array([batch.to_struct_array() for batch in batches])

    [example] = to_messages(pa.table({"value": ["{}"]}).to_batches())
    rows = pa.table({"row": example.to_struct_array()})
    [kind] = connection.from_arrow(rows).types
    connection.create_function("parsed", parsed, ["VARCHAR"], kind, type="arrow")
    made = connection.sql(f"select line, unnest(parsed(value)) from '{path}'")
    local = recorded.local_run()
    assert recorded.by_line(made.to_arrow_table(), local).equals(local)


def test_polars(tmp_path: Path) -> None:
    polars = pytest.importorskip("polars")
    path = tmp_path / "lines.parquet"
    recorded.write(path)
    to_messages = bulk.mapper(message=ces.Message)

    def converted(frame: polars.DataFrame) -> polars.DataFrame:
        return polars.from_arrow(pa.Table.from_batches(to_messages(frame.to_arrow().to_batches())))

    lines = polars.scan_parquet(path)
    schema = converted(lines.head(1).collect()).schema
    made = lines.map_batches(converted, schema=schema, streamable=True).collect(engine="streaming")
    local = recorded.local_run()
    assert recorded.by_line(made.to_arrow(), local).equals(local)
