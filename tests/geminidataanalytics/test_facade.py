"""The façade holds every message class and enum of the API, and the accessors."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable
from typing import Any

import pytest
import turnwire_schema.geminidataanalytics.v1 as stubs
from google.protobuf.struct_pb2 import Struct

import turnwire
from turnwire import geminidataanalytics as gda


def test_every_message_and_enum_is_there() -> None:
    expected: set[str] = set()
    for module in pkgutil.iter_modules(stubs.__path__):
        file = importlib.import_module(f"{stubs.__name__}.{module.name}").DESCRIPTOR
        expected |= set(file.message_types_by_name) | set(file.enum_types_by_name)
    schema = {name for name in gda.__all__ if hasattr(getattr(gda, name), "DESCRIPTOR")}
    assert schema == expected


def test_all_is_sorted_and_complete() -> None:
    assert gda.__all__ == sorted(gda.__all__)
    for name in gda.__all__:
        assert getattr(gda, name) is not None


def test_each_public_function_is_documented_with_an_example() -> None:
    for name in gda.__all__:
        if name[0].islower():
            assert ">>> " in (getattr(gda, name).__doc__ or ""), name


@pytest.mark.parametrize(
    "read", [gda.text_of, gda.AnswerBuilder().add, gda.history_of, gda.Answer.collect]
)
def test_messages_of_googles_client_come_with_the_way(read: Callable[[Any], object]) -> None:
    google = pytest.importorskip("google.cloud.geminidataanalytics_v1beta")
    theirs = google.Message(user_message=google.UserMessage(text="Loaves?"))
    for wrong in (theirs, google.Message.pb(theirs)):
        with pytest.raises(TypeError, match=r"convert it: ") as raised:
            read(wrong)
        way = str(raised.value).partition("; convert it: ")[2]
        assert gda.text_of(eval(way, {"turnwire": turnwire, "theirs": wrong})) == "Loaves?"


def test_messages_of_another_library_are_refused_with_advice() -> None:
    for read in (gda.text_of, gda.vega_spec_of, gda.AnswerBuilder().add, gda.citations_of):
        with pytest.raises(TypeError, match=r"FromString\(theirs\.SerializeToString\(\)\)"):
            read(Struct())
    for collect in (gda.Answer.collect, gda.answers_of, gda.history_of):
        with pytest.raises(TypeError, match=r"got google\.protobuf\.struct_pb2\.Struct"):
            collect([Struct()])
