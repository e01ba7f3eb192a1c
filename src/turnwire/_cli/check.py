"""`turnwire check`: finds everything that is wrong with recordings."""

from __future__ import annotations

import argparse
import pickle
import tempfile
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, BinaryIO

from turnwire._cli.arguments import at_least
from turnwire._cli.checking import RULES, Checker, Options
from turnwire._cli.conversations import add_conversation_at
from turnwire._cli.failure import ProblemsFound, UsageError
from turnwire._cli.files import STANDARD, shown
from turnwire._cli.findings import FORMATS, Findings, Limited
from turnwire._cli.inputs import Part, inputs_of
from turnwire._cli.many import add_inputs, add_jobs
from turnwire._cli.own_types import class_of, own_types_of
from turnwire._cli.problems import Problem
from turnwire._cli.report import Report
from turnwire._cli.runner import check_not_input, run_many

EPILOG = """\
examples:
  turnwire check session.ndjson
  turnwire check --type gda.Message 'logs/*.ndjson.gz' --rejects bad.ndjson
  turnwire check log.ndjson --at jsonPayload --conversation-at labels.session
  turnwire check --jobs 4 'logs/*.ndjson.gz'
  turnwire check --format json log.ndjson | jq -r .path | sort | uniq -c
  turnwire check --format sarif recordings/*.json > turnwire.sarif
"""


def add(commands: Any) -> None:
    """Adds the parser of the command."""
    parser = commands.add_parser(
        "check",
        help="find what is wrong with recordings; exit status 1 if anything is",
        description="Check messages against the JSON mapping, the annotations of the schema and "
        "the references in a conversation. An input is one conversation, unless its messages are "
        "stored conversations or --conversation-at says which one each of them belongs to.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "--type",
        metavar="NAME",
        help="the message type: ces.Message, gda.Message, or a full name (default: by the names "
        "in the first objects of each input)",
    )
    add_conversation_at(parser)
    add_inputs(parser)
    add_jobs(parser)
    parser.add_argument(
        "--format",
        choices=FORMATS,
        default="text",
        help="text for people (the default), json (an object a problem, one a line), github "
        "(annotations of a workflow) or sarif",
    )
    parser.add_argument(
        "--rules",
        choices=RULES,
        default="all",
        help="check all rules (the default), or only the JSON mapping",
    )
    parser.add_argument("--limit", type=at_least(1), metavar="N", help="stop after N problems")
    parser.set_defaults(run=_check)


def _check(arguments: argparse.Namespace) -> None:
    own_types_of(arguments).load()
    if arguments.type is not None:
        class_of(arguments.type)
    options = Options(
        arguments.type,
        arguments.source,
        arguments.column,
        arguments.at,
        arguments.conversation_at,
        arguments.unknown,
        arguments.rules,
        arguments.max_element_bytes,
    )
    arguments.inputs = inputs_of(arguments.inputs)
    if arguments.rejects == STANDARD:
        raise UsageError("--rejects -: the problems are on stdout; name a file")
    check_not_input(arguments.rejects, arguments.inputs)
    with (
        Findings(arguments.format, arguments.limit, arguments.rejects) as findings,
        suppress(Limited),
    ):
        if arguments.jobs == 1 or len(arguments.inputs) == 1:
            for name in arguments.inputs:
                findings.begin(shown(name))
                Checker(findings, options, arguments.jobs).check(Part(name))
        else:
            _check_many(arguments, options, findings)
    if findings.errors:
        raise ProblemsFound


@dataclass(frozen=True)
class _Check:
    """The work on one part: it keeps what it finds in a file.

    Attributes:
        options: The options of the check.
        limit: The number of problems after which it stops; None for no limit.
        keeps_rejects: Whether bad elements are kept with their problems.
    """

    options: Options
    limit: int | None
    keeps_rejects: bool

    def makes(self, name: str) -> bool:
        """Reports that any file in the folder is one of these."""
        return True

    def __call__(self, part: Part, folder: Path, report: Report) -> None:
        """Checks a part."""
        with (folder / part.stem).open("wb") as file, suppress(Limited):
            pickle.dump(part, file)
            Checker(_Found(self, report, file), self.options).check(part)


class _Found:
    """Writes problems to a file, for `_report`."""

    def __init__(self, work: _Check, report: Report, file: BinaryIO) -> None:
        self._work = work
        self._report = report
        self._file = file
        self._problems = 0
        self.advance = report.advance

    def count(self, elements: int) -> None:
        self._report.count(elements)
        pickle.dump(elements, self._file)

    def reject(self, problem: Problem, raw: bytes | None) -> None:
        if problem.severity == "error":
            self._report.reject(problem, None)
        pickle.dump((problem, raw if self._work.keeps_rejects else None), self._file)
        self._problems += 1
        if self._problems == self._work.limit:
            raise Limited


def _check_many(arguments: argparse.Namespace, options: Options, findings: Findings) -> None:
    """Checks inputs in several processes, and reports their problems in the order of the inputs."""
    work = _Check(options, arguments.limit, arguments.rejects is not None)
    changed = {"resume": False, "rejects": None}
    # Only the rules about references need all of an input, and its start tells the type.
    is_cut = options.rules == "mapping" and options.type_name is not None
    with tempfile.TemporaryDirectory() as folder:
        run = argparse.Namespace(**{**vars(arguments), **changed})
        totals = run_many(work, run, Path(folder), work, cut=is_cut)
        index = 0
        for [path] in totals.files:
            with path.open("rb") as file:
                part: Part = pickle.load(file)
                if part.number == 0:
                    findings.begin(shown(part.name))
                    index = 0
                index += _report(findings, file, index)


def _report(findings: Findings, file: BinaryIO, first: int) -> int:
    """Reports the problems of a part; returns the number of its elements.

    Args:
        findings: The receiver.
        file: The file that was written by `_Found`.
        first: The index of its first element in the input.
    """
    count = 0
    with suppress(EOFError):
        while True:
            found = pickle.load(file)
            if isinstance(found, int):
                count += found
                findings.count(found)
                continue
            problem, raw = found
            if problem.index is not None:
                problem = replace(problem, index=problem.index + first)
            findings.reject(problem, raw)
    return count
