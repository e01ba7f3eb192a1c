"""Streams as record batches, columns of messages parsed, and errors with their places."""

from __future__ import annotations

import io
import tracemalloc
from collections.abc import Iterator
from typing import Any

import pyarrow as pa
import pytest
from google.protobuf.message import Message
from support.analytics import gda
from support.everything import EVERYTHING2, EVERYTHING3, GROUP, POOL
from support.messages import random_message

import turnwire
from turnwire import arrow, ces, to_json

ROWS = [turnwire.from_json(ces.Message, to_json(random_message(ces.Message, n))) for n in range(40)]


@pytest.mark.parametrize("format", ["array", "ndjson", "concatenated", "sse", "delimited"])
@pytest.mark.parametrize("batch_rows", [1, 7, 40, 1000])
def test_read_takes_every_format(format: Any, batch_rows: int) -> None:
    stream = io.BytesIO()
    turnwire.write(ROWS, stream, format="ndjson" if format == "concatenated" else format)
    reader = arrow.read(
        ces.Message, stream.getvalue(), format=format, batch_rows=batch_rows, on_misfit="string"
    )
    assert isinstance(reader, pa.RecordBatchReader)
    assert reader.schema == arrow.schema_of(ces.Message, on_misfit="string")
    batches = list(reader)
    assert [batch.num_rows for batch in batches[:-1]] == [batch_rows] * (len(batches) - 1)
    assert list(arrow.from_arrow(ces.Message, pa.Table.from_batches(batches))) == ROWS


def test_rows_before_an_error_come_first() -> None:
    reader = arrow.read(
        ces.Message, b'[{"role":"a"},{"role":"b"},{"role":"c"},{"role":5}]', batch_rows=2
    )
    assert reader.read_next_batch()["role"].to_pylist() == ["a", "b"]
    assert reader.read_next_batch()["role"].to_pylist() == ["c"]
    with pytest.raises(turnwire.ParseError) as caught:
        reader.read_next_batch()
    assert (caught.value.index, caught.value.path) == (3, ("role",))


@pytest.mark.parametrize(
    ("end", "error"),
    [
        (b'{"role": "c', turnwire.TruncatedStream),
        (b'{"error": {"code": 429, "message": "slow"}}', turnwire.StreamError),
    ],
)
def test_rows_before_the_end_of_a_stream(end: bytes, error: type[Exception]) -> None:
    reader = arrow.read(ces.Message, b'[{"role":"a"},{"role":"b"},' + end, format="array")
    assert reader.read_next_batch()["role"].to_pylist() == ["a", "b"]
    with pytest.raises(error):
        reader.read_next_batch()


def test_rows_before_a_misfit() -> None:
    lines = b'{"timestamp":"2025-01-01T00:00:00Z"}\n{"timestamp":"9999-01-01T00:00:00Z"}\n'
    reader = arrow.read(gda.Message, lines)
    assert reader.read_next_batch().num_rows == 1
    with pytest.raises(turnwire.SerializeError) as caught:
        reader.read_next_batch()
    assert (caught.value.index, caught.value.path) == (1, ("timestamp",))
    assert caught.value.field == f"{gda.Message.DESCRIPTOR.full_name}.timestamp"


def test_options_of_reading() -> None:
    lines = b'{"log":{"role":"a"}}\n{"log":{"role":5}}\n{"log":{"role":"b"}}\n'
    errors: list[Any] = []
    table = arrow.read(ces.Message, lines, at="log", on_error=errors.append).read_all()
    assert table["role"].to_pylist() == ["a", "b"]
    assert [error.index for error in errors] == [1]
    with pytest.raises(turnwire.ParseError):
        arrow.read(ces.Message, b'{"rolle":"a"}', unknown="error").read_all()
    for wrong in (0, True, "1"):
        with pytest.raises(ValueError, match="batch_rows"):
            arrow.read(ces.Message, b"", batch_rows=wrong)  # type: ignore[arg-type]


def test_an_empty_stream_has_its_types() -> None:
    table = arrow.read(ces.Message, b"").read_all()
    assert (table.num_rows, table.schema) == (0, arrow.schema_of(ces.Message))


def test_memory_does_not_grow_with_the_stream() -> None:
    def peak(lines: int) -> int:
        def chunks() -> Iterator[bytes]:
            for _ in range(lines):
                yield b'{"role":"' + b"a" * 2000 + b'"}\n'

        tracemalloc.start()
        before = pa.total_allocated_bytes()
        highest = 0
        for batch in arrow.read(ces.Message, chunks(), format="ndjson", batch_rows=50):
            assert batch.num_rows == 50
            highest = max(highest, pa.total_allocated_bytes() - before)
        python = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return highest + python

    peak(100)
    assert peak(4000) < 2 * peak(400)


def test_large_messages_end_a_batch() -> None:
    big = [ces.Message(role="a" * 2**23) for _ in range(5)]
    table = arrow.to_arrow(ces.Message, big)
    assert [len(chunk) for chunk in table["role"].chunks] == [2, 2, 1]


TEXTS = ['{"text": "a"}', None, '{"text": 5}', "{", '{"text": "b"}', '{"nope": 1}', "{}"]


def make_column(style: str) -> Any:
    kinds = {
        "string": pa.string(),
        "large": pa.large_string(),
        "view": pa.string_view(),
        "dictionary": pa.dictionary(pa.int32(), pa.string()),
    }
    if style == "chunked":
        return pa.chunked_array([TEXTS[:3], TEXTS[3:]], pa.string())
    if style == "slice":
        return pa.array([*TEXTS, "x"], pa.string()).slice(0, len(TEXTS))
    if style == "capsule":
        return Exporter(pa.array(TEXTS))
    return pa.array(TEXTS, pa.string()) if style == "string" else pa.array(TEXTS).cast(kinds[style])


class Exporter:
    """An array of another library, which shares the C interface alone."""

    def __init__(self, array: pa.Array) -> None:
        self._array = array

    def __arrow_c_array__(self, requested_schema: object = None) -> object:
        return self._array.__arrow_c_array__(requested_schema)


@pytest.mark.parametrize(
    "style", ["string", "large", "view", "dictionary", "chunked", "slice", "capsule"]
)
def test_parse_loses_no_row(style: str) -> None:
    batch = arrow.parse(ces.Chunk, make_column(style))
    assert isinstance(batch, pa.RecordBatch)
    batch.validate(full=True)
    assert batch.schema.names == ["message", "error"]
    assert batch.schema.field("message").type == pa.struct(list(arrow.schema_of(ces.Chunk)))
    texts = [message and message["text"] for message in batch["message"].to_pylist()]
    assert texts == ["a", None, None, None, "b", None, None]
    assert batch["message"].is_null().to_pylist() == [False, True, True, True, False, True, False]
    errors = batch["error"].to_pylist()
    assert [error and error["kind"] for error in errors] == [
        *(None, None, "type", "syntax", None, "unknown", None)
    ]
    assert errors[2] == {
        "kind": "type",
        "path": "$.text",
        "reason": "expected string, got number",
        "field": "turnwire_schema.ces.v1.Chunk.text",
    }


@pytest.mark.parametrize("kind", [pa.binary(), pa.large_binary(), pa.binary_view()])
def test_parse_takes_wire_bytes(kind: pa.DataType) -> None:
    good = [message.SerializeToString() for message in ROWS]
    column = pa.array([*good, None, b"\xff\xff"], pa.binary()).cast(kind)
    batch = arrow.parse(ces.Message, column, on_misfit="string")
    assert [error and error["kind"] for error in batch["error"].to_pylist()][-2:] == [None, "wire"]
    table = pa.RecordBatch.from_struct_array(batch["message"].slice(0, len(good)))
    assert list(arrow.from_arrow(ces.Message, table)) == ROWS


def test_a_misfit_is_an_error_of_its_row() -> None:
    texts = ['{"timestamp":"9999-01-01T00:00:00Z"}', '{"timestamp":"2025-01-01T00:00:00Z"}']
    batch = arrow.parse(gda.Message, pa.array(texts))
    [error, none] = batch["error"].to_pylist()
    assert none is None
    assert (error["kind"], error["path"]) == ("range", "$.timestamp")
    batch = arrow.parse(gda.Message, pa.array(texts), on_misfit="null", enums="dictionary")
    batch.validate(full=True)
    assert batch["error"].null_count == 2


def test_parse_refuses_other_columns() -> None:
    with pytest.raises(TypeError, match="one of int64"):
        arrow.parse(ces.Chunk, pa.array([1]))
    with pytest.raises(TypeError, match="got list"):
        arrow.parse(ces.Chunk, ["{}"])
    with pytest.raises(ValueError, match="unknown"):
        arrow.parse(ces.Chunk, pa.array([], pa.string()), unknown="never")  # type: ignore[arg-type]


def bad_wire() -> Message:
    return EVERYTHING2.FromString(bytes([9 << 3 | 2, 1, 0xFF]))


MISFITS: list[tuple[Message, tuple[Any, ...], str, str | None]] = [
    (EVERYTHING3(wkt_timestamp={"seconds": 10**11}), ("wkt_timestamp",), "range", "wkt_timestamp"),
    (EVERYTHING3(wkt_timestamp={"nanos": -1}), ("wkt_timestamp",), "range", "wkt_timestamp"),
    (EVERYTHING3(wkt_timestamp={"nanos": 10**9}), ("wkt_timestamp",), "range", "wkt_timestamp"),
    (EVERYTHING3(wkt_duration={"seconds": 1, "nanos": -1}), ("wkt_duration",), "range", None),
    (EVERYTHING3(wkt_duration={"seconds": -1, "nanos": 1}), ("wkt_duration",), "range", None),
    (EVERYTHING3(wkts_duration=[{}, {"seconds": 10**10}]), ("wkts_duration", 1), "range", None),
    (EVERYTHING3(wkt_value={}), ("wkt_value",), "value", None),
    (EVERYTHING3(wkts_value=[{"number_value": float("nan")}]), ("wkts_value", 0), "value", None),
    (bad_wire(), ("one_string",), "encoding", "one_string"),
]


@pytest.mark.parametrize(("message", "path", "kind", "field"), MISFITS)
def test_misfits(message: Message, path: Any, kind: str, field: str | None) -> None:
    message_class = type(message)
    with pytest.raises(turnwire.SerializeError) as caught:
        arrow.to_arrow(message_class, [message_class(), message])
    error = caught.value
    assert (error.index, error.path, error.kind) == (1, path, kind)
    assert error.field
    if field is not None:
        assert error.field == f"{message_class.DESCRIPTOR.full_name}.{field}"


def test_misfits_become_null_or_text() -> None:
    rows = [gda.Message(timestamp={"seconds": 10**11}), gda.Message(timestamp={"seconds": 1})]
    table = arrow.to_arrow(gda.Message, rows, on_misfit="null")
    assert table["timestamp"].is_null().to_pylist() == [True, False]
    table = arrow.to_arrow(gda.Message, rows, on_misfit="string")
    assert table["timestamp"].to_pylist() == ["5138-11-16T09:46:40Z", "1970-01-01T00:00:01Z"]
    assert list(arrow.from_arrow(gda.Message, table)) == rows


def test_an_extension_that_is_set_is_an_error() -> None:
    number = POOL.FindExtensionByName("two.ext_number")
    message = GROUP()
    message.Extensions[number] = 5
    with pytest.raises(
        turnwire.SerializeError, match=r"extension two\.ext_number is set"
    ) as caught:
        arrow.to_arrow(GROUP, [message])
    assert caught.value.field == "two.ext_number"


def test_messages_of_another_class() -> None:
    with pytest.raises(TypeError, match="expected a Message as message 1, got Chunk"):
        arrow.to_arrow(ces.Message, [ces.Message(), ces.Chunk()])  # type: ignore[list-item]


BAD_TABLES: list[tuple[type[Message], dict[str, Any], tuple[Any, ...], str]] = [
    (ces.Message, {"roles": ["a"]}, ("roles",), "unknown"),
    (ces.Message, {"role": [5]}, ("role",), "value"),
    (ces.Message, {"chunks": [[{"text": 5}]]}, ("chunks", 0, "text"), "value"),
    (ces.Message, {"chunks": [[{"text": "a"}, None]]}, ("chunks", 1), "value"),
    (ces.Message, {"chunks": [5]}, ("chunks",), "value"),
    (ces.Chunk, {"text": ["a"], "transcript": ["b"]}, ("transcript",), "oneof"),
    (ces.Chunk, {"text": ["a"], "data_case": ["image"]}, ("data_case",), "oneof"),
    (EVERYTHING3, {"wkt_struct": ["{"]}, ("wkt_struct",), "syntax"),
    (EVERYTHING3, {"wkt_struct": [5]}, ("wkt_struct",), "value"),
    (EVERYTHING3, {"self": ['{"oneString": 5}']}, ("self", "oneString"), "type"),
    (EVERYTHING3, {"self": [5]}, ("self",), "value"),
    (EVERYTHING3, {"colour": ["BLUE"]}, ("colour",), "unknown"),
    (EVERYTHING3, {"one_int32": [2**31]}, ("one_int32",), "value"),
    (EVERYTHING3, {"wkt_timestamp": ["yesterday"]}, ("wkt_timestamp",), "value"),
    (EVERYTHING3, {"one_bool": [2]}, ("one_bool",), "value"),
    (EVERYTHING3, {"one_double": [2**53 + 1]}, ("one_double",), "value"),
    (EVERYTHING3, {"one_double": [True]}, ("one_double",), "value"),
    (EVERYTHING3, {"one_float": [1e39]}, ("one_float",), "value"),
    (EVERYTHING3, {"colour": [" 7 "]}, ("colour",), "unknown"),
    (EVERYTHING3, {"colour": ["1_0"]}, ("colour",), "unknown"),
    (EVERYTHING3, {"colour": [str(2**31)]}, ("colour",), "value"),
    (EVERYTHING3, {"many_int32": [[1, 2**31]]}, ("many_int32", 1), "value"),
    (EVERYTHING3, {"many_int32": [5]}, ("many_int32",), "value"),
    (EVERYTHING3, {"many_string": [[5]]}, ("many_string", 0), "value"),
    (EVERYTHING3, {"by_string": [[{"k": "a", "v": "{}"}]]}, ("by_string",), "value"),
    (EVERYTHING3, {"by_string": [{"a": "{}"}]}, ("by_string",), "value"),
    (EVERYTHING3, {"by_string": [[{"key": 5, "value": "{}"}]]}, ("by_string", "5"), "value"),
    (EVERYTHING3, {"wkt_timestamp": [0.5]}, ("wkt_timestamp",), "value"),
]


@pytest.mark.parametrize(("message_class", "columns", "path", "kind"), BAD_TABLES)
def test_rows_that_are_not_messages(
    message_class: type[Message], columns: Any, path: Any, kind: str
) -> None:
    first = {name: [None] for name in columns}
    table = pa.Table.from_pydict({name: first[name] + columns[name] for name in columns})
    found = arrow.from_arrow(message_class, table)
    assert next(found) == message_class()
    with pytest.raises(turnwire.ParseError) as caught:
        next(found)
    assert (caught.value.index, caught.value.path, caught.value.kind) == (1, path, kind)


def test_times_out_of_range_are_refused() -> None:
    for kind, name in ((pa.timestamp("s"), "wkt_timestamp"), (pa.duration("s"), "wkt_duration")):
        table = pa.table({name: pa.array([10**15], kind)})
        with pytest.raises(turnwire.ParseError) as caught:
            list(arrow.from_arrow(EVERYTHING3, table))
        assert caught.value.kind == "range"


def test_keys_that_come_twice() -> None:
    pairs = pa.array([[("a", "{}"), ("a", "{}")]], pa.map_(pa.string(), pa.string()))
    with pytest.raises(turnwire.ParseError) as caught:
        list(arrow.from_arrow(EVERYTHING3, pa.table({"by_string": pairs})))
    assert (caught.value.kind, caught.value.path) == ("duplicate", ("by_string", "a"))


def test_from_arrow_refuses_other_objects() -> None:
    with pytest.raises(TypeError, match="expected an Arrow table, got list"):
        arrow.from_arrow(ces.Message, [])
