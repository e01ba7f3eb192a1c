"""The violations of messages, views and recordings, rule by rule."""

from __future__ import annotations

from typing import Any

import pytest
from google.api.resource_pb2 import (  # type: ignore[import-untyped]
    resource_definition,
    resource_reference,
)
from google.protobuf import descriptor_pb2, descriptor_pool, message_factory
from google.protobuf.message import Message
from support.analytics import gda
from support.cases import for_each

import turnwire
from turnwire import ces, check
from turnwire._required import required_fields_of
from turnwire.check._resources import names_of
from turnwire.schema import message_class, message_names

APP = "projects/p/locations/eu/apps/a"


def found(source: object) -> list[tuple[str, str]]:
    """The rules and places of all violations."""
    return [(each.rule, each.path_text) for each in check.violations(source)]


def output(**members: Any) -> ces.SessionOutput:
    return turnwire.from_dict(ces.SessionOutput, members)


def chunks(*values: dict[str, Any]) -> ces.Message:
    return turnwire.from_dict(ces.Message, {"chunks": list(values)})


def call(key: str, **members: Any) -> dict[str, Any]:
    return {"toolCall": {"id": key, "tool": f"{APP}/tools/t", **members}}


def response(key: str) -> dict[str, Any]:
    return {"toolResponse": {"id": key, "tool": f"{APP}/tools/t", "response": {"output": 1}}}


def system(**members: Any) -> Message:
    return turnwire.from_dict(gda.Message, {"systemMessage": members})


def test_examples_have_no_violation() -> None:
    session = list(turnwire.read(ces.RunSessionResponse, "examples/ces_session.ndjson"))
    answer = list(turnwire.read(gda.Message, "examples/analytics_answer.json"))
    for source in (
        session,
        ces.Session.collect(session),
        answer,
        gda.Answer.collect(answer),
        (each for each in answer),
    ):
        assert check.violations(source) == ()


def test_a_required_field_is_an_error_in_a_request_and_a_note_in_an_answer() -> None:
    event: dict[str, Any] = {"inputs": [{"event": {}}], "config": {"session": f"{APP}/sessions/s"}}
    request = turnwire.from_dict(ces.RunSessionRequest, event)
    assert [str(each) for each in check.violations(request)] == [
        "the field is required and not set at $.inputs[0].event.event"
    ]
    assert [each.severity for each in check.violations(request)] == ["error"]
    [note] = check.violations(chunks({"blob": {"data": "AAAA"}}))
    assert (note.rule, note.severity, note.path) == (
        "required",
        "note",
        ("chunks", 0, "blob", "mimeType"),
    )


def test_an_empty_struct_is_a_value() -> None:
    answered = {"toolResponse": {"id": "c", "tool": f"{APP}/tools/t", "response": {}}}
    assert found([chunks(call("c")), chunks(answered)]) == []


@for_each("name", message_names())
def test_every_required_field_is_found_missing(name: str) -> None:
    message = message_class(name)()
    missing = {each.path for each in check.violations(message) if each.rule == "required"}
    for field in required_fields_of(message.DESCRIPTOR):
        is_number = field.cpp_type not in (field.CPPTYPE_STRING, field.CPPTYPE_ENUM)
        if field.has_presence or field.is_repeated or not is_number:
            assert (field.json_name,) in missing


@for_each(
    "field",
    [
        field
        for name in message_names()
        for field in message_class(name).DESCRIPTOR.fields
        if field.GetOptions().Extensions[resource_reference].type
        and not field.GetOptions().Extensions[resource_reference].type.endswith("/Project")
    ],
    ids=lambda field: field.full_name,
)
def test_every_reference_to_a_resource_has_a_pattern(field: Any) -> None:
    names = names_of(field)
    assert names is not None
    for pattern in names.patterns:
        assert names.expression.fullmatch(pattern.replace("{", "").replace("}", ""))
        assert not names.expression.fullmatch(f"{pattern}/more")


def test_resource_names() -> None:
    good = {"tool": f"{APP}/tools/t", "targetApp": "PROJECT"}
    assert found(turnwire.from_dict(ces.ToolCall, good)) == []
    bad = {"tool": "track", "targetApp": "projects/p"}
    [tool, app] = check.violations(turnwire.from_dict(ces.ToolCall, bad))
    assert tool.path == ("tool",)
    assert tool.reason == (
        'expected projects/{project}/locations/{location}/apps/{app}/tools/{tool}, got "track"'
    )
    assert app.reason.startswith("expected projects/{project}/locations/{location}/apps/{app} or ")


def test_resources_of_other_schemas_are_found_by_reflection() -> None:
    file = descriptor_pb2.FileDescriptorProto(
        name="zoo.proto", package="zoo", syntax="proto3", dependency=["google/api/resource.proto"]
    )
    definition = file.options.Extensions[resource_definition].add()
    definition.type, definition.pattern[:] = "zoo/Animal", ["houses/{house}/animals/{animal}"]
    visit = file.message_type.add(name="Visit")
    animal = visit.field.add(name="animals", number=1, type=9, label=3)
    animal.options.Extensions[resource_reference].type = "zoo/Animal"
    pool = descriptor_pool.Default()
    pool.Add(file)
    visit_class = message_factory.GetMessageClass(pool.FindMessageTypeByName("zoo.Visit"))
    message = visit_class(animals=["houses/h/animals/a", "a"])
    assert found(message) == [("resource_name", "$.animals[1]")]


def test_responses_without_calls() -> None:
    assert found([chunks(call("c")), chunks(response("c"))]) == []
    assert found([chunks(response("c")), chunks(call("c"))]) == []
    assert found([chunks(call("c")), chunks(response("d"))]) == [
        ("unmatched_response", "$[1].chunks[0].toolResponse.id")
    ]
    # The call may stand in another message.
    assert found(chunks(response("c"))) == []
    nameless = {"toolResponse": {"tool": f"{APP}/tools/t", "response": {"output": 1}}}
    assert found([chunks(nameless)]) == [("unmatched_response", "$[0].chunks[0].toolResponse")]
    assert found([chunks(call("")), chunks(nameless)]) == []
    session = ces.Session.collect([chunks(response("c"))])
    assert found(session) == [("unmatched_response", "$.messages[0].chunks[0].toolResponse.id")]


def test_the_clients_responses_alone_are_good() -> None:
    sent = ces.SessionInput(tool_responses=ces.tool_responses(ces.ToolResponse(id="c")))
    assert {rule for rule, _ in found([sent])} == {"required"}


def test_parents() -> None:
    assert found([chunks(call("a"), call("b", parentToolCallId="a"))]) == []
    assert found([chunks(call("b", parentToolCallId="a"), call("a"))]) == []
    assert found([chunks(call("b", parentToolCallId="a"))]) == [
        ("unknown_parent", "$[0].chunks[0].toolCall.parentToolCallId")
    ]
    circle = [call("a", parentToolCallId="b"), call("b", parentToolCallId="a")]
    assert found([chunks(*circle)]) == [
        ("circular_parent", "$[0].chunks[1].toolCall.parentToolCallId")
    ]
    assert found(chunks(*circle)) == found(chunks(*circle, call("c", parentToolCallId="b")))
    assert [rule for rule, _ in found(chunks(call("a", parentToolCallId="a")))] == [
        "circular_parent"
    ]


def test_turns() -> None:
    turns = [output(turnIndex=index) for index in (1, 1, 2, 0, 1, 3)]
    assert found(turns) == [("turn_order", "$[4].turnIndex")]


def test_sessions_are_told_apart_by_their_names() -> None:
    def asked(session: str) -> ces.RunSessionRequest:
        config = ces.SessionConfig(session=f"{APP}/sessions/{session}")
        return ces.RunSessionRequest(config=config, inputs=[ces.SessionInput(text="Hi")])

    two = [asked("a"), output(turnIndex=2), asked("b"), output(turnIndex=1)]
    assert found(two) == []
    two.append(turnwire.from_dict(ces.SessionOutput, {"toolCalls": {"toolCalls": []}}))
    assert found([*two, chunks(response("c")), asked("c")])[0][0] == "unmatched_response"


def test_citations_of_a_reply() -> None:
    cited = {"citedChunks": [{"title": "Menu"}], "inlineCitations": []}

    def citing(start: int, end: int, *sources: int) -> list[tuple[str, str]]:
        inline = {"startIndex": start, "endIndex": end, "citedChunkIndices": list(sources)}
        citations = {**cited, "inlineCitations": [inline]}
        return found([output(turnIndex=1, text="Crème"), output(turnIndex=1, citations=citations)])

    assert citing(0, 6, 0) == []
    [(rule, path)] = citing(0, 7, 0)
    assert (rule, path) == ("citation", "$[1].citations.inlineCitations[0].endIndex")
    assert citing(4, 2, 0) == [(rule, path)]
    assert citing(0, 2, 0, 1) == [
        ("citation", "$[1].citations.inlineCitations[0].citedChunkIndices[1]")
    ]


def test_citations_of_an_answer() -> None:
    anchor = {"partIndex": 1, "endOffsetBytes": 2}
    citation = {"anchors": [{"textMessageAnchor": anchor}]}
    text = {"parts": ["Soup"], "textType": "FINAL_RESPONSE"}
    assert found(system(text=text, citation=citation)) == [
        ("citation", "$.systemMessage.citation.anchors[0].textMessageAnchor.partIndex")
    ]


def test_results_without_a_query() -> None:
    query = system(data={"query": {"question": "?", "name": "loaves"}})
    result = system(data={"result": {"name": "loaves"}})
    question = turnwire.from_dict(gda.Message, {"userMessage": {"text": "?"}})
    assert found([question, query, result]) == found([result, query]) == []
    assert found([system(data={"generatedSql": "SELECT 1"}), result]) == []
    assert found([question, query, question, result]) == [
        ("result_without_query", "$[3].systemMessage.data.result")
    ]
    assert found(gda.Answer.collect([question, result])) == [
        ("result_without_query", "$.messages[1].systemMessage.data.result")
    ]
    assert found(result) == []


@pytest.mark.parametrize("source", [None, 5, "text", b"", {}, [5], [{}]])
def test_other_objects_are_refused(source: Any) -> None:
    with pytest.raises(TypeError, match="expected a message"):
        check.violations(source)
