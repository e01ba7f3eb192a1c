"""No text of a service or file steers the terminal, on stdout or stderr of any command."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from cli.commands import turnwire
from support.analytics import gda
from support.cases import for_each

import turnwire as tw
from turnwire import ces
from turnwire._printable import (
    on_one_line,
    printable,
    printable_json,
    printable_json_bytes,
)

STEERING = [
    *map(chr, [*range(0x09), *range(0x0B, 0x20), *range(0x7F, 0xA0)]),
    *"\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069",
]
"""The control characters but tab and line feed, and Unicode's property Bidi_Control."""
HOSTILE = f"<{''.join(STEERING)}>"
CONVERT = ["convert", "--type", "ces.Message"]


def is_harmless(shown: bytes) -> bool:
    return not {*shown.decode()} & {*STEERING}


def error(**members: object) -> bytes:
    return json.dumps([{"error": members}]).encode()


def session() -> bytes:
    call = ces.ToolCall(id=HOSTILE, display_name=HOSTILE, args={HOSTILE: HOSTILE})
    chunks = [ces.Chunk(text=f"{HOSTILE}\n{HOSTILE}"), ces.Chunk(tool_call=call)]
    chunks.append(ces.Chunk(updated_variables={HOSTILE: [HOSTILE]}))
    return tw.to_json(ces.Message(role=HOSTILE, chunks=chunks))


def answer() -> bytes:
    row = {HOSTILE: HOSTILE, "other": [HOSTILE]}
    result = tw.from_dict(gda.DataResult, {"name": HOSTILE, "data": [row]})
    asked = gda.ClarificationQuestion(question=HOSTILE, options=[HOSTILE])
    messages = [
        gda.SystemMessage(text=gda.TextMessage(parts=[HOSTILE, "\n"], text_type=kind))
        for kind in ("FINAL_RESPONSE", "THOUGHT", "PROGRESS", "FOLLOWUP_QUESTIONS")
    ]
    messages += [
        gda.SystemMessage(data=gda.DataMessage(result=result)),
        gda.SystemMessage(data=gda.DataMessage(generated_sql=HOSTILE)),
        gda.SystemMessage(data=gda.DataMessage(query=gda.DataQuery(name=HOSTILE, question="?"))),
        gda.SystemMessage(error=gda.ErrorMessage(text=HOSTILE)),
        gda.SystemMessage(clarification=gda.ClarificationMessage(questions=[asked])),
        gda.SystemMessage(chart={"result": {"vega_config": {"title": HOSTILE}}}),
    ]
    return b"\n".join(tw.to_json(gda.Message(system_message=each)) for each in messages)


@pytest.mark.parametrize("options", [[], ["--json"], ["--indent"], ["--all"]])
def test_an_answer(options: list[str]) -> None:
    done = turnwire("answer", *options, "-", stdin=answer())
    assert (done.returncode, done.stderr) == (0, b"")
    assert is_harmless(done.stdout)
    assert "\\x1b" in done.stdout.decode() or "\\u001b" in done.stdout.decode()


@pytest.mark.parametrize("options", [[], ["--json"], ["--indent"]])
def test_a_session(options: list[str]) -> None:
    done = turnwire("session", *options, "-", stdin=session())
    assert (done.returncode, done.stderr) == (0, b"")
    assert is_harmless(done.stdout)


@pytest.mark.parametrize("target", ["json", "ndjson", "array", "sse", "text"])
def test_converted_messages(target: str) -> None:
    done = turnwire(*CONVERT, "--to", target, "-", stdin=session())
    assert (done.returncode, done.stderr) == (0, b"")
    assert is_harmless(done.stdout)


@for_each(
    "body",
    [
        error(code=500, message=HOSTILE),
        error(code=500, status=HOSTILE, message="a"),
        error(code=HOSTILE, message="a\nturnwire: b"),
        json.dumps({HOSTILE: 1}).encode(),
        json.dumps([{"chunks": [{HOSTILE: 1}]}]).encode(),
        json.dumps([{"chunks": HOSTILE}]).encode(),
        json.dumps([{"eventTime": HOSTILE}]).encode(),
        HOSTILE.encode(),
        b'{"role":"' + b"\xff\x1b[31m",
        b'{"role":\x1b[31m"a"}',
    ],
)
@for_each("options", [[], ["--unknown", "warn"], ["--on-error", "warn"]])
@for_each("command", [["answer"], ["session"], CONVERT])
def test_errors_about_invalid_data(command: list[str], options: list[str], body: bytes) -> None:
    done = turnwire(*command, *options, "-", stdin=body)
    assert is_harmless(done.stdout)
    assert is_harmless(done.stderr)
    assert all(line.startswith(b"turnwire: ") for line in done.stderr.splitlines())


@pytest.mark.parametrize("unknown", ["error", "warn"])
def test_errors_about_the_text_format(unknown: str) -> None:
    body = f'role: "a"\n{HOSTILE}: {HOSTILE}'.encode()
    done = turnwire(*CONVERT, "--from", "text", "--unknown", unknown, "-", stdin=body)
    assert done.returncode == 1
    assert is_harmless(done.stderr)


def test_errors_about_names_of_files_and_arguments(tmp_path: Path) -> None:
    name = HOSTILE.replace("\0", "")
    for arguments in (
        [*CONVERT, name],
        [*CONVERT, "-", "-o", f"{name}/a"],
        [*CONVERT, "-", "-o", name],
        ["convert", "--type", name, "-"],
        ["answer", "--type", name, "-"],
        ["answer", "--from", name, "-"],
        ["schema", "show", name],
        [name],
    ):
        done = turnwire(*arguments, cwd=tmp_path)
        assert done.returncode in (2, 3)
        assert is_harmless(done.stderr)
        assert done.stderr.count(b"\n") == 1


@for_each("format", ["text", "json", "github", "sarif"])
def test_findings_in_a_file_of_any_name(format: str, tmp_path: Path) -> None:
    name = f"{HOSTILE}\nerror: forged".replace("\0", "").replace("/", "")
    (tmp_path / name).write_bytes(json.dumps({"role": HOSTILE, HOSTILE: HOSTILE}).encode())
    done = turnwire("check", "--format", format, "--type", "ces.Message", name, cwd=tmp_path)
    assert done.returncode == 1
    assert HOSTILE[-1].encode("unicode_escape") in done.stdout or format == "sarif"
    assert is_harmless(done.stdout)
    assert is_harmless(done.stderr)
    assert not any(line.startswith(b"error: forged") for line in done.stdout.splitlines())


def test_a_message_of_any_length_is_cut() -> None:
    done = turnwire("answer", "-", stdin=error(code=500, message="x" * 1_000_000))
    assert len(done.stderr) < 3000


@for_each("character", STEERING, ids=lambda character: f"{ord(character):04x}")
def test_every_control_character_is_escaped_and_nothing_else(character: str) -> None:
    text = f"é横\n\t{character}😀"
    assert printable(text) == f"é横\n\t{character.encode('unicode_escape').decode()}😀"
    assert on_one_line(text) == (f"é横\\n\\t{character.encode('unicode_escape').decode()}😀")
    document = json.dumps({"a": text}, ensure_ascii=False)
    assert json.loads(printable_json(document)) == {"a": text}
    assert printable_json_bytes(document.encode()) == printable_json(document).encode()
    assert not {*printable_json(document)} & {*STEERING}


def test_a_printable_text_stays_as_it_is() -> None:
    assert printable(printable(HOSTILE)) == printable(HOSTILE)
    assert on_one_line(on_one_line(HOSTILE)) == on_one_line(HOSTILE)
