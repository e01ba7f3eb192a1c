"""Messages inside of other objects: `at` reads them, and inputs without it get the advice."""

import gzip
import json

import pytest
from support.analytics import gda
from support.cases import for_each
from support.streams import outcome_of, places_of
from turnwire_schema.ces.v1.bidi_session_pb2 import BidiSessionServerMessage
from turnwire_schema.ces.v1.conversation_pb2 import Conversation
from turnwire_schema.ces.v1.message_pb2 import Message
from turnwire_schema.ces.v1.session_pb2 import RunSessionResponse
from turnwire_schema.ces.v1.tool_pb2 import ToolCall

from turnwire.errors import ParseError, StreamError, UnknownFieldWarning
from turnwire.streams import read

A, B, C = Message(role="a"), Message(role="b"), Message(role="c")
ENTRY = {"insertId": "7", "logName": "l", "timestamp": "2025-01-01T00:00:00Z", "severity": "INFO"}


def text_of(*values):
    return "".join(json.dumps(value) + "\n" for value in values).encode()


@pytest.mark.parametrize(
    ("at", "values"),
    [
        ("jsonPayload", [{**ENTRY, "jsonPayload": {"role": role}} for role in "abc"]),
        ("result", [{"result": {"role": role}} for role in "abc"]),
        (("jsonPayload", "frame"), [{"jsonPayload": {"frame": {"role": role}}} for role in "abc"]),
        ("jsonPayload.frame", [{"jsonPayload": {"x": 1, "frame": {"role": r}}} for r in "abc"]),
        (["a.b"], [{"c": [], "a.b": {"role": role}, "d": '"'} for role in "abc"]),
        ("messages", [{"messages": [{"role": "a"}, {"role": "b"}]}, {"messages": [{"role": "c"}]}]),
        ("messages", [{"messages": json.dumps([{"role": role} for role in "abc"])}]),
        ("column", [{"id": 5, "column": json.dumps({"role": role})} for role in "abc"]),
        ("r.m", [{"r": [{"m": {"role": "a"}}, {"m": [{"role": "b"}]}, {"m": '[{"role":"c"}]'}]}]),
        ("a.b", [{"a": json.dumps({"b": json.dumps({"role": role})})} for role in "abc"]),
        ("\u00e9\n", [{"\u00e9\n": {"role": role}} for role in "abc"]),
    ],
)  # fmt: skip
def test_messages_at_a_path(at, values):
    array = json.dumps(values, indent=1).encode()
    events = b"".join(b"data: " + line + b"\n\n" for line in text_of(*values).splitlines())
    for body in (text_of(*values), array, events, events.replace(b"\n", b"\r\n")):
        assert outcome_of(Message, body, at=at) == ([A, B, C], None)
    assert outcome_of(Message, text_of(*values), at=at, format="ndjson") == ([A, B, C], None)
    assert list(read(Message, gzip.compress(array), at=at)) == [A, B, C]


def test_errors_and_warnings_have_the_path_from_the_element():
    body = text_of(
        {"rows": [{"m": {"role": "a"}}, {"m": {"role": 5}}, {"m": {"chunks": [{"mood": 1}]}}]}
    )
    left_out = []
    found, _ = outcome_of(
        Message,
        body,
        at="rows.m",
        unknown="error",
        on_error=lambda error: left_out.append((error.index, error.path, error.kind)),
    )
    assert found == [A]
    assert set(left_out) == {
        (0, ("rows", 1, "m", "role"), "type"),
        (0, ("rows", 2, "m", "chunks", 0, "mood"), "unknown"),
    }
    paths = []
    list(read(Message, body, at="rows.m", unknown=paths.append, on_error="skip"))
    assert paths == [("rows", 2, "m", "chunks", 0, "mood")]
    places = places_of(Message, body, at="rows.m", on_error="skip")
    assert places == [("rows", "m", "chunks", "mood")]


@pytest.mark.parametrize(
    ("line", "kind", "path"),
    [
        (b'{"x": 1}', "value", ()),
        (b'{"m": {"x": 1}}', "value", ("m",)),
        (b'{"m": null}', "type", ("m",)),
        (b'{"m": 5}', "type", ("m",)),
        (b'{"m": "text"}', "type", ("m",)),
        (b'{"m": {"n": null}}', "type", ("m", "n")),
        (b'{"m": {"n": 5}}', "type", ("m", "n")),
        (b'{"m": {"n": {}, "n": {}}}', "duplicate", ("m",)),
        (b'{"m": {"n": {"role": "x", "role": "y"}}}', "duplicate", ("m", "n", "role")),
        (b'{"m": {"n": {"role": tru}}}', "syntax", ("m", "n")),
        (b'{"m": {"n" {}}}', "syntax", ("m",)),
        (b'{"m": {5: {}}}', "syntax", ("m",)),
        (b'{"m": {"n": {}},, "x": 1}', "syntax", ()),
        (b'{"m": "{\\"n\\": {\\"role\\": tru}}"}', "syntax", ("m", "n")),
        (b"5", "trailing_data", ()),
    ],
)
def test_a_bad_element_is_one_of_its_own(line, kind, path):
    good = b'{"m": {"n": {"role": "a"}}}\n'
    body = good + line + b"\n" + good
    found, error = outcome_of(Message, body, at="m.n")
    assert found == [A]
    assert (type(error), error.kind, error.index, error.path[: len(path)]) == (
        (ParseError, kind, 1, path)
    )  # fmt: skip
    assert outcome_of(Message, body, at="m.n", on_error="skip") == ([A, A], None)


def test_the_line_and_column_of_a_syntax_error_are_those_of_the_element():
    body = b'[\n{"m":\n  {"role": "a"}},\n{"x": "\xc3\xa9",\n "m": {"role":\n tru}}]'
    _, error = outcome_of(Message, body, at="m")
    assert (error.index, error.line, error.column) == (1, 3, 2)
    _, error = outcome_of(Message, '{"x": "é", "m": {"role": tru}}'.encode(), at="m")
    assert (error.line, error.column) == (1, 26)


def test_refusals_stand_outside_and_inside():
    for value in ({"error": {"code": 8}}, {"result": {"error": {"code": 8}}}, [{"code": 8}]):
        if value == [{"code": 8}]:
            value = {"code": 8, "message": "m"}
        body = text_of({"result": {"role": "a"}}, value)
        found, error = outcome_of(Message, body, at="result", unknown="ignore", on_error="skip")
        assert found == [A]
        assert (type(error), error.code, error.index) == (StreamError, 8, 1)


@pytest.mark.parametrize("at", [5, b"m", {"m"}, ["m", 5], iter("m")])
def test_a_path_of_a_wrong_class_is_a_type_error(at):
    with pytest.raises(TypeError, match="at must be a path of member names"):
        read(Message, b"[]", at=at)


@pytest.mark.parametrize("at", ["", "a.", "a..b", (), [], [""]])
def test_an_empty_path_is_a_value_error(at):
    with pytest.raises(ValueError, match="at must be a path of member names"):
        read(Message, b"[]", at=at)


def test_binary_has_no_path():
    with pytest.raises(ValueError, match="delimited"):
        read(Message, b"", at="m", format="delimited")
    found, error = outcome_of(Message, b"\x03\x0a\x01a", at="m")
    assert (found, error.kind) == ([], "syntax")


BIGQUERY = {
    "conversation_id": "c",
    "turn_index": 0,
    "create_time": "2025-01-01 00:00:00 UTC",
    "messages": [{"role": "a", "chunks": [{"text": "x"}]}],
}
WRAPPED = [
    (Message, {**ENTRY, "jsonPayload": {"role": "a"}}, "log entry", "jsonPayload"),
    (Message, {**ENTRY, "jsonPayload": {"newThing": 1}}, "log entry", "jsonPayload"),
    (Message, {**ENTRY, "jsonPayload": {"m": {"role": "a"}}}, "log entry", "jsonPayload.m"),
    (Message, {**ENTRY, "textPayload": '{"role": "a"}'}, "log entry", "textPayload"),
    (gda.Message, {**ENTRY, "jsonPayload": {"systemMessage": {}}}, "entry", "jsonPayload"),
    (RunSessionResponse, {**ENTRY, "jsonPayload": {"turnIndex": 1}}, "entry", "jsonPayload"),
    (Message, BIGQUERY, "BigQuery export", "messages"),
    (RunSessionResponse, BIGQUERY, r"BigQuery export, whose messages are ces\.Message", "messages"),
    (Message, {"id": 1, "column": '{"role": "a"}'}, "object around", "column"),
    (BidiSessionServerMessage, {"serverMessage": {"sessionOutput": {}}}, "around", "serverMessage"),
    (Conversation, {"conversations": [{"name": "c"}], "x": "n"}, "page", "conversations"),
    (Message, {"result": {"role": "a"}}, "grpc-gateway", "result"),
    (Message, {"result": {}}, "grpc-gateway", "result"),
    (Message, {"jsonrpc": "2.0", "id": 1, "result": {"role": "a"}}, "JSON-RPC", "result"),
    (Message, {"data": {"role": "a", "chunks": []}}, "around", "data"),
    (Message, {"f": [{"v": '{"role": "a"}'}]}, "around", "f.v"),
    (Message, {"row": {"f": [{"v": '{"role": "a"}'}]}}, "around", "row.f.v"),
    (Message, {"mine": {"column": '[{"role": "a"}]'}}, "around", "mine.column"),
    (Message, {**ENTRY, "httpRequest": {"status": 200}}, "log entry", "jsonPayload"),
    (Conversation, {"conversations": []}, "page", "conversations"),
    (Conversation, {"conversations": [], "nextPageToken": ""}, "page", "conversations"),
    (gda.Message, {"messages": []}, "page", "messages"),
    (gda.Message, {"messageId": "m", "message": {"systemMessage": {}}}, "stored", "message"),
    (gda.Message, {"message": {"systemMessage": {}}}, "around", "message"),
    (gda.Message, {"artifact": {"parts": [{"data": {"systemMessage": {}}}]}}, "around",
     "artifact.parts.data"),
]  # fmt: skip


@for_each("options", [{}, {"unknown": "ignore", "on_error": "skip"}, {"unknown": "error"}])
@for_each(("cls", "value", "what", "at"), WRAPPED)
def test_an_input_that_looks_wrapped_gets_the_advice(cls, value, what, at, options):
    for body in (text_of(value), json.dumps([value, value]).encode()):
        found, error = outcome_of(cls, body, **options)
        assert found == []
        assert (type(error), error.kind, error.index) == (ParseError, "wrapped", 0)
        with pytest.raises(ParseError, match=what):
            raise error
        assert f'at="{at}" (--at {at})' in str(error)


def test_the_advice_within_a_path():
    body = text_of({"result": {"data": {"role": "a", "chunks": []}}})
    _, error = outcome_of(Message, body, at="result")
    assert 'at="result.data"' in str(error)


def test_a_wrapper_among_messages_is_one_bad_element():
    body = text_of({"role": "a"}, {"result": {"role": "x"}}, {"role": "b"})
    assert outcome_of(Message, body, on_error="skip") == ([A, B], None)
    _, error = outcome_of(Message, body)
    assert (error.kind, error.index) == ("wrapped", 1)


def test_a_strict_reader_gives_the_advice_for_any_name():
    _, error = outcome_of(Message, b'{"mine": {"role": "a"}}', unknown="error")
    assert (error.kind, error.path) == ("unknown", ("mine",))
    assert 'at="mine"' in str(error)


@pytest.mark.parametrize(
    "value",
    [
        {"mine": {"role": "a"}},
        {"mine": {"result": {"x": 1}}},
        {"data": {"role": "a", "other": 1}},
        {"message": "text"},
        {"note": "{not json"},
        {"note": '{"x": 1}'},
        {"role": "a", "data": {"role": "b"}},
        {"role": "a", "message": {"role": "b"}},
        {"mine": [{"column": '{"x": 1}'}]},
        {"insertId": "7"},
        {"insertId": "7", "severity": "INFO"},
        {"messages": [], "other": 1},
        {"mine": []},
    ],
)
def test_new_members_of_a_message_are_not_a_wrapper(value):
    found, error = outcome_of(Message, text_of(value), unknown="ignore")
    assert (len(found), error) == (1, None)


def test_a_member_that_the_type_knows_is_not_a_wrapper():
    found, error = outcome_of(ToolCall, b'{"args": {"id": "x"}}', unknown="error")
    assert (len(found), error) == (1, None)
    turn = Conversation.Turn
    found, error = outcome_of(turn, text_of(BIGQUERY), unknown="ignore")
    assert (len(found[0].messages), error) == (1, None)


def test_a_warning_for_each_place_once_in_a_stream():
    body = b'[{"x": 1}, {"x": 2, "chunks": [{"y": 1}, {"y": {"z": 1}}]}, {"chunks": [{"y": 1}]}]'
    assert places_of(Message, body) == [("x",), ("chunks", "y")]
    assert places_of(Message, body, unknown="warn", format="array") == [("x",), ("chunks", "y")]
    assert places_of(Message, body, unknown="ignore") == []
    assert places_of(Message, body, unknown=lambda path: None) == []


def test_a_warning_is_one_of_the_line_that_reads():
    with pytest.warns(UnknownFieldWarning) as caught:
        list(read(Message, b'{"x": 1}'))
    assert caught[0].filename == __file__


def test_the_places_of_one_stream_are_bounded():
    body = b"[" + b",".join(b'{"x%d": 1}' % number for number in range(3000)) + b"]"
    assert 100 <= len(places_of(Message, body)) <= 1001


def test_the_places_of_one_element_are_bounded():
    names = [f"x{number}" for number in range(3000)]
    body = json.dumps([dict.fromkeys(names, 1), {"chunks": [{"z": 1}]}]).encode()
    places = places_of(Message, body)
    assert places == [*((name,) for name in names[:100]), ("…",)]
    paths = []
    assert list(read(Message, body, unknown=paths.append)) == [Message(), Message(chunks=[{}])]
    assert paths == [*((name,) for name in names), ("chunks", 0, "z")]


def test_a_new_place_among_many_old_ones_is_reported():
    old = [{"text": "a", "x": 1}] * 3000
    body = json.dumps([{"chunks": old}, {"chunks": [*old, {"y": 1}]}]).encode()
    assert places_of(Message, body) == [("chunks", "x"), ("chunks", "y")]


def test_unknown_things_of_an_element_that_is_left_out_are_not_reported():
    body = b'[{"chunks": [{"x": 1}], "role": 5}, {"y": 1}]'
    assert places_of(Message, body, on_error="skip") == [("y",)]
