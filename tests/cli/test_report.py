"""`turnwire report`: a whole page of whatever a recording holds, and an exit status about it."""

from __future__ import annotations

import base64
import gzip
from pathlib import Path

import pytest
from cli.commands import failure_of, output_of, started, turnwire
from cli.recordings import ANSWER, SESSION
from report.conversations import answers, session
from report.pages import Element, parsed
from support.analytics import system, text, user

import turnwire as tw
from turnwire import ces, report


def test_the_page_is_that_of_the_library(tmp_path: Path) -> None:
    for recording, view in ((SESSION, session()), (ANSWER, answers())):
        page = tmp_path / "page.html"
        assert output_of("report", recording, "-o", page) == b""
        assert page.read_text(encoding="utf-8") == report.html(view)
        assert output_of("report", recording).decode() == report.html(view)


@pytest.mark.parametrize(
    ("name", "start"),
    [
        ("a.html", b"<!doctype html>"),
        ("a.HTM", b"<!doctype html>"),
        ("a.md", b"# Session of 3 turns"),
        ("a.markdown", b"# Session"),
    ],
)
def test_the_suffix_tells_the_form(name: str, start: bytes, tmp_path: Path) -> None:
    output_of("report", SESSION, "-o", tmp_path / name)
    assert (tmp_path / name).read_bytes().lstrip().startswith(start)
    output_of("report", SESSION, "-o", tmp_path / f"{name}.gz")
    assert gzip.decompress((tmp_path / f"{name}.gz").read_bytes()).lstrip().startswith(start)


def test_options_reach_the_page(tmp_path: Path) -> None:
    page = output_of("report", SESSION, "--title", "A <ferry>", "--no-media").decode()
    assert "<title>A &lt;ferry&gt;</title>" in page
    assert "src=" not in page
    assert "<svg" not in output_of("report", ANSWER, "--no-charts").decode()
    assert output_of("report", SESSION, "--to", "markdown").startswith(b"# Session")


def test_the_encoding_of_audio_can_be_named() -> None:
    plain = parsed(output_of("report", SESSION).decode()).by_id("turn-3")
    assert len([*plain.all("audio")]) == 1  # that of the user, with a header
    page = parsed(output_of("report", "--audio", "LINEAR16:8000", SESSION).decode())
    _, reply = page.by_id("turn-3").all("audio")
    audio = reply.attributes["src"] or ""
    assert base64.b64decode(audio.partition(",")[2])[:4] == b"RIFF"
    for wrong in ("LINEAR16", "LINEAR16:", "LINEAR16:-1", "WAV:8000", ":"):
        status, said = failure_of("report", "--audio", wrong, SESSION)
        assert status == 2
        assert "such as LINEAR16:16000; got" in said


def error_in(page: Element) -> Element:
    """Returns the entry that shows an error in the recording."""
    return next(
        each for each in page.all("article") if each.one("h3").text == "error in the recording"
    )


def test_a_recording_that_breaks_off(tmp_path: Path) -> None:
    cut = tmp_path / "cut.ndjson"
    cut.write_bytes(SESSION.read_bytes()[:5000])
    done = turnwire("report", cut, "-o", tmp_path / "page.html")
    assert (done.returncode, done.stdout) == (1, b"")
    assert done.stderr.count(b"\n") == 1
    page = parsed((tmp_path / "page.html").read_text())
    assert "Two boats cross tonight" in page.by_id("turn-1").text
    assert error_in(page) in [*page.by_id("turn-2").all()]
    assert "the stream ended inside of" in error_in(page).text


def test_a_refusal_of_the_service() -> None:
    body = b"\n".join(tw.to_json(message) for message in (user("Rolls?"), user("Buns?")))
    refused = body + b'\n{"error":{"code":429,"status":"RESOURCE_EXHAUSTED"}}\n'
    done = turnwire("report", "-", stdin=refused)
    assert done.returncode == 1
    page = parsed(done.stdout.decode())
    assert "Buns?" in page.by_id("turn-2").text
    assert "RESOURCE_EXHAUSTED" in error_in(page).text
    alone = turnwire("report", "-", stdin=b'{"error":{"code":403,"status":"PERMISSION_DENIED"}}')
    assert alone.returncode == 1
    assert "PERMISSION_DENIED" in error_in(parsed(alone.stdout.decode())).text


def test_bad_elements_stand_at_their_place() -> None:
    lines = [
        tw.to_json(user("Rolls?")),
        tw.to_json(text("THOUGHT", "before")),
        b'{"systemMessage": 5}',
        tw.to_json(text("FINAL_RESPONSE", "after")),
        tw.to_json(user("Buns?")),
    ]
    done = turnwire("report", "--on-error", "skip", "-", stdin=b"\n".join(lines))
    assert (done.returncode, done.stderr) == (0, b"")
    first = parsed(done.stdout.decode()).by_id("turn-1").text
    places = [first.index(each) for each in ("before", "expected object, got number", "after")]
    assert places == sorted(places)
    stopped = turnwire("report", "-", stdin=b"\n".join(lines))
    assert stopped.returncode == 1
    assert "after" not in parsed(stopped.stdout.decode()).one("main").text


def test_unknown_fields_stand_at_the_foot() -> None:
    body = b'{"systemMessage": {"mood": 1, "text": {"parts": ["x"]}}, "timestamp": null}'
    done = turnwire("report", "-", stdin=body)
    assert done.returncode == 0
    foot = parsed(done.stdout.decode()).one("footer").text
    assert "unknown at $.systemMessage.mood" in foot
    assert b"mood" in done.stderr


def test_an_empty_recording_says_so() -> None:
    done = turnwire("report", "-", stdin=b"[]")
    assert (done.returncode, done.stderr.count(b"it holds no message")) == (0, 1)
    assert "It holds no turns." in parsed(done.stdout.decode()).one("main").text


def test_a_wrong_type_names_what_fits() -> None:
    status, said = failure_of("report", "--type", "gda.Message", SESSION)
    assert status == 1
    assert "it looks like RunSessionResponse: say --type RunSessionResponse" in said
    status, said = failure_of("report", "--type", "Message", SESSION)
    assert status == 2
    assert "expected one of gda.Message, StorageMessage" in said
    status, said = failure_of("report", "-", stdin=b'{"no": "conversation"}')
    assert status == 1
    assert "this is not a conversation of either API" in said
    for command, recording in (("session", ANSWER), ("answer", SESSION)):
        assert (
            f"use turnwire {'answer' if command == 'session' else 'session'}"
            in failure_of(command, recording)[1]
        )


@pytest.mark.parametrize("name", ["ces.Message", "turnwire_schema.ces.v1.Message"])
def test_types_of_one_name_are_told_apart(name: str) -> None:
    body = tw.to_json(ces.Message(role="user", chunks=[ces.Chunk(text="Rack 4.")]))
    assert b"Rack 4." in output_of("report", "--type", name, "-", stdin=body)


def test_nothing_stands_under_the_name_until_it_is_complete(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    page.write_text("as it was")
    status, _ = failure_of("report", "--redact", "json:loads", SESSION, "-o", page)
    assert status == 2
    assert page.read_text() == "as it was"
    with started("report", "-", "-o", page) as process:
        assert process.stdin is not None
        process.stdin.write(SESSION.read_bytes()[:3000])
        process.stdin.flush()
        assert page.read_text() == "as it was"
        process.kill()
    assert [*tmp_path.iterdir()] == [page]
    assert page.read_text() == "as it was"


def test_wrong_usage_exits_2_and_missing_files_exit_3(tmp_path: Path) -> None:
    status, said = failure_of("report", SESSION, "-o", tmp_path / "page.pdf")
    assert status == 2
    assert "its suffix is not .html or .md; say the form with --to" in said
    assert failure_of("report", SESSION, "--to", "pdf")[0] == 2
    assert failure_of("report", tmp_path / "missing.json")[0] == 3
    assert failure_of("report", SESSION, "-o", tmp_path / "no" / "page.html")[0] == 3
    assert [*tmp_path.iterdir()] == []


def test_pages_of_stored_messages(tmp_path: Path) -> None:
    recorded = b"\n".join(
        b'{"messageId": "m%d", "message": %s}' % (number, tw.to_json(message))
        for number, message in enumerate((user("Rolls?"), text("FINAL_RESPONSE", "31")))
    )
    page = parsed(output_of("report", "-", stdin=recorded).decode())
    assert [each.one("h3").text for each in page.all("article")] == ["question", "answer"]


def test_help_has_examples() -> None:
    assert b"turnwire report session.ndjson -o session.html" in output_of("report", "--help")


def test_a_message_without_content_is_shown() -> None:
    page = output_of("report", "-", stdin=tw.to_json(system({"groupId": 1}))).decode()
    assert "empty message" in page
