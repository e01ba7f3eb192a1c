"""The functions take what google's take, in the same order, and raise what they raise."""

from __future__ import annotations

import inspect
import pickle

import pytest
from google.protobuf import json_format as google

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


def test_wrong_arguments_are_type_errors() -> None:
    with pytest.raises(TypeError, match="protobuf message"):
        json_format.Parse("{}", ces.Message)  # type: ignore[type-var]
    with pytest.raises(TypeError, match="protobuf message"):
        json_format.MessageToJson({})  # type: ignore[arg-type]
