"""scripts/interop.py notices what it is there to notice. The programs themselves are not run here:
`make interop` does that, where their tools are."""

from __future__ import annotations

import base64
import importlib
import json
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import turnwire
from turnwire import ces, schema

ROOT = Path(__file__).resolve().parents[2]
GOLDEN = ROOT / "tests" / "golden"
LANGUAGES = ("typescript", "go", "java", "rust")
VECTORS = json.loads((GOLDEN / "index.json").read_bytes())["vectors"]
Reports = list[dict[str, Any]]


def script(name: str) -> ModuleType:
    """A module of scripts/, which is on no path outside of it."""
    sys.path.insert(0, str(ROOT / "scripts"))
    try:
        return importlib.import_module(name)
    finally:
        sys.path.remove(str(ROOT / "scripts"))


vectors = script("interop_vectors")
legs = script("interop_legs")


def strict_program() -> Reports:
    """The reports of a program that does all that the vectors ask: Turnwire itself."""
    reports: Reports = []
    for vector in VECTORS:
        for path in vector["invalid"]:
            reports.append({"input": path, "read": False, "error": "refused"})
        if vector["json"] is None:
            continue
        message_class = schema.message_class(vector["type"])
        for path in [vector["json"], vector["binary"], *vector["variants"]]:
            data = (GOLDEN / path).read_bytes()
            if path.endswith(".binpb"):
                message = message_class.FromString(data)
            else:
                message = turnwire.from_json(message_class, data)
            reports.append(
                {
                    "input": path,
                    "read": True,
                    "same": True,
                    "json": turnwire.to_json(message).decode(),
                    "binary": base64.b64encode(message.SerializeToString()).decode(),
                }
            )
    return reports


@pytest.fixture(scope="module")
def perfect() -> Reports:
    return strict_program()


def found(reports: Reports, written_down: Path) -> Any:
    return vectors.judge(GOLDEN, reports, written_down)


@pytest.fixture
def nothing(tmp_path: Path) -> Path:
    path = tmp_path / "differences.json"
    path.write_text('{"differences": []}')
    return path


def test_a_program_that_does_everything_has_no_differences(perfect: Reports, nothing: Path) -> None:
    verdict = found(perfect, nothing)
    assert (verdict.found, verdict.unexpected, verdict.gone) == ({}, {}, {})
    assert verdict.inputs == len(perfect)


TEXT = "ces/Chunk/text.json"


@pytest.mark.parametrize(
    ("change", "kind"),
    [
        ({"read": False, "error": "no"}, "refuses"),
        (
            {"binary": base64.b64encode(ces.Chunk(text="x").SerializeToString())},
            "reads another message",
        ),
        ({"binary": base64.b64encode(b"\xff")}, "reads another message"),
        ({"same": False}, "compares unequal"),
        ({"json": None, "error": "no"}, "cannot write"),
        ({"json": '{"text":"x"}'}, "writes other JSON"),
        ({"json": '{"text":'}, "writes other JSON"),
        ({"json": "{}"}, "writes other JSON"),
    ],
)
def test_each_kind_of_difference_is_found(
    perfect: Reports, nothing: Path, change: dict[str, Any], kind: str
) -> None:
    reports = [report | change if report["input"] == TEXT else report for report in perfect]
    verdict = found(reports, nothing)
    assert list(verdict.unexpected) == [(TEXT, kind)]


def test_an_invalid_input_that_is_read_is_a_difference(perfect: Reports, nothing: Path) -> None:
    invalid = next(path for vector in VECTORS for path in vector["invalid"])
    reports = [
        {"input": invalid, "read": True, "json": "{}"} if report["input"] == invalid else report
        for report in perfect
    ]
    assert list(found(reports, nothing).unexpected) == [(invalid, "accepts")]


def test_an_expected_difference_that_is_gone_is_told(perfect: Reports, tmp_path: Path) -> None:
    path = tmp_path / "differences.json"
    group = {"what": "refuses", "reason": "it did once", "inputs": [TEXT]}
    path.write_text(json.dumps({"differences": [group]}))
    assert found(perfect, path).gone == {(TEXT, "refuses"): "it did once"}


@pytest.mark.parametrize(
    "spoil", [lambda reports: reports[1:], lambda reports: [*reports, reports[0]]]
)
def test_every_input_has_one_report(
    perfect: Reports, nothing: Path, spoil: Callable[[Reports], Reports]
) -> None:
    with pytest.raises(vectors.BadReport):
        found(spoil(perfect), nothing)


@pytest.mark.parametrize(
    ("one", "other", "equal"),
    [
        (1, 1.0, True),
        (1, True, False),
        (0, False, False),
        ({"a": [1, {"b": None}]}, {"a": [1.0, {"b": None}]}, True),
        ({"a": 1}, {"a": 1, "b": 1}, False),
        ([1], [1, 2], False),
        ("1", 1, False),
    ],
)
def test_json_values_are_compared_as_json(one: Any, other: Any, equal: bool) -> None:
    assert vectors.equal_json(one, other) is equal


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_written_differences_are_about_vectors_that_exist(language: str) -> None:
    written = vectors.read_differences(ROOT / "interop" / language / "differences.json")
    assert all((GOLDEN / path).is_file() for path, _ in written)


def signing(keep: Callable[[ces.RunSessionResponse], None]) -> Callable[..., bytes]:
    """A program that signs what it should; what it does besides, the argument says."""

    def call(arguments: list[str], data: bytes) -> bytes:
        message_class = schema.message_class(arguments[1])
        messages = list(turnwire.read(message_class, data, format="delimited"))
        for message in messages:
            if isinstance(message, ces.RunSessionResponse):
                for output in message.outputs:
                    if output.HasField("text"):
                        output.text += " [test]"
                keep(message)
            else:
                message.message_id += " [test]"
        framed = [message.SerializeToString() for message in messages]
        return b"".join(varint(len(data)) + data for data in framed)

    return call


def varint(number: int) -> bytes:
    return bytes([number]) if number < 128 else bytes([number & 127 | 128]) + varint(number >> 7)


def drop_turn_index(response: ces.RunSessionResponse) -> None:
    for output in response.outputs:
        output.ClearField("turn_index")


def test_the_live_leg_takes_what_is_signed() -> None:
    assert legs.live_problems("test", signing(lambda message: None)) == []


@pytest.mark.parametrize("spoil", [drop_turn_index, ces.RunSessionResponse.DiscardUnknownFields])
def test_the_live_leg_sees_a_field_that_got_lost(
    spoil: Callable[[ces.RunSessionResponse], None],
) -> None:
    assert "number 0 came back different" in legs.live_problems("test", signing(spoil))[0]


def test_the_live_leg_sees_a_message_that_got_lost() -> None:
    assert len(legs.live_problems("test", lambda arguments, data: b"")) == 2


def test_the_facts_must_be_those_of_the_accessors() -> None:
    problems = legs.fact_problems(lambda arguments, data: b'{"id": "?"}\n' * data.count(b"\n"))
    assert len(problems) == 6
    assert "'tools': ['read_thermometer', 'read_thermometer']" in problems[0]


def test_the_package_holds_what_is_built_and_no_more(tmp_path: Path) -> None:
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "ces.ts").touch()
    wanted = ["dist/ces.js", "dist/ces.d.ts", "package.json", "README.md", "LICENSE"]

    def problems(paths: list[str]) -> list[str]:
        listing = json.dumps([{"files": [{"path": path} for path in paths]}])
        return legs.package_problems(listing.encode(), tmp_path)

    assert problems(wanted) == []
    assert problems(wanted[1:]) == ["package: dist/ces.js is missing"]
    assert problems([*wanted, "src/ces.ts"]) == ["package: src/ces.ts should not be in it"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_shows_what_is_built_and_tells_every_difference(language: str) -> None:
    page = (ROOT / "docs" / "other-languages.md").read_text(encoding="utf-8")
    template = (ROOT / "interop" / language / "buf.gen.yaml").read_text(encoding="utf-8")
    assert f"```yaml\n{template}```\n" in page
    words = " ".join(page.split())
    written = vectors.read_differences(ROOT / "interop" / language / "differences.json")
    assert [reason for reason in set(written.values()) if reason not in words] == []
