"""Checks the references in a Conversational Analytics conversation: citations and results."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from typing import Any

from google.protobuf.message import Message

from turnwire._apis import API_BY_NAME
from turnwire.check._facts import Event, Facts, PlaceOf, Turn
from turnwire.check._fields import Visit
from turnwire.check._violation import Violation
from turnwire.errors import ParseError, Path, excerpt

_API = API_BY_NAME["gda"]
_MAX_PENDING = 100_000
_NAMELESS_SOURCES = ("generated_sql", "generated_looker_query", "matched_query", "big_query_job")


class AnswerRules:
    """The rules that look at several messages of one conversation.

    Stored messages may come with the newest first, so a turn is judged when it has ended.

    Args:
        is_complete: Whether the messages are all there: only then absence is reported.
    """

    def __init__(self, *, is_complete: bool) -> None:
        self._is_complete = is_complete
        self._start()

    @property
    def visits(self) -> dict[str, Visit]:
        """The check of each message type that has one."""
        return {
            f"{_API.package}.UserMessage": self._question,
            f"{_API.package}.SystemMessage": self._system_message,
            f"{_API.package}.DataMessage": self._data,
        }

    @property
    def events(self) -> dict[str, Event]:
        """The event of each message type that has a check."""
        sources = ("query.name", "result.name", *_NAMELESS_SOURCES)
        return {
            f"{_API.package}.UserMessage": Event("question"),
            f"{_API.package}.SystemMessage": Event("", doubtful=("citation.anchors",)),
            f"{_API.package}.DataMessage": Event("data", sources),
        }

    def begin(self, type_name: str) -> None:
        """Notes the type of the message that comes next, which makes no difference here."""

    def allows(self, facts: Facts) -> bool:
        """Reports whether nothing in facts is a violation, and no place in them is needed."""
        if not self._is_complete:
            return True
        queries, has_nameless = self._queries, self._has_nameless
        for turn in facts.turns:
            if len(queries) + len(turn.queries) > _MAX_PENDING:
                return False
            if not (has_nameless or turn.is_nameless or queries.issuperset(turn.unmatched)):
                return False
            queries, has_nameless = set(), False
        return True

    def take(self, facts: Facts, place_of: PlaceOf) -> Iterator[Violation]:
        """Takes facts that it allows; yields the violations of earlier messages that they show."""
        first, *others = facts.turns
        self._add(first)
        for turn in others:
            yield from self.finish()
            self._add(turn)

    def _add(self, turn: Turn) -> None:
        self._queries.update(turn.queries)
        self._has_nameless |= turn.is_nameless

    def finish(self) -> Iterator[Violation]:
        """Yields the violations that only the end of the turn shows."""
        results, queries = self._results, self._queries
        has_nameless = self._has_nameless
        self._start()
        if not self._is_complete or has_nameless:
            return
        for name, path in results.items():
            if name not in queries:
                reason = f"no query of this turn has the name {excerpt(name)}"
                yield Violation(path, "result_without_query", "error", reason)

    def _start(self) -> None:
        self._queries: set[str] = set()
        self._results: dict[str, Path] = {}
        self._has_nameless = False

    def _question(self, _: Message, __: Path) -> Iterator[Violation]:
        yield from self.finish()

    def _data(self, data: Any, path: Path) -> Iterator[Violation]:
        kind = data.WhichOneof("kind")
        if kind in _NAMELESS_SOURCES or (kind == "query" and not data.query.name):
            self._has_nameless = True
        elif kind == "query" and len(self._queries) < _MAX_PENDING:
            self._queries.add(data.query.name)
        elif kind == "result" and len(self._results) < _MAX_PENDING:
            self._results.setdefault(data.result.name, (*path, "result"))
        return iter(())

    def _system_message(self, message: Any, path: Path) -> Iterator[Violation]:
        if not message.citation.anchors:
            return
        citations_of = importlib.import_module(_API.views).citations_of
        try:
            citations_of(message, strict=True)
        except ParseError as error:
            yield Violation((*path, *error.path), "citation", "error", error.reason)
