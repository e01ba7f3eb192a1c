"""`turnwire tabulate` writes the rows of `turnwire.bulk` as Parquet files."""

from __future__ import annotations

import gzip
import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest
from cli.commands import PROGRAM, failure_of, output_of, turnwire

from turnwire import ces

pa = pytest.importorskip("pyarrow")
parquet = pytest.importorskip("pyarrow.parquet")
EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
RESPONSES = "--type=ces.RunSessionResponse"


def rows_of(folder: Path, table: str) -> list[dict[str, Any]]:
    """Returns the rows of all files of a table, as the views see them."""
    paths = sorted((folder / table).glob("*.parquet"))
    tables = [parquet.read_table(path) for path in paths]
    assert all(each.schema == tables[0].schema for each in tables)
    rows: list[dict[str, Any]] = pa.concat_tables(tables).to_pylist()
    return rows


def said(text: str, **others: object) -> str:
    return json.dumps({"outputs": [{"turnIndex": 1, "text": text}]} | others)


def test_each_input_is_a_conversation(tmp_path: Path) -> None:
    lines = (EXAMPLES / "ces_session.ndjson").read_bytes()
    for name in ("a", "b"):
        (tmp_path / f"{name}.ndjson.gz").write_bytes(gzip.compress(lines))
    out = tmp_path / "out"
    assert output_of("tabulate", tmp_path / "*.ndjson.gz", "-o", out) == b""
    turns = rows_of(out, "turns")
    names = [f"{tmp_path}/{name}.ndjson.gz" for name in ("a", "b")]
    assert [row["conversation"] for row in turns] == [name for name in names for _ in range(3)]
    assert [row["turn"] for row in turns] == [1, 2, 3] * 2
    assert [row["file"] for row in turns] == [row["conversation"] for row in turns]
    assert len(rows_of(out, "tool_calls")) == 18
    views = (out / "views.sql").read_text()
    for table in ("conversations", "turns", "messages", "tool_calls", "spans", "variables", "raw"):
        assert f"create or replace view {table} as" in views


def test_stored_conversations_have_names(tmp_path: Path) -> None:
    text = (EXAMPLES / "ces_conversations.ndjson").read_text(encoding="utf-8")
    (tmp_path / "stored.ndjson").write_text(text + '{"turns": [{}]}\n', encoding="utf-8")
    out = tmp_path / "out"
    output_of("tabulate", tmp_path / "stored.ndjson", "-o", out, "--tables=turns,conversations")
    names = [row["conversation"] for row in rows_of(out, "conversations")]
    assert [name.rpartition("/")[2] for name in names] == [
        *("c-1", "c-2", "c-3", "c-4", "c-5", "c-6"),
        "stored.ndjson:6",
    ]
    assert not (out / "messages").exists()


def test_answers_are_recognized(tmp_path: Path) -> None:
    out = tmp_path / "out"
    output_of("tabulate", EXAMPLES / "analytics_answer.json", "-o", out)
    assert [row["status"] for row in rows_of(out, "queries")] == ["error", "ok"]


def test_members_name_the_conversation_and_the_turn(tmp_path: Path) -> None:
    def row(conversation: str | None, turn: int, text: str) -> str:
        message = {"role": "user", "chunks": [{"text": text}]}
        members = {"conversation_id": conversation, "turn_index": turn, "messages": [message]}
        return json.dumps(members)

    lines = [row("one", 0, "a"), row("two", 0, "x"), row("one", 1, "b"), row(None, 0, "lost")]
    (tmp_path / "rows.ndjson").write_text("\n".join(lines))
    command = ["tabulate", "--type=ces.Message", tmp_path / "rows.ndjson", "-o", tmp_path / "out"]
    command += ["--at=messages", "--conversation-at=conversation_id", "--turn-at=turn_index"]
    status, errors = failure_of(*command)
    assert status == 1
    assert "rows.ndjson:4: expected the name of a conversation" in errors
    turns = [
        (r["conversation"], r["turn"], r["user_text"]) for r in rows_of(tmp_path / "out", "turns")
    ]
    assert turns == [("one", 1, "a"), ("one", 2, "b"), ("two", 1, "x")]


def test_bad_lines_are_kept_and_reported(tmp_path: Path) -> None:
    lines = [said("a"), '{"outputs": 5}', said("b", mood="fine"), said("c")]
    (tmp_path / "log.ndjson").write_text("\n".join(lines))
    rejects = tmp_path / "rejects"
    command = ["tabulate", RESPONSES, tmp_path / "log.ndjson", "-o", tmp_path / "out"]
    status, errors = failure_of(*command, "--rejects", rejects)
    assert status == 1
    assert "log.ndjson:2: expected array" in errors
    assert "log.ndjson:3: unknown field" in errors
    assert rejects.read_text().splitlines() == lines[1:3]
    assert [row["reply"] for row in rows_of(tmp_path / "out", "turns")] == ["ac"]
    done = turnwire(*command, "--allow-rejects=50%")
    assert done.returncode == 0
    done = turnwire(*command, "--unknown=ignore", "--allow-rejects=1")
    assert done.returncode == 0
    assert [row["reply"] for row in rows_of(tmp_path / "out", "turns")] == ["abc"]


def test_a_log_entry_is_named(tmp_path: Path) -> None:
    entry = {"insertId": "1", "logName": "l", "jsonPayload": json.loads(said("a"))}
    (tmp_path / "log.ndjson").write_text(json.dumps(entry))
    command = ["tabulate", tmp_path / "log.ndjson", "-o", tmp_path / "out"]
    for type_name in ([], [RESPONSES]):
        status, errors = failure_of(*command, *type_name)
        assert status == 1
        assert "Cloud Logging" in errors
        assert "--at jsonPayload" in errors
    output_of(*command, "--at=jsonPayload")
    assert [row["reply"] for row in rows_of(tmp_path / "out", "turns")] == ["a"]


def test_rows_of_an_earlier_run_do_not_stay(tmp_path: Path) -> None:
    log, out = tmp_path / "log.ndjson", tmp_path / "out"
    log.write_bytes((EXAMPLES / "ces_session.ndjson").read_bytes())
    output_of("tabulate", log, "-o", out)
    assert rows_of(out, "spans")
    log.write_text(said("Ahoy"), encoding="utf-8")
    output_of("tabulate", log, "-o", out, "--tables", "turns", "--resume")
    assert len(rows_of(out, "turns")) == 1
    assert rows_of(out, "spans")  # which that run does not make
    output_of("tabulate", log, "-o", out)
    assert rows_of(out, "spans") == []


def test_names_that_utf8_cannot_hold_are_escaped(tmp_path: Path) -> None:
    log = tmp_path / "log.ndjson"
    log.write_text(said("a", session="\ud800") + "\n", encoding="utf-8")
    run = ["tabulate", RESPONSES, log, "-o", tmp_path / "out", "--conversation-at", "session"]
    assert turnwire(*run, "--unknown", "ignore").returncode == 0
    [turn] = rows_of(tmp_path / "out", "turns")
    assert turn["conversation"] == "\\ud800"


def test_several_processes_give_the_same_files(tmp_path: Path) -> None:
    for number in range(3):
        (tmp_path / f"{number}.ndjson").write_text(said(f"reply {number}"))
    for jobs in (1, 2):
        out = tmp_path / f"out-{jobs}"
        command = [*PROGRAM, "tabulate", RESPONSES, f"{tmp_path}/*.ndjson", "-o", str(out)]
        subprocess.run([*command, f"--jobs={jobs}"], check=True)
        replies = [row["reply"] for row in rows_of(out, "turns")]
        assert replies == ["reply 0", "reply 1", "reply 2"]


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["--type=ces.ToolCall"], "make a conversation"),
        (["--type=ces.Nothing"], "ces.Nothing"),
        ([RESPONSES, "--tables=answers"], "answers is not one of conversations, turns"),
        ([RESPONSES, "--turn-at=turn"], "--turn-at is for --type ces.Message"),
    ],
)
def test_wrong_usage(tmp_path: Path, arguments: list[str], reason: str) -> None:
    (tmp_path / "log.ndjson").write_text("{}")
    command = ["tabulate", tmp_path / "log.ndjson", "-o", tmp_path / "out", *arguments]
    status, errors = failure_of(*command)
    assert status == 2
    assert reason in errors


def test_the_type_of_a_pipe_is_said(tmp_path: Path) -> None:
    status, errors = failure_of("tabulate", "-", "-o", "out", stdin=b"{}")
    assert (status, "--type" in errors) == (2, True)
    os.mkfifo(tmp_path / "pipe")  # which would be read twice
    status, errors = failure_of("tabulate", tmp_path / "pipe", "-o", "out")
    assert (status, "--type" in errors) == (2, True)


def test_unknown_things_are_left_out_and_reported(tmp_path: Path) -> None:
    log = tmp_path / "log.ndjson"
    log.write_text("\n".join([said("a", mood=1), said("b"), said("c", mood=2), "{"]))
    options = [RESPONSES, "--unknown=warn", "--tables=turns", "--allow-rejects=1"]
    done = turnwire("tabulate", log, "-o", tmp_path / "out", *options)
    assert done.returncode == 0
    assert f"{log}:1: 2 times unknown at $.mood; left out" in done.stderr.decode()
    assert done.stderr.count(b"left out") == 2
    [turn] = rows_of(tmp_path / "out", "turns")
    assert turn["reply"] == "abc"


def test_one_message_in_wire_or_text_format(tmp_path: Path) -> None:
    response = ces.RunSessionResponse(outputs=[ces.SessionOutput(turn_index=1, text="a")])
    (tmp_path / "a.binpb").write_bytes(response.SerializeToString())
    (tmp_path / "b.txtpb").write_text('outputs { turn_index: 1 text: "b" }')
    output_of("tabulate", tmp_path / "?.*pb", "-o", tmp_path / "out", RESPONSES)
    replies = [(row["file"][-7:], row["reply"]) for row in rows_of(tmp_path / "out", "turns")]
    assert replies == [("a.binpb", "a"), ("b.txtpb", "b")]
