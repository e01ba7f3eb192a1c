"""The real program where the process matters: signals, pipes, closed streams, terminals, memory."""

from __future__ import annotations

import os
import re
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

import pytest
from cli.commands import PROGRAM, started, turnwire
from cli.recordings import ANSWER, SESSION
from support import analytics
from support.analytics import gda

import turnwire as tw
from turnwire import ces, streams

CONVERT = ["convert", "--type", "ces.Message"]
NDJSON = b'{"role":"user","chunks":[{"text":"one"}]}\n{"role":"agent"}\n'
EVERY_COMMAND = [
    [*CONVERT, "-"],
    ["answer", "-"],
    ["answer", "--json", "-"],
    ["session", "-"],
    ["schema", "list"],
    ["schema", "show", "ces.Chunk"],
    ["schema", "export", "descriptors"],
]
posix = pytest.mark.skipif(os.name == "nt", reason="needs a POSIX shell")


def shell(command: str, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    # Buffered, as the program runs at people's terminals.
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    return subprocess.run(["sh", "-c", command], input=stdin, capture_output=True, env=environment)


@pytest.mark.parametrize("command", ["convert", "answer"])
def test_a_closed_pipe_is_quiet(command: str, tmp_path: Path) -> None:
    (tmp_path / "log.ndjson").write_bytes(NDJSON * 20_000)
    (tmp_path / "answer.ndjson").write_bytes(b'{"userMessage":{"text":"Rolls?"}}\n' * 20_000)
    arguments = {
        "convert": [*CONVERT, tmp_path / "log.ndjson"],
        "answer": ["answer", "--all", tmp_path / "answer.ndjson"],
    }
    with started(*arguments[command]) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.read(1)
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode == -signal.SIGPIPE


def test_an_interrupt_exits_130() -> None:
    with started("answer", "-") as process:
        assert process.stdin is not None
        assert process.stderr is not None
        # More than a pipe holds: once all is written, the command is reading.
        process.stdin.write(b" " * 2**20)
        process.stdin.flush()
        process.send_signal(signal.SIGINT)
        # A signal right before a read is seen only after it.
        with suppress(BrokenPipeError):
            os.write(process.stdin.fileno(), b" ")
        assert process.wait(timeout=60) == 130
        assert process.stderr.read() == b""


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_leaves_nothing_behind(number: signal.Signals, tmp_path: Path) -> None:
    with started(*CONVERT, "-", "-o", tmp_path / "out.ndjson") as process:
        assert process.stdin is not None
        assert process.stderr is not None
        # The temporary file shows that the command waits for its input now.
        while not list(tmp_path.iterdir()) and process.poll() is None:
            time.sleep(0.01)
        process.send_signal(number)
        # A signal right before a read is seen only after it.
        with suppress(BrokenPipeError):
            os.write(process.stdin.fileno(), b" ")
        assert process.wait(timeout=60) == 128 + number
        assert process.stderr.read() == b""
    assert list(tmp_path.iterdir()) == []


def test_a_pipe_that_can_be_read_only_once(tmp_path: Path) -> None:
    turn = ces.Conversation.Turn(messages=[ces.Message(role="a", chunks=[ces.Chunk(text="Rack")])])
    os.mkfifo(tmp_path / "pipe")
    command = [*PROGRAM, "session", str(tmp_path / "pipe")]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
        (tmp_path / "pipe").write_bytes(tw.to_json(ces.Conversation(turns=[turn])) * 2)
        assert process.stdout is not None
        assert process.stdout.read().count(b"reply (a): Rack") == 2
    assert process.returncode == 0


@posix
@pytest.mark.parametrize(("closed", "name"), [("<&-", b"stdin"), (">&-", b"stdout")])
def test_a_stream_that_the_shell_closed_exits_3(closed: str, name: bytes) -> None:
    done = shell(f"{shlex.join([*PROGRAM, *CONVERT])} - {closed}", b"[{}]")
    assert (done.returncode, done.stderr) == (3, b"turnwire: " + name + b" is closed\n")


@pytest.mark.parametrize("closed", ["stdin", "stdout"])
@pytest.mark.parametrize("arguments", EVERY_COMMAND, ids=" ".join)
def test_a_closed_standard_stream_exits_3(arguments: list[str], closed: str) -> None:
    done = turnwire(*arguments, stdin=b"[{}]", closed=closed)
    if closed == "stdin" and "-" not in arguments:
        assert (done.returncode, done.stderr) == (0, b"")
    else:
        assert (done.returncode, done.stderr) == (3, f"turnwire: {closed} is closed\n".encode())


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
@pytest.mark.parametrize("size", [1, 100_000])
def test_a_full_stdout_exits_3_with_a_sentence(size: int) -> None:
    body = tw.to_json(ces.Message(role="x" * size))
    done = shell(f"{shlex.join([*PROGRAM, *CONVERT])} - > /dev/full", body)
    assert done.returncode == 3
    assert done.stderr.startswith(b"turnwire: ")
    assert done.stderr.count(b"\n") == 1


@posix
def test_nothing_but_data_goes_to_stdout_when_stderr_is_closed() -> None:
    done = shell(f"{shlex.join([*PROGRAM, *CONVERT])} - 2>&-", NDJSON + b"5\n")
    assert (done.returncode, done.stdout) == (1, NDJSON)


class Terminal:
    """A pseudo-terminal that a program writes to."""

    def __init__(self, main: int, process: subprocess.Popen[bytes]) -> None:
        self._main = main
        self._read = b""
        self.process = process

    def read_until(self, wanted: bytes = b"") -> str:
        """Reads until a text was there; without one, until the program has ended."""
        deadline = time.monotonic() + 60
        while not wanted or wanted not in self._read:
            assert time.monotonic() < deadline, self._read
            try:
                piece = os.read(self._main, 65536)
            except OSError:  # the program closed its side
                break
            if not piece:
                break
            self._read += piece
        return self._read.decode().replace("\r\n", "\n")


@contextmanager
def at_terminal(
    *arguments: str | Path, stdin: BinaryIO | int = subprocess.PIPE, **environment: str
) -> Iterator[Terminal]:
    """Runs a command whose stdout is a terminal of 80 columns, with colours unless asked."""
    pty = pytest.importorskip("pty", reason="needs a pseudo-terminal")
    main, side = pty.openpty()
    settings = {"TERM": "xterm-256color", "COLUMNS": "80", **environment}
    kept = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "TERM")}
    command = [*PROGRAM, *map(str, arguments)]
    process = subprocess.Popen(command, stdin=stdin, stdout=side, env={**kept, **settings})
    os.close(side)
    with process:
        yield Terminal(main, process)
    os.close(main)
    assert process.returncode == 0


@pytest.mark.parametrize("command", [["answer", ANSWER], ["session", SESSION]])
def test_a_terminal_shows_the_same_in_colours(command: list[str | Path]) -> None:
    pytest.importorskip("rich")
    with at_terminal(*command) as coloured:
        shown = coloured.read_until()
    with at_terminal(*command, NO_COLOR="1") as plain:
        text = plain.read_until()
    assert "\x1b[" in shown
    assert re.sub(r"\x1b\[[0-9;]*m", "", shown) == text
    assert text == turnwire(*command, "--width", "80").stdout.decode()


@pytest.mark.parametrize("environment", [{"TERM": "dumb"}, {"NO_COLOR": "1"}])
def test_terminals_without_colours_get_none(environment: dict[str, str]) -> None:
    with at_terminal("session", SESSION, **environment) as terminal:
        assert "\x1b" not in terminal.read_until()


def text_message(kind: str, text: str) -> bytes:
    message = gda.Message(system_message={"text": {"text_type": kind, "parts": [text]}})
    return tw.to_json(message) + b"\n"


def test_messages_from_a_pipe_are_shown_as_they_arrive() -> None:
    with at_terminal("answer", "-", NO_COLOR="1") as terminal:
        pipe = terminal.process.stdin
        assert pipe is not None
        for kind, text, shown in (
            ("PROGRESS", "Looking up prices", b"progress: Looking up prices"),
            ("THOUGHT", "Rolls are dear", b"thought: Rolls are dear"),
            ("FINAL_RESPONSE", "31 rolls.", b"answer: 31 rolls."),
        ):
            pipe.write(text_message(kind, text))
            pipe.flush()
            # The pipe stays open: the program cannot know that the last one is the last.
            assert shown in terminal.read_until(shown).encode()
        pipe.close()
        assert terminal.read_until() == (
            "progress: Looking up prices\n\nthought: Rolls are dear\n\nanswer: 31 rolls.\n"
        )


def test_a_file_on_stdin_is_shown_as_a_whole(tmp_path: Path) -> None:
    (tmp_path / "log").write_bytes(b'{"userMessage":{"text":"Rolls?"}}\n' * 2)
    with (
        (tmp_path / "log").open("rb") as log,
        at_terminal("answer", "-", stdin=log, NO_COLOR="1") as terminal,
    ):
        assert terminal.read_until() == "question: Rolls?\n\nanswer: none\n"


def test_a_pipe_without_an_answer_says_so() -> None:
    with at_terminal("answer", "-", NO_COLOR="1") as terminal:
        assert terminal.process.stdin is not None
        terminal.process.stdin.write(text_message("PROGRESS", "Looking up prices"))
        terminal.process.stdin.close()
        assert terminal.read_until().endswith("prices\n\nanswer: none\n")


def test_a_terminal_shows_fifty_rows(tmp_path: Path) -> None:
    rows = [{"n": number} for number in range(60)]
    streams.write([analytics.result("r", *rows)], tmp_path / "a.ndjson")
    with at_terminal("answer", tmp_path / "a.ndjson", NO_COLOR="1") as terminal:
        shown = terminal.read_until()
    assert "\n  49\n  … 10 more rows (--rows 0 shows all)\n" in shown


def peak_memory_of(*arguments: str | Path) -> int:
    """Returns the most memory that a run held at once, in bytes."""
    with started(*arguments) as process:
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0
    return int(usage.ru_maxrss) * (1 if sys.platform == "darwin" else 1024)


@pytest.mark.parametrize(
    ("source", "target", "packed"),
    [
        ("ndjson", "delimited", ""),
        ("delimited", "ndjson", ""),
        ("array", "sse", ".gz"),
        ("sse", "array", ""),
    ],
)
def test_memory_does_not_grow_with_the_file(
    source: streams.WriteFormat, target: str, packed: str, tmp_path: Path
) -> None:
    message = ces.Message(chunks=[ces.Chunk(text="x" * 100_000)])
    streams.write([message] * 4, tmp_path / "small", source)
    streams.write([message] * 300, tmp_path / "large", source)
    convert = [*CONVERT, "--from", source, "--to", target, "-o", tmp_path / f"out{packed}"]
    grown = peak_memory_of(*convert, tmp_path / "large") - peak_memory_of(
        *convert, tmp_path / "small"
    )
    assert grown < 15_000_000


def test_the_last_answer_does_not_hold_the_whole_log(tmp_path: Path) -> None:
    question = analytics.user("Rolls?")
    result = analytics.result("r", *[{"n": "x" * 100}] * 1000)
    streams.write([question, result] * 3, tmp_path / "small.ndjson")
    streams.write([question, result] * 60, tmp_path / "large.ndjson")
    grown = peak_memory_of("answer", tmp_path / "large.ndjson") - peak_memory_of(
        "answer", tmp_path / "small.ndjson"
    )
    assert grown < 10_000_000
