"""Columns of JSON texts and wire bytes become columns of messages, row by row."""

from __future__ import annotations

import json
from typing import Any

import pytest
from support.analytics import gda
from support.messages import random_message

import turnwire
from turnwire import arrow, bulk, ces, from_json, to_json

pa = pytest.importorskip("pyarrow")

ENTRY = '{"insertId": "a1", "logName": "projects/p/logs/ces", "jsonPayload": {"role": "user"}}'
ROW = (
    '{"conversation_id": "c-1", "turn_index": 0, "create_time": "2025-05-01T07:00:00Z", "messages":'
    ' [{"role": "user", "chunks": [{"text": "Hi"}]},'
    ' {"role": "Front Desk", "event_time": "2025-05-01T07:00:01Z", "chunks":'
    ' [{"tool_call": {"display_name": "count_stock"}}]}]}'
)
BAD = {
    '{"role": 5}': ("type", "$.role"),
    '{"chunks": [{"text": "a"}, {"text": 5}]}': ("type", "$.chunks[1].text"),
    '{"role": "a"': ("syntax", "$"),
    "": ("syntax", "$"),
    "[]": ("type", "$"),
    '{"colour": "red"}': ("unknown", "$.colour"),
    '{"error": {"code": 429, "message": "too many"}}': ("stream_error", "$"),
    '{"eventTime": "9999-01-01T00:00:00Z"}': ("range", "$.event_time"),
}


def rows_of(batches: Any) -> list[dict[str, Any]]:
    return [row for batch in batches for row in batch.to_pylist()]


def table(texts: list[Any], kind: Any = None) -> Any:
    columns = {"value": pa.array(texts, kind), "line": list(range(1, len(texts) + 1))}
    return pa.table(columns)


@pytest.mark.parametrize("message_class", [ces.Message, ces.RunSessionResponse, gda.Message])
def test_good_rows_are_the_messages(message_class: Any) -> None:
    messages = [random_message(message_class, seed) for seed in range(30)]
    messages = [from_json(message_class, to_json(message)) for message in messages]
    for texts, kind in (
        ([to_json(message).decode() for message in messages], None),
        ([message.SerializeToString() for message in messages], pa.binary()),
    ):
        [batch] = bulk.convert(table(texts, kind), message=message_class)
        fits = batch["error"].is_null().to_pylist()
        # Times beyond 64 bits of nanoseconds are the only problems here.
        assert {row["kind"] for row in batch["error"].to_pylist() if row} <= {"range"}
        kept = pa.Table.from_batches([pa.RecordBatch.from_struct_array(batch["message"])])
        good = [message for message, fit in zip(messages, fits, strict=True) if fit]
        assert list(arrow.from_arrow(message_class, kept.filter(pa.array(fits)))) == good
        assert batch.num_rows == len(messages)
        assert batch["line"].to_pylist() == list(range(1, 31))


@pytest.mark.parametrize("unknown", ["error", "ignore"])
@pytest.mark.parametrize("kind", ["string", "large_string", "string_view", "binary"])
def test_each_row_is_kept_with_its_problem(unknown: Any, kind: str) -> None:
    texts = [*BAD, None, '{"role": "user"}']
    values = [text if text is None or kind != "binary" else text.encode() for text in texts]
    source = table(values, getattr(pa, kind)())
    rows = rows_of(bulk.convert(source, message=ces.Message, format="json", unknown=unknown))
    assert [row["line"] for row in rows] == list(range(1, len(texts) + 1))
    for text, row in zip(texts, rows, strict=True):
        if text == '{"colour": "red"}' and unknown == "ignore":
            assert row["error"] is None
            assert row["message"]["role"] == ""
        elif text in BAD:
            assert row["message"] is None
            assert (row["error"]["kind"], row["error"]["path"]) == BAD[text]
            assert row["error"]["reason"]
        else:
            assert row["error"] is None
            assert (row["message"] is None) == (text is None)


def test_bytes_that_are_not_utf8_are_a_problem_of_their_row() -> None:
    source = table([b'{"role": "\xff"}', b'{"role": "user"}'], pa.binary())
    rows = rows_of(bulk.convert(source, message=ces.Message, format="json"))
    assert rows[0]["error"]["kind"] == "encoding"
    assert rows[1]["message"]["role"] == "user"


@pytest.mark.parametrize(
    ("text", "at", "named"),
    [(ENTRY, "jsonPayload", "log entry of Cloud Logging"), (ROW, "messages", "BigQuery export")],
)
def test_an_object_around_messages_is_named_and_unwrapped(text: str, at: str, named: str) -> None:
    for unknown in ("error", "ignore"):
        options: Any = {"message": ces.Message, "unknown": unknown}
        [row] = rows_of(bulk.convert(table([text]), **options))
        assert row["error"]["kind"] == "wrapped"
        assert named in row["error"]["reason"]
        assert f'at="{at}"' in row["error"]["reason"]
        unwrapped = rows_of(bulk.convert(table([text]), at=at, **options))
        assert [each["error"] for each in unwrapped] == [None] * len(unwrapped)
        assert unwrapped[0]["message"]["role"] == "user"
        assert {each["line"] for each in unwrapped} == {1}


@pytest.mark.parametrize(
    "message_class", [ces.Message, ces.RunSessionResponse, ces.Conversation, gda.Message]
)
def test_a_row_of_the_export_is_named_whatever_was_expected(message_class: Any) -> None:
    [row] = rows_of(bulk.convert(table([ROW]), message=message_class))
    assert row["error"]["kind"] == "wrapped"
    assert "CES's BigQuery export, whose messages are ces.Message" in row["error"]["reason"]
    with pytest.raises(turnwire.ParseError, match="BigQuery export"):
        list(turnwire.read(message_class, ROW.encode()))


def test_the_path_of_a_problem_begins_at_the_whole_text() -> None:
    texts = ['{"a": {"rows": [{"role": "x"}, {"role": 5}]}}', '{"a": {"rows": []}}', '{"b": 1}']
    rows = rows_of(bulk.convert(table(texts), message=ces.Message, at="a.rows"))
    assert [row["line"] for row in rows] == [1, 1, 2, 3]
    assert rows[1]["error"]["path"] == "$.a.rows[1].role"
    assert (rows[2]["message"], rows[2]["error"]) == (None, None)
    assert rows[3]["error"]["kind"] == "value"


def test_batches_are_cut_by_bytes_and_rows() -> None:
    long = json.dumps({"role": "x" * 3_000_000})
    batches = list(bulk.convert(table([long] * 7), message=ces.Message))
    assert [batch.num_rows for batch in batches] == [2, 2, 2, 1]
    batches = list(bulk.convert(table(["{}"] * 10_000), message=ces.Message))
    assert [batch.num_rows for batch in batches] == [4096, 4096, 1808]


def test_the_schema_is_known_beforehand() -> None:
    source = table(['{"role": "a"}', "{"])
    expected = bulk.schema(source.schema, message=ces.Message)
    assert expected.names == ["line", "message", "error"]
    for batch in bulk.convert(source, message=ces.Message):
        assert batch.schema == expected
        batch.validate(full=True)


def test_batches_are_read_as_the_output_is_asked_for() -> None:
    def batches() -> Any:
        yield from table(['{"role": "a"}']).to_batches()
        raise OSError("the disk is gone")

    converted = bulk.convert(batches(), message=ces.Message)
    assert next(converted).num_rows == 1
    with pytest.raises(OSError, match="the disk is gone"):
        next(converted)


@pytest.mark.parametrize(
    ("options", "error", "reason"),
    [
        ({"message": dict}, TypeError, "message class"),
        ({"column": "text"}, ValueError, "expected a column 'text', got 'value', 'line'"),
        ({"column": "line"}, TypeError, "strings or binary values"),
        ({"format": "xml"}, ValueError, "format"),
        ({"format": "wire"}, TypeError, "needs a column of binary values"),
        ({"unknown": "warn"}, ValueError, "unknown"),
        ({"at": ""}, ValueError, "at must be a path"),
    ],
)
def test_wrong_arguments(options: Any, error: type[Exception], reason: str) -> None:
    with pytest.raises(error, match=reason):
        list(bulk.convert(table(["{}"]), **({"message": ces.Message} | options)))


OTHERS = [
    pa.array(["a view of more than twelve bytes", None], pa.string_view()),
    pa.array([b"a view", None], pa.binary_view()),
    pa.array([["a"], None], pa.list_(pa.string_view())),
    pa.array([{"a": b"b"}, None], pa.struct([("a", pa.binary_view())])),
    pa.array(["a", "b"]).dictionary_encode(),
    pa.array([[("a", 1)], None], pa.map_(pa.string(), pa.int64())),
    pa.array([[1], [2]], pa.list_view(pa.int64())),
    pa.RunEndEncodedArray.from_arrays([1, 2], ["a", None]),
    pa.nulls(2),
]


@pytest.mark.parametrize("other", OTHERS, ids=lambda other: str(other.type))
def test_other_columns_of_any_type_pass_through(other: Any) -> None:
    first, second = other.to_pylist()
    lines = ['{"rows": [{"role": "a"}, {"role": "b"}]}', '{"rows": []}']
    source = pa.table({"value": lines, "other": other})
    rows = rows_of(bulk.convert(source, message=ces.Message, at="rows"))
    assert [row["other"] for row in rows] == [first, first, second]
    said = '{"outputs": [{"turnIndex": 1, "text": "a"}, {"turnIndex": 2, "text": "b"}]}'
    source = pa.table({"value": [said, "5"], "c": ["c-1", "c-1"], "other": other})
    options: Any = {"message": ces.RunSessionResponse, "tables": "turns", "conversation": "c"}
    rows = rows_of(bulk.convert(source, **options))
    assert [row["other"] for row in rows] == [second, first, first]


def test_columns_of_json_and_of_nothing() -> None:
    for column in (pa.array(['{"role": "a"}', None], pa.json_()), pa.nulls(2)):
        source = pa.table({"value": column, "session": ["s-1", "s-1"]})
        [batch] = bulk.convert(source, message=ces.Message)
        assert batch.schema == bulk.schema(source.schema, message=ces.Message)
        assert batch["error"].null_count == 2
        assert batch["message"].null_count == column.null_count
        options: Any = {"tables": "messages", "conversation": "session"}
        found = rows_of(bulk.convert(source, message=ces.Message, **options))
        assert len(found) == 2 - column.null_count


def test_texts_that_are_not_json_are_named_where_a_path_is_too() -> None:
    texts = ["", " ", "x", '"a"', "5"]
    rows = rows_of(bulk.convert(table(texts), message=ces.Message, at="rows"))
    kinds = [row["error"]["kind"] for row in rows]
    assert kinds == ["syntax", "syntax", "syntax", "type", "type"]


def test_a_path_needs_json() -> None:
    with pytest.raises(ValueError, match="wire format"):
        list(bulk.convert(table([b""], pa.binary()), message=ces.Message, at="a"))


def test_a_column_that_the_output_needs_is_refused() -> None:
    source = table(["{}"]).rename_columns(["value", "error"])
    with pytest.raises(ValueError, match="rename"):
        list(bulk.convert(source, message=ces.Message))
    with pytest.raises(TypeError, match="RecordBatch"):
        list(bulk.convert([{}], message=ces.Message))
