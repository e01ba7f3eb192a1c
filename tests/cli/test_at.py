"""`--at`: messages that stand inside of other JSON objects, in every command that reads."""

from __future__ import annotations

import json
from typing import Any

import pytest
from cli.commands import failure_of, output_of, turnwire
from cli.recordings import ANSWER, SESSION

CONVERT = ["convert", "--type", "ces.RunSessionResponse"]


def lines_of(*objects: Any) -> bytes:
    return b"".join(json.dumps(item).encode() + b"\n" for item in objects)


def frames() -> list[Any]:
    return [json.loads(line) for line in SESSION.read_bytes().splitlines()]


def log_entry(payload: Any) -> dict[str, Any]:
    return {"insertId": "a", "logName": "projects/p/logs/x", "jsonPayload": payload}


def test_a_session_in_log_entries() -> None:
    body = lines_of(*map(log_entry, frames()))
    assert output_of("session", "--at", "jsonPayload", "-", stdin=body) == output_of(
        "session", SESSION
    )


def test_an_answer_below_two_members_as_a_list_and_as_text() -> None:
    messages = json.loads(ANSWER.read_bytes())
    whole = output_of("answer", ANSWER)
    for stored in (messages, json.dumps(messages)):
        body = lines_of({"row": {"stored": stored}})
        assert output_of("answer", "--at", "row.stored", "-", stdin=body) == whole


def test_converted_messages() -> None:
    body = lines_of(*({"serverMessage": frame} for frame in frames()))
    shown = output_of(*CONVERT, "--at", "serverMessage", "-", stdin=body)
    assert shown == output_of(*CONVERT, SESSION)


FRAME = {"sessionOutput": {"text": "Rack 4.", "turnIndex": 1}}


@pytest.mark.parametrize(
    ("wrapped", "at"),
    [
        (log_entry({"outputs": [{"text": "a"}]}), "jsonPayload"),
        (log_entry(FRAME), "jsonPayload"),
        ({"serverMessage": FRAME}, "serverMessage"),
        ({"seq": 1, "envelope": {"frame": FRAME}}, "envelope.frame"),
        ({"result": {"outputs": [{"text": "a"}]}}, "result"),
        ({"conversations": [{"turns": []}]}, "conversations"),
    ],
)
def test_the_error_about_an_object_around_messages_gives_the_option(
    wrapped: dict[str, Any], at: str
) -> None:
    status, said = failure_of("session", "-", stdin=lines_of(wrapped))
    assert (status, said.count("\n")) == (1, 1)
    assert f"(--at {at})" in said
    done = turnwire("session", "--at", at, "-", stdin=lines_of(wrapped))
    assert (done.returncode, done.stderr) == (0, b"")


def test_the_error_of_a_place_in_a_place_gives_the_whole_one() -> None:
    body = lines_of({"a": {"serverMessage": FRAME}})
    status, said = failure_of("session", "--at", "a", "-", stdin=body)
    assert status == 1
    assert "(--at a.serverMessage)" in said


def test_convert_gives_the_option_too() -> None:
    status, said = failure_of(*CONVERT, "-", stdin=lines_of(*map(log_entry, frames())))
    assert status == 1
    assert "--at jsonPayload" in said


def test_unknown_members_are_reported_with_their_line_and_whole_path() -> None:
    body = lines_of(
        log_entry({"outputs": [{"text": "a"}]}),
        log_entry([{"outputs": [{"text": "b", "mood": 1}]}, {"outputs": [{"mood": 2}]}]),
    )
    done = turnwire("session", "--at", "jsonPayload", "-", stdin=body)
    assert done.returncode == 0
    assert done.stderr.decode() == (
        "turnwire: warning: stdin: line 2: unknown at $.jsonPayload[0].outputs[0].mood; "
        "2 times unknown at $.jsonPayload[*].outputs[*].mood\n"
    )


def test_a_recording_for_the_other_command_is_recognized() -> None:
    status, said = failure_of("answer", "--at", "m", "-", stdin=lines_of({"m": frames()[0]}))
    assert status == 1
    assert said == "turnwire: stdin: this looks like a CES session; use turnwire session\n"


def test_an_element_without_the_member_is_an_error() -> None:
    body = lines_of({"m": frames()[0]}, {"n": frames()[0]})
    done = turnwire(*CONVERT, "--at", "m", "-", stdin=body)
    assert done.returncode == 1
    assert done.stdout.count(b"\n") == 1
    assert b'stdin: line 2: element 1: expected a member "m"' in done.stderr
    skipped = turnwire(*CONVERT, "--at", "m", "--on-error", "skip", "-", stdin=body)
    assert (skipped.returncode, skipped.stdout) == (1, done.stdout)


@pytest.mark.parametrize("at", ["", ".", "a.", "a..b"])
def test_empty_names_are_wrong_usage(at: str) -> None:
    assert failure_of("session", "--at", at, "-")[0] == 2


@pytest.mark.parametrize("format", ["text", "binary", "delimited"])
def test_formats_without_members_are_wrong_usage(format: str) -> None:
    status, said = failure_of(*CONVERT, "--at", "a", "--from", format, "-", stdin=b"")
    assert status == 2
    assert "--at names members of JSON objects" in said
