"""Recordings become tables: one row for each thing, by conversation and turn."""

from __future__ import annotations

import contextlib
import json
import re
from pathlib import Path
from typing import Any

import pytest
from google.protobuf.message import Message
from support.analytics import gda, result, system, user
from support.messages import random_message
from support.scenarios import scenarios

import turnwire
from turnwire import bulk, ces, from_json, to_json

pa = pytest.importorskip("pyarrow")

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
LINES = (EXAMPLES / "ces_session.ndjson").read_text(encoding="utf-8").splitlines()
CES = tuple(bulk.TABLES)[: tuple(bulk.TABLES).index("raw") + 1]
ANALYTICS = ("answers", "queries", "results", "charts", "errors", "citations", "raw")


def tabulate(
    message_class: type[Message], texts: list[str], names: Any, **options: Any
) -> dict[str, list[dict[str, Any]]]:
    """Returns the rows of tables by their names; the problems are those of ``error``."""
    columns = {"value": texts, "line": list(range(1, len(texts) + 1))}
    columns |= options.pop("columns", {})
    if message_class is not ces.Conversation and "conversation" not in options:
        columns["session"] = ["s"] * len(texts)
        options["conversation"] = "session"
    source = pa.table(columns)
    expected = bulk.schema(source.schema, message=message_class, tables=names)
    found: dict[str, list[dict[str, Any]]] = {name: [] for name in (*expected.names, "error")}
    for batch in bulk.convert(source, message=message_class, tables=names, **options):
        assert batch.schema == expected
        batch.validate(full=True)
        for row in batch.to_pylist():
            [name] = [name for name in (*names, "error") if row[name] is not None]
            found[name].append(row[name] | {"line": row["line"]})
    return found


def keys_of(name: str, rows: list[dict[str, Any]]) -> list[tuple[Any, ...]]:
    return [tuple(row[column] for column in bulk.TABLES[name].key) for row in rows]


def test_the_tables_of_a_session_say_what_its_view_says() -> None:
    found = tabulate(ces.RunSessionResponse, LINES, CES)
    session = ces.Session.collect(turnwire.read(ces.RunSessionResponse, "\n".join(LINES).encode()))
    exchanges = [exchange for _, exchange in ces.walk_exchanges(session.tool_exchanges)]
    assert found["error"] == []
    for name in CES:
        assert len(set(keys_of(name, found[name]))) == len(found[name])
        assert {row["conversation"] for row in found[name]} == {"s"}
    [conversation] = found["conversations"]
    assert session.ended is not None
    assert conversation["escalated"] == session.ended.escalated
    assert conversation["active_agent"] == session.active_agent
    assert [row["reply"] for row in found["turns"]] == [turn.reply for turn in session.turns]
    assert [row["tool_calls"] for row in found["turns"]] == [1, 6, 2]
    assert [row["text"] for row in found["messages"]] == [e.text for e in session.transcript]
    assert [row["name"] for row in found["tool_calls"]] == [each.name for each in exchanges]
    assert [row["status"] for row in found["tool_calls"]] == [each.status for each in exchanges]
    args = [json.loads(row["args"]) for row in found["tool_calls"]]
    assert args == [each.args for each in exchanges]
    assert [row["turn"] for row in found["tool_calls"]] == [1, 2, 2, 2, 2, 2, 2, 3, 3]
    spans = ces.span_rows(session)
    assert [row["duration_ns"] for row in found["spans"]] == [row.duration_ns for row in spans]
    last = {row["name"]: json.loads(row["value"]) for row in found["variables"] if row["is_last"]}
    assert last == session.variables
    assert len(found["citations"]) == sum(len(each.sources) for each in session.citations)
    raw = [ces.RunSessionResponse.FromString(row["wire"]) for row in found["raw"]]
    assert raw == [from_json(ces.RunSessionResponse, line) for line in LINES]


def test_the_tables_of_an_answer_say_what_its_view_says() -> None:
    messages = json.loads((EXAMPLES / "analytics_answer.json").read_text(encoding="utf-8"))
    found = tabulate(gda.Message, [json.dumps(message) for message in messages], ANALYTICS)
    answers = gda.answers_of(from_json(gda.Message, json.dumps(each)) for each in messages)
    assert found["error"] == []
    assert [row["answer"] for row in found["answers"]] == [each.text for each in answers]
    assert [row["duration_ns"] for row in found["answers"]] == [a.duration_ns for a in answers]
    assert [row["sql"] for row in found["queries"]] == [sql for a in answers for sql in a.sql]
    assert [row["status"] for row in found["queries"]] == ["error", "ok"]
    assert [row["rows"] for row in found["queries"]] == [None, 2]
    results = [table for answer in answers for table in answer.results]
    assert [row["columns"] for row in found["results"]] == [table.columns for table in results]
    assert len(json.loads(found["results"][1]["data"])) == results[1].row_count
    specs = [chart.spec for answer in answers for chart in answer.charts]
    assert [json.loads(row["spec"]) for row in found["charts"]] == specs
    assert [row["text"] for row in found["errors"]] == [e for a in answers for e in a.errors]
    assert {row["turn"] for row in found["queries"]} == {2}


@pytest.mark.parametrize("number", range(40))
@pytest.mark.parametrize(
    "message_class", [ces.Message, ces.RunSessionResponse, ces.Conversation, gda.Message]
)
def test_random_messages_give_rows_or_a_problem(message_class: Any, number: int) -> None:
    texts = [to_json(random_message(message_class, number + shift)).decode() for shift in range(4)]
    names = CES if message_class is not gda.Message else ANALYTICS
    session = {"session": ["s"] * 4}
    found = tabulate(message_class, texts, names, columns=session, conversation="session")
    assert found["raw"] or found["error"]
    assert {row["kind"] for row in found["error"]} <= {"range"}


@pytest.mark.parametrize("case", scenarios(), ids=lambda case: str(case["id"]))
def test_the_scenarios_give_rows(case: dict[str, Any]) -> None:
    message_class: Any = getattr(ces if case["api"] == "ces" else gda, case["type"])
    options = {"unknown": "error"} | case.get("options", {})
    messages = turnwire.read(message_class, case["input"].encode(), **options)
    texts: list[str] = []
    with contextlib.suppress(turnwire.TurnwireError):
        texts.extend(to_json(message).decode() for message in messages)
    if not texts:
        return
    names = CES if case["api"] == "ces" else ANALYTICS
    session = {"session": ["s"] * len(texts)}
    found = tabulate(message_class, texts, names, columns=session, conversation="session")
    assert len(found["raw"]) == len(texts)
    assert found["error"] == []
    if "answer" in case["expect"]:
        assert found["answers"][-1]["answer"] == case["expect"]["answer"]
    if "turns" in case["expect"]:
        expected = [turn["reply"] for turn in case["expect"]["turns"] if "reply" in turn]
        assert [row["reply"] for row in found["turns"]] == expected


def said(text: str, turn: int = 1) -> str:
    return json.dumps({"outputs": [{"turnIndex": turn, "text": text}]})


def test_conversations_that_overlap_are_kept_apart() -> None:
    texts = [said("a"), said("x"), said("b"), "{", said("y")]
    names = {"session": ["one", "two", "one", "two", None]}
    options = {"columns": names, "conversation": "session"}
    found = tabulate(ces.RunSessionResponse, texts, ["turns"], **options)
    assert [(row["conversation"], row["reply"]) for row in found["turns"]] == [
        ("one", "ab"),
        ("two", "x"),
    ]
    assert [row["line"] for row in found["turns"]] == [1, 2]
    assert [(row["kind"], row["line"]) for row in found["error"]] == [
        ("syntax", 4),
        ("conversation", 5),
    ]


def test_few_conversations_are_open_at_once() -> None:
    texts = [said("a"), said("x"), said("b")]
    options: Any = {"columns": {"session": [1, 2, 1]}, "conversation": "session", "max_open": 1}
    found = tabulate(ces.RunSessionResponse, texts, ["turns"], **options)
    assert [row["reply"] for row in found["turns"]] == ["a", "x", "b"]


def test_a_stored_conversation_has_its_name() -> None:
    turns = [{"messages": [{"role": "user", "chunks": [{"text": "Hi"}]}]}]
    stored = {"name": "c-1", "turns": turns, "source": "EVAL", "languageCode": "en-GB"}
    texts = [json.dumps(stored), json.dumps({"turns": turns})]
    found = tabulate(ces.Conversation, texts, ["conversations", "turns"])
    [row] = found["conversations"]
    assert (row["conversation"], row["source"], row["language_code"]) == ("c-1", "EVAL", "en-GB")
    assert found["turns"][0]["user_text"] == "Hi"
    assert [(row["kind"], row["line"]) for row in found["error"]] == [("conversation", 2)]


def test_rows_of_the_export_are_turns() -> None:
    def row(conversation: str, turn: int, *texts: str) -> str:
        messages = [{"role": "user", "chunks": [{"text": text}]} for text in texts]
        return json.dumps(
            {"conversation_id": conversation, "turn_index": turn, "messages": messages}
        )

    texts = [row("one", 0, "a", "b"), row("two", 0, "x"), row("one", 1, "c")]
    columns = {"conversation_id": ["one", "two", "one"], "turn_index": [0, 0, 1]}
    options = {"columns": columns, "conversation": "conversation_id", "turn": "turn_index"}
    found = tabulate(ces.Message, texts, ["turns"], at="messages", **options)
    assert [(row["conversation"], row["turn"], row["user_text"]) for row in found["turns"]] == [
        ("one", 1, "a\nb"),
        ("one", 2, "c"),
        ("two", 1, "x"),
    ]


def test_a_message_without_a_turn_stands_outside_of_turns() -> None:
    texts = [json.dumps({"role": "user", "chunks": [{"text": text}]}) for text in "abc"]
    columns = {"session": ["s"] * 3, "turn": [None, 1, None]}
    options: Any = {"columns": columns, "conversation": "session", "turn": "turn"}
    found = tabulate(ces.Message, texts, ["turns", "messages"], **options)
    assert [row["user_text"] for row in found["turns"]] == ["b"]
    assert sorted(row["text"] for row in found["messages"]) == ["a", "b", "c"]


def test_a_query_ends_with_the_first_result_or_error() -> None:
    texts = [
        user("How many?"),
        system({"data": {"query": {"question": "count", "name": "counts"}}}),
        system({"data": {"generatedSql": "select 1"}}),
        system({"error": {"text": "no table"}}),
        system({"data": {"generatedSql": "select 2"}}),
        result("", {"n": 1}, {"n": 2}),
        system({"error": {"text": "later"}}),
        system({"data": {"generatedSql": "select 3"}}),
    ]
    found = tabulate(gda.Message, [to_json(each).decode() for each in texts], ["queries"])
    assert [
        (row["sql"], row["status"], row["error"], row["rows"], row["name"])
        for row in found["queries"]
    ] == [
        ("select 1", "error", "no table", None, "counts"),
        ("select 2", "ok", None, 2, "counts"),
        ("select 3", "pending", None, None, "counts"),
    ]


def test_a_value_without_a_place_is_the_problem_of_its_conversation() -> None:
    call = ces.ToolCall(id="c", display_name="t")
    call.args["n"] = float("nan")
    message = ces.Message(chunks=[ces.Chunk(tool_call=call)])
    source = pa.table({"value": [message.SerializeToString()], "s": ["one"]})
    options: Any = {"tables": "tool_calls", "conversation": "s"}
    [batch] = bulk.convert(source, message=ces.Message, **options)
    assert batch["error"][0].as_py()["kind"] == "value"
    assert batch["s"].to_pylist() == ["one"]


@pytest.mark.parametrize(
    ("options", "error", "reason"),
    [
        ({"tables": "answers"}, ValueError, "gives the tables conversations, turns"),
        ({"tables": ()}, ValueError, "at least one"),
        ({"tables": ("turns", "turns")}, ValueError, "differ"),
        ({"tables": 3}, TypeError, "names of tables"),
        ({"conversation": None}, ValueError, "name the column"),
        ({"conversation": "where"}, ValueError, "expected a column 'where'"),
        ({"turn": "session"}, ValueError, "turn is for ces.Message"),
        ({"message": ces.ToolCall}, TypeError, "make a conversation"),
        ({"max_open": 0}, ValueError, "max_open"),
        ({"tables": None}, ValueError, "needs tables"),
    ],
)
def test_wrong_arguments(options: Any, error: type[Exception], reason: str) -> None:
    source = pa.table({"value": ["{}"], "session": ["s"]})
    given = {"message": ces.RunSessionResponse, "tables": "turns", "conversation": "session"}
    with pytest.raises(error, match=reason):
        list(bulk.convert(source, **(given | options)))


def test_each_column_is_described() -> None:
    for table in bulk.TABLES.values():
        assert table.row.startswith(("a ", "an "))
        assert set(table.key) <= {column.name for column in table.columns}
        for column in table.columns:
            assert column.description
            assert not column.name.endswith("_ns") or re.search(r"\bns\b", column.description)
