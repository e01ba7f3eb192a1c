"""Judges what a program of another language reports about the golden vectors.

A program says of each input whether it was read, whether it is the message it should be, and
what it is when written again. Here that is held against the vectors, and against the differences
that are written down for the language (`interop/<language>/differences.json`).
"""

from __future__ import annotations

import base64
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from google.protobuf.message import DecodeError

import turnwire
from turnwire import schema

ACCEPTS = "accepts"
REFUSES = "refuses"
READS_ANOTHER = "reads another message"
UNEQUAL = "compares unequal"
CANNOT_WRITE = "cannot write"
WRITES_OTHER_JSON = "writes other JSON"
KINDS = (ACCEPTS, REFUSES, READS_ANOTHER, UNEQUAL, CANNOT_WRITE, WRITES_OTHER_JSON)

Differences = dict[tuple[str, str], str]
"""By input and kind of difference: what was seen, or why it is expected."""


class BadReport(Exception):
    """A program did not do what was asked: an input is missing, or it is said twice."""


@dataclass(frozen=True)
class Verdict:
    """How a language's differences compare with those that are written down for it."""

    inputs: int
    found: Differences
    expected: Differences

    @property
    def unexpected(self) -> Differences:
        """What is found and not written down."""
        return {key: text for key, text in self.found.items() if key not in self.expected}

    @property
    def gone(self) -> Differences:
        """What is written down and not found."""
        return {key: text for key, text in self.expected.items() if key not in self.found}


def judge(folder: Path, reports: list[dict[str, Any]], differences: Path) -> Verdict:
    """Holds a program's reports against the vectors in a folder.

    Raises:
        BadReport: The reports are not one for each input.
        ValueError: The file of differences is not what it should be.
    """
    index = json.loads((folder / "index.json").read_bytes())
    by_input = {report["input"]: report for report in reports}
    wanted = {path for vector in index["vectors"] for path in _inputs(vector)}
    if by_input.keys() != wanted or len(by_input) != len(reports):
        wrong = sorted(by_input.keys() ^ wanted) or ["an input comes twice"]
        raise BadReport(f"expected one report for each input; wrong is {wrong[0]}")
    found: Differences = {}
    for vector in index["vectors"]:
        judged = _JudgedVector(folder, vector)
        for path in _inputs(vector):
            for kind, detail in judged.differences(path, by_input[path]):
                found[path, kind] = detail
    return Verdict(len(by_input), found, read_differences(differences))


def read_differences(path: Path) -> Differences:
    """The differences that are written down for a language, each with its reason."""
    expected: Differences = {}
    for group in json.loads(path.read_bytes())["differences"]:
        if group["what"] not in KINDS or not group["reason"]:
            raise ValueError(f"{path}: expected one of {KINDS} and a reason, got {group}")
        for name in group["inputs"]:
            if (name, group["what"]) in expected:
                raise ValueError(f"{path}: {name} is listed twice")
            expected[name, group["what"]] = group["reason"]
    return expected


def equal_json(one: Any, other: Any) -> bool:
    """Whether two JSON values are equal; 1 and 1.0 are, 1 and true are not."""
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(equal_json(one[key], other[key]) for key in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(equal_json, one, other))
    return isinstance(one, bool) == isinstance(other, bool) and bool(one == other)


class _JudgedVector:
    def __init__(self, folder: Path, vector: dict[str, Any]) -> None:
        self._invalid = frozenset(vector["invalid"])
        if vector["json"] is not None:
            self._class = schema.message_class(vector["type"])
            self._json = json.loads((folder / vector["json"]).read_bytes())
            self._bytes = self._canonical((folder / vector["binary"]).read_bytes())

    def differences(self, path: str, report: dict[str, Any]) -> list[tuple[str, str]]:
        if path in self._invalid:
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
        """The bytes as Python writes the message: programs order maps and fields as they like."""
        try:
            return self._class.FromString(data).SerializeToString(deterministic=True)
        except DecodeError:
            return None


def _inputs(vector: dict[str, Any]) -> list[str]:
    written = [vector[name] for name in ("json", "binary") if vector[name] is not None]
    return [*written, *vector["variants"], *vector["invalid"]]
