"""Every function of the module names the expected class for an argument of another one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from google.protobuf.struct_pb2 import Struct
from support.cases import for_each

import turnwire
from turnwire import ces

MORE_ARGUMENTS: dict[str, Callable[[Any], object]] = {
    "find_spans": lambda wrong: ces.find_spans(wrong, "Tool"),
    "respond": lambda wrong: ces.respond(wrong, output=1),
    "save": lambda wrong: ces.save(wrong, "never-written"),
    "to_wav": lambda wrong: ces.to_wav(b"", wrong),
    "walk_exchanges": lambda wrong: list(ces.walk_exchanges(wrong)),
    "walk_spans": lambda wrong: list(ces.walk_spans(wrong)),
}
"""Calls of the functions that take more arguments, or that start when they are iterated over."""

FUNCTIONS = [name for name in ces.__all__ if name.islower()]


def called_with(name: str, wrong: Any) -> object:
    """Calls a function of the module with one argument of a wrong class."""
    return MORE_ARGUMENTS.get(name, getattr(ces, name))(wrong)


def test_calls_are_of_functions_that_exist() -> None:
    assert MORE_ARGUMENTS.keys() < set(FUNCTIONS)


@for_each("wrong", [None, 5, [None], {"a": 1}, ces.GoAway()])
@for_each("name", FUNCTIONS)
def test_the_wrong_class_is_named(name: str, wrong: Any) -> None:
    with pytest.raises(TypeError, match=r"expected an? (str|.* of turnwire\.ces|Blob, .*), got "):
        called_with(name, wrong)


def test_json_and_messages_of_others_come_with_the_way() -> None:
    with pytest.raises(TypeError, match=r"turnwire\.from_json"):
        ces.args_of({"args": {}})  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=r"FromString\(theirs\.SerializeToString\(\)\)"):
        ces.args_of(Struct())  # type: ignore[arg-type]
    responses = turnwire.aread(ces.RunSessionResponse, b"{}")
    with pytest.raises(TypeError, match="a builder's add with each item of an `async for`"):
        ces.Session.collect(responses)  # type: ignore[arg-type]


@pytest.mark.parametrize("name", FUNCTIONS)
def test_messages_of_googles_client_come_with_the_way(name: str) -> None:
    google = pytest.importorskip("google.cloud.ces_v1")
    theirs = google.EndSession(metadata={"a": 1})
    for wrong in (theirs, google.EndSession.pb(theirs)):
        with pytest.raises(TypeError, match="expected") as raised:
            called_with(name, wrong)
        way = str(raised.value).partition("; convert it: ")[2]
        if name != "suffix_of":
            names = {"turnwire": turnwire, "theirs": wrong}
            assert eval(way, names) == turnwire.from_dict(ces.EndSession, {"metadata": {"a": 1}})


def test_a_message_of_the_same_package_needs_no_way() -> None:
    with pytest.raises(TypeError, match=r"got turnwire_schema[a-z0-9_.]+\.GoAway$"):
        ces.args_of(ces.GoAway())  # type: ignore[arg-type]


def test_one_exchange_is_a_whole_tree() -> None:
    session = ces.Session.collect(ces.Message(chunks=[ces.Chunk(tool_call=ces.ToolCall(id="a"))]))
    (exchange,) = session.tool_exchanges
    assert list(ces.walk_exchanges(exchange)) == [(0, exchange)]
