"""The core and pure Python find the same problems in the same lines."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest
from cli.commands import turnwire
from google.protobuf.message import Message
from hypothesis import given
from hypothesis import strategies as st
from support.analytics import gda

from turnwire import ces
from turnwire._cli import checking, elements
from turnwire.check import _answers, _sessions
from turnwire.check._facts import Facts, rules_of
from turnwire.check._recording import Recording
from turnwire.protojson._accelerator import line_checker_of
from turnwire.schema import message_class, message_names

APP = "projects/p/locations/eu/apps/a"
Json = dict[str, Any]


def objects(**members: st.SearchStrategy[Any]) -> st.SearchStrategy[Json]:
    """Objects with some of these members."""
    return st.fixed_dictionaries({}, optional=members)


def joined(*parts: st.SearchStrategy[Json]) -> st.SearchStrategy[Json]:
    """Objects with the members of several."""
    return st.tuples(*parts).map(lambda found: {k: v for each in found for k, v in each.items()})


def mostly(good: st.SearchStrategy[Any], *others: Any) -> st.SearchStrategy[Any]:
    """Mostly good values, as bad ones hide the others."""
    return st.integers(0, 9).flatmap(lambda n: good if n else st.sampled_from(others))


ids = st.sampled_from(["", "a", "b", "c", "d\u00e9"])
good_tools = st.sampled_from([f"{APP}/tools/t", f"{APP}/tools/u"])
tools = mostly(good_tools, "", "t", f"{APP}/tools/", "\u00fc/")
sessions = mostly(st.sampled_from([f"{APP}/sessions/s", f"{APP}/sessions/t"]), "", "s")
named: Json = {
    "id": ids,
    "displayName": st.sampled_from(["t", "u"]),
}
tool_names = (
    st.fixed_dictionaries({"tool": tools})
    | st.fixed_dictionaries(
        {
            "toolsetTool": objects(
                toolId=st.sampled_from(["", "t"]), toolset=st.just(f"{APP}/toolsets/s")
            )
        }
    )
    | st.just({})
)
calls = joined(
    objects(**named, args=st.just({"n": 1}), parentToolCallId=ids, targetApp=st.just("PROJECT")),
    tool_names,
)
responses = joined(
    objects(**named),
    tool_names,
    st.fixed_dictionaries({"response": mostly(st.sampled_from([{}, {"a": [{}]}]), None)}),
)
chunks = (
    st.fixed_dictionaries({"text": st.text(max_size=2)})
    | st.fixed_dictionaries({"toolCall": calls})
    | st.fixed_dictionaries({"toolResponse": responses})
    | st.fixed_dictionaries({"blob": objects(mimeType=st.just("a/b"), data=st.just("AAAA"))})
)
messages = objects(role=st.just("user"), chunks=st.lists(chunks, max_size=4))
citations = objects(
    citedChunks=st.lists(st.just({"title": "Menu"}), max_size=2),
    inlineCitations=st.lists(
        objects(
            startIndex=st.integers(0, 2),
            endIndex=st.integers(-1, 5),
            citedChunkIndices=st.lists(st.integers(0, 2), max_size=2),
        ),
        max_size=2,
    ),
)
outputs = objects(
    text=st.sampled_from(["", "Cr\u00e8me", "So"]),
    turnIndex=st.integers(-1, 3),
    turnCompleted=st.booleans(),
    citations=citations,
    toolCalls=objects(toolCalls=st.lists(calls, max_size=2)),
    diagnosticInfo=objects(messages=st.lists(messages, max_size=3)),
)
inputs = objects(
    text=st.just("Hi"),
    toolResponses=objects(toolResponses=st.lists(responses, max_size=2)),
) | objects(event=objects(event=st.sampled_from(["", "e"])))
anchors = objects(partIndex=st.integers(0, 2), endOffsetBytes=st.integers(0, 4))
data = st.one_of(
    objects(query=objects(name=ids, question=st.just("?"))),
    objects(result=objects(name=ids)),
    objects(
        generatedSql=st.just("SELECT 1"),
    ),
    objects(bigQueryJob=objects(jobId=st.just("j"), projectId=st.just("p"))),
)
answers = objects(userMessage=objects(text=st.sampled_from(["", "?"]))) | objects(
    systemMessage=objects(data=data)
    | objects(
        text=objects(parts=st.just(["Soup", "and bread"]), textType=st.just("FINAL_RESPONSE")),
        citation=objects(anchors=st.lists(objects(textMessageAnchor=anchors), max_size=1)),
    )
)
CLASSES: dict[type[Message], st.SearchStrategy[Json]] = {
    ces.Message: messages,
    ces.SessionOutput: outputs,
    ces.RunSessionResponse: objects(outputs=st.lists(outputs, max_size=3)),
    ces.RunSessionRequest: objects(
        config=objects(session=sessions), inputs=st.lists(inputs, max_size=2)
    ),
    ces.Conversation: objects(
        name=sessions, turns=st.lists(objects(messages=st.lists(messages, max_size=2)), max_size=2)
    ),
    gda.Message: answers,
    gda.ChatRequest: objects(
        parent=st.just("projects/p/locations/eu"), messages=st.lists(answers, max_size=3)
    ),
}


def text_of(value: Any, random: Random) -> str:
    """JSON with the members in any order, and names in both spellings."""
    if isinstance(value, dict):
        members = list(value.items())
        random.shuffle(members)
        texts = [f"{name(key, random)}:{text_of(each, random)}" for key, each in members]
        return "{" + ",".join(texts) + "}"
    if isinstance(value, list):
        return "[" + ",".join(text_of(each, random) for each in value) + "]"
    return json.dumps(value)


def name(key: str, random: Random) -> str:
    if random.random() < 0.1:
        key = re.sub("[A-Z]", lambda match: f"_{match[0].lower()}", key)
    return json.dumps(key)


def damaged(text: str, random: Random) -> str:
    """The text, or once in a while one that is mostly not JSON."""
    if random.random() > 0.02:
        return text
    position = random.randrange(len(text))
    put = random.choice(["", "1", '"', "{", "\\u0041", " "])
    return text[:position] + put + text[position + 1 :]


def recording(kind: type[Message], values: list[Json], random: Random) -> bytes:
    lines = [damaged(text_of(value, random), random) for value in values]
    return "".join(random.choice(["", " ", "\n"]) + line + "\n" for line in lines).encode()


@pytest.fixture
def small_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    """Makes limits and pieces so small that recordings reach them."""
    monkeypatch.setattr(_sessions, "MAX_REMEMBERED", 8)
    monkeypatch.setattr(_sessions, "_MAX_UNREAD_BYTES", 80)
    monkeypatch.setattr(_answers, "_MAX_PENDING", 3)
    monkeypatch.setattr(elements, "BATCH_BYTES", 400)
    monkeypatch.setattr(elements, "_PIECE_BYTES", 300)


def found(kind: type[Message], body: bytes, path: Path, *more: str) -> tuple[bytes, bytes]:
    """The problems and the rejects of a check."""
    path.write_bytes(body)
    rejects = path.with_suffix(".rejects")
    kept = ("--rejects", str(rejects))
    name = kind.DESCRIPTOR.full_name
    done = turnwire("check", "--format", "json", "--type", name, *kept, *more, path)
    assert done.stderr == b""
    return done.stdout, rejects.read_bytes()


@pytest.mark.parametrize("choice", ["error", "ignore"])
@pytest.mark.parametrize("limits", ["usual", "small"])
@given(st.data())
def test_both_ways_find_the_same(
    choice: str,
    limits: str,
    request: pytest.FixtureRequest,
    tmp_path_factory: pytest.TempPathFactory,
    data: st.DataObject,
) -> None:
    if limits == "small":
        request.getfixturevalue("small_limits")
    kind = data.draw(st.sampled_from(list(CLASSES)))
    values = data.draw(st.lists(CLASSES[kind], min_size=1, max_size=12))
    body = recording(kind, values, data.draw(st.randoms(use_true_random=False)))
    path = tmp_path_factory.getbasetemp() / "log.ndjson"
    options = ("--unknown", choice)
    by_core = found(kind, body, path, *options, "--jobs", data.draw(st.sampled_from("12")))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(checking, "_line_checker", lambda *_, **__: None)
        by_python = found(kind, body, path, *options)
    assert by_core == by_python


def entries(kind: type[Message], values: list[Json], recording: Recording) -> list[Any]:
    """The entries that the core returns for lines."""
    checker = line_checker_of(kind, recording.core_rules(kind))
    if checker is None:
        pytest.skip("needs the core")
    body = "\n".join(map(json.dumps, values)).encode()
    total, with_content, found = checker.check(body, False, 10**6)
    assert total == with_content == len(values)
    return found


def call(key: str, **members: Any) -> Json:
    return {"toolCall": {"id": key, "tool": f"{APP}/tools/t", "args": {}, **members}}


def response(key: str, **members: Any) -> Json:
    return {"toolResponse": {"id": key, "tool": f"{APP}/tools/t", "response": {}, **members}}


GOOD: dict[type[Message], list[Json]] = {
    ces.Message: [
        {"role": "user", "chunks": [{"text": "Hi"}]},
        {"chunks": [call("a"), response("a"), call("b", parentToolCallId="a")]},
        {"chunks": [response("b"), call(""), response("")]},
    ],
    ces.RunSessionResponse: [
        {"outputs": [{"text": "Hi", "turnIndex": 1}, {"diagnosticInfo": {"messages": []}}]},
        {"outputs": [{"turnIndex": 2, "turnCompleted": True, "citations": {"citedChunks": []}}]},
    ],
    ces.RunSessionRequest: [
        {
            "config": {"session": f"{APP}/sessions/s"},
            "inputs": [{"toolResponses": {"toolResponses": [response("q")["toolResponse"]]}}],
        }
    ],
    ces.Conversation: [
        {"name": f"{APP}/conversations/c", "turns": [{"messages": [{"chunks": [call("a")]}]}]}
    ],
    gda.Message: [
        {"userMessage": {"text": "?"}},
        {"systemMessage": {"data": {"query": {"question": "?", "name": "q"}}}},
        {"systemMessage": {"data": {"result": {"name": "q"}}}},
    ],
}


@pytest.mark.parametrize("kind", GOOD, ids=lambda kind: kind.__name__)
def test_good_lines_need_no_second_look(kind: type[Message]) -> None:
    recording = Recording()
    found = entries(kind, GOOD[kind], recording)
    assert found
    for *_, facts in found:
        assert recording.take(Facts.of_core(facts), lambda child: (child.number,)) == []
    assert list(recording.finish()) == []


BAD: dict[str, tuple[type[Message], Json]] = {
    "required": (ces.Message, {"chunks": [{"blob": {"data": "AAAA"}}]}),
    "required and empty": (ces.Message, {"chunks": [{"blob": {"mimeType": "", "data": "AAAA"}}]}),
    "required list": (ces.Conversation, {"turns": []}),
    "name": (ces.Message, {"chunks": [call("a", tool="t")]}),
    "citation": (
        ces.SessionOutput,
        {"citations": {"inlineCitations": [{"startIndex": 1}]}},
    ),
    "anchor": (gda.Message, {"systemMessage": {"citation": {"anchors": [{}]}}}),
    "type": (ces.Message, {"role": 5}),
    "unknown": (ces.Message, {"mood": 5}),
}


@pytest.mark.parametrize("case", BAD)
def test_lines_that_may_be_bad_are_doubtful(case: str) -> None:
    kind, value = BAD[case]
    [(*place, facts)] = entries(kind, [value], Recording())
    assert place == [0, len(json.dumps(value)), 0, 0]
    assert facts is None


UNDECIDED: dict[str, tuple[type[Message], list[Json]]] = {
    "no call": (ces.Message, [{"chunks": [response("a")]}]),
    "no open call": (ces.Message, [{"chunks": [response("")]}, {"chunks": [call("")]}]),
    "turn": (ces.SessionOutput, [{"turnIndex": 2}, {"turnIndex": 1}]),
    "result": (gda.Message, [{"systemMessage": {"data": {"result": {"name": "r"}}}}]),
    "result between questions": (
        gda.Message,
        [
            {"userMessage": {}},
            {"systemMessage": {"data": {"result": {"name": "r"}}}},
            {"userMessage": {}},
        ],
    ),
}


@pytest.mark.parametrize("case", UNDECIDED)
def test_facts_that_may_show_a_violation_are_not_taken(case: str) -> None:
    kind, values = UNDECIDED[case]
    recording = Recording()
    [(*_, facts)] = entries(kind, values, recording)
    assert recording.take(Facts.of_core(facts), lambda child: ()) is None
    assert recording.take(Facts.of_core(facts), lambda child: ()) is None


def test_every_check_of_a_type_has_its_event() -> None:
    recording = Recording()
    for rules in recording._rules:
        assert rules.visits.keys() == rules.events.keys()
    for name in message_names():
        recording = Recording()
        line_checker_of(message_class(name), recording.core_rules(message_class(name)))


def test_rules_are_those_of_the_schema() -> None:
    rules = rules_of(ces.Message, {})
    required, names, doubtful, event, slots = rules[ces.ToolCall.DESCRIPTOR.full_name]
    assert ("tool", [["projects/", "/locations/", "/apps/", "/tools/", ""]]) in names
    assert (required, doubtful, event, slots) == ([], [], "", [])


SPELLED: list[Callable[[str], str]] = [str, lambda name: "tool_call", lambda name: "tool\\u0043all"]


@pytest.mark.parametrize("spell", SPELLED)
def test_fields_are_seen_under_every_name(spell: Callable[[str], str]) -> None:
    checker = line_checker_of(ces.Message, Recording().core_rules(ces.Message))
    if checker is None:
        pytest.skip("needs the core")
    line = f'{{"chunks":[{{"{spell("toolCall")}":{{"id":"a"}}}}]}}'.encode()
    [(*_, facts)] = checker.check(line, False, 1000)[2]
    assert Facts.of_core(facts).called == b"a"
    assert checker.check(b'{"chunks":[{"text":"toolCall"}]}', False, 1000)[2] == []
