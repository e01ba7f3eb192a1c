"""Parquet files as inputs: a column of JSON texts or of the wire format is read as lines are."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from cli.commands import failure_of, output_of, turnwire
from support.streams import peak_of

from turnwire import ces, to_json

pa = pytest.importorskip("pyarrow")
parquet = pytest.importorskip("pyarrow.parquet")

CONVERT = ["convert", "--type", "ces.Message"]
TEXTS = ['{"role":"a"}', None, '{\n "role": "b"}', '{"role": 5}', ' {"role":"c"}\n', '{"role":\n5}']


def written(path: Path, **columns: Any) -> Path:
    """Writes a file with three rows in a row group."""
    parquet.write_table(pa.table(columns), path, row_group_size=3)
    return path


@pytest.mark.parametrize(
    "kind",
    [pa.string(), pa.large_string(), pa.binary(), pa.dictionary(pa.int32(), pa.string())],
    ids=str,
)
def test_texts_in_a_column(kind: Any, tmp_path: Path) -> None:
    rows = pa.array(TEXTS, pa.string()).cast(kind)
    log = written(tmp_path / "log.parquet", value=rows, day=range(6))
    rejects = tmp_path / "rejects"
    done = turnwire(*CONVERT, log, "--rejects", rejects)
    assert done.stdout == b'{"role":"a"}\n{"role":"b"}\n{"role":"c"}\n'
    assert f"{log}: element 3: 2 times expected string, got number at $.role" in str(done.stderr)
    assert b"2 of 5 elements" in done.stderr
    assert done.returncode == 1
    # Each reject is one line.
    assert rejects.read_bytes() == b'{"role": 5}\n{"role": 5}\n'


def test_check_names_the_row(tmp_path: Path) -> None:
    log = written(tmp_path / "log.parquet", value=TEXTS)
    done = turnwire("check", "--type", "ces.Message", "--rules", "mapping", "--format", "json", log)
    found = [json.loads(line) for line in done.stdout.splitlines()]
    assert [(each["element"], each["path"], each["line"]) for each in found] == [
        (3, "$.role", None),
        (5, "$.role", None),
    ]
    assert done.returncode == 1


def test_wire_format_in_a_column(tmp_path: Path) -> None:
    messages = [ces.Message(role="a"), ces.Message(), ces.Message(role="b")]
    wires = [message.SerializeToString() for message in messages]
    log = written(tmp_path / "log.parquet", raw=wires)
    lines = output_of(*CONVERT, log)
    assert lines == b"".join(to_json(message) + b"\n" for message in messages)
    status, errors = failure_of("tabulate", log, "-o", tmp_path / "out")
    assert (status, "say the --type of messages in the wire format" in errors) == (2, True)
    output_of("tabulate", "--type=ces.Message", log, "-o", tmp_path / "out", "--tables=messages")


def test_the_column_has_to_be_clear(tmp_path: Path) -> None:
    log = written(tmp_path / "two.parquet", value=['{"role":"a"}'], session=["s"], n=[1])
    for options, reason in (
        ([], "the columns of strings or binary values are 'value', 'session'; name one with"),
        (["--column", "x"], "the column 'x' is not in the file; the columns of strings or binary"),
        (["--column", "n"], "the column 'n' holds other things; the columns of strings or binary"),
    ):
        status, errors = failure_of(*CONVERT, log, *options)
        assert (status, reason in errors) == (1, True), errors
    assert output_of(*CONVERT, log, "--column", "value") == b'{"role":"a"}\n'
    none = written(tmp_path / "none.parquet", n=[1])
    status, errors = failure_of(*CONVERT, none)
    assert "the columns of strings or binary values are none" in errors


def test_bad_files_are_rejects_and_the_others_go_on(tmp_path: Path) -> None:
    log = written(tmp_path / "a.parquet", value=['{"role":"a"}'] * 5)
    (tmp_path / "cut.parquet").write_bytes(log.read_bytes()[:-20])
    (tmp_path / "empty.parquet").write_bytes(b"")
    (tmp_path / "folder.parquet").mkdir()
    written(tmp_path / "rowless.parquet", value=pa.array([], pa.string()))
    inputs = [tmp_path / f"{name}.parquet" for name in ("cut", "a", "empty", "folder", "rowless")]
    for command in (CONVERT, ["check", "--type", "ces.Message", "--rules", "mapping"]):
        done = turnwire(*command, *inputs)
        assert done.returncode == 1
        said = done.stdout + done.stderr
        assert said.count(b"not valid Parquet data") == 2
        assert b"Is a directory" in said
        if command is CONVERT:
            assert done.stdout == b'{"role":"a"}\n' * 5


def test_conversations_are_named_by_a_column(tmp_path: Path) -> None:
    texts = [f'{{"outputs": [{{"turnIndex": 1, "text": "{n}"}}]}}' for n in range(4)]
    sessions = ["s-1", "s-2", "s-1", None]
    log = written(tmp_path / "log.parquet", value=texts, session=sessions)
    out = tmp_path / "out"
    done = turnwire("tabulate", log, "-o", out, "--conversation-at=session", "--tables=turns")
    assert done.returncode == 1
    assert b"expected the name of a conversation" in done.stderr
    rows = parquet.read_table(out / "turns").to_pylist()
    assert sorted((row["conversation"], row["reply"]) for row in rows) == [
        ("s-1", "02"),
        ("s-2", "1"),
    ]


@pytest.mark.parametrize("command", ["answer", "session", "report"])
def test_other_commands_say_who_reads_parquet(command: str, tmp_path: Path) -> None:
    log = written(tmp_path / "log.parquet", value=['{"role":"a"}'])
    output = ["-o", tmp_path / "page.html"] if command == "report" else []
    status, errors = failure_of(command, log, *output)
    assert (status, "only convert, tabulate and check read Parquet" in errors) == (2, True)


def test_memory_stays_flat(tmp_path: Path) -> None:
    text = json.dumps({"role": "user", "chunks": [{"text": "abcdefg " * 1000}]})
    log = tmp_path / "log.parquet"
    parquet.write_table(pa.table({"value": [text] * 8000}), log)
    assert peak_of(lambda: turnwire(*CONVERT, log, "-o", tmp_path / "o.ndjson")) < 30_000_000
