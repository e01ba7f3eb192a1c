"""The functions take what google's take, in the same order, and raise what they raise."""

from __future__ import annotations

import inspect
import pickle

import pytest
from google.protobuf import any_pb2, duration_pb2, timestamp_pb2
from google.protobuf import json_format as google
from google.protobuf.message import DecodeError, Message
from support.everything import EVERYTHING3

import turnwire
from turnwire import ces, json_format

FUNCTIONS = ("Parse", "ParseDict", "MessageToJson", "MessageToDict")
ERRORS = ("Error", "ParseError", "SerializeToJsonError", "EnumStringValueParseError")
# Protobuf 7 took it away; it is a keyword here.
MOVED = {"float_precision"}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_the_parameters_are_google_s(name: str) -> None:
    theirs = inspect.signature(getattr(google, name)).parameters
    ours = inspect.signature(getattr(json_format, name)).parameters
    for parameter in theirs.values():
        assert parameter.name in ours, f"{name} lacks {parameter.name}"
        assert ours[parameter.name].default == parameter.default
    positional = [p.name for p in theirs.values() if p.kind is p.POSITIONAL_OR_KEYWORD]
    expected = [name for name in positional if name not in MOVED]
    assert list(ours)[: len(expected)] == expected


def test_the_names_are_google_s() -> None:
    for name in (*FUNCTIONS, *ERRORS):
        assert hasattr(google, name)
        assert name in json_format.__all__


def test_an_old_positional_float_precision_is_refused_in_words() -> None:
    with pytest.raises(TypeError, match="float_precision is a keyword"):
        json_format.MessageToJson(ces.Message(), False, 2, False, False, None, 3)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "error_class",
    [google.ParseError, google.Error, turnwire.ParseError, turnwire.TurnwireError, ValueError],
)
def test_parse_errors_are_of_both_families(error_class: type[Exception]) -> None:
    with pytest.raises(error_class) as caught:
        json_format.Parse('{"chunks":[{"text":5}]}', ces.Message())
    assert isinstance(caught.value, json_format.ParseError)
    assert caught.value.path == ("chunks", 0, "text")
    assert caught.value.field == "turnwire_schema.ces.v1.Chunk.text"
    again = pickle.loads(pickle.dumps(caught.value))
    assert (type(again), str(again)) == (type(caught.value), str(caught.value))


def test_syntax_errors_say_line_and_column() -> None:
    with pytest.raises(json_format.ParseError) as caught:
        json_format.Parse('{"role": \n?}', ces.Message())
    assert (caught.value.line, caught.value.column) == (2, 1)


@pytest.mark.parametrize(
    "error_class", [google.SerializeToJsonError, google.Error, turnwire.SerializeError]
)
def test_serialize_errors_are_of_both_families(error_class: type[Exception]) -> None:
    message = ces.ToolCall()
    message.args["n"] = float("nan")
    for function in (json_format.MessageToJson, json_format.MessageToDict):
        with pytest.raises(error_class) as caught:
            function(message)
        assert isinstance(caught.value, json_format.SerializeToJsonError)
        assert caught.value.path == ("args", "n")


@pytest.mark.parametrize(
    ("held", "error_class"),
    [
        (any_pb2.Any(type_url="x/novel.Type"), TypeError),
        (any_pb2.Any(type_url="x"), TypeError),
        (any_pb2.Any(value=b"x"), TypeError),
        (any_pb2.Any(type_url="x/google.protobuf.Duration", value=b"\xff"), DecodeError),
        (timestamp_pb2.Timestamp(nanos=-1), ValueError),
        (duration_pb2.Duration(seconds=10**15), ValueError),
    ],
    ids=str,
)
def test_other_errors_of_google_s_printer_catch_ours(
    held: Message, error_class: type[Exception]
) -> None:
    message = EVERYTHING3()
    if isinstance(held, any_pb2.Any):
        message.wkt_any.MergeFromString(held.SerializeToString())
    for function in ("MessageToJson", "MessageToDict"):
        for printed in (held, message) if message.HasField("wkt_any") else (held,):
            with pytest.raises(error_class) as caught:
                getattr(google, function)(printed)
            with pytest.raises(error_class) as ours:
                getattr(json_format, function)(printed)
            assert str(ours.value) == str(caught.value)
            assert isinstance(ours.value, json_format.SerializeToJsonError)


def test_bytes_that_are_not_utf_8_are_a_parse_error() -> None:
    with pytest.raises(UnicodeDecodeError):
        google.Parse(b'"\xff"', any_pb2.Any())
    with pytest.raises(json_format.ParseError):
        json_format.Parse(b'"\xff"', any_pb2.Any())


def test_wrong_arguments_are_type_errors() -> None:
    with pytest.raises(TypeError, match="protobuf message"):
        json_format.Parse("{}", ces.Message)  # type: ignore[type-var]
    with pytest.raises(TypeError, match="protobuf message"):
        json_format.MessageToJson({})  # type: ignore[arg-type]
