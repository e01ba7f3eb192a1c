"""`turnwire answer`: the same facts for people and for programs, also of what breaks off."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest
from cli.commands import failure_of, output_of, turnwire
from cli.recordings import ANSWER, SESSION, options_of
from support.analytics import gda
from support.scenarios import scenario, scenarios

import turnwire as tw
from turnwire import streams


def answer_of(*messages: gda.SystemMessage) -> bytes:
    return b"\n".join(tw.to_json(gda.Message(system_message=message)) for message in messages)


def table_of(result: gda.DataResult, *options: str) -> list[str]:
    """Returns the lines of one result."""
    body = answer_of(gda.SystemMessage(data=gda.DataMessage(result=result)))
    shown = output_of("answer", *options, "-", stdin=body).decode()
    return shown.partition("answer: none")[0].strip().splitlines()


def test_people_see_all_that_the_answer_has() -> None:
    shown = output_of("answer", ANSWER).decode()
    assert "question: Spring 2025, please.\n" in shown
    assert "recovered from: Unrecognized name: packet; did you mean packets?\n" in shown
    assert shown.count("\nSQL:\n  SELECT variety, ") == 2
    assert "\nspring_loans: 2 rows\n  variety         packets  share  " in shown
    assert "\n  Žlutá hvězda        803   0.40  " in shown
    assert "chart: Packets per variety (image/svg+xml, 133 bytes)\n" in shown
    assert "\nanswer: Scarlet runner leads with 1,204 packets; Žlutá hvězda follows" in shown
    assert 'cites: "1,204 packets" from Loan book <https://seeds.example/loans>, Packet' in shown
    assert shown.endswith(
        "follow-up: How was spring 2024?\n\n"
        "left out: variety_sample_values, 2 rows: samples that the agent took for itself\n"
    )


def test_programs_get_one_object_with_exact_values() -> None:
    line = output_of("answer", "--json", ANSWER)
    assert line.count(b"\n") == 1
    facts = json.loads(line)
    assert json.loads(output_of("answer", "--indent", ANSWER)) == facts
    [result] = facts["results"]
    assert result["rows"][0] == {
        "variety": "Scarlet runner",
        "packets": 1204,
        "share": "0.60",
        "mean_days": 12.5,
        "organic": True,
        "first_loan": "2025-03-01",
        "last_return": "2025-05-30T16:45:00+00:00",
        "origin": {"place": "Tábor", "altitude_m": 437},
        "tags": ["climbing", "red"],
    }
    assert [chart["title"] for chart in facts["charts"]] == [
        "Packets per week",
        "Packets per variety",
    ]
    assert facts["charts"][1]["image"] == {"mimeType": "image/svg+xml", "bytes": 133}


def test_the_keys_are_always_there() -> None:
    keys = json.loads(output_of("answer", "--json", ANSWER)).keys()
    empty = turnwire("answer", "--json", "-", stdin=b"[]")
    assert json.loads(empty.stdout).keys() == keys
    assert (empty.returncode, empty.stderr.count(b"it holds no message")) == (0, 1)


@pytest.mark.parametrize("case", scenarios("gda"), ids=lambda case: case["id"])
def test_scenario(case: dict[str, Any]) -> None:
    stdin = case["input"].encode()
    done = turnwire("answer", "--json", *options_of(case), "-", stdin=stdin)
    expected, facts = case["expect"], json.loads(done.stdout)
    assert done.returncode == (1 if expected.get("error") else 0)
    assert done.stderr.startswith(b"turnwire: stdin: ") == bool(expected.get("error"))
    names = {"answer": "answer", "thoughts": "thoughts", "progress": "progress", "sql": "sql"}
    names |= {"follow_ups": "followUps", "errors": "errors"}
    for key, name in names.items():
        if key in expected:
            assert facts[name] == expected[key], key
    for found, table in zip(facts["results"], expected.get("results", ()), strict=False):
        assert (found["name"], found["columns"]) == (table["name"], table["columns"])
        assert len(found["rows"]) == len(table["rows"])
    if "citations" in expected:
        assert [cited["text"] for cited in facts["citations"]] == [
            cited["text"] for cited in expected["citations"]
        ]


def test_every_kind_of_message_can_be_shown() -> None:
    case = scenario("gda_every_message_kind")
    shown = output_of("answer", "--all", "-", stdin=case["input"].encode()).decode()
    assert "\nanswer: " in shown


def test_all_shows_each_turn() -> None:
    shown = output_of("answer", "--all", ANSWER).decode()
    heads = ("turn ", "question: ", "the agent asks: ")
    assert [line for line in shown.splitlines() if line.startswith(heads)] == [
        "turn 1 of 2",
        "question: Which seeds do people borrow most?",
        "the agent asks: Which season do you mean?",
        "turn 2 of 2",
        "question: Spring 2025, please.",
    ]
    lines = output_of("answer", "--all", "--json", ANSWER).splitlines()
    assert [json.loads(line)["question"] for line in lines] == [
        "Which seeds do people borrow most?",
        "Spring 2025, please.",
    ]


def test_other_framings_and_compressed_files(tmp_path: Path) -> None:
    whole = output_of("answer", ANSWER)
    messages = list(tw.read(gda.Message, ANSWER))
    (tmp_path / "a.json.gz").write_bytes(gzip.compress(ANSWER.read_bytes()))
    streams.write(messages, tmp_path / "b", "delimited")
    streams.write(messages, tmp_path / "c.sse", "sse")
    assert output_of("answer", tmp_path / "a.json.gz") == whole
    assert output_of("answer", "--from", "delimited", tmp_path / "b") == whole
    assert output_of("answer", tmp_path / "c.sse") == whole
    assert output_of("answer", "-", stdin=(tmp_path / "a.json.gz").read_bytes()) == whole
    assert output_of("answer", "--type", "gda.Message", ANSWER) == whole


def test_stored_messages_are_known_by_their_names() -> None:
    stored = gda.ListMessagesResponse(
        messages=[
            gda.StorageMessage(message_id=f"m{index}", message=message)
            for index, message in enumerate(tw.read(gda.Message, ANSWER))
        ]
    )
    whole = output_of("answer", ANSWER)
    assert output_of("answer", "-", stdin=tw.to_json(stored)) == whole
    lines = b"\n".join(map(tw.to_json, stored.messages))
    assert output_of("answer", "-", stdin=lines) == whole
    wire = stored.SerializeToString()
    named = ["--type", "ListMessagesResponse", "--from", "binary"]
    assert output_of("answer", *named, "-", stdin=wire) == whole


def test_a_recording_of_a_session_is_sent_to_the_other_command() -> None:
    status, said = failure_of("answer", SESSION)
    assert status == 1
    assert said.endswith("this looks like a CES session; use turnwire session\n")


def test_messages_before_an_error_are_shown() -> None:
    body = ANSWER.read_bytes()
    done = turnwire("answer", "-", stdin=body[: body.index(b"FINAL_RESPONSE")])
    assert done.returncode == 1
    assert b"spring_loans: 2 rows" in done.stdout
    assert b"\n\nanswer: none\n" in done.stdout
    assert done.stderr.startswith(b"turnwire: stdin: element 23: ")
    assert done.stderr.count(b"\n") == 1


BAD_LINE = (
    b'{"userMessage":{"text":"Rolls?"}}\n{"userMessage":5}\n{"systemMessage":{"groupId":1}}\n'
)


def test_bad_elements_stop_or_are_left_out() -> None:
    stopped = turnwire("answer", "-", stdin=BAD_LINE)
    assert (stopped.returncode, stopped.stdout) == (1, b"question: Rolls?\n\nanswer: none\n")
    reason = b"stdin: line 2: element 1: expected object, got number at $.userMessage"
    assert reason in stopped.stderr
    good = output_of("answer", "--on-error", "skip", "-", stdin=BAD_LINE)
    empty = b'empty message: {"systemMessage": {"groupId": 1}}\n'
    assert good == stopped.stdout.replace(b"\n\n", b"\n" + empty + b"\n")
    warned = turnwire("answer", "--on-error", "warn", "-", stdin=BAD_LINE)
    assert (warned.returncode, warned.stdout) == (0, good)
    assert warned.stderr.startswith(b"turnwire: warning: " + reason)
    assert warned.stderr.endswith(b"turnwire: warning: stdin: 1 element was left out\n")


def test_unknown_things_are_reported_with_their_element() -> None:
    stdin = BAD_LINE + b'{"mood":1}\n'
    options = ["--on-error", "skip", "--unknown", "warn"]
    done = turnwire("answer", *options, "-", stdin=stdin)
    assert done.returncode == 0
    assert done.stderr == b"turnwire: warning: stdin: line 4: element 3: unknown at $.mood\n"
    assert turnwire("answer", "--on-error", "skip", "-", stdin=stdin).stderr == done.stderr


def test_data_cannot_steer_the_terminal() -> None:
    text = gda.TextMessage(parts=["\x1b]0;title\x07red\x9b31m\r\nblue"], text_type="FINAL_RESPONSE")
    shown = output_of("answer", "-", stdin=answer_of(gda.SystemMessage(text=text)))
    assert shown.decode() == "answer: \\x1b]0;title\\x07red\\x9b31m\n  blue\n"
    result = gda.DataResult()
    result.data.add().update({"a\nb": "c\td\x1b[1m", "list": ["\x9b"]})
    assert table_of(result)[1:] == ["  a\\nb         list", '  c\\td\\x1b[1m  ["\\u009b"]']


def test_tables_align_wide_and_combining_characters() -> None:
    result = gda.DataResult(
        schema={"fields": [{"name": "city"}, {"name": "trips", "type": "INTEGER"}]}
    )
    for city, trips in (("横浜", "1200"), ("Z\u030cateč", "7"), ("Bo", None)):
        result.data.add().update({"city": city, "trips": trips})
    assert table_of(result) == [
        "result: 3 rows",
        "  city   trips",
        "  横浜    1200",
        "  Z\u030cateč      7",
        "  Bo      null",
    ]


def test_tables_fit_the_terminal_and_never_cut_numbers() -> None:
    result = gda.DataResult(
        schema={"fields": [{"name": "n", "type": "INTEGER"}, {"name": "text"}, {"name": "more"}]}
    )
    result.data.add().update({"n": "9007199254740993", "text": "x" * 90, "more": "y" * 30})
    assert max(map(len, table_of(result))) == 2 + 16 + 2 + 60 + 2 + 30
    shown = table_of(result, "--width", "50")
    assert max(map(len, shown)) <= 50
    assert "9007199254740993" in shown[-1]
    assert shown[-1].count("…") == 2


def test_a_chart_that_cannot_be_read_does_not_hide_the_answer() -> None:
    event = gda.AnalysisEvent(result_vega_chart_json="[1")
    analysis = gda.SystemMessage(analysis=gda.AnalysisMessage(progress_event=event))
    text = gda.TextMessage(parts=["7."], text_type="FINAL_RESPONSE")
    body = answer_of(analysis, gda.SystemMessage(text=text))
    shown = output_of("answer", "-", stdin=body).decode()
    assert "chart: unreadable: not JSON" in shown
    assert "answer: 7.\n" in shown
    [chart] = json.loads(output_of("answer", "--json", "-", stdin=body))["charts"]
    assert chart["spec"] is None
    assert "not JSON" in chart["problem"]


def test_json_cells_of_any_kind_become_json() -> None:
    fields = [{"name": "j", "type": "JSON"}, {"name": "f", "type": "FLOAT"}]
    fields += [{"name": "b", "type": "BYTES"}]
    result = gda.DataResult(schema={"fields": fields})
    result.data.add().update({"j": '["\\u00e9", 1e300]', "f": "NaN", "b": "AP8="})
    body = answer_of(gda.SystemMessage(data=gda.DataMessage(result=result)))
    facts = json.loads(output_of("answer", "--json", "-", stdin=body))
    assert facts["results"][0]["rows"] == [{"j": ["é", 1e300], "f": "NaN", "b": "AP8="}]
    output_of("answer", "-", stdin=body)


def test_wrong_usage_exits_2_and_missing_files_exit_3() -> None:
    assert failure_of("answer")[0] == 2
    assert failure_of("answer", "--type", "ces.Message", "-")[0] == 2
    status, said = failure_of("answer", "--type", "gda.Messages", "-")
    assert status == 2
    assert 'expected one of Message, StorageMessage, ListMessagesResponse; got "gda.Mes' in said
    status, said = failure_of("answer", "--all", "--indent", ANSWER)
    assert status == 2
    assert "--all --json" in said
    status, said = failure_of("answer", "missing.json")
    assert status == 3
    assert said.count("\n") == 1


def test_help_has_examples() -> None:
    assert "examples:\n  turnwire answer " in output_of("answer", "--help").decode()


def test_citations_and_tables_stay_in_proportion_to_the_input() -> None:
    count = 300
    text = {"parts": ["é" * 5000], "textType": "FINAL_RESPONSE"}
    anchors = [{"textMessageAnchor": {"endOffsetBytes": 10_000 - 2 * n}} for n in range(count)]
    rows = [{f"k{n}": "x"} for n in range(count)]
    messages = [
        {"systemMessage": {"text": text, "citation": {"anchors": anchors}}},
        {"systemMessage": {"data": {"result": {"name": "r", "data": rows}}}},
    ]
    body = json.dumps(messages).encode()
    facts = json.loads(output_of("answer", "--json", "-", stdin=body))
    words = [cited["text"] for cited in facts["citations"]]
    assert words[0] == "é" * 5000
    assert sum(len(each) for each in words if each is not None) <= 100_000 + 8 * 5000
    assert [cited["characterRange"][1] for cited in facts["citations"]] == [
        5000 - n for n in range(count)
    ]
    assert facts["results"][0]["rows"] == rows
    shown = output_of("answer", "--rows", "0", "-", stdin=body).decode()
    assert len(shown) < 4 * len(body)
    assert '  {"k299": "x"}' in shown.splitlines()
