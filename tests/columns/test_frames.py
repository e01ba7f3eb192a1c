"""Rows of a table keep every value in pandas, polars and DuckDB."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal

import pytest
from support.analytics import gda

from turnwire import from_dict

# Frames first lose values that doubles cannot hold, beside an absent cell.
ID = 2**53 + 1
SHARE = Decimal("0.10000000000000000001")
DAY = dt.date(2025, 3, 1)


@pytest.fixture
def table() -> gda.Table:
    types = {"id": "INTEGER", "share": "NUMERIC", "day": "DATE"}
    result = {
        "schema": {"fields": [{"name": name, "type": kind} for name, kind in types.items()]},
        "data": [{"id": str(ID), "share": str(SHARE), "day": DAY.isoformat()}, {"day": None}],
    }
    message = from_dict(gda.Message, {"systemMessage": {"data": {"result": result}}})
    return gda.Answer.collect([message]).results[0]


def test_pandas(table: gda.Table) -> None:
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(table.rows, columns=table.columns, dtype=object)
    assert frame["id"][0] == ID
    assert frame["share"][0] == SHARE
    assert list(frame["day"]) == [DAY, None]


def test_polars(table: gda.Table) -> None:
    polars = pytest.importorskip("polars")
    frame = polars.DataFrame(table.rows)
    assert frame.columns == list(table.columns)
    assert frame["id"].to_list() == [ID, None]
    assert frame["share"].to_list() == [SHARE, None]
    assert frame["day"].to_list() == [DAY, None]


def test_duckdb(table: gda.Table) -> None:
    duckdb = pytest.importorskip("duckdb")
    polars = pytest.importorskip("polars")
    frame = polars.DataFrame(table.rows)
    found = duckdb.sql("select id, share, day from frame where id is not null").fetchall()
    assert found == [(ID, SHARE, DAY)]
    del frame
