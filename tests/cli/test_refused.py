"""Elements that are not messages: every command reports each of them, once."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from cli.commands import turnwire

GOOD = '{"systemMessage": {"text": {"parts": ["hi"], "textType": "FINAL_RESPONSE"}}}'
ERROR = '{"error": {"code": 8, "message": "m"}}'
REFUSED = "the service reported 8: m"
STRAY = {
    f"[{GOOD}]\n{ERROR}\n": REFUSED,
    f"[{GOOD} {ERROR}": REFUSED,
    f"[{GOOD}, [{ERROR}]]": REFUSED,
    f'data: {GOOD}\n\n{ERROR[:1]}\n{ERROR[1:]}\n': REFUSED,
    f"data: {GOOD}\n\nevent: error\ndata: {ERROR}\n\n": REFUSED,
    f"data: {GOOD}\n\nevent: error\ndata: boom\n\n": "the service reported an error: boom",
    f"data: {GOOD}\n\nevent: error\ndata: {GOOD}\n\n": "the service reported an error: ",
    f"[{GOOD}]\n{GOOD}\n": "expected nothing after the array's closing bracket",
    f"data: {GOOD}\n\n{GOOD}\n": "expected data, event, id, retry or a comment",
}  # fmt: skip
ALONE = {
    ERROR: REFUSED,
    f"[{ERROR}]": REFUSED,
    f"data: {ERROR}\n\n": REFUSED,
    '{"code": 8, "message": "m"}': REFUSED,
    f'{{"insertId": "a", "jsonPayload": {GOOD}}}': "a log entry of Cloud Logging",
    f'{{"result": {GOOD}}}': "an element of a grpc-gateway stream",
    "<html><title>502</title></html>": "got HTML",
}


@pytest.mark.parametrize("unknown", ["error", "warn", "ignore"])
@pytest.mark.parametrize("body", STRAY, ids=range(len(STRAY)))
def test_after_a_good_message(tmp_path: Path, body: str, unknown: str) -> None:
    (path := tmp_path / "recording").write_text(body)
    done = turnwire("check", "--format", "json", "--unknown", unknown, path)
    [problem] = map(json.loads, done.stdout.splitlines())
    assert (done.returncode, done.stderr, problem["severity"]) == (1, b"", "error")
    assert STRAY[body] in problem["reason"]
    rejects = tmp_path / "rejects"
    done = turnwire(
        "tabulate", path, "-o", tmp_path / "out", "--unknown", unknown, "--rejects", rejects
    )
    assert done.returncode == 1
    assert done.stderr.decode().count("left out") == 2
    assert STRAY[body] in done.stderr.decode()
    assert "1 of 2 elements" in done.stderr.decode()
    for command in (["answer"], ["convert", "--type", "gda.Message", "--on-error", "skip"]):
        done = turnwire(*command, "--unknown", unknown, path)
        assert done.returncode == 1
        assert STRAY[body] in done.stderr.decode()
        assert b"hi" in done.stdout


@pytest.mark.parametrize("body", ALONE, ids=range(len(ALONE)))
def test_alone(tmp_path: Path, body: str) -> None:
    (path := tmp_path / "recording").write_text(body)
    commands = (
        ["check"],
        ["check", "--jobs", "2"],
        ["tabulate", "-o", tmp_path / "out"],
        ["answer"],
        ["session"],
        ["convert", "--type", "gda.Message"],
    )
    for command in commands:
        done = turnwire(*command, path)
        assert done.returncode == 1, command
        assert ALONE[body] in (done.stdout + done.stderr).decode(), command


def test_other_content_does_not_tell_the_type() -> None:
    done = turnwire("check", "-", stdin=b'{"x": 1}')
    assert done.returncode == 2
    assert b"say --type" in done.stderr
