"""`turnwire convert` of many inputs: nothing is lost, and every output is complete."""

from __future__ import annotations

import gzip
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from cli.commands import PROGRAM, failure_of, output_of, turnwire
from google.protobuf import descriptor_pb2

import turnwire as tw
from turnwire import ces
from turnwire._cli.elements import batches_of
from turnwire._cli.inputs import parts_of
from turnwire._cli.manifest import Manifest
from turnwire._cli.many import allowed
from turnwire._cli.problems import Problem

CONVERT = ["convert", "--type", "ces.Message"]
GOOD = b'{"role":"user","chunks":[{"text":"one"}]}\n'
BAD = b' {"role":5} \r\n'


def lines(start: int, count: int) -> bytes:
    return b"".join(b'{"role":"%d"}\n' % number for number in range(start, start + count))


@pytest.fixture
def logs(tmp_path: Path) -> Path:
    """A folder with three inputs, of which two have something bad."""
    folder = tmp_path / "logs"
    folder.mkdir()
    (folder / "a.ndjson").write_bytes(lines(0, 100))
    (folder / "b.ndjson.gz").write_bytes(gzip.compress(lines(100, 50) + BAD + lines(150, 50)))
    (folder / "c.ndjson").write_bytes(BAD + lines(200, 100))
    return folder


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_many_inputs_become_one_output(jobs: str, logs: Path, tmp_path: Path) -> None:
    output, rejects = tmp_path / "out.ndjson.gz", tmp_path / "rejects"
    files = [logs / "*.ndjson*", "-o", output, "--rejects", rejects, "--jobs", jobs]
    done = turnwire(*CONVERT, *files)
    assert done.returncode == 1
    assert b"2 times expected string, got number at $.role; left out" in done.stderr
    assert b"2 of 302 elements; --allow-rejects" in done.stderr
    assert gzip.decompress(output.read_bytes()) == lines(0, 300)
    assert rejects.read_bytes() == BAD * 2
    assert sorted(path.name for path in tmp_path.iterdir()) == ["logs", "out.ndjson.gz", "rejects"]
    assert turnwire(*CONVERT, *files, "--allow-rejects", "2").returncode == 0
    assert turnwire(*CONVERT, *files, "--allow-rejects", "1%").returncode == 0


@pytest.mark.parametrize("target", ["ndjson", "array", "sse", "delimited", "json", "parquet"])
def test_outputs_of_every_format(target: str, logs: Path, tmp_path: Path) -> None:
    some = [logs / "*", "--on-error", "skip", "--allow-rejects", "9", "--to", target]
    output_of(*CONVERT, *some, "-o", f"{tmp_path}/out/")
    names = sorted(path.stem for path in (tmp_path / "out").iterdir() if path.is_file())
    assert names == ["a", "b", "c"]
    one = tmp_path / "one"
    output_of(*CONVERT, *some, "-o", one)
    if target == "parquet":
        import pyarrow.parquet

        roles = pyarrow.parquet.read_table(one)["role"].to_pylist()
    else:
        format = "array" if target == "json" else target
        roles = [message.role for message in tw.read(ces.Message, one, format=format)]  # type: ignore[arg-type]
        assert output_of(*CONVERT, *some) == one.read_bytes()
    assert roles == [str(number) for number in range(300)]


def test_inputs_of_one_name_have_two_outputs(tmp_path: Path) -> None:
    for folder in ("one", "two"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "log.ndjson").write_bytes(GOOD)
    output_of(*CONVERT, tmp_path / "*" / "log.ndjson", "--to", "ndjson", "-o", f"{tmp_path}/out/")
    outputs = [*(tmp_path / "out").glob("*.ndjson")]
    assert len(outputs) == 2
    assert {each.read_bytes() for each in outputs} == {GOOD}


def test_a_part_and_an_input_have_two_names(tmp_path: Path) -> None:
    log, other = tmp_path / "log.ndjson", tmp_path / "log-00001.ndjson"
    log.write_bytes(lines(0, 100))
    other.write_bytes(lines(100, 1))
    parts = parts_of([str(log), str(other)], None, part_bytes=500)
    assert len(parts) > 3
    assert len({part.stem for part in parts}) == len(parts)


def test_outputs_that_a_new_run_does_not_make_are_removed(tmp_path: Path) -> None:
    one, two = tmp_path / "one" / "log.ndjson", tmp_path / "two" / "log.ndjson"
    for path in (one, two):
        path.parent.mkdir()
        path.write_bytes(GOOD)
    run = [*CONVERT, "--to", "ndjson", "-o", f"{tmp_path}/out/"]
    output_of(*run, one)
    (tmp_path / "out" / "mine.ndjson").write_bytes(GOOD)
    output_of(*run, one, two)
    output_of(*CONVERT, "--to", "sse", "-o", f"{tmp_path}/out/", one)
    names = {path.name.partition("-")[0] for path in (tmp_path / "out").glob("*.*")}
    assert names == {".turnwire", "log", "mine.ndjson", "log.sse"}
    assert not (tmp_path / "out" / "log.ndjson").exists()
    one.unlink()
    assert failure_of(*run, one)[0] == 1  # what cannot be read any more is kept
    assert len([*(tmp_path / "out").glob("log-*.ndjson")]) == 2


def test_an_output_that_is_gone_is_made_again(logs: Path, tmp_path: Path) -> None:
    run = [*CONVERT, logs / "a.ndjson", "--to", "ndjson", "-o", f"{tmp_path}/out/", "--resume"]
    output_of(*run)
    (tmp_path / "out" / "a.ndjson").unlink()
    output_of(*run)
    assert (tmp_path / "out" / "a.ndjson").read_bytes() == lines(0, 100)


@pytest.mark.parametrize("target", ["ndjson", "json", "parquet", "delimited"])
def test_an_output_without_any_input_is_empty(target: str, tmp_path: Path) -> None:
    output = tmp_path / f"out.{target}"
    status, said = failure_of(*CONVERT, tmp_path / "none", tmp_path / "neither", "-o", output)
    assert status == 1
    assert "none: 2 times No such file or directory" in said
    assert [path.name for path in tmp_path.iterdir()] == [output.name]
    if target == "parquet":
        import pyarrow.parquet

        assert pyarrow.parquet.read_table(output).num_rows == 0
    else:
        assert output.read_bytes() == (b"[]\n" if target == "json" else b"")


def test_rejects_have_their_own_file(logs: Path, tmp_path: Path) -> None:
    both = tmp_path / "both.ndjson"
    for run in (
        ["convert", "--type", "ces.Message", logs / "a.ndjson", "-o", both, "--rejects", both],
        ["convert", "--type", "ces.Message", logs / "a.ndjson", "--rejects", "-"],
        ["check", logs / "c.ndjson", "--rejects", logs / "c.ndjson"],
        ["check", logs / "c.ndjson", "--rejects", "-"],
        [*CONVERT, logs / "c.ndjson", "--on-error", "skip", "-o", logs / "c.ndjson"],
    ):
        assert failure_of(*run)[0] == 2, run
    assert (logs / "c.ndjson").read_bytes() == BAD + lines(200, 100)
    assert not both.exists()
    run = [*CONVERT, "--to", "ndjson", logs / "c.ndjson", "-o", f"{tmp_path}/out/"]
    status, said = failure_of(*run, "--rejects", tmp_path / "out" / "c.ndjson")
    assert status == 1
    assert "it is the file of rejects too" in said


def test_rejects_are_compressed_as_their_name_says(logs: Path, tmp_path: Path) -> None:
    rejects = tmp_path / "rejects.gz"
    turnwire(*CONVERT, logs / "c.ndjson", "-o", tmp_path / "out.ndjson", "--rejects", rejects)
    assert gzip.decompress(rejects.read_bytes()) == BAD
    turnwire("check", "--type", "ces.Message", logs / "c.ndjson", "--rejects", rejects)
    assert gzip.decompress(rejects.read_bytes()) == BAD
    done = turnwire(*CONVERT, logs / "c.ndjson", "-o", tmp_path / "out.ndjson", "--rejects", "-")
    assert done.stdout == BAD


def test_bad_inputs_do_not_end_it(logs: Path, tmp_path: Path) -> None:
    cut = gzip.compress(lines(300, 1000))[:-30]
    (logs / "d.ndjson.gz").write_bytes(cut)
    (logs / "e.delimited").write_bytes(b"\x09\x01")
    long = ["--max-element-bytes", "1000"]
    (logs / "f.ndjson").write_bytes(b'{"role":"' + b"a" * 2000 + b'"}\n' + lines(0, 1))
    inputs = [logs / "*", logs / "none"]
    status, said = failure_of(*CONVERT, *inputs, *long, "-o", tmp_path / "out.ndjson")
    assert status == 1
    for part in (
        "d.ndjson.gz: the stream ended inside of its gzip data",
        "e.delimited",
        "f.ndjson:1: the element is larger than 1000 bytes",
        "none: No such file or directory",
        "b.ndjson.gz:51: 2 times",
    ):
        assert part in said, said
    output = (tmp_path / "out.ndjson").read_bytes()
    assert output.startswith(lines(0, 300) + lines(300, 500))
    assert output.endswith(b"}\n" + lines(0, 1))


def test_a_large_file_of_lines_is_cut_at_line_ends(tmp_path: Path) -> None:
    path = tmp_path / "log.ndjson"
    data = lines(0, 500) + b"\n" + lines(500, 1)[:-1]
    path.write_bytes(data)
    for size in (1, 7, 100, 1000, 10**6):
        parts = parts_of([str(path)], None, part_bytes=size)
        pieces = [data[part.start : part.end] for part in parts]
        assert b"".join(pieces) == data
        assert all(piece.endswith(b"\n") for piece in pieces[:-1])
        for part in parts:
            assert part.first_line == data.count(b"\n", 0, part.start) + 1
        assert len({part.stem for part in parts}) == len(parts)
    path.write_bytes(b"[" + data.replace(b"\n", b",") + b"]")
    assert len(parts_of([str(path)], "json", part_bytes=100)) == 1


def test_finished_inputs_are_left_out_when_it_goes_on(logs: Path, tmp_path: Path) -> None:
    run = [*CONVERT, logs / "*", "-o", f"{tmp_path}/out/", "--to", "ndjson", "--resume"]
    run += ["--rejects", tmp_path / "rejects", "--allow-rejects", "9"]
    first = turnwire(*run)
    rejects = (tmp_path / "rejects").read_bytes()
    outputs = {path: path.stat().st_mtime_ns for path in (tmp_path / "out").glob("*.ndjson")}
    assert len(outputs) == 3
    time.sleep(0.01)
    again = turnwire(*run)
    assert (again.stderr, again.returncode) == (first.stderr, 0)
    assert (tmp_path / "rejects").read_bytes() == rejects
    assert {path: path.stat().st_mtime_ns for path in outputs} == outputs
    # A changed input, or another option, is another output.
    (logs / "a.ndjson").write_bytes(lines(0, 101))
    turnwire(*run)
    changed = [path.name for path, time in outputs.items() if path.stat().st_mtime_ns != time]
    assert changed == ["a.ndjson"]
    (logs / "c.ndjson").write_bytes(lines(200, 100))
    turnwire(*run)
    assert (tmp_path / "rejects").read_bytes() == BAD  # that of the other input
    turnwire(*run, "--unknown", "ignore")
    assert all(path.stat().st_mtime_ns != time for path, time in outputs.items())


def test_stdin_is_read_each_time(tmp_path: Path) -> None:
    run = [*CONVERT, "-", "-o", f"{tmp_path}/out/", "--to", "ndjson", "--resume"]
    for number in (1, 2):
        output_of(*run, stdin=lines(number, 1))
        assert (tmp_path / "out" / "stdin.ndjson").read_bytes() == lines(number, 1)


@pytest.mark.skipif(os.name == "nt", reason="needs SIGKILL")
def test_stdin_is_read_beside_other_processes(tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / name).with_suffix(".ndjson").write_bytes(b'{"role":"%s"}\n' % name.encode())
    files = ["--type", "ces.Message", tmp_path / "a.ndjson", "-", tmp_path / "b.ndjson"]
    done = turnwire("convert", *files, "--to", "ndjson", "--jobs", "2", stdin=b'{"role":"in"}\n')
    assert done.stdout == b'{"role":"a"}\n{"role":"in"}\n{"role":"b"}\n'


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_kill_in_the_middle_loses_nothing(jobs: str, tmp_path: Path) -> None:
    count = 8
    size = 20_000 if tw.backend == "native" else 2_000
    for number in range(count):
        (tmp_path / f"{number:02}.ndjson").write_bytes(lines(size * number, size))
    output = tmp_path / "out"
    run = [*PROGRAM, *CONVERT, str(tmp_path / "*.ndjson"), "-o", f"{output}/", "--to", "ndjson"]
    run += ["--jobs", jobs, "--resume"]
    process = subprocess.Popen(run, stderr=subprocess.PIPE, start_new_session=True)
    while not list(output.glob("*.ndjson")):
        assert process.poll() is None, process.stderr.read()  # type: ignore[union-attr]
        time.sleep(0.001)
    os.kill(process.pid, signal.SIGKILL)
    process.communicate()
    finished = {path: path.stat().st_ino for path in output.glob("*.ndjson")}
    for path in finished:  # each is complete
        assert path.read_bytes() == lines(size * int(path.stem), size)
    manifest = output / ".turnwire" / "manifest.ndjson"
    notes = manifest.read_bytes().splitlines() if manifest.exists() else []
    noted = {json.loads(line)["files"][0] for line in notes}
    # The one that was being noted may be made again.
    assert len(finished) - len(noted) in (0, 1)
    deadline = time.monotonic() + 60
    while subprocess.run(run, capture_output=True, check=False).returncode:
        assert time.monotonic() < deadline  # workers that notice the kill late hold the lock
        time.sleep(0.1)
    outputs = sorted(output.glob("*.ndjson"))
    assert b"".join(path.read_bytes() for path in outputs) == lines(0, size * count)
    for path, inode in finished.items():
        if path.name in noted:
            assert path.stat().st_ino == inode
    assert [path.name for path in (output / ".turnwire").glob("part-*")] == []


def test_a_line_of_the_manifest_that_was_cut_does_not_count(logs: Path, tmp_path: Path) -> None:
    run = [*CONVERT, logs / "*", "-o", f"{tmp_path}/out/", "--to", "ndjson", "--resume"]
    run += ["--allow-rejects", "9"]
    turnwire(*run)
    manifest = tmp_path / "out" / ".turnwire" / "manifest.ndjson"
    manifest.write_bytes(manifest.read_bytes()[:-30])
    assert turnwire(*run).returncode == 0
    assert turnwire(*run).returncode == 0
    good = [line for line in manifest.read_bytes().splitlines() if line.endswith(b"}")]
    assert len(good) == 3


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="needs /proc")
def test_memory_does_not_grow_with_the_input(tmp_path: Path) -> None:
    # The usage that the system reports begins with that of the process which started this one.
    program = (
        "import re, sys; from turnwire._cli import run; run(sys.argv[1:]);"
        r"print(re.search(r'VmHWM:\s+(\d+)', open('/proc/self/status').read())[1])"
    )
    peaks = []
    for size in (10_000, 100_000):
        path = tmp_path / f"{size}.ndjson"
        path.write_bytes(GOOD * size)
        for command in (["check"], [*CONVERT, "--rejects", os.devnull, "-o", f"{tmp_path}/o.sse"]):
            done = subprocess.run(
                [sys.executable, "-c", program, *command, str(path)],
                capture_output=True,
                check=True,
            )
            peaks.append(int(done.stdout.splitlines()[-1]))
    assert peaks[2] < peaks[0] + 20_000
    assert peaks[3] < peaks[1] + 20_000
    assert max(peaks) < 300_000


def test_own_types(tmp_path: Path) -> None:
    file = descriptor_pb2.FileDescriptorProto(name="farm.proto", package="farm", syntax="proto3")
    file.message_type.add(name="Hen").field.add(name="eggs", number=1, type=5, label=1)
    path = tmp_path / "farm.binpb"
    path.write_bytes(descriptor_pb2.FileDescriptorSet(file=[file]).SerializeToString())
    for log in ("a", "b"):
        (tmp_path / f"{log}.ndjson").write_bytes(b'{"eggs":3}\n')
    own = ["--type", "farm.Hen", "--descriptors", str(path), str(tmp_path / "*.ndjson")]
    for jobs in ("1", "2"):
        done = subprocess.run(
            [*PROGRAM, "convert", *own, "--jobs", jobs], capture_output=True, check=True
        )
        assert done.stdout == b'{"eggs":3}\n' * 2
    assert turnwire("check", *own).returncode == 0
    assert failure_of("check", *own[:1], "farm.Cow", *own[2:])[0] == 2


def descriptors(folder: Path, *files: tuple[str, str, list[str]]) -> Path:
    """Writes a set of files, each with a name, a message of it and the names of its imports."""
    found = descriptor_pb2.FileDescriptorSet()
    for name, message, imports in files:
        file = found.file.add(name=name, package="own_set", syntax="proto3", dependency=imports)
        file.message_type.add(name=message)
    path = folder / "set.binpb"
    path.write_bytes(found.SerializeToString())
    return path


def test_the_files_of_own_types_have_any_order(tmp_path: Path) -> None:
    path = descriptors(
        tmp_path, ("ordered_b.proto", "B", ["ordered_a.proto"]), ("ordered_a.proto", "A", [])
    )
    own = ["--descriptors", path, "--type", "own_set.B"]
    assert output_of("convert", *own, "-", stdin=b"{}") == b"{}\n"


@pytest.mark.parametrize(
    ("files", "reason"),
    [
        ([("lone.proto", "C", ["none.proto"])], "it imports 'none.proto', which is not in it"),
        ([("own.proto", "D", ["own.proto"])], "it imports 'own.proto'"),
        ([("x.proto", "E", ["y.proto"]), ("y.proto", "F", ["x.proto"])], "it imports 'x.proto'"),
    ],
)
def test_imports_that_own_types_lack(
    files: list[tuple[str, str, list[str]]], reason: str, tmp_path: Path
) -> None:
    path = descriptors(tmp_path, *files)
    status, said = failure_of("check", "--descriptors", path, "--type", "own_set.C", "-")
    assert status == 2
    assert reason in said


@pytest.mark.parametrize("code", ["raise ValueError('x')", "raise SystemExit(0)", "x = (", "1 / 0"])
def test_a_module_that_cannot_be_imported(
    code: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "own_module_that_fails.py").write_text(code, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    status, said = failure_of(*CONVERT, "--import", "own_module_that_fails", "-")
    assert status == 2
    assert said.startswith("turnwire: --import own_module_that_fails: ")


def test_own_types_may_lack_required_fields(tmp_path: Path) -> None:
    file = descriptor_pb2.FileDescriptorProto(name="crate.proto", package="crate", syntax="proto2")
    crate = file.message_type.add(name="Crate")
    crate.field.add(name="eggs", number=1, type=5, label=2)  # a required int32
    crate.field.add(name="note", number=2, type=9, label=1)
    path = tmp_path / "crate.binpb"
    path.write_bytes(descriptor_pb2.FileDescriptorSet(file=[file]).SerializeToString())
    own = ["convert", "--type", "crate.Crate", "--descriptors", path]
    text = b'{"note":"a"}\n{"note":"b","zz":1}\n'
    for unknown in ("ignore", "warn"):
        as_binary = [*own, "--to", "delimited", "--unknown", unknown, "-"]
        wire = turnwire(*as_binary, stdin=text).stdout
        assert wire == b"\x03\x12\x01a\x03\x12\x01b"
        # Field 9 is unknown.
        again = turnwire(*as_binary, "--from", "delimited", stdin=b"\x05\x12\x01a\x48\x01").stdout
        assert again == b"\x03\x12\x01a"


def test_types_of_a_module() -> None:
    types = ["--type", "google.type.Money", "--import", "google.type.money_pb2"]
    assert output_of("convert", *types, "-", stdin=b'{"units":"5"}\n') == b'{"units":"5"}\n'
    status, said = failure_of("convert", "--type", "x.Y", "--import", "no_module_here", "-")
    assert status == 2
    assert "--import no_module_here" in said


@pytest.mark.parametrize(
    ("text", "rejected", "elements", "covered"),
    [
        ("0", 0, 0, True),
        ("0", 1, 9, False),
        ("2", 2, 2, True),
        ("50%", 1, 2, True),
        ("1.5%", 2, 100, False),
    ],
)
def test_allowed_rejects(text: str, rejected: int, elements: int, covered: bool) -> None:
    assert allowed(text).covers(rejected, elements) is covered


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["--allow-rejects", "x"], "a percentage"),
        (["--allow-rejects", "1.5"], "a percentage"),
        (["--jobs", "0"], "at least 1"),
        (["--resume"], "-o"),
        (["--to", "parquet"], "-o"),
        (["--jobs", "2", "--on-error", "raise"], "--allow-rejects"),
        (["none-*.ndjson"], "no file matches"),
    ],
)
def test_wrong_usage(arguments: list[str], complaint: str) -> None:
    status, said = failure_of(*CONVERT, *arguments, "-")
    assert (status, said.count("\n")) == (2, 1)
    assert complaint in said


def test_two_runs_do_not_write_one_folder(tmp_path: Path) -> None:
    fcntl = pytest.importorskip("fcntl")
    (tmp_path / "out" / ".turnwire").mkdir(parents=True)
    with (tmp_path / "out" / ".turnwire" / "lock").open("wb") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        run = [*CONVERT, "-", "-o", f"{tmp_path}/out/", "--to", "ndjson"]
        status, said = failure_of(*run, stdin=GOOD)
    assert (status, "another turnwire" in said) == (1, True)


def test_an_output_does_not_replace_an_input(logs: Path, tmp_path: Path) -> None:
    before = (logs / "c.ndjson").read_bytes()
    (tmp_path / "link.ndjson").symlink_to(logs / "c.ndjson")
    for options in (
        ["-o", logs / "c.ndjson"],
        ["-o", tmp_path / "link.ndjson"],
        ["-o", tmp_path / "out.ndjson", "--rejects", logs / "c.ndjson"],
        ["-o", f"{logs}/", "--to", "ndjson"],
    ):
        status, errors = failure_of(*CONVERT, logs / "c.ndjson", logs / "a.ndjson", *options)
        assert (status in (1, 2), "which the output would replace" in errors) == (True, True)
        assert (logs / "c.ndjson").read_bytes() == before


def test_a_file_that_grows_meanwhile_is_not_finished(tmp_path: Path) -> None:
    log = tmp_path / "log.ndjson"
    log.write_bytes(lines(0, 2))
    [part] = parts_of([str(log)], None)
    manifest = Manifest(tmp_path / "manifest", ())
    key = manifest.key_of(part)
    log.write_bytes(lines(0, 3))
    manifest.add(part, key, {"files": []})
    manifest.load()
    assert manifest.entry_of(part) is None
    log.write_bytes(lines(0, 4))
    manifest.add(part, manifest.key_of(part), {"files": []})
    manifest.load()
    assert manifest.entry_of(part) is not None


def test_a_part_of_a_file_that_shrinks_is_a_reject(tmp_path: Path) -> None:
    log = tmp_path / "log.ndjson"
    log.write_bytes(lines(0, 100))
    _, last = parts_of([str(log)], None, part_bytes=800)
    log.write_bytes(lines(0, 80))
    found: list[Problem] = []

    class Sink:
        def advance(self, count: int) -> None:
            pass

        def reject(self, problem: Problem, raw: bytes | None) -> None:
            found.append(problem)

    batches = list(batches_of(last, Sink()))
    assert sum(map(len, batches)) == 80 - last.first_line + 1
    assert [problem.kind for problem in found] == ["truncated"]
    assert "shorter while it was read" in found[0].reason
