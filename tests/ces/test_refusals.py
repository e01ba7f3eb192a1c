"""Every function of the module names the expected class for an argument of another one."""

from __future__ import annotations

from typing import Any

import pytest
from google.protobuf.struct_pb2 import Struct
from support.cases import for_each

import turnwire
from turnwire import ces

ONE_MESSAGE: dict[str, Any] = {
    "args_of": ces.args_of,
    "citations_of": ces.citations_of,
    "critical_path": ces.critical_path,
    "duration_ns_of": ces.duration_ns_of,
    "durations_ns_of": ces.durations_ns_of,
    "error_of": ces.error_of,
    "find_spans": lambda wrong: ces.find_spans(wrong, "Tool"),
    "image_size_of": ces.image_size_of,
    "respond": lambda wrong: ces.respond(wrong, output=1),
    "result_of": ces.result_of,
    "save": lambda wrong: ces.save(wrong, "never-written"),
    "span_rows": ces.span_rows,
    "span_table": ces.span_table,
    "suffix_of": ces.suffix_of,
    "text_of": ces.text_of,
    "to_wav": lambda wrong: ces.to_wav(b"", wrong),
    "tool_name_of": ces.tool_name_of,
    "tool_responses": ces.tool_responses,
    "sessions_of": ces.sessions_of,
    "walk_exchanges": lambda wrong: list(ces.walk_exchanges(wrong)),
    "walk_spans": lambda wrong: list(ces.walk_spans(wrong)),
}


def test_every_function_is_tried() -> None:
    functions = {name for name in ces.__all__ if name.islower()}
    assert functions == set(ONE_MESSAGE)


@for_each("wrong", [None, 5, [None], {"a": 1}, ces.GoAway()])
@for_each("name", ONE_MESSAGE)
def test_the_wrong_class_is_named(name: str, wrong: Any) -> None:
    with pytest.raises(TypeError, match=r"expected an? (str|.* of turnwire\.ces|Blob, .*), got "):
        ONE_MESSAGE[name](wrong)


def test_json_and_messages_of_others_come_with_the_way() -> None:
    with pytest.raises(TypeError, match=r"turnwire\.from_json"):
        ces.args_of({"args": {}})  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=r"FromString\(theirs\.SerializeToString\(\)\)"):
        ces.args_of(Struct())  # type: ignore[arg-type]
    responses = turnwire.aread(ces.RunSessionResponse, b"{}")
    with pytest.raises(TypeError, match="a builder's add with each item of an `async for`"):
        ces.Session.collect(responses)  # type: ignore[arg-type]


@pytest.mark.parametrize("name", ONE_MESSAGE)
def test_messages_of_googles_client_come_with_the_way(name: str) -> None:
    google = pytest.importorskip("google.cloud.ces_v1")
    theirs = google.EndSession(metadata={"a": 1})
    for wrong in (theirs, google.EndSession.pb(theirs)):
        with pytest.raises(TypeError, match="expected") as raised:
            ONE_MESSAGE[name](wrong)
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
