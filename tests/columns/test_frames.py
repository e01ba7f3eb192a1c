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


def test_pandas_types(table: gda.Table, nothing: gda.Table) -> None:
    pandas = pytest.importorskip("pandas")
    text = "str" if int(pandas.__version__.split(".")[0]) >= 3 else "object"
    for source in (table, nothing):
        types = {str(name): str(kind) for name, kind in source.to_pandas().dtypes.items()}
        assert types == {
            "id": "Int64",
            "big": "Int64",
            "ratio": "float64",
            # The first number of `table` takes all 38 digits, the second one more decimals.
            "share": f"decimal256({38 if source is table else 23}, 9)[pyarrow]",
            "wide": f"decimal256({'76, 38' if source is table else '23, 9'})[pyarrow]",
            "open": "boolean",
            "name": text,
            "raw": "binary[pyarrow]",
            "day": "date32[day][pyarrow]",
            "first": "date32[day][pyarrow]",
            "last": "date32[day][pyarrow]",
            "at": "time64[us][pyarrow]",
            "local": "datetime64[us]",
            "end": "datetime64[us]",
            "start": "datetime64[us, UTC]",
            "when": "datetime64[us, UTC]",
            "seconds": "datetime64[us, UTC]",
        }


def test_pandas_calculates_with_decimals() -> None:
    pandas = pytest.importorskip("pandas")
    rows = [{"n": "1.25", "m": "0.5", "i": "3"}, {}, {"n": "-99999999999999.999999999", "m": "2"}]
    frame = made({"n": "NUMERIC", "m": "BIGNUMERIC", "i": "INTEGER"}, *rows).to_pandas()
    n, m = frame["n"], frame["m"]
    first, last = Decimal("1.25"), Decimal("-99999999999999.999999999")
    for values, expected in (
        (n + 1, [first + 1, last + 1]),
        (n * 2, [first * 2, last * 2]),
        (n - m, [first - Decimal("0.5"), last - 2]),
        (n + n + n, [3 * first, 3 * last]),
        (n * m, [Decimal("0.625"), 2 * last]),
        (n / m * 100, [Decimal(250), last * 50]),
        (n * 100 / m, [Decimal(250), last * 50]),
        (n * Decimal("0.1"), [Decimal("0.125"), last / 10]),
        (n * 0.5, [0.625, float(last) * 0.5]),
        (n > 1, [True, False]),
    ):
        assert pandas.isna(values[1])
        for got, value in zip((values[0], values[2]), expected, strict=True):
            assert got == value, values
    assert (frame["n"] / frame["i"])[0].quantize(Decimal("0.001")) == Decimal("0.417")
    assert n[:2].round(1)[0] == Decimal("1.2")
    assert n[::2].diff().abs().tolist()[1] == first - last
    assert n.sum() == first + last
    assert n.max() == first
    assert frame.groupby("m")["n"].sum().tolist() == [first, last]
    assert frame.merge(frame, on="n")["m_x"].tolist()[0] == Decimal("0.5")
    assert frame.sort_values("n")["n"].tolist()[:2] == [last, first]
    assert n.astype("float64")[0] == 1.25


@pytest.mark.parametrize(
    ("cells", "kind"),
    [
        (["99999999999999.999999999", None], "decimal256(23, 9)"),
        (["100000000000000"], "decimal256(38, 9)"),
        (["99999999999999999999999999999.999999999"], "decimal256(38, 9)"),
        (["-1e29"], "decimal256(76, 38)"),
        (["0.0000000001"], "decimal256(76, 38)"),
        (["0", "0.0e-40"], "decimal256(23, 9)"),
    ],
)
def test_pandas_decimals_have_the_digits_that_hold_them(cells: list[str], kind: str) -> None:
    pytest.importorskip("pandas")
    frame = made({"n": "BIGNUMERIC"}, *({"n": cell} for cell in cells)).to_pandas()
    assert str(frame["n"].dtype) == f"{kind}[pyarrow]"
    assert frame["n"].dropna().tolist() == [Decimal(cell) for cell in cells if cell is not None]


def test_pandas_dates_and_times() -> None:
    pytest.importorskip("pandas")
    rows = [{"day": "2025-03-01", "at": "10:00:00.000001"}, {}, {"day": "9999-12-31"}]
    frame = made({"day": "DATE", "at": "TIME"}, *rows).to_pandas()
    day = frame["day"]
    assert day.dt.year.dropna().tolist() == [2025, 9999]
    assert (day > dt.date(2025, 3, 1)).dropna().tolist() == [False, True]
    assert (day.min(), day.max()) == (dt.date(2025, 3, 1), dt.date(9999, 12, 31))
    assert frame["at"].min() == dt.time(10, 0, 0, 1)
    assert frame[["day"]].to_json(date_format="iso").startswith('{"day":{"0":"2025-03-01T')


NESTED: list[tuple[str, Any, Any]] = [
    # A type, the cell as the API sends it, and the value. A null beside an integer makes floats of
    # a list in pyarrow's frames.
    ("ARRAY<INT64>", [str(ID), None], [ID, None]),
    ("ARRAY<BOOL>", ["true", None], [True, None]),
    ("ARRAY<NUMERIC>", ["0.1", None], [Decimal("0.1"), None]),
    ("ARRAY<DATE>", ["0001-01-01", None], [dt.date(1, 1, 1), None]),
    ("ARRAY<DATETIME>", ["9999-12-31T23:59:59.999999"], [dt.datetime.max]),
    ("ARRAY<TIMESTAMP>", ["0001-01-01T00:00:00Z"], [dt.datetime(1, 1, 1, tzinfo=UTC)]),
    ("ARRAY<STRING>", [], []),
    ("ARRAY<STRUCT<i INT64>>", [{"i": str(ID)}, {}], [{"i": ID}, {"i": None}]),
    ("STRUCT<i INT64, l ARRAY<INT64>>", {"l": [str(ID), None]}, {"i": None, "l": [ID, None]}),
    ("RANGE<DATE>", "[2025-01-01, UNBOUNDED)", {"start": dt.date(2025, 1, 1), "end": None}),
]


@pytest.mark.parametrize(("kind", "cell", "value"), NESTED)
def test_pandas_nested_cells_are_plain_values(kind: str, cell: Any, value: Any) -> None:
    pytest.importorskip("pandas")
    frame = made({"a": "INT64", "x": kind, "b": "INT64"}, {}, {"a": "1", "x": cell}).to_pandas()
    assert list(frame.columns) == ["a", "x", "b"]
    assert frame["x"].tolist() == [None, value]
    assert list(map(type, frame["x"])) == [type(None), type(value)]
    assert len(made({"x": kind}, {}, {"x": cell}).to_pandas()) == 2
    assert len(made({"x": kind}).to_pandas()) == 0


def test_pandas_types_can_be_chosen(table: gda.Table) -> None:
    pandas = pytest.importorskip("pandas")
    frame = table.to_pandas(types_mapper=pandas.ArrowDtype)
    assert str(frame["share"].dtype) == "decimal128(38, 9)[pyarrow]"
    assert frame["id"][0] == ID
    lists = made({"x": "ARRAY<INT64>"}, {"x": [str(ID), None]})
    assert str(lists.to_pandas(types_mapper=pandas.ArrowDtype)["x"].dtype) == (
        f"{lists.to_arrow().schema.field('x').type}[pyarrow]"
    )
    # Objects of Python in place of Arrow's types, as docs/conversational-analytics.md says it.
    frame = table.to_pandas(types_mapper={pa.int64(): pandas.Int64Dtype()}.get)
    assert frame["id"][0] == ID
    for name in ("share", "wide", "day", "at", "raw"):
        assert frame[name].dtype == object
        assert frame[name][0] == VALUES[name]
    assert lists.to_pandas(types_mapper=lambda _: None)["x"].tolist() == [[ID, None]]


def test_libraries_read_a_frame_of_pandas(tmp_path: Path) -> None:
    """DuckDB and polars have no decimals of 256 bits; Arrow's own types are for them."""
    pandas = pytest.importorskip("pandas")
    duckdb = pytest.importorskip("duckdb")
    polars = pytest.importorskip("polars")
    types = {"n": "NUMERIC", "day": "DATE", "id": "INTEGER"}
    table = made(types, {"n": "0.1", "day": "2025-03-01", "id": str(ID)}, {})
    frame = table.to_pandas(types_mapper=pandas.ArrowDtype)
    row = (Decimal("0.1"), dt.date(2025, 3, 1), ID)
    assert duckdb.sql("select * from frame").fetchall() == [row, (None, None, None)]
    assert polars.from_pandas(frame).row(0) == row
    table.to_pandas().to_parquet(tmp_path / "frame.parquet")
    found = parquet.read_table(tmp_path / "frame.parquet")
    assert tuple(found.to_pylist()[0].values()) == row
    assert found.schema.field("day").type == pa.date32()


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
