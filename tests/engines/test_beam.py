"""Beam's DirectRunner gives the rows of the local run, each in the output of its tag."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from engines import recorded

from turnwire import bulk, ces

beam = pytest.importorskip("apache_beam")
pytestmark = pytest.mark.filterwarnings("ignore")  # Beam's own


def text_of(row: dict[str, Any]) -> str:
    return json.dumps(row, default=str, sort_keys=True)


def outputs_of(folder: Path, collection: Any, transform: Any, tags: tuple[str, ...]) -> None:
    """Writes each output of a transform to a file of JSON lines."""
    outputs = collection | transform
    for tag in tags:
        rows = outputs[tag] | f"{tag} as text" >> beam.Map(text_of)
        _ = rows | f"{tag} to a file" >> beam.io.WriteToText(str(folder / tag))


def lines_of(folder: Path, tag: str) -> list[str]:
    return sorted(
        line
        for path in folder.glob(f"{tag}-*")
        for line in path.read_text(encoding="utf-8").splitlines()
    )


def test_the_rows_are_those_of_the_local_run(tmp_path: Path) -> None:
    recorded.write(tmp_path / "lines.parquet")
    with beam.Pipeline("DirectRunner") as pipeline:
        lines = pipeline | beam.io.ReadFromParquet(str(tmp_path / "lines.parquet"))
        transform = bulk.beam_transform(message=ces.Message)
        outputs_of(tmp_path, lines, transform, ("messages", "errors"))
    local = recorded.local_run()
    good = local.filter(local["error"].is_null()).drop_columns("error")
    assert lines_of(tmp_path, "messages") == sorted(map(text_of, good.to_pylist()))
    bad = local.filter(local["error"].is_valid()).drop_columns("message").to_pylist()
    rows = [row | {"value": recorded.line(row["line"])} for row in bad]
    assert lines_of(tmp_path, "errors") == sorted(map(text_of, rows))


def test_tables_are_those_of_the_local_run(tmp_path: Path) -> None:
    rows = list(recorded.sessions())
    options: dict[str, Any] = {"message": ces.RunSessionResponse, "tables": ("turns", "messages")}
    options["conversation"] = "session"
    with beam.Pipeline("DirectRunner") as pipeline:
        lines = pipeline | beam.Create(rows)
        transform = bulk.beam_transform(**options, order="offset")
        outputs_of(tmp_path, lines, transform, ("turns", "messages", "errors"))
    local = pa.Table.from_batches(bulk.convert(pa.Table.from_pylist(rows), **options)).to_pylist()
    for tag in ("turns", "messages"):
        expected = sorted(text_of(row[tag]) for row in local if row[tag])
        assert lines_of(tmp_path, tag) == expected
        assert expected
    assert len(lines_of(tmp_path, "errors")) == 30


def test_rows_of_a_conversation_need_an_order() -> None:
    options: dict[str, Any] = {"message": ces.RunSessionResponse, "tables": "turns"}
    with pytest.raises(ValueError, match="order"):
        bulk.beam_transform(**options, conversation="session")
