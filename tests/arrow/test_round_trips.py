"""Messages of any class come back from their columns as they were."""

from __future__ import annotations

import io
import math
from collections.abc import Iterator
from typing import Any

import pyarrow as pa
import pyarrow.parquet as parquet
import pytest
from google.protobuf.message import Message
from hypothesis import given
from hypothesis import strategies as st
from support.analytics import gda
from support.everything import EDITION, EVERYTHING2, EVERYTHING3, GROUP
from support.made import made
from support.messages import message_classes, random_message
from support.random_classes import random_columns

from turnwire import arrow, ces, from_json, schema, to_json

WIDE = (EVERYTHING2, EVERYTHING3)
CLASSES: list[type[Message]] = [*message_classes(), EDITION, GROUP, *WIDE]


def has_columns(message_class: type[Message]) -> bool:
    return len(message_class.DESCRIPTOR.fields) > 0


COLUMNAR = [message_class for message_class in CLASSES if has_columns(message_class)]


def random_row(message_class: type[Message], seed: int) -> Message:
    """Returns a random message without extensions, as JSON gives it.

    Reading an ``Any`` writes its bytes in another order.
    """
    return from_json(message_class, to_json(random_message(message_class, seed)))


def times(message: Any) -> Iterator[Any]:
    """Yields the times and durations of a message, however deep, outside of ``Any``."""
    if message.DESCRIPTOR.full_name in ("google.protobuf.Timestamp", "google.protobuf.Duration"):
        yield message
    for field, value in message.ListFields():
        if field.message_type is None:
            continue
        entry = field.message_type
        if entry.GetOptions().map_entry:
            if entry.fields_by_name["value"].message_type is not None:
                for item in value.values():
                    yield from times(item)
        elif field.is_repeated:
            for item in value:
                yield from times(item)
        else:
            yield from times(value)


def clamp_times(message: Message) -> None:
    """Brings all times into the years that nanoseconds of 64 bits hold."""
    for time in times(message):
        time.seconds = int(math.fmod(time.seconds, 2**33))


def back(message_class: type[Message], table: Any) -> list[Message]:
    return list(arrow.from_arrow(message_class, table))


@given(data=st.data(), seed=st.integers(0, 2**32), enums=st.sampled_from(["string", "dictionary"]))
def test_every_class_comes_back(data: st.DataObject, seed: int, enums: arrow.Enums) -> None:
    message_class = data.draw(st.sampled_from(COLUMNAR))
    recursion = 0 if message_class in WIDE else data.draw(st.integers(0, 2))
    rows = [random_row(message_class, seed + row) for row in range(3)]
    options: Any = {"enums": enums, "recursion": recursion, "on_misfit": "string"}
    table = arrow.to_arrow(message_class, rows, **options)
    table.validate(full=True)
    assert table.schema == arrow.schema_of(message_class, **options)
    assert back(message_class, table) == rows


@given(seed=st.integers(0, 2**32), recursion=st.integers(0, 2))
def test_random_classes_come_back(seed: int, recursion: int) -> None:
    for message_class, rows in random_columns(seed):
        options: Any = {"recursion": recursion, "on_misfit": "string"}
        table = arrow.to_arrow(message_class, rows, **options)
        table.validate(full=True)
        assert back(message_class, table) == rows
        file = io.BytesIO()
        parquet.write_table(table, file)
        assert back(message_class, parquet.read_table(file)) == rows
        lines = b"".join(to_json(row) + b"\n" for row in rows)
        assert arrow.read(message_class, lines, format="ndjson", **options).read_all() == table
        for row in rows:
            clamp_times(row)
        table = arrow.to_arrow(message_class, rows)
        parsed = arrow.parse(message_class, pa.array([to_json(row).decode() for row in rows]))
        assert parsed["error"].null_count == len(rows)
        assert pa.Table.from_struct_array(parsed["message"]) == table
        if all(row.IsInitialized() for row in rows):
            parsed = arrow.parse(message_class, pa.array(row.SerializeToString() for row in rows))
            assert parsed["error"].null_count == len(rows)
            assert pa.Table.from_struct_array(parsed["message"]) == table


@given(data=st.data(), seed=st.integers(0, 2**32))
def test_times_come_back_as_nanoseconds(data: st.DataObject, seed: int) -> None:
    message_class = data.draw(st.sampled_from(COLUMNAR))
    rows = [random_row(message_class, seed + row) for row in range(3)]
    for row in rows:
        clamp_times(row)
    assert back(message_class, arrow.to_arrow(message_class, rows)) == rows


@given(data=st.data(), seed=st.integers(0, 2**32))
def test_parquet_keeps_everything(data: st.DataObject, seed: int) -> None:
    message_class = data.draw(st.sampled_from(COLUMNAR))
    rows = [random_row(message_class, seed + row) for row in range(3)]
    table = arrow.to_arrow(message_class, rows, on_misfit="string")
    file = io.BytesIO()
    parquet.write_table(table, file)
    assert back(message_class, parquet.read_table(file)) == rows


@given(
    data=st.data(), seed=st.integers(0, 2**32), start=st.integers(0, 6), length=st.integers(0, 6)
)
def test_slices(data: st.DataObject, seed: int, start: int, length: int) -> None:
    message_class = data.draw(st.sampled_from(COLUMNAR))
    rows = [random_row(message_class, seed + row) for row in range(6)]
    table = arrow.to_arrow(message_class, rows, on_misfit="string")
    assert back(message_class, table.slice(start, length)) == rows[start : start + length]


def converted(kind: pa.DataType, style: str) -> pa.DataType:
    """Returns a type with other layouts of text and lists in it, as other libraries choose them."""
    if pa.types.is_struct(kind):
        return pa.struct([pa.field(f.name, converted(f.type, style)) for f in kind])
    if pa.types.is_map(kind):
        return pa.map_(kind.key_type, converted(kind.item_type, style))
    if pa.types.is_list(kind):
        make = {"large": pa.large_list, "view": pa.list_view}.get(style, pa.list_)
        return make(converted(kind.value_type, style))
    names = {"large": ("large_string", "large_binary"), "view": ("string_view", "binary_view")}
    if style in names and (pa.types.is_string(kind) or pa.types.is_binary(kind)):
        return getattr(pa, names[style][pa.types.is_binary(kind)])()
    if style == "dictionary" and pa.types.is_string(kind):
        return pa.dictionary(pa.int16(), kind)
    return kind


@pytest.mark.parametrize("style", ["large", "view", "dictionary"])
@pytest.mark.parametrize("message_class", [ces.Message, gda.Message, GROUP, EVERYTHING3])
def test_other_layouts(message_class: type[Message], style: str) -> None:
    rows = [random_row(message_class, seed) for seed in range(20)]
    table = arrow.to_arrow(message_class, rows, on_misfit="string")
    kind = converted(pa.struct(list(table.schema)), style)
    other = pa.table(
        [pa.array(table[field.name].to_pylist(), field.type) for field in kind],
        schema=pa.schema(list(kind)),
    )
    assert back(message_class, other) == rows
    assert back(message_class, other.slice(7)) == rows[7:]


def test_chunks_batches_and_readers() -> None:
    rows = [random_row(ces.Message, seed) for seed in range(30)]
    table = arrow.to_arrow(ces.Message, rows, on_misfit="string")
    chunked = pa.concat_tables([table.slice(0, 11), table.slice(11, 0), table.slice(11)])
    assert back(ces.Message, chunked) == rows
    assert back(ces.Message, table.to_batches()[0]) == rows
    assert back(ces.Message, table.to_reader(max_chunksize=4)) == rows
    assert back(ces.Message, Exporter(chunked)) == rows


class Exporter:
    """An object of another library, which shares the C interface alone."""

    def __init__(self, table: pa.Table) -> None:
        self._table = table

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return self._table.__arrow_c_stream__(requested_schema)


def test_more_rows_than_a_batch() -> None:
    rows = [ces.Message(role=str(number)) for number in range(2500)]
    table = arrow.to_arrow(ces.Message, rows)
    assert table.num_rows == 2500
    assert table["role"].num_chunks == 3
    assert back(ces.Message, table) == rows
    assert back(ces.Message, table.combine_chunks()) == rows


def test_no_rows_keep_their_types() -> None:
    table = arrow.to_arrow(ces.Message, [])
    assert table.num_rows == 0
    assert table.schema == arrow.schema_of(ces.Message)
    assert back(ces.Message, table) == []


@pytest.mark.parametrize("unit", ["s", "ms", "us", "ns"])
def test_units_of_times(unit: str) -> None:
    table = pa.table(
        {
            "wkt_timestamp": pa.array([-1, None], pa.timestamp(unit, "UTC")),
            "wkt_duration": pa.array([-1, None], pa.duration(unit)),
        }
    )
    nanos = {"s": 10**9, "ms": 10**6, "us": 10**3, "ns": 1}[unit]
    first, second = back(EVERYTHING3, table)
    assert (first.wkt_timestamp.seconds, first.wkt_timestamp.nanos) == divmod(-nanos, 10**9)
    assert first.wkt_duration.ToNanoseconds() == -nanos
    assert second == EVERYTHING3()


def test_required_fields_may_be_missing() -> None:
    need = made(
        'name: "need.proto" package: "need" syntax: "proto2" message_type { name: "Need"'
        ' field { name: "n" number: 1 label: LABEL_REQUIRED type: TYPE_INT32 }'
        ' field { name: "text" number: 2 label: LABEL_OPTIONAL type: TYPE_STRING } }'
    )["need.Need"]
    messages = [need(text="a"), need(n=1)]
    table = arrow.to_arrow(need, messages)
    assert table.column("n").to_pylist() == [None, 1]
    assert list(arrow.from_arrow(need, table)) == messages


def test_columns_may_be_missing() -> None:
    table = pa.table({"role": ["user"]})
    assert back(ces.Message, table) == [ces.Message(role="user")]


def test_presence_is_kept() -> None:
    rows = [
        EDITION(),
        EDITION(explicit=0),
        EDITION(closed=0),
        EDITION(delimited=EDITION()),
        EVERYTHING2(one_string=""),
        EVERYTHING3(wkt_int32value={}),
        EVERYTHING3(wkt_struct={}),
        EVERYTHING3(or_value={"null_value": 0}),
        EVERYTHING3(nothing=0),
        EVERYTHING3(self={}),
    ]
    for row in rows:
        assert back(type(row), arrow.to_arrow(type(row), [row, type(row)()])) == [row, type(row)()]


def test_unknown_enum_numbers_are_digits() -> None:
    rows = [EVERYTHING3(colour=77, colours=[1, -5, 2])]
    table = arrow.to_arrow(EVERYTHING3, rows)
    assert table["colour"].to_pylist() == ["77"]
    assert table["colours"].to_pylist() == [["RED", "-5", "GREEN"]]
    assert back(EVERYTHING3, table) == rows


def test_an_any_is_canonical_json() -> None:
    row = EVERYTHING3()
    row.wkt_any.Pack(ces.Blob(mime_type="a/b"))
    [text] = arrow.to_arrow(EVERYTHING3, [row])["wkt_any"].to_pylist()
    assert text == to_json(row.wkt_any).decode()


def test_every_class_with_fields_has_columns() -> None:
    for message_class in COLUMNAR:
        assert arrow.schema_of(message_class).names
    assert schema.message_names()
