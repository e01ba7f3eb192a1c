"""200,000 recorded lines, one in a hundred of them bad, and what the local run makes of them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as parquet

from turnwire import bulk, ces

LINES = 200_000
BAD = (
    '{"role": 5}',
    '{"role": "user", "chunks": [{"text": "cut',
    "not JSON",
    '{"role": "user", "mood": "fine"}',
    '{"insertId": "a", "logName": "b", "jsonPayload": {"role": "user"}}',
    '{"eventTime": "yesterday"}',
    '{"chunks": [{"text": "a", "transcript": "b"}]}',
)
TO_MESSAGES = bulk.mapper(message=ces.Message)


def line(number: int) -> str:
    """Returns one line of the recording."""
    if number % 100 == 7:
        return BAD[number // 100 % len(BAD)]
    chunks: list[dict[str, Any]] = [{"text": f"parcel {number} über Lyon"}]
    if number % 3 == 0:
        call = {"id": f"c-{number}", "displayName": "track", "args": {"parcel": number}}
        chunks.append({"toolCall": call})
    time = f"2025-05-01T{number // 3600 % 24:02}:{number // 60 % 60:02}:{number % 60:02}.123456789Z"
    return json.dumps({"role": "user", "chunks": chunks, "eventTime": time}, ensure_ascii=False)


def table() -> pa.Table:
    """Returns the recording."""
    numbers = range(LINES)
    return pa.table({"value": [line(number) for number in numbers], "line": list(numbers)})


def write(path: Path) -> None:
    """Writes the recording in 8 row groups."""
    parquet.write_table(table(), path, row_group_size=LINES // 8)


@cache
def local_run() -> pa.Table:
    """Returns the rows of the local run, checked against what is known of the lines."""
    rows = pa.Table.from_batches(TO_MESSAGES(table().to_batches()))
    assert rows.num_rows == LINES
    bad = rows.filter(rows["error"].is_valid())
    assert bad["line"].to_pylist() == [number for number in range(LINES) if number % 100 == 7]
    assert all(error["kind"] and error["reason"] for error in bad["error"].to_pylist())
    assert rows["message"].null_count == bad.num_rows
    return rows.combine_chunks()


def by_line(rows: pa.Table, like: pa.Table) -> pa.Table:
    """Returns the rows of an engine in the order of lines, with the types of the local run."""
    return rows.select(like.column_names).sort_by("line").cast(like.schema).combine_chunks()


def sessions() -> Iterator[dict[str, Any]]:
    """Yields the lines of 300 sessions that overlap, each with its session and its place."""
    for number in range(3000):
        turn = number // 300 + 1
        text = json.dumps({"outputs": [{"turnIndex": turn, "text": f"reply {number}"}]})
        bad = number % 100 == 7
        yield {"value": "{" if bad else text, "session": f"s-{number % 300}", "offset": number}
