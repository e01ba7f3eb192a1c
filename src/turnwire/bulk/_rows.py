"""The messages of a piece of a batch: a struct for each text, or its problem."""

from __future__ import annotations

from typing import Any, NamedTuple

from google.protobuf.message import Message

from turnwire import arrow
from turnwire.arrow._options import pyarrow
from turnwire.bulk._problems import Advice, Problem
from turnwire.bulk._texts import Format, Texts, holds_json, texts_of
from turnwire.errors import ParseError
from turnwire.protojson import from_json
from turnwire.streams._decoder import from_wire

_NO_PATH = "at is a path in JSON, which a column in wire format has none of"

ERROR_MEMBERS = Problem._fields
"""The members of the struct ``error``."""


class Parsed(NamedTuple):
    """The messages of a piece.

    Attributes:
        messages: An Arrow struct for each text; null where it has a problem, or there is none.
        problems: The problems by the index of the text.
        texts: The texts.
    """

    messages: Any
    problems: dict[int, Problem]
    texts: Texts


class MessageParser:
    """Parses columns of texts as messages of one class."""

    def __init__(
        self, message_class: type[Message], *, at: tuple[str, ...], format: Format, unknown: str
    ) -> None:
        self._class = message_class
        self._at = at
        self._format: Format = format
        self._ignores_unknown = unknown == "ignore"
        self._advice = Advice(message_class)

    def parse(self, column: Any) -> Parsed:
        """Returns the messages of a column.

        Raises:
            TypeError: The column holds neither texts nor bytes.
            ValueError: A path is named, and the column holds wire format.
        """
        if not holds_json(column.type, self._format):
            if self._at:
                raise ValueError(_NO_PATH)
            texts = Texts(column, None, None, {})
            batch = arrow.parse(self._class, column)
            return Parsed(batch["message"], _problems_in(batch["error"]), texts)
        texts = texts_of(column, self._at)
        batch = arrow.parse(self._class, texts.array)
        messages, found = batch["message"], _problems_in(batch["error"])
        problems = {row: self._better(problem, texts, row) for row, problem in found.items()}
        if self._ignores_unknown:
            messages = self._parse_again(messages, problems, texts)
        return Parsed(messages, self._placed(problems, texts), texts)

    def messages(self, column: Any) -> tuple[list[Message | None], dict[int, Problem], Texts]:
        """Returns the messages of a column as objects, their problems, and the texts.

        Raises:
            TypeError: The column holds neither texts nor bytes.
            ValueError: A path is named, and the column holds wire format.
        """
        is_json = holds_json(column.type, self._format)
        if self._at and not is_json:
            raise ValueError(_NO_PATH)
        texts = texts_of(column, self._at) if is_json else Texts(column, None, None, {})
        messages: list[Message | None] = []
        problems: dict[int, Problem] = {}
        for row, text in enumerate(texts.array.to_pylist()):
            message = None
            if text is not None:
                try:
                    message = from_json(self._class, text) if is_json else self._from_wire(text)
                except ParseError as error:
                    problems[row] = Problem.of(error)
                    if is_json:
                        problems[row] = self._better(problems[row], texts, row)
                    if self._ignores_unknown and problems[row].kind == "unknown":
                        message = self._without_unknown(text, row, problems)
            messages.append(message)
        return messages, self._placed(problems, texts), texts

    def _from_wire(self, data: bytes) -> Message:
        return from_wire(self._class, data)

    def _without_unknown(self, text: str, row: int, problems: dict[int, Problem]) -> Message | None:
        """Returns the message without its unknown fields, if they are its only problem."""
        try:
            message = from_json(self._class, text, unknown="ignore")
        except ParseError as error:
            problems[row] = Problem.of(error)
            return None
        del problems[row]
        return message

    @staticmethod
    def _placed(problems: dict[int, Problem], texts: Texts) -> dict[int, Problem]:
        """Returns all problems, each with its place in its row."""
        if texts.paths is not None:
            paths = texts.paths
            problems = {row: problem.within(paths[row]) for row, problem in problems.items()}
        return problems | texts.problems

    def _better(self, problem: Problem, texts: Texts, row: int) -> Problem:
        text = texts.array[row].as_py().strip().encode("utf-8", "surrogatepass")
        return self._advice.on(problem, text, texts.paths[row] if texts.paths else ())

    def _parse_again(self, messages: Any, problems: dict[int, Problem], texts: Texts) -> Any:
        """Returns the messages with those that have nothing but unknown fields.

        Only then is it certain that a text is a message, and not an object around one.
        """
        pa = pyarrow()
        rows = [row for row, problem in problems.items() if problem.kind == "unknown"]
        if not rows:
            return messages
        batch = arrow.parse(self._class, texts.array.take(pa.array(rows)), unknown="ignore")
        found = _problems_in(batch["error"])
        places = list(range(len(messages)))
        for index, row in enumerate(rows):
            places[row] = len(messages) + index
            if index in found:
                problems[row] = found[index]
            else:
                del problems[row]
        return pa.concat_arrays([messages, batch["message"]]).take(pa.array(places))


def _problems_in(errors: Any) -> dict[int, Problem]:
    """Returns the problems of a column of errors as `turnwire.arrow.parse` makes it."""
    if errors.null_count == len(errors):
        return {}
    rows = zip(range(len(errors)), errors.to_pylist(), strict=True)
    return {
        row: Problem(error["kind"], error["path"], error["reason"])
        for row, error in rows
        if error is not None
    }


def error_type() -> Any:
    """Returns the Arrow type of the column ``error``."""
    pa = pyarrow()
    return pa.struct([(name, pa.string()) for name in ERROR_MEMBERS])


def error_array(count: int, problems: dict[int, Problem]) -> Any:
    """Returns the column ``error`` of some rows."""
    pa = pyarrow()
    if not problems:
        return pa.nulls(count, error_type())
    rows = [found and found._asdict() for found in map(problems.get, range(count))]
    return pa.array(rows, error_type())
