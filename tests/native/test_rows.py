"""Rows of the native core are those of the pure backend, and ordinary cells need no Python."""

from __future__ import annotations

import os
import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.analytics import gda
from support.cases import for_each

from turnwire.errors import TurnwireError
from turnwire.protojson import _pure
from turnwire.protojson._columns import Column, Form

if os.environ.get("TURNWIRE_REQUIRE_NATIVE") != "1":
    pytest.importorskip("turnwire_native")

from native.classes import classes_by_name

from native import core_first, samples
from turnwire.protojson import from_dict
from turnwire.protojson._accelerator import codec_of

# The rows of the accessors, whose columns have casts.
Misfit = gda._cells.Misfit
columns_for = gda._cells.columns_for
TYPE_BY_NAME = gda._column_types.TYPE_BY_NAME
shapes_of = gda._shapes.shapes_of
TYPES = (*sorted(TYPE_BY_NAME), "RECORD", "GEOGRAPHY", "", "integer", "Bool")
NAMES = ("id", "name", "größe", "", "a_rather_long_name_of_a_column", "x", "y", "z")
# Texts that a sloppy reader of numbers, names or times would accept or mistake.
NUMBERS = (
    *("0", "-0", "7", "-7", "+7", "07", "-07", "--7", "7 ", " 7", "7\n", "1_0", "٣", "３", "0x1"),
    *("1e2", "1E+2", "1e-2", "5.0", "5.5", "1.0e1", "0.0", "-0.0", ".5", "5.", "1e", "e1", "-"),
    *(
        "0e19",
        "0e50",
        "0e99999999999",
        "0e99999999999999999999",
        "1e99999999999999999999",
        "1.50e1",
    ),
    *("1e-99999999999999999999", "-1e-400", "1e400", "-1e400", "1.7976931348623159e308", "5e-324"),
    *("9223372036854775807", "9223372036854775808", "-9223372036854775808", "9007199254740993"),
    *("-9223372036854775809", "99999999999999999999", "0.30000000000000004", "2.4703e-324"),
    *("1" * 400, "0." + "1" * 400, "1" * 5000, "1\0", "1e2\0", "9007199254740993.0"),
)
WORDS = (
    *("", "true", "True", "TRUE", "fAlSe", "true ", "ｔｒｕｅ", "yes", "1", "ſ", "n/a", "prüfen"),
    *("NaN", "nan", "Infinity", "-Infinity", "inf", "-inf", "+inf", "INF", "null", "\0", "🚲"),
    *("2025-05-04", "2025-02-30", "10:00:00", "2025-05-04T10:00:00Z", "1.7463528E9"),
    *("AQID", "AQI", "[1, {}]", '{"a": NaN}', "{"),
)
DOUBLES = (
    *(0.0, -0.0, 1.0, -1.0, 5.5, 1e15, 1e16, -1e16, 1e22, 1e300, 5e-324, 2.0**53 + 2),
    *(2.0**63, 2.0**63 - 1024, -(2.0**63), -(2.0**63) - 2048, 2.0**64, 1e18),
)
CELLS: st.SearchStrategy[Any] = st.recursive(
    st.sampled_from((None, True, False, *NUMBERS, *WORDS, *DOUBLES))
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.integers(-(2**65), 2**65).map(str)
    | st.floats().map(repr)
    | st.text("0123456789+-.eE_ \t٣", max_size=8)
    | st.text(max_size=12),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(NAMES), inner, max_size=3)
    ),
    max_leaves=5,
)
FIELDS = st.recursive(
    st.builds(
        gda.Field,
        name=st.sampled_from(NAMES),
        type=st.sampled_from(TYPES),
        mode=st.sampled_from(("", "", "NULLABLE", "REPEATED")),
    ),
    lambda inner: st.builds(
        gda.Field,
        name=st.sampled_from(NAMES),
        type=st.just("STRUCT"),
        subfields=st.lists(inner, max_size=3),
    ),
    max_leaves=3,
)
ROWS = st.lists(st.dictionaries(st.sampled_from((*NAMES, "more")), CELLS), max_size=6)


def outcome(function: Any, *args: Any) -> str:
    """The result or error of a function, written so that equal ints, floats and bools differ."""
    try:
        return repr(function(*args))
    except (TurnwireError, Misfit) as error:
        return repr((type(error), str(error), error.__dict__))


def result_of(rows: list[dict[str, Any]]) -> gda.DataResult:
    result = gda.DataResult()
    for row in rows:
        result.data.add().update(row)
    return result


def assert_same(result: gda.DataResult, columns: list[Column]) -> None:
    args = result, "data", columns
    assert outcome(core_first.print_rows, *args) == outcome(_pure.print_rows, *args)


@given(ROWS, st.lists(FIELDS, max_size=6), st.randoms(use_true_random=False))
def test_rows(rows: list[dict[str, Any]], fields: list[gda.Field], rng: random.Random) -> None:
    shuffled = [dict(rng.sample(list(row.items()), len(row))) for row in rows]
    result = result_of(rows + shuffled)
    assert_same(result, columns_for(shapes_of(fields), strict=False))
    assert_same(result, columns_for(shapes_of(fields), strict=True))
    assert_same(result, [Column(name) for name in NAMES])


@for_each("type_name", TYPES)
def test_every_odd_cell_in_a_column_of_every_type(type_name: str) -> None:
    cells = (None, True, False, *NUMBERS, *WORDS, *DOUBLES, [], ["1"], {}, {"x": "1"})
    columns = columns_for(shapes_of([gda.Field(name="c", type=type_name)]), strict=False)
    for cell in cells:
        assert_same(result_of([{"c": cell}]), columns)
    assert_same(result_of([{"c": cell} for cell in cells]), columns)


@given(st.integers(0, 2**64 - 1))
def test_damaged_structs(seed: int) -> None:
    """Values without a kind, numbers that JSON lacks, unknown fields: in columns or beside."""
    rng = random.Random(seed)
    result = result_of([{"a": 1, "b": ["1", {"c": "x"}], "d": "5"}] * 3)
    value = rng.choice(result.data).fields[rng.choice("abdz")]
    kind = rng.randrange(5)
    if kind == 0:
        value.Clear()
    elif kind == 1:
        value.number_value = rng.choice((float("nan"), float("inf"), float("-inf")))
    elif kind == 2:
        value.MergeFromString(b"\xf8\x07\x01")
    elif kind == 3:
        value.list_value.values.add()
    else:
        for _ in range(rng.randrange(20, 60)):
            value = value.list_value.values.add()
        value.string_value = "5"
    types = {"a": "FLOAT", "d": "INTEGER", "e": "STRING"}
    fields = [gda.Field(name=name, type=type_name) for name, type_name in types.items()]
    columns = columns_for(shapes_of(fields), strict=False)
    for chosen in (columns, columns[:1], [Column("b", len)], []):
        assert_same(result, chosen)


FORMS: list[tuple[Form, list[Any], list[Any]]] = [
    ("integer", ["0", "-12", "9007199254740993", 7, -3.0], [0, -12, 9007199254740993, 7, -3]),
    ("double", ["0.1", "-1e3", "12", 0.5, 7, -0.0], [0.1, -1000.0, 12.0, 0.5, 7.0, -0.0]),
    ("boolean", ["true", "FALSE", True, False], [True, False, True, False]),
]


@pytest.mark.parametrize(("form", "cells", "expected"), FORMS)
def test_ordinary_cells_are_cast_without_a_call(
    form: Form, cells: list[Any], expected: list[Any]
) -> None:
    def never(cell: Any) -> Any:
        raise AssertionError(f"called for {cell!r}")

    columns = [Column("c", never, form)]
    result = result_of([{"c": cell} for cell in cells] + [{"c": None}, {}])
    rows = codec_of(gda.DataResult).print_rows(result, "data", columns)
    assert repr(rows) == repr([{"c": value} for value in [*expected, None, None]])


def test_a_cast_is_asked_only_about_the_cells_of_its_column_that_need_it() -> None:
    asked: list[Any] = []

    def cast(cell: Any) -> Any:
        asked.append(cell)
        return [cell]

    columns = [Column("n", cast, "integer"), Column("s"), Column("t", cast)]
    result = result_of([{"n": "1", "s": "x", "t": "y"}, {"n": "1e1", "s": None, "t": None}])
    rows = codec_of(gda.DataResult).print_rows(result, "data", columns)
    assert rows == [{"n": 1, "s": "x", "t": ["y"]}, {"n": ["1e1"], "s": None, "t": None}]
    assert sorted(asked) == ["1e1", "y"]


def test_all_rows_share_their_keys() -> None:
    rows = [{"größe": 1, "name": "x"}, {"name": "y", "größe": 2}, {}] * 100
    columns = [Column("name"), Column("größe"), Column("none")]
    made = core_first.print_rows(result_of(rows), "data", columns)
    assert len({id(key) for row in made for key in row}) == len(columns)


def test_pure_python_decides_the_rest() -> None:
    print_rows = codec_of(gda.DataResult).print_rows
    result = from_dict(gda.DataResult, {"name": "n", "data": [{"a": "1"}]})
    assert print_rows(result, "data", [Column("a"), Column("a")]) is None
    for name in ("name", "schema", "nothing"):
        assert print_rows(result, name, []) is None


def test_errors_of_a_cast_are_the_pure_ones_and_interrupts_come_through() -> None:
    def refuse(cell: Any) -> Any:
        raise error

    result = result_of([{"a": "x"}])
    error: BaseException = LookupError("no such cell")
    columns = [Column("a", refuse)]
    assert codec_of(gda.DataResult).print_rows(result, "data", columns) is None
    with pytest.raises(LookupError, match="no such cell"):
        core_first.print_rows(result, "data", columns)
    error = KeyboardInterrupt()
    with pytest.raises(KeyboardInterrupt):
        codec_of(gda.DataResult).print_rows(result, "data", columns)


@given(st.integers(0, 2**64 - 1))
def test_rows_of_other_messages(seed: int) -> None:
    rng = random.Random(seed)
    classes = classes_by_name()
    message = classes[f"turnwire_native_test.{rng.choice(('proto2', 'proto3', 'editions'))}.All"]()
    field = message.DESCRIPTOR.fields_by_camelcase_name["StructList"]
    samples.fill(rng, message)
    for _ in range(rng.randrange(4)):
        samples.fill(rng, getattr(message, field.name).add())
    for name in (field.name, field.json_name):
        args = message, name, [Column(word) for word in samples.WORDS[: rng.randrange(4)]]
        native = outcome(core_first.print_rows, *args)
        assert native == outcome(_pure.print_rows, message, field.json_name, args[2])
