"""The Arrow tables of results: types, misfits, and results without a schema."""

from __future__ import annotations

import datetime as dt
import subprocess
import sys
from decimal import Decimal
from typing import Any

import pyarrow as pa
import pytest
from support.analytics import gda
from support.cases import for_each

import turnwire
from turnwire.geminidataanalytics._column_types import TYPES

INT, TEXT = pa.int64(), pa.string()
STAMP = pa.timestamp("us", "UTC")

ARROW_TYPES = {
    "INT64": INT,
    "INTEGER": INT,
    "FLOAT64": pa.float64(),
    "FLOAT": pa.float64(),
    "NUMERIC": pa.decimal128(38, 9),
    "BIGNUMERIC": pa.decimal256(76, 38),
    "BOOL": pa.bool_(),
    "STRING": TEXT,
    "BYTES": pa.binary(),
    "DATE": pa.date32(),
    "TIME": pa.time64("us"),
    "DATETIME": pa.timestamp("us"),
    "TIMESTAMP": STAMP,
    "JSON": TEXT,
    "GEOGRAPHY": TEXT,
    "INTERVAL": TEXT,
    "FROB": TEXT,
    "RANGE<DATE>": pa.struct([("start", pa.date32()), ("end", pa.date32())]),
    "RANGE<TIMESTAMP>": pa.struct([("start", STAMP), ("end", STAMP)]),
    "RANGE": TEXT,
    "NUMERIC(10,2)": pa.decimal128(38, 9),
    "DECIMAL": pa.decimal128(38, 9),
    "BIGINT": INT,
    "INT": INT,
    "SMALLINT": INT,
    "DOUBLE": pa.float64(),
    "REAL": pa.float64(),
    "FLOAT32": pa.float64(),
    "VARCHAR(20)": TEXT,
    "TEXT": TEXT,
    "TIMESTAMP(12)": STAMP,
    "timestamp with time zone": STAMP,
    "ARRAY<INT64>": pa.list_(INT),
    "STRUCT<a INT64, b STRING>": pa.struct([("a", INT), ("b", TEXT)]),
    "ARRAY<STRUCT<a DATE>>": pa.list_(pa.struct([("a", pa.date32())])),
    "STRUCT": TEXT,
    "STRUCT<INT64, STRING>": TEXT,
    "STRUCT<`a b, c<` INT64, `d` ARRAY<DATE>,\te  STRING>": pa.struct(
        [("a b, c<", INT), ("d", pa.list_(pa.date32())), ("e", TEXT)]
    ),
    "STRUCT<`a INT64>": TEXT,
    "number": pa.float64(),
    "yesno": pa.bool_(),
    "string": TEXT,
    "date": pa.date32(),
}


def made(types: dict[str, str], *rows: dict[str, Any], mode: str = "") -> gda.Table:
    fields = [gda.Field(name=name, type=kind, mode=mode) for name, kind in types.items()]
    result = gda.DataResult(schema=gda.Schema(fields=fields))
    for row in rows:
        result.data.add().update(row)
    return gda.Table(result)


@for_each("name", ARROW_TYPES)
def test_type(name: str) -> None:
    field = made({"c": name}).to_arrow().schema.field("c")
    assert field.type == ARROW_TYPES[name]
    assert field.nullable
    assert field.metadata == {b"turnwire.type": name.encode()}
    [column] = made({"c": name}).column_types
    assert column == gda.TableColumn("c", "c", name, "", str(ARROW_TYPES[name]))


def test_every_type_of_the_table_of_types_has_an_arrow_type() -> None:
    for each in TYPES:
        for name in each.names:
            assert str(made({"c": name}).to_arrow().schema.field("c").type) == each.arrow


def test_modes() -> None:
    assert made({"c": "INTEGER"}, mode="REPEATED").to_arrow().schema.field("c").type == pa.list_(
        INT
    )
    assert made({"c": "INTEGER"}, {}, mode="REQUIRED").to_arrow()["c"].to_pylist() == [None]


def test_records_by_subfields() -> None:
    place = gda.Field(name="place", type="STRING")
    field = gda.Field(name="c", type="RECORD", mode="REPEATED", subfields=[place])
    result = gda.DataResult(schema=gda.Schema(fields=[field]))
    result.data.add().update({"c": [{"place": "Tábor"}, None]})
    found = gda.Table(result).to_arrow()
    assert found["c"].to_pylist() == [[{"place": "Tábor"}, None]]


CELLS: list[tuple[str, Any, Any]] = [
    ("INTEGER", "9007199254740993", 2**53 + 1),
    ("INTEGER", 5.0, 5),
    ("FLOAT", "NaN", None),
    ("NUMERIC", "0.123456789", Decimal("0.123456789")),
    ("NUMERIC", "1e5", Decimal(100000)),
    ("NUMERIC", "0.1000000000000", Decimal("0.1")),
    ("NUMERIC", "-0e50", Decimal(0)),
    ("BIGNUMERIC", "0e999999999", Decimal(0)),
    ("number", "0.1", 0.1),
    ("number", "1204", 1204.0),
    ("yesno", "Yes", True),
    ("DATE", "9999-12-31", dt.date.max),
    ("TIMESTAMP", "2025-01-01 00:00:00 UTC", dt.datetime(2025, 1, 1, tzinfo=dt.UTC)),
    ("TIMESTAMP", "1.5", dt.datetime(1970, 1, 1, 0, 0, 1, 500000, dt.UTC)),
    (
        "TIMESTAMP",
        "2025-01-01T00:00:00.123456000Z",
        dt.datetime(2025, 1, 1, 0, 0, 0, 123456, dt.UTC),
    ),
    ("JSON", '{"a": 1.50}', '{"a": 1.50}'),
    ("JSON", {"a": [1, None]}, '{"a":[1,null]}'),
    ("GEOGRAPHY", "POINT(1 2)", "POINT(1 2)"),
    ("INTERVAL", "1-2 3 4:5:6", "1-2 3 4:5:6"),
    ("FROB", 5, "5"),
    ("FROB", {"a": 1}, '{"a":1}'),
    ("STRUCT", {"a": 1}, '{"a":1}'),
    (
        "RANGE<DATE>",
        "[2025-01-01, 2025-02-01)",
        {"start": dt.date(2025, 1, 1), "end": dt.date(2025, 2, 1)},
    ),
    ("RANGE<DATE>", "[UNBOUNDED, 2025-02-01)", {"start": None, "end": dt.date(2025, 2, 1)}),
    ("ARRAY<DATE>", ["2025-01-01", None], [dt.date(2025, 1, 1), None]),
    ("STRUCT<a INT64, b STRING>", {"a": "1"}, {"a": 1, "b": None}),
]


@for_each(("kind", "cell", "value"), CELLS)
def test_cell(kind: str, cell: Any, value: Any) -> None:
    found = made({"c": kind}, {"c": cell}, {}, {"c": None}).to_arrow()["c"].to_pylist()
    if kind == "FLOAT":
        assert found[0] != found[0]
    else:
        assert found == [value, None, None]


MISFITS: list[tuple[str, Any, tuple[Any, ...]]] = [
    ("INTEGER", "many", ()),
    ("INTEGER", 5.5, ()),
    ("INTEGER", True, ()),
    ("INTEGER", "9223372036854775808", ()),
    ("FLOAT", "1e400", ()),
    ("NUMERIC", "0.1234567891", ()),
    ("NUMERIC", "1e29", ()),
    ("BIGNUMERIC", "1e-39", ()),
    ("BIGNUMERIC", "1e40", ()),
    ("number", "9007199254740993", ()),
    ("BOOL", "maybe", ()),
    ("BOOL", 1, ()),
    ("STRING", 5, ()),
    ("BYTES", "not base64", ()),
    ("DATE", "2025-13-01", ()),
    ("TIME", "24:00:00", ()),
    ("DATETIME", "2025-01-01T00:00:00Z", ()),
    ("TIMESTAMP", "2025-01-01T00:00:00.1234567Z", ()),
    ("TIMESTAMP", "1746352800.1234567", ()),
    ("TIMESTAMP", "yesterday", ()),
    ("TIMESTAMP", "9999-12-31T23:59:59-01:00", ()),
    ("TIMESTAMP", "0001-01-01T00:00:00+00:01", ()),
    ("ARRAY<TIMESTAMP>", ["9999-12-31T23:59:59-01:00"], (0,)),
    ("RANGE<TIMESTAMP>", "[2025-01-01T00:00:00Z, 9999-12-31T23:59:59-01:00)", ()),
    ("JSON", "{", ()),
    ("RANGE<DATE>", "2025-01-01", ()),
    ("RANGE<DATE>", "[today, 2025-01-01)", ()),
    ("ARRAY<DATE>", "2025-01-01", ()),
    ("ARRAY<NUMERIC>", ["1", "0.1234567891"], (1,)),
    ("STRUCT<a INT64>", {"a": "x"}, ("a",)),
    ("STRUCT<a INT64>", {"b": "1"}, ("b",)),
    ("STRUCT<a INT64>", [1], ()),
]


@for_each(("kind", "cell", "path"), MISFITS)
def test_misfit(kind: str, cell: Any, path: tuple[Any, ...]) -> None:
    good = {"ARRAY<DATE>": [], "ARRAY<TIMESTAMP>": [], "JSON": "{}"}.get(kind)
    table = made({"c": kind}, {"c": good}, {"c": cell})
    with pytest.raises(turnwire.ParseError) as caught:
        table.to_arrow()
    assert caught.value.path == ("data", 1, "c", *path)
    assert caught.value.kind == "value"
    with pytest.raises(turnwire.ParseError):
        table.__arrow_c_stream__()
    nulls = table.to_arrow(on_misfit="null")
    assert nulls.schema == made({"c": kind}).to_arrow().schema
    found = nulls["c"].to_pylist()[1]
    assert found is None or None in (found.values() if isinstance(found, dict) else found)
    assert "9999" not in str(found)
    texts = table.to_arrow(on_misfit="string")
    assert texts.schema.field("c").type == TEXT
    text = texts["c"].to_pylist()[1]
    assert text == cell if isinstance(cell, str) else isinstance(text, str)


def test_text_holds_the_whole_column_as_it_came() -> None:
    table = made({"c": "NUMERIC"}, {"c": "1.50"}, {"c": "0.1234567891"}, {"c": 2}, {})
    found = table.to_arrow(on_misfit="string")["c"].to_pylist()
    assert found == ["1.50", "0.1234567891", "2", None]
    assert table.column_types[0].arrow == "decimal128(38, 9)"


def test_a_cell_of_an_unknown_column() -> None:
    table = made({"c": "STRING"}, {"c": "a", "d": "b"})
    with pytest.raises(turnwire.ParseError) as caught:
        table.to_arrow()
    assert caught.value.path == ("data", 0, "d")
    assert table.to_arrow(on_misfit="null").column_names == ["c"]


def test_names_that_come_twice() -> None:
    fields = [gda.Field(name="a", type="INTEGER"), gda.Field(name="a", type="STRING")]
    result = gda.DataResult(schema=gda.Schema(fields=fields))
    result.data.add().update({"a": "7"})
    table = gda.Table(result)
    assert table.to_arrow().to_pylist() == [{"a": 7, "a_2": "7"}]
    assert [(column.name, column.field) for column in table.column_types] == [
        ("a", "a"),
        ("a_2", "a"),
    ]


WITHOUT_SCHEMA: list[tuple[list[Any], pa.DataType, list[Any]]] = [
    ([True, None], pa.bool_(), [True, None]),
    (["a", "1"], TEXT, ["a", "1"]),
    ([1, 2], INT, [1, 2]),
    ([1, 2.5], pa.float64(), [1.0, 2.5]),
    ([1, "a"], TEXT, ["1", "a"]),
    ([[1], {"a": True}], TEXT, ["[1]", '{"a":true}']),
    ([None], TEXT, [None]),
]


@pytest.mark.parametrize(("cells", "kind", "values"), WITHOUT_SCHEMA)
def test_without_a_schema(cells: list[Any], kind: pa.DataType, values: list[Any]) -> None:
    result = gda.DataResult()
    for cell in cells:
        result.data.add().update({"c": cell})
    found = gda.Table(result).to_arrow()["c"]
    assert (found.type, found.to_pylist()) == (kind, values)


def test_no_rows_keep_their_types() -> None:
    table = made(dict.fromkeys(["a"], "TIMESTAMP") | {"b": "ARRAY<INT64>"}).to_arrow()
    assert (table.num_rows, table.schema.types) == (0, [STAMP, pa.list_(INT)])


def test_nothing_at_all() -> None:
    assert gda.Table(gda.DataResult()).to_arrow().num_columns == 0


def test_rows_of_few_cells() -> None:
    types = {f"c{number}": "INTEGER" for number in range(100)}
    table = made(types, {"c7": "7"}, {"c99": "99"})
    found = table.to_arrow()
    assert found["c7"].to_pylist() == [7, None]
    assert found["c99"].to_pylist() == [None, 99]
    assert found["c0"].null_count == 2


def test_results_of_an_analysis_are_text() -> None:
    event = gda.AnalysisEvent(result_csv_data="month,cups\n5,1204\n")
    message = gda.SystemMessage(analysis=gda.AnalysisMessage(progress_event=event))
    [table] = gda.Answer.collect([gda.Message(system_message=message)]).results_for_display
    assert table.to_arrow().schema.types == [TEXT, TEXT]


def test_options() -> None:
    with pytest.raises(ValueError, match="on_misfit"):
        made({"c": "INTEGER"}).to_arrow(on_misfit="ignore")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("library", "call", "extra"),
    [
        ("pandas", "to_pandas()", "pandas"),
        ("polars", "to_polars()", "polars"),
        ("pyarrow", "to_arrow()", "arrow"),
        ("pyarrow", "to_parquet('never.parquet')", "arrow"),
        ("pyarrow", "column_types", "arrow"),
        ("pyarrow", "__arrow_c_stream__()", "arrow"),
    ],
)
def test_without_a_library_the_error_names_the_extra(library: str, call: str, extra: str) -> None:
    program = f"""
import sys, turnwire
class Block:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] == {library!r}:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)
sys.meta_path.insert(0, Block())
views = turnwire.geminidataanalytics
schema = views.Schema(fields=[views.Field(name='a')])
table = views.Table(views.DataResult(schema=schema))
try:
    table.{call}
except turnwire.MissingExtra as error:
    assert error.extra == {extra!r}, error.extra
else:
    raise AssertionError("no error")
"""
    subprocess.run([sys.executable, "-c", program], check=True)
