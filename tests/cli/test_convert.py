"""`turnwire convert`: every format goes to every other, and wrong input is explained."""

from __future__ import annotations

import gzip
import io
import itertools
import os
import stat
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from cli.commands import failure_of, output_of, turnwire
from google.protobuf.message import Message

import turnwire as tw
from turnwire import ces, streams
from turnwire._cli.formats import FORMATS

ONE_MESSAGE = ["json", "binary", "text"]
MANY_MESSAGES = ["ndjson", "array", "sse", "delimited"]
MESSAGE = ces.Message(
    role="agent",
    chunks=[ces.Chunk(text="C'est là\u2028"), ces.Chunk(blob=ces.Blob(data=b"\0\xff"))],
)
NDJSON = b'{"role":"user","chunks":[{"text":"one"}]}\n{"role":"agent"}\n'
posix = pytest.mark.skipif(os.name == "nt", reason="needs POSIX paths")
UNKNOWN_WIRE = b"\xa0\x3f\x01"
CONVERT = ["convert", "--type", "ces.Message"]


def test_a_message_survives_a_way_through_every_format() -> None:
    data, source = tw.to_json(MESSAGE), "json"
    for target in [*ONE_MESSAGE, *MANY_MESSAGES, "json"]:
        data = output_of(*CONVERT, "--from", source, "--to", target, "-", stdin=data)
        source = target
    assert tw.from_json(ces.Message, data) == MESSAGE


@pytest.mark.parametrize("target", MANY_MESSAGES)
def test_several_messages_keep_their_order(target: str) -> None:
    there = output_of(*CONVERT, "--to", target, "-", stdin=NDJSON)
    assert output_of(*CONVERT, "--from", target, "-", stdin=there) == NDJSON


def test_suffixes_name_the_formats(tmp_path: Path) -> None:
    one = tw.to_json(MESSAGE) + b"\n"
    (tmp_path / "a.jsonl").write_bytes(one)
    names = ["a.jsonl", "b.json", "c.binpb", "d.txtpb", "e.delimited", "f.ndjson"]
    for source, target in itertools.pairwise(names):
        output_of(*CONVERT, source, "-o", target, cwd=tmp_path)
    assert (tmp_path / "c.binpb").read_bytes() == MESSAGE.SerializeToString()
    assert (tmp_path / "f.ndjson").read_bytes() == one


def test_the_page_lists_every_format_with_its_suffixes() -> None:
    page = (Path(__file__).resolve().parents[2] / "docs" / "cli.md").read_text(encoding="utf-8")
    for name, found in FORMATS.items():
        [row] = [line for line in page.splitlines() if line.startswith(f"| `{name}` | ")]
        suffixes = ", ".join(f"`{suffix}`" for suffix in found.suffixes)
        assert row.endswith(f"| {suffixes} |".replace("|  |", "| |")), row


@pytest.mark.parametrize("suffix", [".gz", ".zst", ".GZ"])
@pytest.mark.parametrize("format", ["json", "ndjson", "sse", "delimited", "binpb", "txtpb"])
def test_suffixes_name_the_compression_of_every_format(
    format: str, suffix: str, tmp_path: Path
) -> None:
    plain, packed, line = f"a.{format}", f"a.{format}{suffix}", tw.to_json(MESSAGE) + b"\n"
    for target in (plain, packed):
        output_of(*CONVERT, "-", "-o", target, stdin=line, cwd=tmp_path)
    body = (tmp_path / packed).read_bytes()
    magic = b"\x28\xb5\x2f\xfd" if suffix == ".zst" else b"\x1f\x8b\x08"
    assert body.startswith(magic)
    assert output_of(*CONVERT, packed, cwd=tmp_path) == line
    # Without the suffix, the first bytes show it.
    (tmp_path / plain).write_bytes(body)
    assert output_of(*CONVERT, plain, cwd=tmp_path) == line


def test_a_named_format_is_compressed_as_the_library_does_it(tmp_path: Path) -> None:
    output_of(*CONVERT, "-", "--to", "array", "-o", tmp_path / "a.gz", stdin=NDJSON)
    streams.write(streams.read(ces.Message, NDJSON), tmp_path / "b.gz", "array")
    assert (tmp_path / "a.gz").read_bytes() == (tmp_path / "b.gz").read_bytes()
    named = ["--from", "array"]
    assert output_of(*CONVERT, *named, tmp_path / "a.gz") == NDJSON


@pytest.mark.parametrize("name", ["a.ndjson.gz", "a.binpb.gz", "a.txtpb.zst", "a.gz"])
def test_bad_compressed_data_exits_1_with_a_sentence(name: str, tmp_path: Path) -> None:
    (tmp_path / name).write_bytes(b"not compressed")
    status, said = failure_of(*CONVERT, "--unknown", "warn", name, cwd=tmp_path)
    assert (status, said.count("\n")) == (1, 1)
    assert "data" in said


def test_json_is_indented_and_ndjson_is_not() -> None:
    pretty, compact = b'{\n  "role": "user"\n}\n', b'{"role":"user"}\n'
    assert output_of(*CONVERT, "--to", "json", "-", stdin=compact) == pretty
    assert output_of(*CONVERT, "-", stdin=pretty) == compact


@pytest.mark.parametrize("stdin", [NDJSON, b""])
def test_json_of_several_messages_is_an_array(stdin: bytes) -> None:
    there = output_of(*CONVERT, "--from", "ndjson", "--to", "json", "-", stdin=stdin)
    assert there == output_of(*CONVERT, "--from", "ndjson", "--to", "array", "-", stdin=stdin)


@pytest.mark.parametrize("target", ["binary", "text"])
@pytest.mark.parametrize(("stdin", "has"), [(NDJSON, "more"), (b"", "none")])
def test_formats_of_one_message_refuse_others(target: str, stdin: bytes, has: str) -> None:
    status, said = failure_of(*CONVERT, "--from", "ndjson", "--to", target, "-", stdin=stdin)
    assert status == 1
    assert f"{target} holds exactly one message, the input has {has}" in said


def test_full_names_of_types_are_known_too() -> None:
    name = "turnwire_schema.ces.v1.Chunk"
    assert output_of("convert", "--type", name, "-", stdin=b'{"text":"a"}') == b'{"text":"a"}\n'


def test_bad_data_names_the_input_the_element_and_the_path(tmp_path: Path) -> None:
    (tmp_path / "log.ndjson").write_bytes(NDJSON + b'{"chunks":[{"text":5}]}\n')
    status, said = failure_of(*CONVERT, "log.ndjson", cwd=tmp_path)
    assert status == 1
    assert said == (
        "turnwire: log.ndjson: line 3: element 2: expected string, got number at $.chunks[0].text"
        " (turnwire_schema.ces.v1.Chunk.text)\n"
    )


@pytest.mark.parametrize(
    ("source", "stdin", "complaint"),
    [
        ("json", b'{"role":', "stdin: "),
        ("binary", b"\xff", "expected one turnwire_schema.ces.v1.Message in the wire format"),
        ("binary", UNKNOWN_WIRE, "unknown field number at $[1012]"),
        ("delimited", b"\x05\x0a", "element 0"),
        ("text", b"role: 5", "line 1, column 7"),
        ("text", b'role: "\xff"', "expected UTF-8, byte 7 is not"),
        ("text", b'rule: "x"', 'no field named "rule"'),
    ],
)
def test_bad_data_exits_1_with_a_sentence(source: str, stdin: bytes, complaint: str) -> None:
    status, said = failure_of(*CONVERT, "--from", source, "-", stdin=stdin)
    assert status == 1
    assert complaint in said
    assert said.count("\n") == 1


BAD = b"\n" + NDJSON + b'\n{"role":5}\n{"role" 5}\n{"role":"b"}\n'


@pytest.mark.parametrize("named", [[], ["--from", "ndjson"]])
@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_errors_name_the_line_where_each_message_has_its_own(
    named: list[str], pack: Callable[[bytes], bytes]
) -> None:
    convert = [*CONVERT, *named, "--on-error", "warn", "-"]
    done = turnwire(*convert, stdin=pack(BAD))
    assert (done.returncode, done.stdout) == (1, NDJSON + b'{"role":"b"}\n')
    first, second, total = done.stderr.decode().splitlines()
    assert first.startswith("turnwire: warning: stdin: line 5: element 2: expected string")
    assert second.startswith("turnwire: warning: stdin: element 3: expected")
    assert second.endswith("at line 6, column 9; left out")
    assert total == "turnwire: warning: stdin: 2 elements were left out"


@pytest.mark.parametrize("body", [b'{}{}\n{"role":5}', b'{}\n{\n"role":5}', b'[{},\n{"role":5}]'])
def test_errors_name_no_line_where_messages_share_one(body: bytes) -> None:
    assert "line" not in failure_of(*CONVERT, "-", stdin=body)[1]


def test_bad_elements_stop_or_are_left_out() -> None:
    convert = [*CONVERT, "--from", "ndjson", "-", "--on-error"]
    assert failure_of(*convert, "raise", stdin=BAD)[0] == 1
    good = NDJSON + b'{"role":"b"}\n'
    done = turnwire(*convert, "skip", stdin=BAD)
    assert (done.returncode, done.stdout) == (1, good)
    assert b"2 elements were left out; --allow-rejects" in done.stderr
    for allowed in ("2", "40%"):
        assert output_of(*convert, "skip", "--allow-rejects", allowed, stdin=BAD) == good
    for allowed in ("1", "39.9%"):
        assert failure_of(*convert, "skip", "--allow-rejects", allowed, stdin=BAD)[0] == 1


def test_one_bad_byte_is_a_warning_with_a_count(tmp_path: Path) -> None:
    path = tmp_path / "log.delimited"
    streams.write(
        [ces.Message(role="user" * 9, chunks=[{"text": "a" * 60}])] * 230, path, "delimited"
    )
    data = path.read_bytes()
    for place in (0, 1, 2, 40, len(data) // 2):
        for byte in (1, 9, 99, 255):
            path.write_bytes(data[:place] + bytes([data[place] ^ byte]) + data[place + 1 :])
            done = turnwire(
                *CONVERT, "--unknown", "warn", "--on-error", "warn", path, "-o", os.devnull
            )
            assert done.stderr.count(b"\n") <= 8, done.stderr.decode()


@pytest.mark.parametrize(
    ("element", "first", "total"),
    [
        (
            b'{"chunks":[{"x":1},{"y":1},{"x":2}]}\n',
            "line 1: element 0: unknown at $.chunks[0].x",
            "6 times unknown at $.chunks[*].x",
        ),
        (
            b"\x03" + UNKNOWN_WIRE,
            "element 0: unknown field number at $[1012]",
            "3 times unknown field number at $[1012]",
        ),
    ],
    ids=["json", "wire"],
)
def test_an_unknown_path_is_reported_once(element: bytes, first: str, total: str) -> None:
    done = turnwire(*CONVERT, "--unknown", "warn", "-", stdin=element * 3)
    lines = done.stderr.decode().splitlines()
    assert lines.count(f"turnwire: warning: stdin: {first}") == 1
    assert lines.count(f"turnwire: warning: stdin: {total}") == 1
    assert len(lines) == len({*lines}) <= 4


@pytest.mark.parametrize("body", [b'role: "user"', MESSAGE.SerializeToString()])
def test_formats_without_a_recognizable_content_have_to_be_named(body: bytes) -> None:
    status, said = failure_of(*CONVERT, "-", stdin=body)
    assert status == 1
    assert "say --from text or --from binary" in said


@pytest.mark.parametrize(
    ("source", "stdin", "warning"),
    [
        ("ndjson", NDJSON + b'{"chunks":[{"x":1}]}', "element 2: unknown at $.chunks[0].x"),
        ("text", b'rule: "x"', 'has no field named "rule"'),
        ("binary", UNKNOWN_WIRE, "element 0: unknown field number at $[1012]"),
    ],
)
def test_unknown_things_are_reported_or_left_out(source: str, stdin: bytes, warning: str) -> None:
    convert = [*CONVERT, "--from", source, "-", "--unknown"]
    warned = turnwire(*convert, "warn", stdin=stdin)
    assert warned.returncode == 0
    assert warning in warned.stderr.decode()
    assert output_of(*convert, "ignore", stdin=stdin) == warned.stdout
    assert failure_of(*convert, "error", stdin=stdin)[0] == 1


def test_an_output_file_appears_only_when_it_is_complete(tmp_path: Path) -> None:
    target = tmp_path / "out.ndjson"
    target.write_bytes(b"before")
    target.chmod(0o640)
    assert failure_of(*CONVERT, "-", "-o", target, stdin=NDJSON + b"[]\n")[0] == 1
    assert target.read_bytes() == b"before"
    assert list(tmp_path.iterdir()) == [target]
    output_of(*CONVERT, "-", "-o", target, stdin=NDJSON)
    assert target.read_bytes() == NDJSON
    assert stat.S_IMODE(target.stat().st_mode) == 0o640


def test_a_file_can_be_converted_in_place(tmp_path: Path) -> None:
    (tmp_path / "log").write_bytes(NDJSON)
    output_of(*CONVERT, "log", "--to", "array", "-o", "log", cwd=tmp_path)
    assert output_of(*CONVERT, "log", cwd=tmp_path) == NDJSON


@pytest.mark.parametrize("files", [["missing.json"], ["."], ["-", "-o", "no/such/folder.json"]])
def test_files_that_cannot_be_used_exit_3(files: list[str], tmp_path: Path) -> None:
    status, said = failure_of(*CONVERT, *files, cwd=tmp_path, stdin=b"{}")
    assert (status, said.count("\n")) == (3, 1)
    assert said.startswith(f"turnwire: {files[-1]}: ")


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        ([], "COMMAND"),
        (["convert", "-"], "--type"),
        (["convert", "--type", "ces.Mesage", "-"], "did you mean ces.Message?"),
        (["convert", "--type", "gda.Mesage", "-"], "mean gda.Message?"),
        (["convert", "--type", "Message", "-"], "did you mean ces.Message or gda.Message?"),
        ([*CONVERT, "-", "--csv"], "unrecognized arguments: --csv; see turnwire convert --help"),
        (["schema", "list", "ces"], "arguments: ces; see turnwire schema list --help"),
        (["convert", "--type", "ces.AudioEncoding", "-"], 'no message "ces.AudioEncoding"'),
        ([*CONVERT, "--to", "xml", "-"], "invalid choice"),
        ([*CONVERT, "-", "-o", "messages.xml"], "--to"),
    ],
)
def test_wrong_usage_exits_2(arguments: list[str], complaint: str) -> None:
    status, said = failure_of(*arguments)
    assert status == 2
    assert complaint in said
    assert said.count("\n") == 1


@pytest.mark.parametrize("command", [["answer"], ["session"], CONVERT], ids=lambda each: each[0])
def test_a_missing_library_exits_3(
    command: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "messages.zst").write_bytes(b"\x28\xb5\x2f\xfd\0")
    for name in ("compression.zstd", "zstandard"):
        monkeypatch.setitem(sys.modules, name, None)
    said = 'zstandard is not installed; install it with: pip install "turnwire[zstd]"'
    for files in (["messages.zst"], ["-", "-o", "output.ndjson.zst"]):
        if command == CONVERT or "-o" not in files:
            found = failure_of(*command, *files, cwd=tmp_path, stdin=b"{}")
            assert found == (3, f"turnwire: {said}\n")


def unknown_everywhere() -> dict[str, Message]:
    """Returns messages with an unknown field in every kind of place, by the path to it."""
    top = ces.Message(role="user")
    top.MergeFromString(UNKNOWN_WIRE)
    listed = ces.Message(role="user", chunks=[ces.Chunk(text="a"), ces.Chunk(text="b")])
    listed.chunks[1].MergeFromString(UNKNOWN_WIRE)
    single = ces.SessionOutput(text="a", end_session={})
    single.end_session.MergeFromString(UNKNOWN_WIRE)
    struct = ces.Message(role="user", chunks=[ces.Chunk(updated_variables={"a": {"b": [1]}})])
    struct.chunks[0].updated_variables["a"]["b"]
    struct.chunks[0].updated_variables.fields["a"].MergeFromString(UNKNOWN_WIRE)
    packed, content = ces.SessionOutput(text="a"), ces.ToolCall(id="c")
    content.MergeFromString(UNKNOWN_WIRE)
    packed.context.add().Pack(content)
    return {
        "$": top,
        "$.chunks[1]": listed,
        "$.endSession": single,
        "$.chunks[0].updatedVariables.fields.a": struct,
        "$.context[0]": packed,
    }


@pytest.mark.parametrize("place", unknown_everywhere())
@pytest.mark.parametrize("target", ["delimited", "binary"])
@pytest.mark.parametrize("source", ["delimited", "binary", None])
def test_unknown_fields_of_the_wire_format_do_not_reach_the_output(
    place: str, source: str | None, target: str
) -> None:
    message = unknown_everywhere()[place]
    if source == "binary":
        body = message.SerializeToString()
    else:
        sink = io.BytesIO()
        streams.write([message], sink, "delimited")
        body = sink.getvalue()
    named = ["--from", source] if source else []
    convert = ["convert", "--type", message.DESCRIPTOR.full_name, *named, "--to", target, "-"]
    assert UNKNOWN_WIRE in body
    ignored = output_of(*convert, "--unknown", "ignore", stdin=body)
    assert UNKNOWN_WIRE not in ignored
    warned = turnwire(*convert, "--unknown", "warn", stdin=body)
    assert (warned.returncode, warned.stdout) == (0, ignored)
    assert warned.stderr.decode().endswith(f"unknown field number at {place}[1012]\n")
    status, said = failure_of(*convert, "--unknown", "error", stdin=body)
    assert status == 1
    assert f"unknown field number at {place}[1012]" in said


def test_known_fields_stay_as_they_are_when_unknown_ones_go() -> None:
    for message in unknown_everywhere().values():
        name, body = message.DESCRIPTOR.full_name, message.SerializeToString(deterministic=True)
        convert = ["convert", "--type", name, "--from", "binary", "--to", "json", "-"]
        assert (
            output_of(*convert, "--unknown", "ignore", stdin=body)
            == tw.to_json(message, indent=2) + b"\n"
        )


STEERING = "\x7f\x80\x9b31m\x9f\u061c\u200e\u200f\u202a\u202e\u2066\u2069"


@pytest.mark.parametrize("target", ["json", "ndjson", "array", "sse", "text"])
def test_stdout_is_fit_to_show_and_means_the_same(target: str) -> None:
    message = ces.Message(role=f"é\x1b[31m{STEERING}\u2028", chunks=[ces.Chunk(text="a\\\x7f")])
    body = tw.to_json(message)
    shown = output_of(*CONVERT, "--to", target, "-", stdin=body)
    assert "é" in shown.decode()
    assert not {*shown.decode()} & {*STEERING.replace("31m", ""), "\x1b"}
    again = output_of(*CONVERT, "--from", target, "-", "--to", "binary", stdin=shown)
    assert again == message.SerializeToString()


def test_a_file_holds_the_bytes_that_the_library_writes(tmp_path: Path) -> None:
    message = ces.Message(role=STEERING)
    output_of(*CONVERT, "-", "-o", tmp_path / "a.ndjson", stdin=tw.to_json(message))
    assert (tmp_path / "a.ndjson").read_bytes() == tw.to_json(message) + b"\n"


@pytest.mark.parametrize("unknown", ["error", "ignore", "warn"])
@pytest.mark.parametrize(
    "body",
    [
        "a {" * 3000,
        "chunks {" * 3000,
        "chunks { updated_variables { fields { key: 'a' value {" + "list_value { values {" * 400,
        "chunks { updated_variables { fields { key: 'a' value {"
        + "list_value { values {" * 60
        + "}}" * 60
        + "}}}}",
    ],
    ids=["unknown", "known", "values", "deeper than the wire format"],
)
def test_text_that_is_nested_deeply_gets_a_sentence(body: str, unknown: str) -> None:
    convert = [*CONVERT, "--from", "text", "--to", "binary", "--unknown", unknown, "-"]
    status, said = failure_of(*convert, stdin=body.encode())
    assert (status, said.count("\n")) == (1, 1)
    assert len(said) < 400


def test_errors_of_the_text_format_quote_little_and_steer_nothing() -> None:
    status, said = failure_of(
        *CONVERT, "--from", "text", "-", stdin=f"role: {STEERING}{'x' * 100_000}".encode()
    )
    assert status == 1
    assert len(said) < 500
    assert said.rstrip("\n").isprintable()


@posix
def test_links_in_a_circle_exit_3(tmp_path: Path) -> None:
    (tmp_path / "loop.json").symlink_to("loop.json")
    for files in (["loop.json"], ["-", "-o", "loop.json"]):
        status, said = failure_of(*CONVERT, *files, cwd=tmp_path, stdin=b"{}")
        assert (status, said.count("\n")) == (3, 1)
        assert said.startswith("turnwire: loop.json: ")
