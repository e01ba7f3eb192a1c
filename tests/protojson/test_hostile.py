"""Hostile input: always a ParseError, soon; never another exception, never a crash."""

from __future__ import annotations

import contextlib
import sys
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from google.protobuf.message import Message
from hypothesis import example, given
from hypothesis import strategies as st
from support.analytics import gda
from support.cases import for_each
from support.everything import EVERYTHING3
from turnwire_schema.ces.v1 import message_pb2, session_output_pb2, span_pb2, tool_pb2

import turnwire
from turnwire.protojson import from_dict, from_json

MILLION = 1_000_000


@for_each("unknown", ["error", "ignore"])
@for_each(
    "text",
    [
        "[" * MILLION,
        '{"a":' * MILLION,
        '{"args":' + "[" * MILLION,
        '{"args":{"a":' + "[" * 200_000 + "]" * 200_000 + "}}",
        '{"zz":' + "[" * 20_000 + "]" * 20_000 + "}",
        "9" * MILLION,
        '{"args":{"n":' + "9" * MILLION + "}}",
        '{"id":' + "9" * MILLION + "}",
        '{"args":{"n":1e' + "9" * 1000 + "}}",
        '{"id":"' + "\\" * MILLION + "}",
        '"' * MILLION,
        "{" * MILLION,
        "\x00" * 1000,
        "\ud800",
        '{"\ud800":1}',
        '{"args":{"\\udc00":1}}',
        '{"id":"\ud800"}',
        '{"id":"\\ud800"}',
        '{"args":{"a":["\\ud800"]}}',
        "NaN",
        '{"id":"a",}',
        '{"id":"a"}}',
        '{,"id":"a"}',
        "{'id':'a'}",
        '{"id":"a"} // no',
        '{"id":tru}',
        '{"args":{"a":01}}',
        '{"args":{"a":+1}}',
        '{"args":{"a":1.}}',
        '{"args":{"a":.5}}',
        '{"args":{"a":0x10}}',
        '{"args":{"a":1}\x0c}',
        "\u00a0{}",
    ],
    ids=lambda value: repr(value[:20]),
)
def test_refused(text: str, unknown: Any) -> None:
    for data in (text, text.encode("utf-8", "surrogatepass")):
        if unknown == "ignore" and data == '{"\ud800":1}':
            continue  # an unknown key may be any JSON string
        with pytest.raises(turnwire.ParseError) as caught:
            from_json(tool_pb2.ToolCall, data, unknown=unknown)
        assert len(str(caught.value)) < 400


@pytest.mark.parametrize("name", ["", "\\ud800", "\\u0000", "a..b", "a b", ".a", "é", "x" * 9000])
def test_names_that_no_pool_takes(name: str) -> None:
    with pytest.raises(turnwire.ParseError):
        from_json(session_output_pb2.SessionOutput, f'{{"[{name}]":1}}')
    for start in ("a/", "a/google.cloud.ces.v1."):
        text = f'{{"context":[{{"@type":"{start}{name}"}}]}}'
        with pytest.raises(turnwire.ParseError) as caught:
            from_json(session_output_pb2.SessionOutput, text)
        assert caught.value.path == ("context", 0, "@type")


def test_every_prefix_of_a_valid_document() -> None:
    text = (
        '{"role":"Crème 🍮","chunks":[{"toolCall":{"id":"a\\u00e9\\ud83c\\udf6e","args":'
        '{"n":[1,-2.5e3,null,true,{"k":"v"}]}}},{"blob":{"data":"AQID","mimeType":"a/b"}}],'
        '"eventTime":"2025-01-02T03:04:05.5Z"}'
    )
    from_json(message_pb2.Message, text)
    data = text.encode()
    for end in range(len(data)):
        with pytest.raises(turnwire.ParseError):
            from_json(message_pb2.Message, data[:end])


@given(st.binary(max_size=60) | st.text(max_size=40))
@example(b"\xff\xfe{\x00}\x00")
@example(b"\xef\xbb\xbf{}")
@example("[1e400]")
def test_random_bytes(data: bytes | str) -> None:
    for message_class in (gda.Message, EVERYTHING3):
        try:
            message = from_json(message_class, data, unknown="ignore")
        except turnwire.ParseError:
            continue
        assert isinstance(message, Message)


json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=6)
    | st.binary(max_size=3),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(["args", "id", "a", "chunks", "text", "@type", "value"])
            | st.integers(),
            inner,
            max_size=4,
        )
        | st.tuples(inner)
    ),
    max_leaves=12,
)


@given(json_values)
@example({"args": {"x": {1: 2}}})
@example({1: 2})
@example({"args": 10**5000})
@example({"id": 10**5000})
def test_random_python_values(value: Any) -> None:
    for message_class in (tool_pb2.ToolCall, message_pb2.Message, EVERYTHING3):
        for unknown in ("error", "ignore"):
            with contextlib.suppress(turnwire.ParseError):
                from_dict(message_class, value, unknown=unknown)  # type: ignore[arg-type]


def nested(levels: int) -> tuple[tuple[type[Message], str], ...]:
    return (
        (span_pb2.Span, '{"childSpans":[' * levels + "{}" + "]}" * levels),
        (tool_pb2.ToolCall, '{"args":' + '{"a":' * levels + "1" + "}" * levels + "}"),
        (tool_pb2.ToolCall, '{"args":{"a":' + "[" * levels + "1" + "]" * levels + "}}"),
        (EVERYTHING3, '{"self":' * levels + "{}" + "}" * levels),
        (EVERYTHING3, '{"byString":{"a":' * levels + "{}" + "}}" * levels),
        (EVERYTHING3, '{"wktValue":' + "[" * levels + "]" * levels + "}"),
    )


def test_messages_can_be_read_again_from_their_bytes() -> None:
    refused = 0
    for levels in range(20, 120):
        for message_class, text in nested(levels):
            try:
                message = from_json(message_class, text)
            except turnwire.ParseError as caught:
                error = caught
            else:
                assert message_class.FromString(message.SerializeToString()) == message
                assert from_json(message_class, turnwire.to_json(message)) == message
                continue
            assert error.kind == "depth"
            refused += 1
    assert 200 < refused < 500


def test_the_limit_is_the_runtimes() -> None:
    deepest = '{"childSpans":[' * 100 + "{}" + "]}" * 100
    assert from_json(span_pb2.Span, deepest)
    with pytest.raises(turnwire.ParseError, match="deeper than 100"):
        from_json(span_pb2.Span, '{"childSpans":[' + deepest + "]}")


def test_a_message_nested_too_deeply_is_not_printed() -> None:
    span = span_pb2.Span()
    inner = span
    for _ in range(150):
        inner = inner.child_spans.add()
    with pytest.raises(turnwire.SerializeError, match="deeper than 100") as caught:
        turnwire.to_json(span)
    assert caught.value.kind == "depth"
    value = session_output_pb2.SessionOutput()
    struct = value.payload
    for _ in range(60):
        struct = struct.fields["a"].struct_value
    struct.fields["a"].bool_value = True
    with pytest.raises(turnwire.SerializeError):
        turnwire.to_dict(value)


def test_a_program_may_limit_the_digits_of_integers() -> None:
    before = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(640)
    try:
        message = from_json(
            tool_pb2.ToolCall, f'{{"args":{{"n":[-0,{"1" * 300},0.{"1" * 1000}]}}}}'
        )
        assert message.args["n"][1] == float("1" * 300)
        with pytest.raises(turnwire.ParseError, match="too large"):
            from_json(tool_pb2.ToolCall, f'{{"args":{{"n":{"1" * 1000}}}}}')
    finally:
        sys.set_int_max_str_digits(before)


def test_ignored_values_may_nest_as_deeply_on_every_python() -> None:
    text = '{"id":"a","zz":' + '{"k":[' * 450 + "1" + "]}" * 450 + "}"
    expected = tool_pb2.ToolCall(id="a")
    assert from_json(tool_pb2.ToolCall, text, unknown="ignore") == expected
    # However much of the stack the caller has used.
    deep = sys.getrecursionlimit() - 300
    assert deep_call(deep, lambda: from_json(tool_pb2.ToolCall, text, unknown="ignore")) == expected


def deep_call(levels: int, function: Callable[[], Any]) -> Any:
    return function() if levels == 0 else deep_call(levels - 1, function)


def test_a_short_stack_is_a_depth_error() -> None:
    text = '{"childSpans":[' * 90 + "{}" + "]}" * 90
    left = sys.getrecursionlimit() - 250

    def attempt() -> str:
        try:
            from_json(span_pb2.Span, text)
        except turnwire.ParseError as error:
            return error.kind
        return "read"

    assert deep_call(left - 200, attempt) in ("depth", "read")


def test_threads_share_the_compiled_readers() -> None:
    # A fresh schema: nothing of it is compiled when the threads start.
    from support.everything import _build

    for _ in range(5):
        _, classes = _build()
        message_class = classes["three.Everything"]
        text = '{"self":{"byString":{"a":{"wktStruct":{"b":1}}}},"colour":"RED"}'
        start = threading.Barrier(8)

        def work(
            message_class: type[Message] = message_class,
            start: threading.Barrier = start,
            text: str = text,
        ) -> bytes:
            start.wait()
            return turnwire.to_json(from_json(message_class, text))

        with ThreadPoolExecutor(8) as pool:
            results = {future.result() for future in [pool.submit(work) for _ in range(8)]}
        assert len(results) == 1
