"""The options of reading and printing, and what printing promises."""

from __future__ import annotations

import random
from typing import Any

import pytest
from google.protobuf import any_pb2
from support.analytics import gda
from support.everything import EVERYTHING3, GROUP
from turnwire_schema.ces.v1 import message_pb2, session_output_pb2, tool_pb2

import turnwire
from turnwire.protojson import from_dict, from_json, to_dict, to_json

Output = session_output_pb2.SessionOutput


def test_a_callable_gets_each_path_in_order() -> None:
    paths: list[tuple[str | int, ...]] = []
    message = from_json(
        Output,
        '{"zz":[1],"context":[{"@type":"a/no.Such","x":1},'
        '{"@type":"a/google.cloud.ces.v1.ToolCall","id":"c","y":2}],'
        '"diagnosticInfo":{"messages":[{"role":"a","q":{}},{"chunks":[{"new":null}]}]}}',
        unknown=paths.append,
    )
    assert paths == [
        ("zz",),
        ("context", 0),
        ("context", 1, "y"),
        ("diagnosticInfo", "messages", 0, "q"),
        ("diagnosticInfo", "messages", 1, "chunks", 0, "new"),
    ]
    assert to_dict(message)["context"] == [
        {"@type": "a/google.cloud.ces.v1.ToolCall", "id": "c"},
    ]


def test_members_after_the_value_of_an_any_are_reported_after_it() -> None:
    paths: list[Any] = []
    from_json(
        Output,
        '{"context":[{"value":{"details":[{"zz":1,"@type":"a/google.rpc.Status"}],"yy":2},"xx":3,'
        '"@type":"a/google.protobuf.Any"}]}'.replace(
            '{"details"', '{"@type":"a/google.rpc.Status","details"'
        ),
        unknown=paths.append,
    )
    within = ("context", 0, "value")
    assert paths == [(*within, "details", 0, "zz"), (*within, "yy"), ("context", 0, "xx")]


def test_whole_values_that_are_left_out_are_reported() -> None:
    paths: list[Any] = []
    unresolved = '{"@type":"a/no.Such","zz":[1]}'
    message = from_json(any_pb2.Any, unresolved, unknown=paths.append)
    assert (message, paths) == (any_pb2.Any(), [()])


def test_many_left_out_values_in_many_any() -> None:
    paths: list[Any] = []
    detail = '{"@type":"a/google.protobuf.Empty","zz":1}'
    from_json(Output, f'{{"context":[{",".join([detail] * 20_000)}]}}', unknown=paths.append)
    assert paths == [("context", index, "zz") for index in range(20_000)]


def test_many_values_deep_in_an_ignored_one() -> None:
    paths: list[Any] = []
    deep = "[" * 900 + ",".join(["1"] * 100_000) + "]" * 900
    from_json(Output, f'{{"zz":{deep}}}', unknown=paths.append)
    assert paths == [("zz",)]


def test_unknown_enum_names_are_reported() -> None:
    paths: list[Any] = []
    message = from_json(
        EVERYTHING3, '{"colour":"BLUE","colours":["RED","BLUE","RED"]}', unknown=paths.append
    )
    assert paths == [("colour",), ("colours", 1)]
    assert to_dict(message) == {"colours": ["RED", "RED"]}


def test_nothing_is_reported_of_a_refused_document() -> None:
    paths: list[Any] = []
    with pytest.raises(turnwire.ParseError):
        from_json(tool_pb2.ToolCall, '{"zz":1,"id":5}', unknown=paths.append)
    assert paths == []


def test_one_python_object_in_two_places_is_reported_twice() -> None:
    shared = {"role": "a", "zz": 1}
    paths: list[Any] = []
    from_dict(
        session_output_pb2.SessionOutput.DiagnosticInfo,
        {"messages": [shared, shared]},
        unknown=paths.append,
    )
    assert paths == [("messages", 0, "zz"), ("messages", 1, "zz")]


def test_an_error_of_the_callable_is_the_callers() -> None:
    def refuse(path: object) -> None:
        raise KeyError(path)

    with pytest.raises(KeyError):
        from_json(tool_pb2.ToolCall, '{"zz":1}', unknown=refuse)


@pytest.mark.parametrize(
    ("number", "rounded"),
    [
        ("9007199254740993", 9007199254740992),
        ("-9007199254740993", -9007199254740992),
        ("12345678901234567890", 12345678901234567000),
        ("9007199254740993.0", 9007199254740992),
        ("9.007199254740993e15", 9007199254740992),
    ],
)
def test_lossy_numbers(number: str, rounded: int) -> None:
    text = f'{{"args":{{"n":[{number}]}}}}'
    message = from_json(tool_pb2.ToolCall, text)
    assert message.args["n"][0] == float(rounded)
    with pytest.raises(turnwire.ParseError, match="would be rounded") as caught:
        from_json(tool_pb2.ToolCall, text, lossy_numbers="error")
    assert (caught.value.kind, caught.value.path) == ("range", ("args", "n", 0))
    assert from_json(
        tool_pb2.ToolCall, '{"args":{"n":9007199254740992}}', lossy_numbers="error"
    ).args["n"] == float(2**53)
    from_json(tool_pb2.ToolCall, '{"args":{"n":[0.1,1e300,-5]}}', lossy_numbers="error")


@pytest.mark.parametrize(
    ("number", "printed"),
    [
        (3.0, b"3"),
        (-3.0, b"-3"),
        (0.0, b"0"),
        (-0.0, b"-0.0"),
        (0.5, b"0.5"),
        (1e15, b"1000000000000000"),
        (1e16, b"1e+16"),
        (1e22, b"1e+22"),
        (1e-7, b"1e-07"),
        (5e-324, b"5e-324"),
        (1.7976931348623157e308, b"1.7976931348623157e+308"),
        (9007199254740993.0, b"9007199254740992"),
    ],
)
def test_numbers_in_a_struct(number: float, printed: bytes) -> None:
    call = tool_pb2.ToolCall()
    call.args["n"] = number
    assert to_json(call) == b'{"args":{"n":' + printed + b"}}"
    assert repr(from_json(tool_pb2.ToolCall, to_json(call)).args["n"]) == repr(number)


def test_same_message_same_bytes() -> None:
    names = [f"k{n}" for n in range(40)]
    texts = set()
    for seed in range(20):
        random.Random(seed).shuffle(names)
        call = tool_pb2.ToolCall()
        call.args.update({name: {"b": 1, "a": [{}]} for name in names})
        texts.add(to_json(call))
        message = EVERYTHING3()
        for name in names:
            message.by_string[name].one_int32 = 1
            message.by_int32[int(name[1:]) - 20].one_int32 = 2
        texts.add(to_json(message))
    assert len(texts) == 2


def test_key_order_is_that_of_the_field_numbers() -> None:
    text = b'{"id":"i","tool":"t","args":{"a":1,"b":2},"displayName":"d"}'
    other = b'{"displayName":"d","args":{"b":2,"a":1},"tool":"t","id":"i"}'
    assert to_json(from_json(tool_pb2.ToolCall, other)) == text


def test_names_numbers_and_defaults() -> None:
    message = gda.TextMessage(parts=["a"], text_type="THOUGHT", thought_signature=b"\xff")
    assert to_dict(message, proto_names=True) == {
        "parts": ["a"],
        "text_type": "THOUGHT",
        "thought_signature": "/w==",
    }
    assert to_dict(message, enum_numbers=True)["textType"] == 2
    assert to_dict(gda.TextMessage(), defaults=True) == {
        "parts": [],
        "textType": "TEXT_TYPE_UNSPECIFIED",
        "thoughtSignature": "",
    }
    # A member of a oneof has presence, and so has a message: neither is made up.
    assert to_dict(Output(), defaults=True) == {
        "turnCompleted": False,
        "turnIndex": 0,
        "context": [],
    }
    assert list(to_dict(message_pb2.Message(role="a"), defaults=True)) == ["role", "chunks"]


def test_text_is_compact_and_utf8() -> None:
    message = message_pb2.Message(role='é🍮 "\\/\u2028\x7f\x01\n')
    assert to_json(message) == '{"role":"é🍮 \\"\\\\/\u2028\x7f\\u0001\\n"}'.encode()
    assert to_json(message_pb2.Message(role="a"), indent=1) == b'{\n "role": "a"\n}'


@pytest.mark.parametrize("size", [0, 1, 32 * 1024 - 1, 32 * 1024, 100_001])
def test_large_bytes_are_printed_and_read(size: int) -> None:
    message = message_pb2.Message(role="r")
    for repeat in range(3):
        blob = random.Random(repeat).randbytes(size)
        message.chunks.add().blob.data = blob
        message.chunks.add().text = "between"
    text = to_json(message)
    assert from_json(message_pb2.Message, text) == message
    assert to_json(from_dict(message_pb2.Message, to_dict(message))) == text


def test_data_may_be_any_bytes_like() -> None:
    for data in (b'{"id":"a"}', bytearray(b'{"id":"a"}'), memoryview(b'{"id":"a"}'), '{"id":"a"}'):
        assert from_json(tool_pb2.ToolCall, data).id == "a"


def test_reading_changes_nothing() -> None:
    value = {"id": "a", "args": {"b": [1, {"c": None}]}, "zz": {"y": 1}}
    before = repr(value)
    from_dict(tool_pb2.ToolCall, value, unknown="ignore")
    assert repr(value) == before
    call = tool_pb2.ToolCall(id="a")
    call.args["b"] = 1
    wire = call.SerializeToString()
    to_dict(call)
    to_json(call, defaults=True)
    assert call.SerializeToString() == wire


def test_defaults_stand_in_the_order_of_the_numbers_among_extensions_too() -> None:
    message = from_json(GROUP, '{"[two.ext_group]":[{"late":[1]}],"[two.ext_number]":"5"}')
    printed = to_dict(message, defaults=True)
    assert list(printed) == ["inners", "[two.ext_number]", "[two.ext_group]", "late"]
    assert printed["[two.ext_group]"] == [{"inners": [], "late": [1]}]
    assert to_dict(GROUP(), defaults=True)["late"] is not to_dict(GROUP(), defaults=True)["late"]
