"""`turnwire check`: what is wrong is found, with its place, in every format of input and output."""

from __future__ import annotations

import gzip
import json
import os
from pathlib import Path
from typing import Any

import pytest
from cli.commands import failure_of, output_of, turnwire
from hypothesis import given
from hypothesis import strategies as st
from support.analytics import gda

import turnwire as tw
from turnwire import ces
from turnwire._cli import conversations, runner
from turnwire.protojson._accelerator import line_checker_of

APP = "projects/p/locations/eu/apps/a"
LINES = (
    b'{"role":"user"}',
    b'  {"role":5} \r',
    b"",
    b'{"chunks":[{"toolCall":{"id":"a","tool":"x"}},{"toolResponse":{"id":"q"}}]}',
    b'{"chunks":[{"text":7}]}',
    b'{"mood":1}',
)
BAD = b"\n".join(LINES)
KINDS = ["type", "resource_name", "required", "type", "unknown", "unmatched_response"]
EXAMPLES = ("examples/ces_session.ndjson", "examples/analytics_answer.json")


def problems(*arguments: str | Path, stdin: bytes = b"") -> list[dict[str, Any]]:
    """The problems that `--format json` prints."""
    done = turnwire("check", "--format", "json", *arguments, stdin=stdin)
    found = [json.loads(line) for line in done.stdout.splitlines()]
    assert done.stderr == b""
    assert done.returncode == any(each["severity"] == "error" for each in found)
    return found


def test_good_recordings() -> None:
    assert output_of("check", *EXAMPLES) == b"2 inputs, 46 elements: nothing is wrong\n"
    assert problems(*EXAMPLES) == []


def test_people_see_groups() -> None:
    done = turnwire("check", "-", stdin=b'{"role":"a"}\n' + b'{"chunks":[{},{"text":1}]}\n' * 5)
    assert done.returncode == 1
    assert done.stdout.decode() == (
        "error: type at $.chunks[*].text, 5 times\n"
        "  expected string, got number\n"
        "  stdin:2, stdin:3, stdin:4, …\n"
        "1 input, 6 elements: 5 errors\n"
    )


def test_every_problem_has_its_place(tmp_path: Path) -> None:
    path = tmp_path / "log.ndjson"
    path.write_bytes(BAD)
    found = problems(path)
    assert [each["kind"] for each in found] == KINDS
    for each in found:
        assert each["file"] == str(path)
        line = LINES[each["line"] - 1].strip()
        assert BAD[each["offset"] :].startswith(line)
        assert BAD.count(b"\n", 0, each["offset"]) == each["line"] - 1
    assert [(each["line"], each["element"], each["path"]) for each in found] == [
        (2, 1, "$.role"),
        (4, 2, "$.chunks[0].toolCall.tool"),
        (4, 2, "$.chunks[1].toolResponse.response"),
        (5, 3, "$.chunks[0].text"),
        (6, 4, "$.mood"),
        (4, 2, "$.chunks[1].toolResponse.id"),
    ]


def test_rejects_are_the_lines_as_they_came(tmp_path: Path) -> None:
    rejects = tmp_path / "rejects"
    done = turnwire("check", "-", "--rejects", rejects, stdin=BAD)
    assert done.returncode == 1
    assert rejects.read_bytes() == b"\n".join([LINES[1], *LINES[3:]]) + b"\n"


def test_rejects_are_the_lines_with_an_error_of_their_own(tmp_path: Path) -> None:
    """The end of a turn shows that an earlier line is bad; the line that ends it is good."""
    inline = {"endIndex": 9, "citedChunkIndices": [0]}
    citations = {"citedChunks": [{"title": "Menu"}], "inlineCitations": [inline]}
    lines = [
        {"text": "Soup", "turnIndex": 1},
        {"citations": citations, "turnIndex": 1},
        {"turnIndex": 2},
    ]
    rejects = tmp_path / "rejects"
    body = b"\n".join(json.dumps(line).encode() for line in lines)
    kept = ("--type", "ces.SessionOutput", "--rejects", rejects)
    [found] = problems(*kept, "-", stdin=body)
    assert (found["kind"], found["line"]) == ("citation", 2)
    assert rejects.read_bytes() == b""


def framed(kind: str) -> tuple[bytes, str]:
    """The lines in another framing, and a name that tells it."""
    elements = [line.strip() for line in LINES if line.strip()]
    match kind:
        case "array":
            return b"[" + b",\n ".join(elements) + b"]", "log.json"
        case "sse":
            return b"".join(b"data: " + element + b"\n\n" for element in elements), "log.sse"
        case "objects":
            return b" ".join(elements), "log.json"
        case "gzip":
            return gzip.compress(BAD), "log.ndjson.gz"
        case "detected gzip":
            return gzip.compress(BAD), "log"
        case "mark":
            return b"\xef\xbb\xbf" + BAD, "log.ndjson"
        case _:
            return BAD, "log.jsonl"


@pytest.mark.parametrize(
    "kind", ["lines", "array", "sse", "objects", "gzip", "detected gzip", "mark"]
)
def test_every_framing_has_the_same_problems(kind: str, tmp_path: Path) -> None:
    data, name = framed(kind)
    path = tmp_path / name
    path.write_bytes(data)
    found = problems(path)
    assert [each["kind"] for each in found] == KINDS
    plain = gzip.decompress(data) if "gzip" in kind else data
    for each in found:
        assert plain[each["offset"] :].startswith(LINES[(0, 1, 3, 4, 5)[each["element"]]].strip())
        assert plain.count(b"\n", 0, each["offset"]) + 1 == each["line"]


def test_wire_formats(tmp_path: Path) -> None:
    good = ces.Message(role="a", chunks=[ces.Chunk(tool_call=ces.ToolCall(tool="x"))])
    path = tmp_path / "log.delimited"
    tw.write([good, good], path, "delimited")
    data = path.read_bytes()
    path.write_bytes(data + b"\x03\xa0\x3f\x01" + b"\x02\xff\xff")
    found = problems("--type", "ces.Message", path)
    assert [(each["kind"], each["element"]) for each in found] == [
        ("resource_name", 0),
        ("resource_name", 1),
        ("unknown", 2),
        ("wire", 3),
    ]
    assert found[1]["offset"] == len(data) // 2 + 1
    status, said = failure_of("check", path)
    assert (status, said.strip()[-10:]) == (2, "say --type")


def test_formats_of_one_message(tmp_path: Path) -> None:
    path = tmp_path / "a.txtpb"
    path.write_text('role: "a" mood: 1 chunks { tool_call { tool: "x" } }')
    [found] = problems("--type", "ces.Message", path)
    assert found["kind"] == "syntax"
    kinds = [each["kind"] for each in problems("--unknown", "warn", "--type", "ces.Message", path)]
    assert kinds == ["syntax", "resource_name"]


@pytest.mark.parametrize(
    ("choice", "severities"), [("error", ["error"]), ("warn", ["note"]), ("ignore", [])]
)
def test_unknown(choice: str, severities: list[str]) -> None:
    body = b'{"role":"a"}\n{"role":"b","mood":[1]}\n'
    found = problems("--unknown", choice, "-", stdin=body)
    assert [each["severity"] for each in found] == severities
    assert all(each["path"] == "$.mood" for each in found)


def test_types_are_told_by_the_names_in_the_first_objects(tmp_path: Path) -> None:
    for message in (
        ces.RunSessionRequest(config=ces.SessionConfig(session="s"), inputs=[ces.SessionInput()]),
        tw.from_dict(gda.ChatRequest, {"parent": "p", "messages": [{"userMessage": {}}]}),
    ):
        [found] = problems("-", stdin=tw.to_json(message))
        assert found["kind"] == "resource_name"
    status, said = failure_of("check", "-", stdin=b'{"mood": 1}')
    assert status == 2
    assert "say --type" in said


def test_messages_inside_of_other_objects() -> None:
    row = b'{"messages":[{"role":"a"},{"role":5}]}\n'
    [found] = problems("--at", "messages", "-", stdin=row)
    assert found["path"] == "$.messages[1].role"
    [found] = problems("--type", "ces.Message", "-", stdin=row)
    assert "--at messages" in found["reason"]


@pytest.mark.parametrize(
    ("line", "kind", "reason"),
    [
        (b'{"role":"b","chunks":[{"te', "syntax", "this string does not end at column 24"),
        (b'{"role":', "syntax", "the text ends too early: expected a JSON value at column 9"),
        (b"null", "type", "expected object, got null"),
        (b"[]", "type", "expected object, got array"),
        (b"7", "type", "expected object, got number"),
    ],
)
def test_a_bad_line_has_the_error_of_the_reader(line: bytes, kind: str, reason: str) -> None:
    log = b'{"role":"a"}\n' + line + b'\n{"role":"c"}\n'
    [found] = problems("--type", "ces.Message", "-", stdin=log)
    assert (found["line"], found["kind"], found["reason"]) == (2, kind, reason)
    errors: list[tw.TurnwireError] = []
    read = tw.read(ces.Message, log, format="ndjson", on_error=errors.append)
    assert [message.role for message in read] == ["a", "c"]
    assert isinstance(errors[0], tw.ParseError)
    assert errors[0].kind == kind


def log_line(session: str | None, *outputs: dict[str, Any]) -> bytes:
    entry = {"labels": {"session": session}, "jsonPayload": {"outputs": outputs}}
    return json.dumps(entry).encode() + b"\n"


def test_conversations_of_a_log_are_kept_apart() -> None:
    call = {"toolCalls": {"toolCalls": [{"id": "c", "tool": f"{APP}/tools/t"}]}, "turnIndex": 1}
    answer = {"toolResponse": {"id": "c", "tool": f"{APP}/tools/t", "response": {"a": 1}}}
    answered = {"turnIndex": 1, "diagnosticInfo": {"messages": [{"chunks": [answer]}]}}
    log = b"".join(
        [
            log_line("a", {"text": "x", "turnIndex": 1}, {"text": "y", "turnIndex": 2}),
            log_line("b", call),
            log_line("a", {"text": "z", "turnIndex": 3}),
            log_line("b", answered),
            log_line("c", answered),
            log_line(None, {"text": "w", "turnIndex": 1}),
            log_line("a", {"text": "back", "turnIndex": 2}),
        ]
    )
    at = ["--type", "ces.RunSessionResponse", "--at", "jsonPayload"]
    found = problems(*at, "--conversation-at", "labels.session", "-", stdin=log)
    assert [(each["line"], each["kind"]) for each in found] == [
        (6, "conversation"),
        (7, "turn_order"),
        (5, "unmatched_response"),
    ]
    assert "labels.session" in found[0]["reason"]
    assert len(problems(*at, "-", stdin=log)) > 3


def test_many_open_conversations_are_finished_early(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(conversations, "MAX_OPEN", 2)
    lines = [log_line(name, {"text": "x", "turnIndex": 2}) for name in ("a", "b", "a", "c", "b")]
    log = b"".join([*lines, log_line("b", {"text": "y", "turnIndex": 1})])
    at = ["--type", "ces.RunSessionResponse", "--at", "jsonPayload"]
    found = problems(*at, "--conversation-at", "labels.session", "-", stdin=log)
    assert [(each["line"], each["kind"]) for each in found] == [(6, "turn_order")]


def test_errors_of_the_service_are_problems() -> None:
    body = b'{"role":"a"}\n{"error":{"code":8,"message":"m"}}\n'
    [found] = problems("-", stdin=body)
    assert (found["kind"], found["line"]) == ("stream_error", 2)


def test_long_elements_do_not_end_it() -> None:
    long = b'{"role":"' + b"a" * 500 + b'"}'
    body = b"\n".join([LINES[0], long, LINES[0], b'{"role":1}', long * 9, LINES[1]])
    found = problems("--max-element-bytes", "100", "-", stdin=body)
    assert [(each["kind"], each["line"]) for each in found] == [
        ("range", 2),
        ("type", 4),
        ("range", 5),
        ("type", 6),
    ]


def test_an_element_larger_than_a_batch_is_passed_over() -> None:
    long = b'{"role":"' + b"a" * 2**22 + b'"}'
    body = b"\n".join([LINES[0], long, b'{"role":1}', long])
    found = problems("--max-element-bytes", "1000000", "-", stdin=body)
    assert [(each["kind"], each["line"], each["offset"]) for each in found] == [
        ("range", 2, 16),
        ("type", 3, 16 + len(long) + 1),
        ("range", 4, 16 + len(long) + 1 + 11),
    ]


def test_files_that_cannot_be_read_do_not_end_it(tmp_path: Path) -> None:
    cut = tmp_path / "a.ndjson.gz"
    cut.write_bytes(gzip.compress(b'{"role":"a"}\n' * 1000)[:-20])
    bad = tmp_path / "b.ndjson"
    bad.write_bytes(LINES[1])
    found = problems(tmp_path / "none", cut, bad)
    assert [each["kind"] for each in found] == ["io", "truncated", "type"]
    assert found[1]["offset"] > 0


def test_patterns_and_limit(tmp_path: Path) -> None:
    for name in ("a", "b", "c"):
        (tmp_path / f"{name}.ndjson").write_bytes(LINES[1])
    assert len(problems(tmp_path / "*.ndjson")) == 3
    assert len(problems(tmp_path / "*.ndjson", "--limit", "2")) == 2
    status, said = failure_of("check", tmp_path / "*.gz")
    assert status == 2
    assert "no file matches" in said


def test_annotations_for_github() -> None:
    done = turnwire("check", "--format", "github", "-", stdin=b'{"role":"a"}\n\n{"role":5}\n')
    assert done.stdout == (
        b"::error file=stdin,line=3,title=type::expected string, got number at $.role\n"
    )
    body = b'[{"role":"a"},{"a%\\n":5}]'
    done = turnwire("check", "--format", "github", "-", stdin=body)
    assert b"\\n" in done.stdout
    assert b"%25" in done.stdout
    assert done.stdout.count(b"\n") == 1


def test_sarif() -> None:
    done = turnwire("check", "--format", "sarif", "-", stdin=BAD)
    [run] = json.loads(done.stdout)["runs"]
    assert [each["ruleId"] for each in run["results"]] == KINDS
    assert {each["id"] for each in run["tool"]["driver"]["rules"]} == set(KINDS)
    place = run["results"][0]["locations"][0]["physicalLocation"]
    assert place == {"artifactLocation": {"uri": "stdin"}, "region": {"startLine": 2}}
    assert (
        json.loads(output_of("check", "--format", "sarif", EXAMPLES[0]))["runs"][0]["results"] == []
    )


def test_sarif_of_braces_and_absolute_paths(tmp_path: Path) -> None:
    path = tmp_path / "a b%.ndjson"
    path.write_bytes(b'{"{0}":1}\n')
    done = turnwire("check", "--type", "ces.Message", "--format", "sarif", path)
    [result] = json.loads(done.stdout)["runs"][0]["results"]
    assert result["message"]["text"].startswith('unknown field "{{0}}" in ')
    [location] = result["locations"]
    assert location["physicalLocation"]["artifactLocation"]["uri"] == path.as_uri()


@pytest.mark.parametrize("name", [b"a\xff.ndjson", b"a\n, b:c%.ndjson", b" -.ndjson"])
def test_any_name_of_a_file(name: bytes, tmp_path: Path) -> None:
    for folder in ("x", "y"):
        (tmp_path / folder).mkdir()
        try:
            path = Path(os.fsdecode(os.fsencode(tmp_path / folder) + b"/" + name))
            path.write_bytes(b'{"outputs":[{"turnIndex":1,"text":"a"}]}\n{"outputs":5}\n')
        except OSError:
            pytest.skip("the system has no such names")
    inputs = [tmp_path / "x" / path.name, tmp_path / "y" / path.name]
    for format, count in (("json", 2), ("github", 2), ("sarif", 4), ("text", 4)):
        done = turnwire("check", "--format", format, *inputs)
        assert (done.returncode, done.stderr) == (1, b"")
        assert done.stdout.count(b"\n") == count
    kind = ["--type", "ces.RunSessionResponse", "--allow-rejects", "2"]
    to = ["--to", "ndjson", "-o", f"{tmp_path}/out/"]
    assert turnwire("convert", *kind, *inputs, *to).returncode == 0
    assert len([*(tmp_path / "out").glob("*.ndjson")]) == 2
    assert turnwire("tabulate", *kind, *inputs, "-o", tmp_path / "tables").returncode == 0
    assert len([*(tmp_path / "tables" / "turns").iterdir()]) == 3


def test_only_the_mapping() -> None:
    found = problems("--rules", "mapping", "-", stdin=BAD)
    assert [each["kind"] for each in found] == ["type", "type", "unknown"]


json_texts = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=3),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                ["role", "chunks", "text", "toolCall", "args", "id", "x", "event_time"]
            ),
            inner,
            max_size=3,
        )
    ),
    max_leaves=8,
).map(json.dumps)


@given(st.lists(json_texts | st.text(alphabet='{}[]":,ae1 \r', max_size=9), max_size=6))
def test_the_core_says_nothing_wrong_about_lines(lines: list[str]) -> None:
    """Lines that it does not doubt are messages; its places are right."""
    checker = line_checker_of(ces.Message, None)
    if checker is None:
        pytest.skip("needs the core")
    data = "\n".join(lines).encode()
    for text in (data, data + b"\n"):
        total, with_content, doubtful = checker.check(text, False, 10**6)
        assert total == text.count(b"\n") + (not text.endswith(b"\n") and bool(text))
        of_doubtful = {line: (start, end) for start, end, line, *_ in doubtful}
        contents = [line.strip(b" \t\r") for line in text.split(b"\n")]
        assert with_content == sum(map(bool, contents))
        for number, content in enumerate(contents):
            if number in of_doubtful:
                start, end = of_doubtful[number]
                assert text[start:end] == content
            elif content:
                tw.from_json(ces.Message, content)


@pytest.fixture
def inputs(tmp_path: Path) -> list[Path]:
    """Good and bad inputs of several kinds."""
    contents = {
        "a.ndjson": BAD,
        "b.json": framed("array")[0],
        "c.ndjson.gz": gzip.compress(BAD * 3)[:-5],
        "d.ndjson": BAD.replace(b"\n", b"\n\n") * 9,
        "e.ndjson": Path(EXAMPLES[0]).read_bytes(),
    }
    for name, content in contents.items():
        (tmp_path / name).write_bytes(content)
    return [*(tmp_path / name for name in contents), tmp_path / "none"]


@pytest.mark.parametrize("format", ["text", "json", "sarif"])
def test_processes_find_the_same(format: str, inputs: list[Path], tmp_path: Path) -> None:
    def run(jobs: int, *more: str) -> tuple[int, bytes, bytes]:
        rejects = tmp_path / f"rejects-{jobs}"
        options = ("--format", format, "--rejects", rejects, "--jobs", str(jobs), *more)
        done = turnwire("check", *options, *inputs, "-", stdin=BAD)
        assert done.stderr == b""
        return done.returncode, done.stdout, rejects.read_bytes()

    assert run(2) == run(1)
    if format == "json":
        assert run(2, "--limit", "12") == run(1, "--limit", "12")


@pytest.mark.parametrize("ending", ["", ".gz"])
@pytest.mark.parametrize("format", ["text", "json"])
def test_threads_find_the_same_in_one_input(format: str, ending: str, tmp_path: Path) -> None:
    """Problems of lines, of rules between them, and those that only the reader sees."""
    log = BAD + Path(EXAMPLES[0]).read_bytes() + b"{}\n" * 200_000
    log += b'{"role":"' + b"x" * 3_000_000 + b'"}\n' + log + BAD
    path = tmp_path / f"log.ndjson{ending}"
    path.write_bytes(gzip.compress(log, 1)[:-9] if ending else log)

    def run(jobs: int, *more: str) -> tuple[bytes, bytes]:
        rejects = tmp_path / f"rejects-{jobs}"
        options = ("--format", format, "--rejects", rejects, "--jobs", str(jobs), *more)
        limits = ("--max-element-bytes", "2000000", "--type", "ces.Message")
        done = turnwire("check", *options, *limits, path)
        assert (done.returncode, done.stderr) == (1, b"")
        return done.stdout, rejects.read_bytes()

    assert run(3) == run(1)
    assert run(3, "--limit", "7") == run(1, "--limit", "7")


def test_parts_of_an_input_have_the_places_of_the_whole(
    inputs: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without rules about references, a large file of lines is cut."""
    monkeypatch.setattr(runner, "PART_BYTES", 100)
    options = ("--type", "ces.Message", "--rules", "mapping", *inputs)
    assert problems(*options, "--jobs", "2") == problems(*options)


def test_the_type_is_named_where_no_content_tells_it(tmp_path: Path) -> None:
    for name in ("a.ndjson", "b.ndjson"):
        (tmp_path / name).write_bytes(b'{"mood":1}\n')
    status, said = failure_of("check", "--jobs", "2", tmp_path / "*.ndjson")
    assert status == 2
    assert "say --type" in said
