"""Columns of messages in polars, pandas and DuckDB, and back."""

from __future__ import annotations

import os
from typing import Any

import pytest
from google.protobuf.message import Message
from support.analytics import gda
from support.everything import EVERYTHING3, GROUP
from support.messages import random_message

from turnwire import ces, from_json, to_json

pa = pytest.importorskip("pyarrow")
arrow = pytest.importorskip("turnwire.arrow")

CLASSES = [ces.Message, ces.RunSessionResponse, gda.Message, EVERYTHING3, GROUP]


def random_rows(message_class: type[Message]) -> list[Message]:
    messages = [random_message(message_class, seed) for seed in range(20)]
    return [from_json(message_class, to_json(message)) for message in messages]


@pytest.mark.parametrize("message_class", CLASSES)
def test_polars_and_back(message_class: Any) -> None:
    polars = pytest.importorskip("polars")
    rows = random_rows(message_class)
    frame = polars.from_arrow(arrow.to_arrow(message_class, rows, on_misfit="string"))
    assert frame.height == len(rows)
    assert list(arrow.from_arrow(message_class, frame)) == rows


@pytest.mark.parametrize("message_class", CLASSES)
def test_duckdb_and_back(message_class: Any) -> None:
    duckdb = pytest.importorskip("duckdb")
    rows = random_rows(message_class)
    messages = arrow.to_arrow(message_class, rows, on_misfit="string")
    found = pa.table(duckdb.sql("select * from messages"))
    assert list(arrow.from_arrow(message_class, found)) == rows
    del messages


@pytest.mark.parametrize("message_class", [ces.Message, gda.Message])
def test_pandas_and_back(message_class: Any) -> None:
    pandas = pytest.importorskip("pandas")
    rows = random_rows(message_class)
    table = arrow.to_arrow(message_class, rows, on_misfit="string")
    frame = table.to_pandas(types_mapper=pandas.ArrowDtype)
    found = pa.Table.from_pandas(frame, preserve_index=False)
    assert list(arrow.from_arrow(message_class, found)) == rows


def test_more_text_than_an_array_holds() -> None:
    if os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_AVPHYS_PAGES") < 2**33:
        pytest.skip("it takes 5 GB of memory")
    wire = ces.Chunk(text="a" * 2**26).SerializeToString()
    column = pa.chunked_array([pa.array([wire], pa.binary())] * 33)
    with pytest.raises(ValueError, match="more than 2 GiB of text"):
        arrow.parse(ces.Chunk, column)
    assert arrow.parse(ces.Chunk, column.slice(0, 2)).num_rows == 2


def test_sql_over_messages() -> None:
    duckdb = pytest.importorskip("duckdb")
    lines = b'{"role":"a","chunks":[{"toolCall":{"args":{"city":"Rome"}}},{"text":"x"}]}\n'
    messages = arrow.read(ces.Message, lines)
    query = """
        select role, chunk.tool_call.args ->> '$.city' as city
        from (select role, unnest(chunks) as chunk from messages)
        where chunk.data_case = 'tool_call'
    """
    assert duckdb.sql(query).fetchall() == [("a", "Rome")]
    del messages
