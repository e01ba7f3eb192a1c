"""Options that fewer programs need: depth, pools, required fields, numbers, ASCII, warnings."""

from __future__ import annotations

import io
import json
import warnings
from typing import Any

import pytest
from google.protobuf import any_pb2
from support.cases import for_each
from support.everything import EVERYTHING2, EVERYTHING3
from support.made import made
from turnwire_schema.ces.v1 import message_pb2, session_output_pb2, span_pb2, tool_pb2

import turnwire
from turnwire import UnknownFieldWarning, from_dict, from_json, to_dict, to_json


def merged(message_class: Any, value: Any, **options: Any) -> Any:
    message = message_class()
    turnwire.merge_json(message, json.dumps(value), **options)
    return message


def merged_values(message_class: Any, value: Any, **options: Any) -> Any:
    message = message_class()
    turnwire.merge_dict(message, value, **options)
    return message


READERS = {
    "text": lambda message_class, value, **options: from_json(
        message_class, json.dumps(value), **options
    ),
    "bytes": lambda message_class, value, **options: from_json(
        message_class, bytearray(json.dumps(value).encode()), **options
    ),
    "values": from_dict,
    "merged text": merged,
    "merged values": merged_values,
}


@pytest.fixture(params=READERS)
def read(request: pytest.FixtureRequest) -> Any:
    """Reads a JSON value by one of the functions."""
    return READERS[request.param]


def nested(levels: int) -> dict[str, Any]:
    value: dict[str, Any] = {}
    for _ in range(levels):
        value = {"childSpans": [value]}
    return value


def test_the_depth_can_be_limited(read: Any) -> None:
    for limit in (0, 1, 5, 99, 100, None):
        deepest = 100 if limit is None else limit
        assert read(span_pb2.Span, nested(deepest), max_depth=limit)
        with pytest.raises(turnwire.ParseError, match=f"deeper than {deepest} levels") as caught:
            read(span_pb2.Span, nested(deepest + 1), max_depth=limit)
        assert caught.value.kind == "depth"


@pytest.mark.parametrize(
    ("value", "levels"),
    [
        ({"wktStruct": {"a": 1}}, 3),
        ({"wktStruct": {"a": {"b": 1}}}, 6),
        ({"wktValue": [1]}, 3),
        ({"wktsStruct": [{"a": 1}]}, 3),
        ({"byString": {"a": {}}}, 2),
        ({"wktAny": {"@type": "a/google.protobuf.Empty"}}, 2),
    ],
)
def test_well_known_types_count_as_the_messages_that_they_are(
    read: Any, value: dict[str, Any], levels: int
) -> None:
    assert read(EVERYTHING3, value, max_depth=levels) == read(EVERYTHING3, value)
    with pytest.raises(turnwire.ParseError, match=f"deeper than {levels - 1} level"):
        read(EVERYTHING3, value, max_depth=levels - 1)


@pytest.mark.parametrize("limit", [-1, 101, 1.5, "5", True])
def test_a_depth_that_cannot_be_is_an_error(read: Any, limit: Any) -> None:
    with pytest.raises(ValueError, match="max_depth must be a number from 0 to 100"):
        read(span_pb2.Span, {}, max_depth=limit)


HELD = (
    'name: "held.proto" package: "held" syntax: "proto2"'
    ' message_type { name: "Held" field { name: "n" number: 1 label: LABEL_OPTIONAL'
    " type: TYPE_INT32 } extension_range { start: 100 end: 200 } }"
    ' extension { name: "more" number: 100 extendee: ".held.Held" label: LABEL_OPTIONAL'
    " type: TYPE_STRING }"
)


def test_a_pool_knows_types_and_extensions(read: Any) -> None:
    pool = made(HELD)["held.Held"].DESCRIPTOR.file.pool
    value = {"@type": "a/held.Held", "n": 5, "[held.more]": "x"}
    with pytest.raises(turnwire.ParseError, match="is not known"):
        read(any_pb2.Any, value)
    message = read(any_pb2.Any, value, pool=pool)
    with pytest.raises(turnwire.SerializeError, match="is not known"):
        to_json(message)
    assert json.loads(to_json(message, pool=pool)) == value
    assert json.loads(to_json(message, pool=pool, indent=1)) == value
    assert to_dict(message, pool=pool) == value
    output = read(session_output_pb2.SessionOutput, {"context": [value]}, pool=pool)
    assert to_dict(output, pool=pool) == {"context": [value]}


def test_extensions_of_a_message_of_another_pool(read: Any) -> None:
    without = made(HELD.partition(" extension {")[0])["held.Held"]
    pool = made(HELD)["held.Held"].DESCRIPTOR.file.pool
    value = {"n": 5, "[held.more]": "x"}
    with pytest.raises(turnwire.ParseError, match="unknown field"):
        read(without, value)
    message = read(without, value, pool=pool)
    assert to_dict(message) == {"n": 5}
    assert to_dict(message, pool=pool) == value


def test_the_pool_goes_before_the_mirrors(read: Any) -> None:
    package = "google.cloud.ces.v1"
    file = HELD.replace('"held"', f'"{package}"').replace('".held.', f'".{package}.')
    pool = made(file)[f"{package}.Held"].DESCRIPTOR.file.pool
    value = {"@type": "a/google.cloud.ces.v1.Held", "n": 5}
    assert to_dict(read(any_pb2.Any, value, pool=pool), pool=pool) == value


@pytest.mark.parametrize("function", [from_json, from_dict])
def test_another_thing_is_not_a_pool(function: Any) -> None:
    with pytest.raises(TypeError, match="pool must be a DescriptorPool, not str"):
        function(tool_pb2.ToolCall, "{}", pool="pool")
    for printer in (to_json, to_dict):
        with pytest.raises(TypeError, match="pool must be a DescriptorPool, not str"):
            printer(tool_pb2.ToolCall(), pool="pool")


REQUIRED = (
    'name: "need.proto" package: "need" syntax: "proto2"'
    ' message_type { name: "Need" field { name: "the_n" number: 1 label: LABEL_REQUIRED'
    ' type: TYPE_INT32 json_name: "theN" }'
    ' nested_type { name: "ByEntry" options { map_entry: true }'
    ' field { name: "key" number: 1 label: LABEL_OPTIONAL type: TYPE_BOOL }'
    ' field { name: "value" number: 2 label: LABEL_OPTIONAL type: TYPE_MESSAGE'
    ' type_name: ".need.Need" } }'
    ' field { name: "by" number: 2 label: LABEL_REPEATED type: TYPE_MESSAGE'
    ' type_name: ".need.Need.ByEntry" }'
    ' field { name: "kids" number: 3 label: LABEL_REPEATED type: TYPE_MESSAGE'
    ' type_name: ".need.Need" }'
    ' field { name: "one" number: 4 label: LABEL_OPTIONAL type: TYPE_MESSAGE'
    ' type_name: ".need.Need" } }'
)


@for_each(
    ("value", "path"),
    [
        ({"theN": 0}, None),
        ({}, ("theN",)),
        ({"theN": None}, ("theN",)),
        ({"theN": 1, "one": {}}, ("one", "theN")),
        ({"theN": 1, "kids": [{"theN": 1}, {}]}, ("kids", 1, "theN")),
        ({"theN": 1, "by": {"true": {}}}, ("by", "true", "theN")),
        ({"theN": 1, "by": {"false": {"theN": 1, "one": {"theN": 1}}}}, None),
    ],
)
def test_required_fields_are_checked_when_asked(
    read: Any, value: dict[str, Any], path: tuple[str | int, ...] | None
) -> None:
    need = made(REQUIRED)["need.Need"]
    message = read(need, value)
    given = {key: one for key, one in value.items() if one is not None}
    assert json.loads(to_json(message)) == given
    if path is None:
        assert read(need, value, check_required=True) == message
        return
    with pytest.raises(turnwire.ParseError, match="the field is required and not set") as caught:
        read(need, value, check_required=True)
    assert (caught.value.kind, caught.value.path) == ("required", path)
    assert caught.value.field == "need.Need.the_n"


def test_required_fields_of_a_stream_are_checked_when_asked() -> None:
    need = made(REQUIRED)["need.Need"]
    good, bad = need(the_n=1), need(the_n=2, one=need())
    lines = b"".join(to_json(message) + b"\n" for message in (good, bad, good))
    records = b'{"at": [%s]}' % lines.strip().replace(b"\n", b",")
    wire = io.BytesIO()
    turnwire.write([good, bad, good], wire, "delimited")
    inputs: list[tuple[bytes, dict[str, Any], tuple[Any, ...]]] = [
        (lines, {}, (1, "one", "theN")),
        (wire.getvalue(), {"format": "delimited"}, (1, "one", "theN")),
        (records, {"at": "at"}, (0, "at", 1, "one", "theN")),
    ]
    for data, options, place in inputs:
        assert [*turnwire.read(need, data, **options)] == [good, bad, good]
        messages = turnwire.read(need, data, check_required=True, **options)
        assert next(messages) == good
        with pytest.raises(turnwire.ParseError, match="is required and not set") as caught:
            next(messages)
        assert (caught.value.kind, (caught.value.index, *caught.value.path)) == ("required", place)
        skipping = turnwire.read(need, data, check_required=True, on_error="skip", **options)
        assert [*skipping] == [good, good]


@for_each(
    ("value", "path"),
    [
        ({}, None),
        ({"theN": 2}, None),
        ({"theN": None}, ("theN",)),
        ({"one": {"kids": []}}, None),
        ({"one": {"theN": None}}, ("one", "theN")),
        ({"kids": [{}]}, ("kids", 0, "theN")),
    ],
)
def test_required_fields_of_the_merged_message_are_checked(
    value: dict[str, Any], path: tuple[str | int, ...] | None
) -> None:
    need = made(REQUIRED)["need.Need"]
    held = need(the_n=1, one=need(the_n=1))
    for merge, data in (
        (turnwire.merge_json, json.dumps(value)),
        (turnwire.merge_dict, value),
    ):
        expected, message = need(), need()
        expected.CopyFrom(held)
        message.CopyFrom(held)
        merge(expected, data)
        if path is None:
            merge(message, data, check_required=True)
            assert message == expected
            continue
        with pytest.raises(turnwire.ParseError, match="is required") as caught:
            merge(message, data, check_required=True)
        assert (caught.value.kind, caught.value.path) == ("required", path)
        assert message == held


@for_each("role", ["", "user"])
@for_each("unknown", ["5" * 5000, "-" + "5" * 5000, "[" * 800 + "]" * 800, '{"a":"\\ud800"}'])
def test_merging_reads_all_text_that_from_json_reads(role: str, unknown: str) -> None:
    text = f'{{"zz":{unknown},"role":"agent"}}'
    expected = from_json(message_pb2.Message, text, unknown="ignore")
    for data in (text, memoryview(text.encode())):
        message = message_pb2.Message(role=role)
        turnwire.merge_json(message, data, unknown="ignore")
        assert message == expected


@for_each("role", ["", "user"])
def test_merging_refuses_a_treatment_that_does_not_exist(role: str) -> None:
    message: Any = message_pb2.Message(role=role)
    wrong: Any = "bogus"
    for options in ({"unknown": wrong}, {"lossy_numbers": wrong}, {"lists": wrong}):
        with pytest.raises(ValueError, match=r"bogus"):
            turnwire.merge_json(message, '{"role":"a"}', **options)
        with pytest.raises(ValueError, match=r"bogus"):
            turnwire.merge_dict(message, {"role": "a"}, **options)


EXACT = (0, 1, -1, 2**53, -(2**53), 2**53 + 2, 2**62, -(2**63))
INEXACT = (2**53 + 1, -(2**53) - 1, 2**63 - 1)
INT64_KINDS = ("int64", "sint64", "sfixed64")


@for_each("number", [*EXACT, *INEXACT])
@for_each("everything", [EVERYTHING2, EVERYTHING3])
def test_integers_of_64_bits_as_numbers(everything: Any, number: int) -> None:
    kinds = INT64_KINDS if number < 0 else (*INT64_KINDS, "uint64", "fixed64")
    message = everything()
    for kind in kinds:
        getattr(message, f"many_{kind}").append(number)
        getattr(message, f"by_{kind}")[number].one_int64 = number
    message.wkt_int64value.value = number
    expected = number if number in EXACT else str(number)
    printed = to_dict(message, int64_as_numbers=True)
    for kind in kinds:
        title = kind.capitalize()
        assert printed[f"many{title}"] == [expected]
        held = {} if number == 0 and everything is EVERYTHING3 else {"oneInt64": expected}
        assert printed[f"by{title}"] == {str(number): held}
    assert printed["wktInt64value"] == expected
    for indent in (None, 2):
        text = to_json(message, int64_as_numbers=True, indent=indent)
        assert json.loads(text) == printed
        assert from_json(everything, text) == message
    assert to_dict(message)["wktInt64value"] == str(number)


@pytest.mark.parametrize("indent", [None, 2])
@pytest.mark.parametrize("text", ["é", "日本", "\U0001f600\ud7ff", "\x7f", "a\u2028b", 'q"\\\n'])
def test_ascii(text: str, indent: int | None) -> None:
    call = tool_pb2.ToolCall(id=text)
    call.args.update({text: [text]})
    printed = to_json(call, ascii=True, indent=indent)
    value = json.loads(to_json(call))
    separators = (",", ":") if indent is None else None
    expected = json.dumps(value, ensure_ascii=True, separators=separators, indent=indent)
    assert printed == expected.encode()
    assert from_json(tool_pb2.ToolCall, printed) == call


def warned(function: Any) -> tuple[Any, list[tuple[str, ...]]]:
    """The result of a call, and the places that it warned of, each at the caller's line."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        result = function()
    assert {each.filename for each in caught} <= {__file__}
    for each in caught:
        assert isinstance(each.message, UnknownFieldWarning)
    return result, [each.message.place for each in caught]  # type: ignore[union-attr]


def test_unknown_things_are_warned_of_once_per_place() -> None:
    value = {
        "zz": 1,
        "chunks": [{"text": "a", "colour": 1}, {"colour": 2, "payload": {"free": 1}}, {"zz": 3}],
    }
    expected = message_pb2.Message(chunks=[{"text": "a"}, {"payload": {"free": 1}}, {}])
    places = [("zz",), ("chunks", "colour"), ("chunks", "zz")]
    text = json.dumps(value)
    read = warned(lambda: from_json(message_pb2.Message, text, unknown="warn"))
    assert read == (expected, places)
    read = warned(lambda: from_json(message_pb2.Message, text.encode(), unknown="warn"))
    assert read == (expected, places)
    read = warned(lambda: from_dict(message_pb2.Message, value, unknown="warn"))
    assert read == (expected, places)
    # Each document is read again.
    assert warned(lambda: from_dict(message_pb2.Message, value, unknown="warn"))[1] == places


def test_the_warning_says_where() -> None:
    with pytest.warns(UnknownFieldWarning) as caught:
        from_json(message_pb2.Message, '{"chunks":[{"colour":1}]}', unknown="warn")
    [warning] = caught
    assert str(warning.message) == (
        "left out the unknown $.chunks.colour of turnwire_schema.ces.v1.Message"
    )


@for_each("role", ["", "user"])
def test_warnings_of_merging_show_the_line_of_the_caller(role: str) -> None:
    message = message_pb2.Message(role=role)
    with pytest.warns(UnknownFieldWarning) as caught:
        turnwire.merge_json(message, '{"zz":1}', unknown="warn")
    assert [warning.filename for warning in caught] == [__file__]
    with pytest.warns(UnknownFieldWarning) as caught:
        turnwire.merge_dict(message, {"zz": 1}, unknown="warn")
    assert [warning.filename for warning in caught] == [__file__]


def test_enum_names_and_types_are_warned_of() -> None:
    read = warned(lambda: from_json(EVERYTHING3, '{"colours":["BLUE"]}', unknown="warn"))
    assert read == (EVERYTHING3(), [("colours",)])
    text = '{"context":[{"@type":"a/no.Such"}]}'
    read = warned(lambda: from_json(session_output_pb2.SessionOutput, text, unknown="warn"))
    assert read[1] == [("context",)]


def test_a_good_document_warns_of_nothing(read: Any) -> None:
    assert warned(lambda: read(tool_pb2.ToolCall, {"id": "c"}, unknown="warn"))[1] == []


def test_warnings_have_an_end(read: Any) -> None:
    value = {f"member {index}": index for index in range(5_000)}
    places = warned(lambda: read(tool_pb2.ToolCall, value, unknown="warn"))[1]
    assert places[:100] == [(name,) for name in list(value)[:100]]
    assert places[100:] == [("…",)]


def test_nothing_is_warned_of_when_the_document_is_refused(read: Any) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(turnwire.ParseError):
            read(tool_pb2.ToolCall, {"zz": 1, "id": 5}, unknown="warn")


def test_a_warning_can_be_an_error(read: Any) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(UnknownFieldWarning):
            read(tool_pb2.ToolCall, {"zz": 1}, unknown="warn")
