"""Columns that the core makes are those of the pure backend: schemas, values and errors."""

from __future__ import annotations

import json
import os
import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any
from unittest import mock

import pytest
from google.protobuf.message import Message
from hypothesis import given
from hypothesis import strategies as st
from support.analytics import gda
from support.everything import EDITION, EVERYTHING2, EVERYTHING3, GROUP
from support.messages import message_classes, random_message
from support.random_classes import random_classes

from turnwire.errors import TurnwireError
from turnwire.protojson import _accelerator, to_json

if os.environ.get("TURNWIRE_REQUIRE_NATIVE") != "1":
    pytest.importorskip("turnwire_native")

from native.test_rows import CELLS, FIELDS, NAMES, NUMBERS, WORDS, result_of

from native import samples
from turnwire import arrow, ces
from turnwire.arrow._columns import row_cell
from turnwire.arrow._options import Options
from turnwire.arrow._plain import plain_values

pa = pytest.importorskip("pyarrow")

CLASSES = [
    each
    for each in (*message_classes(), EDITION, GROUP, EVERYTHING2, EVERYTHING3)
    if each.DESCRIPTOR.fields
]
RANDOM_CLASSES = st.integers(0, 2**32).map(
    lambda seed: next(
        (each for each in random_classes(seed) if each.DESCRIPTOR.fields), ces.Message
    )
)
ANY_CLASS = st.one_of(st.sampled_from(CLASSES), RANDOM_CLASSES)
ONE_NAME_OF_EACH = [each.names[0] for each in gda._column_types.TYPES]
ONE_NAME_OF_EACH += ["RECORD", "GEOGRAPHY", "RANGE<DATE>", ""]
MISFITS = st.sampled_from(("error", "null", "string"))
TIMES = (
    *("2025-05-04T10:00:00", "2025-05-04 10:00:00.25", "2025-05-04T10:00:00.1234560", "2025-05-04"),
    *("2025-05-04T10:00:00.1234567", "2025-05-04 10:00:00 UTC", "2025-05-04T10:00:00Z", "10:00"),
    *(
        "2025-05-04T10:00:00+02",
        "2025-05-04T10:00:00+0230",
        "2025-05-04T10:00:00 -02:30",
        "24:00:00",
    ),
    *("2025-05-04T10:00:00+24:00", "2025-05-04T10:00:60Z", "2025-05-04T10:00:00 +2", "10:00:00."),
    *("0001-01-01T00:00:00+00:01", "9999-12-31T23:59:59.999999-00:01", "0000-01-01", "10:00:00.5"),
    *("9999-12-31T23:59:59.999999", "0001-01-01", "2024-02-29", "2025-02-29", "２０２５-05-04"),
    *("-62135596800", "-62135596801", "253402300799.999999", "253402300800", "1.5e-7", "1e11"),
    *("[2025-01-01, UNBOUNDED)", "[a, b)", "Yes", "NO", "no ", "-_8=", "AQI=", "AQID\n", "A"),
)
JSON_TEXTS = (
    *(
        "{}",
        "[]",
        " 1 ",
        "\t[1,\r\n2]",
        "\u00a01",
        "\ufeff1",
        "\f1",
        "1 2",
        "{}{}",
        "[1,]",
        '{"a"}',
    ),
    *('{"a":1,"a":2}', '{"a":1,"\\u0061":2}', '[{"a":1},{"a":2}]', '{"":1}', "{'a':1}", "[01]"),
    *(
        '"\\ud800"',
        '"\\ud83d\\ude00"',
        '"\\ud800x"',
        '"\\udc00\\ud800"',
        '"\\u0000"',
        '"\\x"',
        '"\t"',
    ),
    *("9" * 310, "9" * 4001, "-" + "9" * 4001, "0." + "1" * 5000, "1e309", "1.8e308", "-1e400"),
    *("[1e-400]", "-0", "-0.0", "-", "+1", "1e", "1.", ".5", "Infinity", "[NaN]", "nul", "truee"),
    *("[" * depth + "]" * depth for depth in (30, 90, 101, 400)),
    *('{"a":' * depth + "1" + "}" * depth for depth in (30, 90, 101, 400)),
    *('"' + "ž" * 5000 + '"', '"' + "a" * 70000 + '"', "// c\n1", '"a', "\x00", '{"a":1}x'),
)


@contextmanager
def without_core() -> Iterator[None]:
    """Makes columns in pure Python."""
    codecs = mock.patch.dict(_accelerator.codecs, clear=True)
    with mock.patch.object(_accelerator, "native", None), codecs:
        yield


def outcome(make: Callable[[], Any]) -> str:
    """Returns the schema and the values of a table, or its error, in words that tell all apart."""
    try:
        table = make()
    except TurnwireError as error:
        return repr((type(error), str(error), error.__dict__))
    columns = [table.column(place) for place in range(table.num_columns)]
    chunks = [getattr(column, "chunks", [column]) for column in columns]
    for column in chunks:
        for chunk in column:
            chunk.validate(full=True)
    values = [[value for chunk in column for value in plain_values(chunk)] for column in chunks]
    return f"{table.schema.to_string(show_schema_metadata=True)}\n{values!r}"


def assert_same(make: Callable[[], Any]) -> None:
    made = outcome(make)
    with without_core():
        assert made == outcome(make)


def table_of(fields: list[gda.Field], rows: list[dict[str, Any]]) -> gda.Table:
    result = result_of(rows)
    result.schema.fields.extend(fields)
    return gda.Table(result)


@given(
    st.lists(st.dictionaries(st.sampled_from((*NAMES, "more")), CELLS), max_size=4),
    st.lists(FIELDS, max_size=6),
    MISFITS,
)
def test_tables(rows: list[dict[str, Any]], fields: list[gda.Field], on_misfit: Any) -> None:
    table = table_of(fields, rows)
    assert_same(lambda: table.to_arrow(on_misfit=on_misfit))


@pytest.mark.parametrize("type_name", ONE_NAME_OF_EACH)
@pytest.mark.parametrize("mode", ["", "REPEATED"])
def test_every_odd_cell_in_a_column_of_every_type(type_name: str, mode: str) -> None:
    fields = [gda.Field(name="c", type=type_name, mode=mode)]
    odd = (None, True, 5.0, 5.5, 1e16, 1e22, -0.0, {}, {"x": "1"})
    for cell in (*odd, *NUMBERS, *WORDS, *TIMES):
        rows = [{"c": [cell, None] if mode else cell}, {}, {"c": None}]
        table = table_of(fields, rows)
        assert_same(table.to_arrow)
        typed = repr(gda.rows_of(table.message))
        with without_core():
            assert typed == repr(gda.rows_of(table.message))


@pytest.mark.parametrize("message_class", CLASSES, ids=lambda each: each.DESCRIPTOR.full_name)
def test_messages(message_class: type[Message]) -> None:
    messages = [random_message(message_class, seed) for seed in range(12)]
    messages.insert(3, message_class())
    for on_misfit, enums in (("error", "string"), ("null", "dictionary"), ("string", "string")):
        assert_same(
            lambda how=on_misfit, enums=enums: arrow.to_arrow(
                message_class, messages, on_misfit=how, enums=enums
            )
        )


@given(ANY_CLASS, st.randoms(use_true_random=False), st.integers(0, 2), MISFITS)
def test_wire_format(
    message_class: type[Message], rng: random.Random, recursion: int, on_misfit: Any
) -> None:
    wires: list[bytes | None] = [None]
    for _ in range(6):
        wire = random_message(message_class, rng.getrandbits(32)).SerializePartialToString()
        more = random_message(message_class, rng.getrandbits(32)).SerializePartialToString()
        wires += [wire, wire + more, samples.damage(rng, wire)]
    column = pa.array(wires, pa.binary()).slice(rng.randrange(3))
    assert_same(
        lambda: arrow.parse(message_class, column, recursion=recursion, on_misfit=on_misfit)
    )


@given(ANY_CLASS, st.randoms(use_true_random=False), MISFITS)
def test_json(message_class: type[Message], rng: random.Random, on_misfit: Any) -> None:
    texts: list[str | None] = [None, "{}", "", "null", '{"unheard": 1}']
    for _ in range(6):
        text = to_json(random_message(message_class, rng.getrandbits(32)))
        texts.append(text.decode())
        texts.append(samples.respell(rng, json.loads(text)))
        texts.append(samples.damage(rng, text).decode(errors="replace"))
    columns = (pa.array(texts), pa.chunked_array([texts, []]), pa.array(texts, pa.large_string()))
    column = rng.choice(columns)
    for unknown in ("error", "ignore"):
        assert_same(
            lambda unknown=unknown: arrow.parse(
                message_class, column, unknown=unknown, on_misfit=on_misfit
            )
        )


@given(st.randoms(use_true_random=False), st.sampled_from(("raise", "skip")))
def test_streams(rng: random.Random, on_error: Any) -> None:
    texts = [to_json(random_message(ces.Message, rng.getrandbits(32))) for _ in range(9)]
    texts.insert(
        rng.randrange(9), rng.choice([b'{"role": 5}', b'{"role": "a"}', b'{"unheard": 1}'])
    )
    body = b"\n".join(texts)

    def rows() -> Any:
        batches = []
        reader = arrow.read(
            ces.Message, body, unknown="ignore", on_error=on_error, batch_rows=4, on_misfit="null"
        )
        try:
            for batch in reader:
                batches.append(batch)
        except TurnwireError as error:
            batches.append(str(error))
        return [getattr(batch, "columns", batch) for batch in batches]

    made = rows()
    with without_core():
        assert made == rows()


def test_the_core_makes_the_columns_of_every_class() -> None:
    missing = []
    for message_class in CLASSES:
        schema = pa.schema(list(row_cell(message_class, Options()).type))
        if _accelerator.column_builder(message_class, schema, False, "error", "round") is None:
            missing.append(message_class.DESCRIPTOR.full_name)
    assert missing == []


@given(st.randoms(use_true_random=False), MISFITS)
def test_json_cells(rng: random.Random, on_misfit: Any) -> None:
    texts = [rng.choice(JSON_TEXTS) for _ in range(2)]
    for _ in range(4):
        text = samples.respell(rng, samples.random_plain(rng))
        texts += [text, samples.damage(rng, text.encode()).decode(errors="replace")]
    for text in texts:
        table = table_of([gda.Field(name="c", type="JSON")], [{"c": text}, {}])
        assert_same(lambda table=table: table.to_arrow(on_misfit=on_misfit))


def test_odd_json_cells() -> None:
    for text in JSON_TEXTS:
        table = table_of([gda.Field(name="c", type="JSON")], [{"c": text}, {}])
        assert_same(table.to_arrow)


def test_ordinary_cells_need_no_python() -> None:
    cells = {
        "INTEGER": "7",
        "FLOAT": "0.5",
        "NUMERIC": "1.50",
        "BIGNUMERIC": "-0.00000000000000000000000000000000000001",
        "NUMBER": "1.5",
        "BOOLEAN": "true",
        "YESNO": "Yes",
        "DATE": "2025-05-04",
        "TIME": "10:00:00",
        "DATETIME": "2025-05-04T10:00:00",
        "TIMESTAMP": "2025-05-04 10:00:00 UTC",
        "BYTES": "AQI=",
        "STRING": "a",
        "JSON": '{"a": [1, "x", null]}',
        "ARRAY<JSON>": ["{}", "1"],
        "GEOGRAPHY": "POINT(1 2)",
        "ARRAY<INT64>": ["1", None],
        "STRUCT<a INT64, b ARRAY<DATE>>": {"a": "1", "b": ["2025-05-04"]},
    }
    fields = [gda.Field(name=name, type=name) for name in cells]
    table = table_of(fields, [cells, {}])
    sources = gda._arrow_table._Sources(table.message)
    assert sorted(sources.ready_arrays(strict=True) or {}) == sorted(cells)
