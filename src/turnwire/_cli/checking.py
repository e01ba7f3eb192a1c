"""Checks one input: the core looks at all its lines, and Python at those that need more."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import chain, islice
from queue import SimpleQueue
from typing import TYPE_CHECKING, Any, Protocol

from google.protobuf.message import Message

from turnwire._cli.ahead import results_ahead
from turnwire._cli.conversations import Recordings, nameless, value_at
from turnwire._cli.decoding import Decoding
from turnwire._cli.elements import Reader, Sink
from turnwire._cli.failure import UsageError
from turnwire._cli.files import shown
from turnwire._cli.formats import BINARY, TEXT, read_whole
from turnwire._cli.inputs import Part
from turnwire._cli.own_types import class_of
from turnwire._cli.places import Chunk, Element, elements_in
from turnwire._cli.problems import Problem, problem_of
from turnwire._cli.recordings import every_type, names_known_by
from turnwire._cli.unknown import silent
from turnwire.check import Violation
from turnwire.check._facts import Child, Facts
from turnwire.check._recording import Recording
from turnwire.errors import ParseError, Path, StreamError, TurnwireError, path_text
from turnwire.protojson import Unknown
from turnwire.protojson._accelerator import line_checker_of
from turnwire.protojson._caches import make_room
from turnwire.streams._members import names_of, parts_at

if TYPE_CHECKING:
    from turnwire._backend import LineChecker

RULES = ("all", "mapping")
"""The choices of `--rules`."""

_MAX_PEEKED = 100
_MAX_CHECKERS = 8
_ABSENT = -1


class Receiver(Sink, Protocol):
    """The receiver of what is found in an input."""

    def count(self, elements: int) -> None:
        """Takes a number of elements that were read."""


_Reject = tuple[Problem, bytes | None]
_Item = tuple[Chunk | None, list[_Reject]]


class _Passing:
    """Passes on what a reader reports, in the order of the input.

    The reader is ahead of the chunks that are checked: what it rejects waits for those before it.
    """

    def __init__(self, findings: Receiver) -> None:
        self.advance = findings.advance
        self.reject = findings.reject

    def between(self, chunks: Iterator[Chunk]) -> Iterator[_Item]:
        """Yields each chunk with the rejects before it, and None with those after the last one."""
        rejects: list[_Reject] = []
        self.reject = lambda problem, raw: rejects.append((problem, raw))
        for chunk in chunks:
            yield chunk, rejects[:]
            rejects.clear()
        yield None, rejects


@dataclass(frozen=True)
class Options:
    """The options of a check.

    Attributes:
        type_name: The message type; None if the content of each input tells it.
        source: The format of the inputs; None if suffix and content tell it.
        column: The column of the messages in Parquet; None for the only one that can have them.
        at: The place of the messages in each element.
        conversation_at: The place of the conversation's name in each element; None if an input is
            one conversation.
        unknown: The choice about unknown things: ``error``, ``ignore`` or ``warn``.
        rules: One of `RULES`.
        max_element_bytes: The size of the largest element that is read.
    """

    type_name: str | None
    source: str | None
    column: str | None
    at: str | None
    conversation_at: str | None
    unknown: str
    rules: str
    max_element_bytes: int


class Checker:
    """Checks one input against a message class, which the content decides if none is named.

    Args:
        findings: The receiver of what is wrong, in the order of the input.
        options: The options.
        threads: The number of threads in which the core looks at lines.
    """

    def __init__(self, findings: Receiver, options: Options, threads: int = 1) -> None:
        self._findings = findings
        self._threads = threads
        name = options.type_name
        self._class = None if name is None else class_of(name)
        self._at = options.at
        self._unknown = options.unknown
        self._limit = options.max_element_bytes
        self._format = options.source
        self._column = options.column
        self._name = ""
        self._has_start = True
        self._conversation_at = options.conversation_at
        self._recordings = Recordings()
        self._recording = Recording() if options.rules == "all" else None
        self._left_out: list[Path] = []
        self._decoding: Decoding[Message] | None = None
        self._checkers: SimpleQueue[LineChecker] = SimpleQueue()
        self._passing = _Passing(findings)

    def check(self, part: Part) -> None:
        """Checks an input, and gives the findings what is wrong."""
        self._name = shown(part.name)
        self._has_start = part.number == 0
        try:
            reader = Reader(
                part, self._passing, self._format, self._limit, self._column, self._columns()
            )
        except OSError as error:
            self._findings.reject(problem_of(error), None)
            return
        if reader.format in (BINARY, TEXT):
            self._check_whole(reader)
        elif reader.holds_lines and self._at is None and self._conversation_at is None:
            self._check_lines(reader)
        else:
            for batch in reader.all_batches():
                self._check_batch(batch, reader)
        if self._recording is not None:
            for violation in chain(self._recordings.finish(), self._recording.finish()):
                self._report(violation)

    def _columns(self) -> list[str]:
        return [] if self._conversation_at is None else [self._conversation_at]

    def _check_lines(self, reader: Reader) -> None:
        chunks = reader.chunks()
        for first in chunks:
            if batch := elements_in(first, 0):
                self._begin(batch, is_wire=False)
                chunks = chain([first], chunks)
                break
        index = 0
        # Only the stream reader tells objects around messages from messages without anything
        # known: it looks at the first lines.
        if self._checkers.empty() or (self._has_start and self._unknown == "ignore"):
            for read in chunks:
                batch = elements_in(read, index)
                self._check_batch(batch, reader)
                index += len(batch)
                if not self._checkers.empty():
                    break
        for (chunk, rejects), found in results_ahead(
            self._look_at, self._passing.between(chunks), self._threads
        ):
            for problem, raw in rejects:
                self._findings.reject(problem, raw)
            if chunk is None or found is None:
                continue
            _, count, entries = found
            for start, end, line, number, facts in entries:
                if facts is None or not self._take(Facts.of_core(facts), chunk, index):
                    lines = _lines(chunk, start, end, line)
                    for element in elements_in(lines, index + number):
                        self._check_element(element, reader)
            index += count
            self._findings.count(count)

    def _look_at(self, item: _Item) -> Any:
        """Returns the core's entries of a chunk, in any thread; None without a chunk."""
        chunk, _ = item
        if chunk is None:
            return None
        checker = self._checkers.get()
        try:
            return checker.check(chunk.data, self._unknown == "ignore", self._limit)
        finally:
            self._checkers.put(checker)

    def _take(self, facts: Facts, chunk: Chunk, index: int) -> bool:
        """Takes facts of lines of a chunk; returns False if they have to be read."""

        def place_of(child: Child) -> Path:
            return (index + child.number, chunk.line + child.line, chunk.offset + child.start)

        assert self._recording is not None
        violations = self._recording.take(facts, place_of)
        for violation in violations or ():
            self._report(violation)
        return violations is not None

    def _check_batch(self, batch: list[Element], reader: Reader) -> None:
        if batch and self._decoding is None:
            self._begin(batch, is_wire=reader.is_wire)
        for element in batch:
            self._check_element(element, reader)
        self._findings.count(len(batch))

    def _check_whole(self, reader: Reader) -> None:
        """Checks an input in a format of one message."""
        data = reader.all_bytes()
        message_class = self._class_for([])
        element = Element(data, 0, None, 0, data)
        try:
            message = self._whole(message_class, element, reader.format)
        except TurnwireError as error:
            self._findings.reject(element.placed(problem_of(error)), data)
        else:
            self._check_rules(message, element, (), self._recording)
        self._findings.count(1)

    def _whole(self, message_class: type[Message], element: Element, format: str) -> Message:
        choice = "ignore" if self._unknown == "ignore" else "error"
        try:
            return read_whole(message_class, element.data, format, silent(choice))
        except TurnwireError as error:
            if self._unknown != "warn":
                raise
            message = read_whole(message_class, element.data, format, silent("ignore"))
            note = replace(problem_of(error), severity="note")
            self._findings.reject(element.placed(note), None)
            return message

    def _begin(self, batch: list[Element], *, is_wire: bool) -> None:
        """Decides about the message class, by the first elements."""
        message_class = self._class_for([] if is_wire else batch)
        self._decoding = Decoding(
            message_class,
            is_wire=is_wire,
            at=self._at,
            unknown=self._choice(),
        )
        has_rules = self._recording is not None
        for number in range(self._threads):
            checker = _line_checker(message_class, has_rules, number)
            if checker is not None:
                self._checkers.put(checker)

    def _choice(self) -> Unknown:
        match self._unknown:
            case "warn":
                return self._left_out.append
            case "ignore":
                return "ignore"
            case _:
                return "error"

    def _class_for(self, batch: list[Element]) -> type[Message]:
        if self._class is None:
            self._class = _fitting(batch, names_of(self._at))
        if self._class is None:
            reason = "its content does not tell the type of the messages: say --type"
            raise UsageError(f"{self._name}: {reason}")
        return self._class

    def _check_element(self, element: Element, reader: Reader) -> None:
        if len(element.data) > self._limit:
            self._findings.reject(reader.too_large(element), element.raw)
            return
        assert self._decoding is not None
        self._left_out.clear()
        try:
            messages = self._decoding.of(element)
        except TurnwireError as error:
            self._findings.reject(element.placed(problem_of(error)), element.raw)
            return
        for path in self._left_out:
            reason = "the schema does not know it; it is left out"
            problem = Problem("unknown", path_text(path), reason, severity="note")
            self._findings.reject(element.placed(problem), None)
        recording = self._recording_of(element)
        for path, message in messages:
            self._check_rules(message, element, path, recording)

    def _recording_of(self, element: Element) -> Recording | None:
        """Returns the recording of an element's conversation; None if no rule is checked."""
        if self._recording is None or self._conversation_at is None:
            return self._recording
        name = value_at(element, self._conversation_at)
        if name is None:
            problem = element.placed(nameless(self._conversation_at))
            self._findings.reject(problem, element.raw)
            return Recording(is_complete=False)
        recording, violations = self._recordings.of(name)
        for violation in violations:
            self._report(violation)
        return recording

    def _check_rules(
        self, message: Message, element: Element, path: Path, recording: Recording | None
    ) -> None:
        if recording is None:
            return
        line = _ABSENT if element.line is None else element.line
        offset = _ABSENT if element.offset is None else element.offset
        is_kept = False
        for violation in recording.add(message, (element.index, line, offset, *path)):
            # An earlier element with a violation does not make this one bad.
            is_own = violation.severity == "error" and violation.path[0] == element.index
            self._report(violation, element.raw if is_own and not is_kept else None)
            is_kept |= is_own

    def _report(self, violation: Violation, raw: bytes | None = None) -> None:
        """Gives the findings a violation, and its element where that is to be kept."""
        (index, line, offset), path = violation.path[:3], violation.path[3:]
        self._findings.reject(
            Problem(
                violation.rule,
                path_text(path) if path else "",
                violation.reason,
                line=None if line == _ABSENT else int(line),
                offset=None if offset == _ABSENT else int(offset),
                index=int(index),
                severity=violation.severity,
            ),
            raw,
        )


_line_checkers: dict[tuple[type[Message], bool, int], LineChecker | None] = {}


def _line_checker(message_class: type[Message], has_rules: bool, number: int) -> LineChecker | None:
    """Returns one of the core's checkers of lines, which inputs of one class share.

    A checker is for one thread at a time.
    """
    key = message_class, has_rules, number
    if key not in _line_checkers:
        rules = Recording().core_rules(message_class) if has_rules else None
        make_room(_line_checkers, _MAX_CHECKERS)
        _line_checkers[key] = line_checker_of(message_class, rules)
    return _line_checkers[key]


def _lines(chunk: Chunk, start: int, end: int, line: int) -> Chunk:
    """Returns whole lines of a chunk, without the end of the last one.

    Args:
        chunk: The chunk.
        start: A place in the first line.
        end: A place in the last line.
        line: The number of the first line in the chunk, from 0.
    """
    data = chunk.data
    begin = data.rfind(b"\n", 0, start) + 1
    after = data.find(b"\n", end)
    return Chunk(
        data[begin : after if after >= 0 else len(data)], chunk.offset + begin, chunk.line + line
    )


def _fitting(batch: list[Element], at: tuple[str, ...]) -> type[Message] | None:
    """Returns the type that knows the most names of the first object that any type knows."""
    for element in islice(batch, _MAX_PEEKED):
        names = set(_names_in(element, at))
        fitting = max(every_type(), key=lambda each: names_known_by(each, names))
        if names_known_by(fitting, names):
            return fitting
    return next(filter(None, map(_refusing, islice(batch, _MAX_PEEKED))), None)


def _refusing(element: Element) -> type[Message] | None:
    """Returns a type whose reader says what an element is instead of a message."""
    for each in every_type():
        try:
            Decoding(each).of(element)
        except (StreamError, ParseError) as error:
            if error.kind in ("stream_error", "wrapped"):
                return each
    return None


def _names_in(element: Element, at: tuple[str, ...]) -> Iterator[str]:
    """Yields the names of the members of the messages in an element."""
    with suppress(TurnwireError, ValueError, RecursionError):
        for part in parts_at(element.data, at):
            value = json.loads(part.text)
            if isinstance(value, dict):
                yield from value
