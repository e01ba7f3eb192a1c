"""The content of an error: kind, path, field, line and column, and a text for a person."""

from __future__ import annotations

import copy
import io
import pickle
from pathlib import Path
from typing import Any

import pytest
from google.protobuf import any_pb2
from support.analytics import gda
from support.everything import EVERYTHING2
from turnwire_schema.ces.v1 import message_pb2, session_output_pb2, tool_pb2

import turnwire
from turnwire.protojson import from_json

PREFIX = "turnwire_schema.ces.v1."


def error_of(message_class: Any, text: Any, **options: Any) -> turnwire.ParseError:
    with pytest.raises(turnwire.ParseError) as caught:
        from_json(message_class, text, **options)
    return caught.value


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("5", "expected object, got number at $"),
        ("[]", "expected object, got array at $"),
        ("null", "expected object, got null at $"),
        ('""', "expected object, got string at $"),
        (
            '{"chunks":[{"text":"a"},{"text":5}]}',
            f"expected string, got number at $.chunks[1].text ({PREFIX}Chunk.text)",
        ),
        (
            '{"chunks":[{"text":"a","toolCall":{}}]}',
            "at most one member of the oneof data may be set, and text is "
            f"at $.chunks[0].toolCall ({PREFIX}Chunk.tool_call)",
        ),
        (
            '{"chunks":[{"payload":{"a b":[1,NaN]}}]}',
            "expected a JSON value, got NaN, which is not JSON "
            f'at $.chunks[0].payload["a b"][1] ({PREFIX}Chunk.payload)',
        ),
        (
            '{"chunks":[{"nope":1}]}',
            f'unknown field "nope" in {PREFIX}Chunk at $.chunks[0].nope',
        ),
        (
            '{"eventTime":"yesterday"}',
            "expected an RFC 3339 time such as 2014-10-02T15:01:23Z, got "
            f'"yesterday" at $.eventTime ({PREFIX}Message.event_time)',
        ),
    ],
)
def test_text(text: str, said: str) -> None:
    assert str(error_of(message_pb2.Message, text)) == said


@pytest.mark.parametrize(
    ("text", "line", "column", "said"),
    [
        ('{"role":"a",\n  role}', 2, 3, "expected a member name in double quotes"),
        ('{"role" "a"}', 1, 9, 'expected ":" after the member name'),
        ('{"role":"a"}\n\n x', 3, 2, "expected the end of the text, got more after the value"),
        ("", 1, 1, "the text ends too early: expected a JSON value"),
        ('{"role":"a', 1, 9, "this string does not end"),
        ('{"role":"a\tb"}', 1, 11, "control characters must be escaped in a string"),
        ('{"role":"\\x"}', 1, 10, "invalid escape in a string"),
        ("{'role':1}", 1, 2, "expected a member name in double quotes"),
        ('\ufeff{"role":"a"}', 1, 1, "the text starts with a byte order mark"),
    ],
)
def test_syntax_has_line_and_column(text: str, line: int, column: int, said: str) -> None:
    error = error_of(message_pb2.Message, text)
    assert (error.kind, error.line, error.column) == ("syntax", line, column)
    assert said in str(error)
    assert str(error).endswith(f"at line {line}, column {column}")


def test_invalid_utf8_has_its_place() -> None:
    error = error_of(message_pb2.Message, b'{"role":\n"\xc3\xa9\xff"}')
    assert (error.kind, error.line, error.column) == ("encoding", 2, 3)
    assert "0xff" in str(error)


def test_attributes() -> None:
    error = error_of(message_pb2.Message, '{"chunks":[{"tool_call":{"args":{"n":{"m":1e999}}}}]}')
    assert error.kind == "range"
    assert error.path == ("chunks", 0, "tool_call", "args", "n", "m")
    assert error.path_text == "$.chunks[0].tool_call.args.n.m"
    assert error.field == PREFIX + "ToolCall.args"
    assert (error.line, error.column, error.index) == (None, None, None)
    assert isinstance(error, ValueError)
    assert isinstance(error, turnwire.TurnwireError)
    assert error.__cause__ is None
    assert error.__suppress_context__


def test_errors_travel() -> None:
    error = error_of(message_pb2.Message, '{"role":5}')
    for other in (copy.copy(error), copy.deepcopy(error), pickle.loads(pickle.dumps(error))):
        assert str(other) == str(error)
        assert (other.kind, other.path, other.field) == (error.kind, error.path, error.field)


def test_the_offending_value_is_cut_short() -> None:
    long = "x" * 14_000
    for message_class, text in (
        (message_pb2.Message, f'{{"eventTime":"{long}"}}'),
        (message_pb2.Message, f'{{"{long}":1}}'),
        (message_pb2.Message, f'"{long}"'),
        (session_output_pb2.SessionOutput, f'{{"turnIndex":"{long}"}}'),
        (session_output_pb2.SessionOutput, f'{{"audio":"{long}!"}}'),
        (session_output_pb2.SessionOutput, f'{{"turnIndex":{"9" * 14_000}}}'),
        (session_output_pb2.SessionOutput, f'{{"context":[{{"@type":"a/{long}"}}]}}'),
        (gda.Message, f'{{"systemMessage":{{"text":{{"textType":"{long}"}}}}}}'),
        (tool_pb2.ToolCall, f'{{"args":{{"{long}":{{"a":NaN}}}}}}'),
    ):
        assert len(str(error_of(message_class, text))) < 400


def test_a_repeated_key_is_named_at_its_place() -> None:
    error = error_of(tool_pb2.ToolCall, '{"args":{"a":[{"k":1,"l":2,"k":1}]}}')
    assert (error.kind, error.path) == ("duplicate", ("args", "a", 0, "k"))
    error = error_of(tool_pb2.ToolCall, '{"zz":[{"k":1,"k":2}]}', unknown="ignore")
    assert error.kind == "duplicate"


def test_print_errors_have_their_place() -> None:
    message = gda.Message()
    row = message.system_message.data.result.data.add()
    row.fields["a"].list_value.values.add().number_value = float("nan")
    with pytest.raises(turnwire.SerializeError) as caught:
        turnwire.to_json(message)
    error = caught.value
    assert error.path == ("systemMessage", "data", "result", "data", 0, "a", 0)
    assert error.field == gda.DataResult.DESCRIPTOR.fields_by_name["data"].full_name
    assert "a Struct cannot hold nan" in str(error)


@pytest.mark.parametrize(
    "seconds_and_nanos",
    [(253_402_300_800, 0), (-62_135_596_801, 0), (0, -1), (0, 1_000_000_000)],
)
def test_a_time_without_json_form_is_refused(seconds_and_nanos: tuple[int, int]) -> None:
    message = message_pb2.Message()
    message.event_time.seconds, message.event_time.nanos = seconds_and_nanos
    with pytest.raises(turnwire.SerializeError) as caught:
        turnwire.to_dict(message)
    assert caught.value.path == ("eventTime",)


def entry_of(number: int, key: bytes) -> bytes:
    """A map entry on the wire, with a key and no value."""
    entry = b"\x0a" + bytes([len(key)]) + key
    tag = number << 3 | 2
    return bytes([tag & 0x7F | 0x80, tag >> 7, len(entry)]) + entry


@pytest.mark.parametrize(
    ("wire", "path"),
    [
        (b"\x4a\x01\xff", ("oneString",)),
        (b"\xea\x06\x01a\xea\x06\x01\xff", ("manyString", 1)),
        (entry_of(407, b"\xff"), ("byString",)),
        (entry_of(407, b"a") + entry_of(407, b"\xff"), ("byString",)),
    ],
)
def test_a_proto2_string_of_invalid_utf8_is_refused(wire: bytes, path: tuple[Any, ...]) -> None:
    message = EVERYTHING2.FromString(wire)
    assert message.ListFields()[0][0].json_name == path[0]
    outer = EVERYTHING2(self=message)
    for printer in (
        turnwire.to_dict,
        turnwire.to_json,
        lambda message: turnwire.to_json(message, indent=1),
    ):
        for value, start in ((message, ()), (outer, ("self",))):
            with pytest.raises(turnwire.SerializeError) as caught:
                printer(value)
            assert (caught.value.kind, caught.value.path) == ("encoding", (*start, *path))


def test_a_print_error_in_a_map_names_the_key_as_it_is_printed() -> None:
    message = EVERYTHING2()
    message.by_bool[True].wkt_timestamp.nanos = -1
    with pytest.raises(turnwire.SerializeError) as caught:
        turnwire.to_json(message)
    assert caught.value.path == ("byBool", "true", "wktTimestamp")


@pytest.mark.parametrize("url", ["google.protobuf.Empty", "a/", "/"])
def test_an_any_whose_type_url_would_not_be_read_is_not_printed(url: str) -> None:
    with pytest.raises(turnwire.ParseError, match="expected a type URL"):
        from_json(any_pb2.Any, f'{{"@type":"{url}"}}')
    with pytest.raises(turnwire.SerializeError, match="expected a type URL") as caught:
        turnwire.to_json(any_pb2.Any(type_url=url))
    assert (caught.value.kind, caught.value.path) == ("value", ("@type",))


def test_an_empty_value_is_refused() -> None:
    result = gda.DataResult()
    result.data.add().fields["a"].SetInParent()
    with pytest.raises(turnwire.SerializeError, match="must hold something"):
        turnwire.to_json(result)


def test_other_things_than_message_classes_are_type_errors() -> None:
    for wrong in (dict, message_pb2.Message(), "ces.Message", None):
        with pytest.raises(TypeError, match="expected a generated protobuf message class"):
            from_json(wrong, "{}")  # type: ignore[type-var]
    with pytest.raises(TypeError, match=r"got a message; pass its class, Message$"):
        from_json(message_pb2.Message(), "{}")  # type: ignore[type-var]
    for data in ("{}", b"{}", {}):
        with pytest.raises(TypeError, match="the class comes first"):
            from_json(data, message_pb2.Message)  # type: ignore[type-var, arg-type]
    with pytest.raises(TypeError, match=r"got the class Message; pass Message\(\)$"):
        turnwire.to_json(message_pb2.Message)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="read it with from_dict"):
        from_json(message_pb2.Message, {})  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="expected a protobuf message, got dict"):
        turnwire.to_json({})  # type: ignore[arg-type]
    for indent in (-1, True):
        with pytest.raises(ValueError, match="indent must be"):
            turnwire.to_json(message_pb2.Message(), indent=indent)
    with pytest.raises(ValueError, match="unknown must be"):
        from_json(message_pb2.Message, "{}", unknown="skip")  # type: ignore[arg-type]


def test_a_message_of_googles_client_is_refused_with_advice() -> None:
    from google.cloud import ces_v1

    with pytest.raises(TypeError, match=r"pass the protobuf class below it, Chunk\.pb\(\)"):
        from_json(ces_v1.Chunk, "{}")  # type: ignore[type-var]
    with pytest.raises(TypeError, match=r"Chunk\.pb\(message\)"):
        turnwire.to_json(ces_v1.Chunk(text="a"))  # type: ignore[arg-type]
    assert turnwire.to_json(ces_v1.Chunk.pb(ces_v1.Chunk(text="a"))) == b'{"text":"a"}'
    assert from_json(ces_v1.Chunk.pb(), '{"text":"a"}').text == "a"


@pytest.mark.parametrize("key", [None, 1.5, (1, 2), b"a", True, 1])
def test_a_key_of_another_type_is_a_parse_error_with_a_text(key: Any) -> None:
    for value in ({key: 1}, {"args": {key: 1}}, {"args": {"a": [{key: 1}]}}):
        with pytest.raises(turnwire.ParseError) as caught:
            turnwire.from_dict(tool_pb2.ToolCall, value)  # type: ignore[arg-type]
        assert str(caught.value).startswith("expected string keys, got a Python ")


@pytest.mark.parametrize(
    ("ignored", "kind", "path"),
    [
        ('{"a":[{"k":1,"k":2}]}', "duplicate", ("zz", "a", 0, "k")),
        ("[1,[NaN]]", "syntax", ("zz", 1, 0)),
        ('[0,{"k":1,"k":2},-Infinity]', "duplicate", ("zz", 1, "k")),
        ('[NaN,{"k":1,"k":2}]', "syntax", ("zz", 0)),
    ],
)
def test_the_first_error_of_an_ignored_value_has_its_place(
    ignored: str, kind: str, path: tuple[Any, ...]
) -> None:
    error = error_of(tool_pb2.ToolCall, f'{{"args":{{}},"zz":{ignored}}}', unknown="ignore")
    assert (error.kind, error.path) == (kind, path)
    unresolved = f'{{"context":[{{"@type":"a/b.C","zz":{ignored}}}]}}'
    error = error_of(session_output_pb2.SessionOutput, unresolved, unknown="ignore")
    assert (error.kind, error.path) == (kind, ("context", 0, *path))


def test_a_path_of_hundreds_of_steps_is_cut_in_its_middle() -> None:
    text = '{"zz":' + "[" * 890 + "NaN" + "]" * 890 + "}"
    error = error_of(tool_pb2.ToolCall, text, unknown="ignore")
    assert len(error.path) == 891
    assert error.path_text == "$.zz" + "[0]" * 19 + "…" + "[0]" * 20
    assert len(str(error)) < 400


def test_a_type_url_of_another_type_is_the_bad_place() -> None:
    text = '{"context":[{"@type":"\\ud800/google.protobuf.Empty"}]}'
    error = error_of(session_output_pb2.SessionOutput, text)
    assert (error.kind, error.path) == ("encoding", ("context", 0, "@type"))


def test_a_view_of_bytes_may_be_of_any_layout() -> None:
    text = b'{"role":"abcd\xff"}'
    for view in (memoryview(text), memoryview(text[::-1])[::-1], memoryview(text).cast("h")):
        error = error_of(message_pb2.Message, view)
        assert (error.kind, error.line, error.column) == ("encoding", 1, 14)
    good = memoryview(b'}"a":"elor"{')[::-1]
    assert from_json(message_pb2.Message, good).role == "a"


@pytest.mark.parametrize(
    ("data", "advice"),
    [
        ({"role": "a"}, "got dict; read it with from_dict"),
        ([{"role": "a"}], "got list; call from_dict with each of its elements"),
        (({"role": "a"},), "got tuple; call from_dict with each of its elements"),
        (Path("a.json"), "pass its read_bytes"),
        (io.BytesIO(b"{}"), "pass the text that its read"),
        (None, "got NoneType$"),
        (5, "got int$"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_other_data_than_text_is_refused_with_advice(data: Any, advice: str) -> None:
    for options in ({}, {"unknown": "warn"}, {"max_depth": 5}):
        with pytest.raises(TypeError, match=f"expected JSON as str or bytes, .*{advice}"):
            from_json(message_pb2.Message, data, **options)


def test_messages_in_a_list_are_printed_one_by_one() -> None:
    with pytest.raises(TypeError, match="got list; print its messages one by one"):
        turnwire.to_json([message_pb2.Message()])  # type: ignore[arg-type]
