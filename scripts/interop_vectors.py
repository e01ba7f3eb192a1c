"""Judges the reports of a program in another language about the test vectors.

A program reports about each input whether it was read, whether it is the expected message, and what
it is when written again. `judge` compares the reports with the vectors, and the differences with
those that `interop/differences.json` lists for the language.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from environment import ROOT
from google.protobuf.message import DecodeError
from vector_files import Vector, read_vectors

import turnwire
from turnwire import schema

DIFFERENCES = ROOT / "interop" / "differences.json"

ACCEPTS = "accepts"
REFUSES = "refuses"
READS_ANOTHER = "reads another message"
UNEQUAL = "compares unequal"
CANNOT_WRITE = "cannot write"
WRITES_OTHER_JSON = "writes other JSON"
KINDS = (ACCEPTS, REFUSES, READS_ANOTHER, UNEQUAL, CANNOT_WRITE, WRITES_OTHER_JSON)

Differences = dict[tuple[str, str], str]
"""By input and kind of difference: the detail of a found one, the reason for an expected one."""


class BadReport(Exception):
    """The reports of a program are not one for each input."""


@dataclass(frozen=True)
class Verdict:
    """The differences of a language, and those that are listed for it."""

    inputs: int
    found: Differences
    expected: Differences

    @property
    def unexpected(self) -> Differences:
        """The differences that are found and not listed."""
        return {key: text for key, text in self.found.items() if key not in self.expected}

    @property
    def gone(self) -> Differences:
        """The differences that are listed and not found."""
        return {key: text for key, text in self.expected.items() if key not in self.found}


def judge(
    reports: list[dict[str, Any]], expected: Differences, vectors: Sequence[Vector] | None = None
) -> Verdict:
    """Compares a program's reports with the vectors.

    Args:
        reports: The reports, one for each input.
        expected: The differences that are listed for the language.
        vectors: The vectors; those of tests/vectors by default.

    Raises:
        BadReport: The reports are not one for each input.
    """
    vectors = read_vectors() if vectors is None else vectors
    by_input = {report["input"]: report for report in reports}
    wanted = {name for vector in vectors for name in vector.inputs}
    if by_input.keys() != wanted or len(by_input) != len(reports):
        wrong = sorted(by_input.keys() ^ wanted) or ["an input comes twice"]
        raise BadReport(f"expected one report for each input; wrong is {wrong[0]}")
    found: Differences = {}
    for vector in vectors:
        judged = _JudgedVector(vector)
        for name in vector.inputs:
            for kind, detail in judged.differences(name, by_input[name]):
                found[name, kind] = detail
    return Verdict(len(by_input), found, expected)


def read_differences(language: str, path: Path = DIFFERENCES) -> Differences:
    """Returns the differences that are listed for a language, each with its reason.

    Raises:
        ValueError: A kind does not exist, a reason is missing, or an input is listed twice.
    """
    expected: Differences = {}
    for group in json.loads(path.read_bytes())[language]:
        if group["what"] not in KINDS or not group["reason"]:
            raise ValueError(f"{path}: expected one of {KINDS} and a reason, got {group}")
        for name in group["inputs"]:
            if (name, group["what"]) in expected:
                raise ValueError(f"{path}: {language} lists {name} twice")
            expected[name, group["what"]] = group["reason"]
    return expected


def equal_json(one: Any, other: Any) -> bool:
    """Compares two JSON values: 1 equals 1.0 and differs from true."""
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(equal_json(one[key], other[key]) for key in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(equal_json, one, other))
    return isinstance(one, bool) == isinstance(other, bool) and bool(one == other)


class _JudgedVector:
    """Finds the differences in the reports about the inputs of one vector."""

    def __init__(self, vector: Vector) -> None:
        self._refused = vector.refused.keys()
        self._class = schema.message_class(vector.type)
        if vector.json is not None and vector.binary is not None:
            self._json = json.loads(vector.json)
            self._bytes = self._canonical(vector.binary)

    def differences(self, name: str, report: dict[str, Any]) -> list[tuple[str, str]]:
        if name in self._refused:
            return [(ACCEPTS, report.get("json") or "")] if report["read"] else []
        if not report["read"]:
            return [(REFUSES, report["error"])]
        binary = report.get("binary")
        same = binary is not None and self._canonical(base64.b64decode(binary)) == self._bytes
        found = []
        if not same:
            found.append((READS_ANOTHER, report.get("json") or ""))
        elif not report["same"]:
            found.append((UNEQUAL, report.get("json") or ""))
        if report.get("json") is None:
            found.append((CANNOT_WRITE, report["error"]))
        elif same and not self._is_canonical_json(report["json"]):
            found.append((WRITES_OTHER_JSON, report["json"]))
        return found

    def _is_canonical_json(self, text: str) -> bool:
        try:
            read = turnwire.from_json(self._class, text).SerializeToString(deterministic=True)
        except turnwire.ParseError:
            return False
        return read == self._bytes and equal_json(json.loads(text), self._json)

    def _canonical(self, data: bytes) -> bytes | None:
        """Returns the bytes as Python writes the message, whose order of fields may differ."""
        try:
            return self._class.FromString(data).SerializeToString(deterministic=True)
        except DecodeError:
            return None
