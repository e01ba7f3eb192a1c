"""The scripts of `make interop` notice every kind of difference.

The programs themselves are run by `make interop`, where their tools are.
"""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import interop_legs as legs
import interop_registries
import interop_vectors
import pages
import pytest
from environment import ROOT
from google.protobuf.message import Message
from vector_files import read_vectors

import turnwire
from turnwire import ces, schema

VECTORS = read_vectors()
LANGUAGES = list(json.loads(interop_vectors.DIFFERENCES.read_bytes()))
Reports = list[dict[str, Any]]


def strict_program() -> Reports:
    """Returns the reports of a program without differences: Turnwire itself."""
    reports: Reports = []
    for vector in VECTORS:
        message_class = schema.message_class(vector.type)
        for name in vector.refused:
            reports.append({"input": name, "read": False, "error": "refused"})
        for name, data in vector.texts.items():
            reports.append(report(name, turnwire.from_json(message_class, data)))
        if vector.binary is not None:
            reports.append(report(vector.binary_name, message_class.FromString(vector.binary)))
    return reports


def report(name: str, message: Message) -> dict[str, Any]:
    return {
        "input": name,
        "read": True,
        "same": True,
        "json": turnwire.to_json(message).decode(),
        "binary": base64.b64encode(message.SerializeToString()).decode(),
    }


@pytest.fixture(scope="module")
def perfect() -> Reports:
    return strict_program()


def found(reports: Reports, expected: Any = None) -> interop_vectors.Verdict:
    return interop_vectors.judge(reports, expected or {}, VECTORS)


def test_a_program_that_does_everything_has_no_differences(perfect: Reports) -> None:
    verdict = found(perfect)
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
    perfect: Reports, change: dict[str, Any], kind: str
) -> None:
    reports = [report | change if report["input"] == TEXT else report for report in perfect]
    verdict = found(reports)
    assert list(verdict.unexpected) == [(TEXT, kind)]


def test_a_refused_input_that_is_read_is_a_difference(perfect: Reports) -> None:
    refused = next(name for vector in VECTORS for name in vector.refused)
    reports = [
        {"input": refused, "read": True, "json": "{}"} if report["input"] == refused else report
        for report in perfect
    ]
    assert list(found(reports).unexpected) == [(refused, "accepts")]


def test_an_expected_difference_that_is_gone_is_reported(perfect: Reports) -> None:
    expected = {(TEXT, "refuses"): "it did once"}
    assert found(perfect, expected).gone == expected


@pytest.mark.parametrize(
    "group",
    [
        {"what": "dislikes", "reason": "r", "inputs": [TEXT]},
        {"what": "refuses", "reason": "", "inputs": [TEXT]},
        {"what": "refuses", "reason": "r", "inputs": [TEXT, TEXT]},
    ],
)
def test_a_wrong_list_of_differences_is_an_error(tmp_path: Path, group: dict[str, Any]) -> None:
    path = tmp_path / "differences.json"
    path.write_text(json.dumps({"go": [group]}))
    with pytest.raises(ValueError, match="differences"):
        interop_vectors.read_differences("go", path)


@pytest.mark.parametrize(
    "spoil", [lambda reports: reports[1:], lambda reports: [*reports, reports[0]]]
)
def test_every_input_has_one_report(perfect: Reports, spoil: Callable[[Reports], Reports]) -> None:
    with pytest.raises(interop_vectors.BadReport):
        found(spoil(perfect))


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
    assert interop_vectors.equal_json(one, other) is equal


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_listed_differences_are_about_inputs_that_exist(language: str) -> None:
    names = {name for vector in VECTORS for name in vector.inputs}
    assert {name for name, _ in interop_vectors.read_differences(language)} <= names


def test_the_registries_are_what_the_schema_gives() -> None:
    made = interop_registries.registries()
    assert {path: (ROOT / "interop" / path).read_bytes() for path in made} == made


def signing(keep: Callable[[ces.RunSessionResponse], None]) -> Callable[..., bytes]:
    """Returns a program that signs what it should and then calls `keep`."""

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


def test_the_live_check_accepts_signed_messages() -> None:
    assert legs.live_problems("test", signing(lambda message: None)) == []


@pytest.mark.parametrize("spoil", [drop_turn_index, ces.RunSessionResponse.DiscardUnknownFields])
def test_the_live_check_sees_a_lost_field(
    spoil: Callable[[ces.RunSessionResponse], None],
) -> None:
    assert "number 0 came back different" in legs.live_problems("test", signing(spoil))[0]


def test_the_live_check_sees_a_lost_message() -> None:
    assert len(legs.live_problems("test", lambda arguments, data: b"")) == 2


def test_the_facts_must_be_those_of_the_accessors() -> None:
    problems = legs.fact_problems(lambda arguments, data: b'{"id": "?"}\n' * data.count(b"\n"))
    assert len(problems) == 6
    assert "'tools': ['read_thermometer', 'read_thermometer']" in problems[0]


def test_the_package_holds_the_built_files_and_nothing_else(tmp_path: Path) -> None:
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "ces.ts").touch()
    wanted = ["dist/ces.js", "dist/ces.d.ts", "package.json", "README.md", "LICENSE"]

    def problems(paths: list[str]) -> list[str]:
        listing = json.dumps([{"files": [{"path": path} for path in paths]}])
        return legs.package_problems(listing.encode(), tmp_path)

    assert problems(wanted) == []
    assert problems(wanted[1:]) == ["package: dist/ces.js is missing"]
    assert problems([*wanted, "src/ces.ts"]) == ["package: src/ces.ts should not be in it"]


def test_the_page_has_the_generated_parts_of_every_language() -> None:
    page = (ROOT / "docs" / "other-languages.md").read_text(encoding="utf-8")
    for language in LANGUAGES:
        assert f"<!-- begin template {language} -->" in page
        assert f"<!-- begin differences {language} -->" in page


@pytest.mark.parametrize("path", pages.pages())
def test_the_generated_parts_of_a_page_are_up_to_date(path: str) -> None:
    assert pages.pages()[path] == (ROOT / path).read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "part",
    [
        r"\| The [\d,]+ texts of the JSON rules \|.*\| \d+ differ \(protobuf [\d.]+\)",
        r"\d+ of \d+ fields have no public number yet",
    ],
)
def test_the_readme_has_the_generated_parts(part: str) -> None:
    assert re.search(part, (ROOT / "README.md").read_text(encoding="utf-8"))
