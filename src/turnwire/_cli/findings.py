"""Shows problems as they are found, in a format for people or for programs."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO, Protocol
from urllib.parse import quote

from turnwire import __version__
from turnwire._cli import standard
from turnwire._cli.files import sink_of
from turnwire._cli.printing import print_document, print_lines
from turnwire._cli.problems import Groups, Problem
from turnwire._printable import on_one_line, printable


class Limited(Exception):
    """Stops a search: the limit of problems is reached."""


class _Writer(Protocol):
    """Writes problems in one format."""

    def add(self, name: str, problem: Problem) -> None:
        """Takes a problem of an input."""

    def end(self, summary: str) -> None:
        """Ends the output."""


class Findings:
    """The problems of a run.

    Attributes:
        name: The name of the input that is read.
        errors: The number of errors so far.

    Args:
        format: One of `FORMATS`.
        limit: The number of problems after which `Limited` is raised; None for no limit.
        rejects: The path of a file for the bad elements, or None.
    """

    def __init__(self, format: str, limit: int | None, rejects: str | None) -> None:
        self.name = ""
        self.errors = 0
        self._notes = self._elements = self._inputs = 0
        self._writer = _WRITERS[format]()
        self._limit = limit
        self._stack = ExitStack()
        self._rejects: BinaryIO | None = (
            None if rejects is None else self._stack.enter_context(sink_of(rejects))
        )

    def __enter__(self) -> Findings:
        return self

    def __exit__(
        self,
        error_class: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if error is None:
            self._writer.end(self._summary())
        self._stack.__exit__(error_class, error, traceback)

    def begin(self, name: str) -> None:
        """Notes the input that is read from now on."""
        self.name = name
        self._inputs += 1

    def advance(self, count: int) -> None:
        """Takes a number of bytes that were read, which makes no difference here."""

    def count(self, elements: int) -> None:
        """Takes a number of elements that were read."""
        self._elements += elements

    def reject(self, problem: Problem, raw: bytes | None) -> None:
        """Takes a problem, and the element as it came where it is to be kept.

        Raises:
            Limited: It was the last one that is shown.
        """
        is_error = problem.severity == "error"
        self.errors += is_error
        self._notes += not is_error
        self._writer.add(self.name, problem)
        if raw is not None and self._rejects is not None:
            self._rejects.write(raw + b"\n")
        if self._limit is not None and self.errors + self._notes >= self._limit:
            raise Limited

    def _summary(self) -> str:
        problems = [
            _counted(count, word) for count, word in ((self.errors, "error"), (self._notes, "note"))
        ]
        found = ", ".join(each for each in problems if each) or "nothing is wrong"
        inputs, elements = _counted(self._inputs, "input"), _counted(self._elements, "element")
        return f"{inputs or '0 inputs'}, {elements or '0 elements'}: {found}"


class _Text:
    """For people: grouped by kind and path, with counts and the first places."""

    def __init__(self) -> None:
        self._groups = Groups()

    def add(self, name: str, problem: Problem) -> None:
        self._groups.add(problem, name)

    def end(self, summary: str) -> None:
        print_lines(self._lines(summary))

    def _lines(self, summary: str) -> Iterator[str]:
        for group in self._groups.all():
            problem = group.problem
            at = f" at {problem.path}" if problem.path else ""
            times = f", {group.count:,} times" if group.count > 1 else ""
            yield f"{problem.severity}: {problem.kind}{at}{times}"
            yield f"  {on_one_line(problem.reason)}"
            more = ", …" if group.count > len(group.places) else ""
            yield f"  {on_one_line(', '.join(group.places))}{more}"
        yield summary


class _Json:
    """For programs: an object a problem, each on its line."""

    def add(self, name: str, problem: Problem) -> None:
        print_document(facts_of(name, problem), indent=False)

    def end(self, summary: str) -> None:
        pass


class _Github:
    """For workflows of GitHub: annotations."""

    def add(self, name: str, problem: Problem) -> None:
        command = "error" if problem.severity == "error" else "notice"
        line = "" if problem.line is None else f",line={problem.line}"
        place = (
            ""
            if problem.line is not None or problem.index is None
            else (f"element {problem.index}: ")
        )
        properties = f"file={_escaped(name, ':,')}{line},title={_escaped(problem.kind, ':,')}"
        text = _escaped(f"{place}{problem}")
        standard.stdout().write(f"::{command} {properties}::{text}\n".encode(errors="replace"))

    def end(self, summary: str) -> None:
        pass


class _Sarif:
    """SARIF 2.1.0, written as it grows: the rules are known only at the end."""

    def __init__(self) -> None:
        self._kinds: dict[str, None] = {}
        standard.stdout().write(
            b'{"$schema":"https://json.schemastore.org/sarif-2.1.0.json","version":"2.1.0",'
            b'"runs":[{"columnKind":"unicodeCodePoints","results":['
        )

    def add(self, name: str, problem: Problem) -> None:
        separator = b",\n" if self._kinds else b"\n"
        self._kinds[problem.kind] = None
        standard.stdout().write(separator + _dumped(_result_of(name, problem)))

    def end(self, summary: str) -> None:
        driver = {
            "name": "turnwire",
            "version": __version__,
            "rules": [{"id": kind} for kind in self._kinds],
        }
        tool = _dumped({"driver": driver})
        standard.stdout().write(b'\n],"tool":' + tool + b"}]}\n")


FORMATS = ("text", "json", "github", "sarif")
"""The choices of `--format`."""

_WRITERS: dict[str, type[_Writer]] = {
    "text": _Text,
    "json": _Json,
    "github": _Github,
    "sarif": _Sarif,
}


def facts_of(name: str, problem: Problem) -> dict[str, Any]:
    """Returns a problem as the JSON object that `--format json` prints."""
    return {
        "file": name,
        "line": problem.line,
        "offset": problem.offset,
        "element": problem.index,
        "severity": problem.severity,
        "kind": problem.kind,
        "path": problem.path,
        "reason": problem.reason,
    }


def _result_of(name: str, problem: Problem) -> dict[str, Any]:
    place: dict[str, Any] = {"artifactLocation": {"uri": _uri_of(name)}}
    if problem.line is not None:
        place["region"] = {"startLine": problem.line}
    elif problem.offset is not None:
        place["region"] = {"byteOffset": problem.offset}
    location: dict[str, Any] = {"physicalLocation": place}
    if problem.index is not None:
        element = f"[{problem.index}]{problem.path.removeprefix('$')}"
        location["logicalLocations"] = [{"fullyQualifiedName": element}]
    return {
        "ruleId": problem.kind,
        "level": problem.severity,
        # A single brace would begin a placeholder.
        "message": {"text": str(problem).replace("{", "{{").replace("}", "}}")},
        "locations": [location],
    }


def _uri_of(name: str) -> str:
    path = Path(name)
    return path.as_uri() if path.is_absolute() else quote(os.fsencode(name))


def _dumped(value: Any) -> bytes:
    return json.dumps(value, separators=(",", ":")).encode()


def _escaped(text: str, more: str = "") -> str:
    """Escapes a text for a workflow command, which ends at a line break."""
    text = printable(text)
    for character in f"%\r\n{more}":
        text = text.replace(character, f"%{ord(character):02X}")
    return text


def _counted(count: int, word: str) -> str:
    return f"{count:,} {word}{'' if count == 1 else 's'}" if count else ""
