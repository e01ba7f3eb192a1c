"""Tables in pandas, polars, DuckDB, Parquet and CSV files: every value and type is kept."""

from __future__ import annotations

import csv
import datetime as dt
import io
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from support.analytics import gda

pa = pytest.importorskip("pyarrow")
parquet = pytest.importorskip("pyarrow.parquet")

# Frames first lose values that doubles cannot hold, beside an absent cell.
ID = 2**53 + 1
UTC = dt.UTC

COLUMNS: list[tuple[str, str, Any, Any]] = [
    # A name, its type, the cell as the API sends it, and the value.
    ("id", "INTEGER", str(ID), ID),
    ("big", "INT64", str(-(2**63)), -(2**63)),
    ("ratio", "FLOAT64", "0.1", 0.1),
    ("share", "NUMERIC", "12345678901234567890123456789.123456789", None),
    ("wide", "BIGNUMERIC", "0.12345678901234567890123456789012345678", None),
    ("open", "BOOL", "true", True),
    ("name", "STRING", "Žlutá", "Žlutá"),
    ("raw", "BYTES", "AAH/", b"\x00\x01\xff"),
    ("day", "DATE", "2025-03-01", dt.date(2025, 3, 1)),
    ("first", "DATE", "0001-01-01", dt.date(1, 1, 1)),
    ("last", "DATE", "9999-12-31", dt.date(9999, 12, 31)),
    ("at", "TIME", "10:00:00.000001", dt.time(10, 0, 0, 1)),
    ("local", "DATETIME", "2025-03-01T10:00:00", dt.datetime(2025, 3, 1, 10)),
    ("end", "DATETIME", "9999-12-31 23:59:59.999999", dt.datetime.max),
    ("start", "TIMESTAMP", "0001-01-01 00:00:00 UTC", dt.datetime(1, 1, 1, tzinfo=UTC)),
    ("when", "TIMESTAMP", "2025-03-01T10:00:00+02:00", dt.datetime(2025, 3, 1, 8, tzinfo=UTC)),
    ("seconds", "TIMESTAMP", "1.7463528E9", dt.datetime.fromtimestamp(1746352800, UTC)),
]
WIDE = Decimal("0.12345678901234567890123456789012345678")
SHARE = Decimal("12345678901234567890123456789.123456789")
VALUES = {name: value for name, _, _, value in COLUMNS} | {"share": SHARE, "wide": WIDE}


def made(types: dict[str, str], *rows: dict[str, Any]) -> gda.Table:
    fields = [gda.Field(name=name, type=kind) for name, kind in types.items()]
    result = gda.DataResult(schema=gda.Schema(fields=fields))
    for row in rows:
        result.data.add().update(row)
    return gda.Table(result)


@pytest.fixture
def table() -> gda.Table:
    """Returns a table of two rows, the second one without cells."""
    types = {name: kind for name, kind, _, _ in COLUMNS}
    return made(types, {name: cell for name, _, cell, _ in COLUMNS}, {})


@pytest.fixture
def nothing() -> gda.Table:
    return made({name: kind for name, kind, _, _ in COLUMNS})


def test_pyarrow(table: gda.Table) -> None:
    assert table.to_arrow().to_pylist() == [VALUES, dict.fromkeys(VALUES)]
    assert pa.table(table).equals(table.to_arrow())


def test_pandas(table: gda.Table) -> None:
    pandas = pytest.importorskip("pandas")
    frame = table.to_pandas()
    assert frame["id"].dtype == pandas.Int64Dtype()
    assert frame["open"].dtype == pandas.BooleanDtype()
    assert frame["ratio"].dtype == "float64"
    assert str(frame["when"].dtype) == "datetime64[us, UTC]"
    for name, value in VALUES.items():
        assert frame[name][0] == value, name
        assert pandas.isna(frame[name][1]), name
    assert int(frame["id"].sum()) == ID


def test_pandas_with_arrow_types(table: gda.Table) -> None:
    pandas = pytest.importorskip("pandas")
    frame = table.to_pandas(types_mapper=pandas.ArrowDtype)
    assert str(frame["share"].dtype) == "decimal128(38, 9)[pyarrow]"
    assert frame["id"][0] == ID


def test_pandas_takes_the_table_itself(table: gda.Table) -> None:
    pandas = pytest.importorskip("pandas", minversion="3")
    frame = pandas.DataFrame.from_arrow(made({"id": "INTEGER"}, {"id": str(ID)}))
    assert frame["id"].tolist() == [ID]


def test_pandas_keeps_the_types_of_no_rows(nothing: gda.Table) -> None:
    pandas = pytest.importorskip("pandas")
    frame = nothing.to_pandas()
    assert len(frame) == 0
    assert frame["id"].dtype == pandas.Int64Dtype()
    assert str(frame["when"].dtype) == "datetime64[us, UTC]"


def test_polars(table: gda.Table) -> None:
    polars = pytest.importorskip("polars")
    frame = table.to_polars()
    assert frame.row(0, named=True) == VALUES
    assert frame.row(1, named=True) == dict.fromkeys(VALUES)
    assert frame.schema["share"] == polars.Decimal(38, 9)
    assert frame.schema["wide"] == polars.Decimal(38, 38)
    assert frame.schema["when"] == polars.Datetime("us", "UTC")
    # Types of extensions have neither .dt nor .str.
    assert frame["when"].dt.year().to_list() == [2025, None]
    assert frame["name"].str.len_chars().to_list() == [5, None]


def test_polars_takes_the_table_itself() -> None:
    polars = pytest.importorskip("polars")
    frame = polars.DataFrame(made({"id": "INTEGER", "n": "NUMERIC"}, {"id": str(ID), "n": "0.1"}))
    assert frame.row(0) == (ID, Decimal("0.1"))


@pytest.mark.parametrize(
    ("cells", "kind", "values"),
    [
        (["1.5", "-20", None], "Decimal(precision=38, scale=1)", [Decimal("1.5"), -20, None]),
        (["1e29", "0.00000001"], "Decimal(precision=38, scale=8)", [10**29, Decimal("1e-8")]),
        (["1e30", "0.000000001"], "String", ["1" + "0" * 30, "0.000000001"]),
        (["9" * 38], "Decimal(precision=38, scale=0)", [10**38 - 1]),
        (["-9e37", "0.5"], "String", ["-9" + "0" * 37, "0.5"]),
        (["0", "0.0"], "Decimal(precision=38, scale=0)", [0, 0]),
        ([], "Decimal(precision=38, scale=0)", []),
    ],
)
def test_polars_big_decimals(cells: list[str | None], kind: str, values: list[Any]) -> None:
    pytest.importorskip("polars")
    frame = made({"n": "BIGNUMERIC"}, *({"n": cell} for cell in cells)).to_polars()
    assert str(frame.schema["n"]) == kind
    assert frame["n"].to_list() == values


def test_polars_big_decimals_in_lists_and_records() -> None:
    pytest.importorskip("polars")
    types = {"a": "ARRAY<BIGNUMERIC>", "s": "STRUCT<n BIGNUMERIC, t STRING>"}
    frame = made(types, {"a": ["9e37", "0.5"], "s": {"n": "0.25", "t": "x"}}, {}).to_polars()
    assert frame["a"].to_list() == [["9" + "0" * 37, "0.5"], None]
    assert frame["s"].to_list()[0] == {"n": Decimal("0.25"), "t": "x"}


def test_polars_keeps_the_types_of_no_rows(nothing: gda.Table) -> None:
    polars = pytest.importorskip("polars")
    frame = nothing.to_polars()
    assert frame.height == 0
    assert frame.schema["id"] == polars.Int64


def test_duckdb() -> None:
    duckdb = pytest.importorskip("duckdb")
    # DuckDB has no decimals of more than 38 digits.
    columns = [column for column in COLUMNS if column[1] != "BIGNUMERIC"]
    types = {name: kind for name, kind, _, _ in columns}
    rides = made(types, {name: cell for name, _, cell, _ in columns}, {})
    found = pa.table(duckdb.sql("select * from rides where id is not null")).to_pylist()
    assert found == [{name: VALUES[name] for name in types}]
    assert duckdb.sql("select sum(id), max(share) from rides").fetchall() == [(ID, SHARE)]
    del rides


def test_parquet(table: gda.Table, nothing: gda.Table, tmp_path: Path) -> None:
    for name, source in (("rows", table), ("no_rows", nothing)):
        path = tmp_path / f"{name}.parquet"
        source.to_parquet(path)
        found = parquet.read_table(path)
        assert found.equals(source.to_arrow(), check_metadata=False)
        assert found.schema.field("when").metadata[b"turnwire.type"] == b"TIMESTAMP"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["no_rows.parquet", "rows.parquet"]


def test_csv(tmp_path: Path) -> None:
    path = tmp_path / "rows.csv"
    types = {"id": "INTEGER", "name": "STRING", "tags": "ARRAY<STRING>", "open": "BOOL"}
    rows: list[dict[str, Any]] = [
        {"id": str(ID), "name": 'a,"b"\n', "tags": ["x", "ž"], "open": True},
        {"name": ""},
    ]
    made(types, *rows).to_csv(path)
    assert list(csv.reader(io.StringIO(path.read_bytes().decode()))) == [
        ["id", "name", "tags", "open"],
        [str(ID), 'a,"b"\n', '["x","ž"]', "true"],
        ["", "", "", ""],
    ]


def test_a_file_that_cannot_be_written_leaves_the_old_one(tmp_path: Path) -> None:
    path = tmp_path / "rows.parquet"
    path.write_bytes(b"old")
    import turnwire

    with pytest.raises(turnwire.ParseError):
        made({"id": "INTEGER"}, {"id": "many"}).to_parquet(path)
    assert path.read_bytes() == b"old"


def test_excel(table: gda.Table, tmp_path: Path) -> None:
    pytest.importorskip("pandas")
    openpyxl = pytest.importorskip("openpyxl")
    frame = made(
        {"id": "INTEGER", "when": "TIMESTAMP"}, {"id": "7", "when": "2025-03-01T10:00:00Z"}
    ).to_pandas()
    with pytest.raises(ValueError, match="timezone"):
        frame.to_excel(tmp_path / "zones.xlsx", index=False)
    frame["when"] = frame["when"].dt.tz_localize(None)
    frame.to_excel(tmp_path / "rows.xlsx", index=False)
    sheet = openpyxl.load_workbook(tmp_path / "rows.xlsx").active
    assert list(sheet.values)[1] == (7, dt.datetime(2025, 3, 1, 10))
