"""`turnwire answer` and `turnwire session`: the same facts for people and for programs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from cli.commands import failure_of, output_of, turnwire

ROOT = Path(__file__).resolve().parents[2]
ANSWER = ROOT / "examples" / "analytics_answer.json"
SESSION = ROOT / "examples" / "ces_session.ndjson"


def test_answer_for_people() -> None:
    lines = output_of("answer", ANSWER).decode().splitlines()
    assert "question: Spring 2025, please." in lines
    assert "answer: Scarlet runner leads with 1,204 packets;" in "\n".join(lines)
    assert "spring_loans: 2 rows" in lines
    assert "follow-up: How was spring 2024?" in lines


def test_answer_for_programs() -> None:
    facts = json.loads(output_of("answer", "--json", ANSWER))
    assert facts["complete"] is True
    assert facts["followUps"] == ["Which seeds came back late?", "How was spring 2024?"]
    [result] = facts["results"]
    assert result["columns"][:2] == ["variety", "packets"]
    assert result["rows"][0]["packets"] == 1204
    assert result["rows"][0]["share"] == "0.60"
    assert result["rows"][0]["last_return"] == "2025-05-30T16:45:00+00:00"
    assert [list(chart)[:1] for chart in facts["charts"]]


def test_session_for_people() -> None:
    shown = output_of("session", SESSION).decode()
    assert "turn 3: The boarding desk keeps a seat for you. Bon voyage!\n" in shown
    assert '\n    ask_river({"hour": 20}) -> ok "calm"\n' in shown
    assert "active agent: boarding-desk\n" in shown


def test_session_for_programs() -> None:
    facts = json.loads(output_of("session", "--json", "-", stdin=SESSION.read_bytes()))
    assert [turn["completed"] for turn in facts["turns"]] == [True, True, True]
    crossing = next(one for one in facts["toolExchanges"] if one["name"] == "plan_crossing")
    assert crossing["children"][0]["children"][1]["status"] == "error"
    assert facts["variables"]["boat"] == "Otter"
    assert facts["ended"]["metadata"]["reason"] == "booked"


def test_a_session_of_other_items() -> None:
    message = b'{"role":"user","chunks":[{"defaultVariables":{"boat":"Heron"}}]}'
    session = ["session", "--json", "--type", "ces.Message", "-"]
    assert json.loads(output_of(*session, stdin=message))["variables"] == {"boat": "Heron"}


def test_what_came_before_an_error_is_shown() -> None:
    body = ANSWER.read_bytes()
    done = turnwire("answer", "--json", "-", stdin=body[: body.index(b"q-2")])
    assert done.returncode == 1
    assert json.loads(done.stdout)["question"] == "Which seeds do people borrow most?"
    assert done.stderr.startswith(b"turnwire: stdin: element 2: ")


@pytest.mark.parametrize("command", ["answer", "session"])
def test_help_has_examples_and_a_missing_file_exits_3(command: str) -> None:
    assert f"examples:\n  turnwire {command} " in output_of(command, "--help").decode()
    assert failure_of(command, "missing.json")[0] == 3
