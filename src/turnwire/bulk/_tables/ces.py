"""The rows that a session of CES gives; each function makes one table."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

from google.protobuf.message import Message

from turnwire import ces
from turnwire.bulk._tables.cells import Row, checked, json_text, raw_rows, span_of, time_of


class Recorded:
    """A conversation as its messages were recorded, and the session that they make."""

    def __init__(self, items: Sequence[Any]) -> None:
        self.items = items
        self.session = ces.Session.collect(items)
        self.exchanges = list(ces.walk_exchanges(self.session.tool_exchanges))


def _conversations(recorded: Recorded) -> Iterator[Row]:
    session = recorded.session
    stored = [item for item in recorded.items if isinstance(item, ces.Conversation)]

    def said(name: str) -> str | None:
        values = (getattr(each, name) for each in stored)
        return next((value for value in values if value), None)

    first, last = span_of(entry.time for entry in session.transcript)
    starts = [time for each in stored if (time := time_of(each, "start_time")) is not None]
    ends = [time for each in stored if (time := time_of(each, "end_time")) is not None]
    sources = [each.source for each in stored if each.source]
    ended = session.ended
    yield (
        said("name"),
        min(starts) if starts else first,
        max(ends) if ends else last,
        len(session.turns),
        len(session.transcript),
        len(recorded.exchanges),
        ended is not None,
        None if ended is None else ended.escalated,
        None if ended is None else json_text(ended.metadata),
        session.entry_agent or None,
        session.active_agent,
        len(session.transfers),
        said("language_code"),
        _source_name(sources[0]) if sources else None,
        said("deployment"),
        said("app_version"),
    )


def _source_name(number: int) -> str:
    values = ces.Conversation.Source.DESCRIPTOR.values_by_number
    return values[number].name if number in values else str(number)


def _turns(recorded: Recorded) -> Iterator[Row]:
    calls: dict[int | None, int] = {}
    for _, exchange in recorded.exchanges:
        calls[exchange.turn] = calls.get(exchange.turn, 0) + 1
    entries: dict[int | None, list[ces.TranscriptEntry]] = {}
    for entry in recorded.session.transcript:
        entries.setdefault(entry.turn, []).append(entry)
    for each in recorded.session.turns:
        spoken = [entry for entry in entries.get(each.index, ()) if entry.text]
        first, last = span_of(entry.time for entry in entries.get(each.index, ()))
        durations = [ces.duration_ns_of(span) for span in each.root_spans]
        known = [duration for duration in durations if duration is not None]
        agents = [entry.role for entry in spoken if entry.role != "user"]
        yield (
            each.index,
            first,
            last,
            checked(sum(known), "duration_ns") if known else None,
            "\n".join(entry.text for entry in spoken if entry.role == "user") or None,
            each.reply,
            agents[-1] if agents else None,
            each.completed,
            each.interrupted,
            calls.get(each.index, 0),
        )


def _messages(recorded: Recorded) -> Iterator[Row]:
    for position, entry in enumerate(recorded.session.transcript):
        kinds = [chunk.WhichOneof("data") for chunk in entry.chunks]
        yield (
            entry.turn,
            position,
            entry.role,
            entry.time,
            entry.text,
            list(dict.fromkeys(kind for kind in kinds if kind)),
        )


def _tool_calls(recorded: Recorded) -> Iterator[Row]:
    for position, (depth, exchange) in enumerate(recorded.exchanges):
        yield (
            exchange.turn,
            position,
            exchange.id or None,
            exchange.name,
            None if exchange.call is None else json_text(exchange.call.args),
            exchange.status,
            json_text(exchange.result),
            json_text(exchange.error),
            exchange.agent or None,
            exchange.parent_id or None,
            depth,
            exchange.time,
            checked(exchange.duration_ns, "duration_ns"),
        )


def _spans(recorded: Recorded) -> Iterator[Row]:
    for position, row in enumerate(ces.span_rows(recorded.session)):
        yield (
            row.turn,
            position,
            row.depth,
            list(row.path),
            row.name,
            row.kind,
            None if row.start_ns is None else row.start_ns // 1000,
            checked(row.duration_ns, "duration_ns"),
            checked(row.self_ns, "self_ns"),
            row.critical,
            json_text(row.span.attributes),
        )


def _citations(recorded: Recorded) -> Iterator[Row]:
    position = 0
    for turn in recorded.session.turns:
        for cited in turn.citations:
            for source in cited.sources:
                start, end = cited.byte_range or (None, None)
                texts = (source.title or None, source.uri or None, source.text or None)
                yield (turn.index, position, cited.text, start, end, *texts)
                position += 1


def _variables(recorded: Recorded) -> Iterator[Row]:
    rows = [
        (entry.turn, name, value, kind == "default_variables")
        for entry in recorded.session.transcript
        for chunk in entry.chunks
        if (kind := chunk.WhichOneof("data")) in ("default_variables", "updated_variables")
        for name, value in sorted(getattr(chunk, kind).fields.items())
    ]
    last: dict[str, int] = {}
    for position, (_, name, _, is_default) in enumerate(rows):
        if not is_default or name not in last or rows[last[name]][3]:
            last[name] = position
    for position, (turn, name, value, is_default) in enumerate(rows):
        yield (turn, position, name, json_text(value), is_default, last[name] == position)


ROWS: Final[dict[str, Callable[[Recorded], Iterator[Row]]]] = {
    "conversations": _conversations,
    "turns": _turns,
    "messages": _messages,
    "tool_calls": _tool_calls,
    "spans": _spans,
    "citations": _citations,
    "variables": _variables,
    "raw": lambda recorded: raw_rows(recorded.items),
}
"""The function that yields the rows of each table, without the column ``conversation``."""


def takes(message_class: type[Message]) -> bool:
    """Returns whether messages of a class make a session."""
    try:
        ces.Session.collect([message_class()])  # type: ignore[list-item]
    except TypeError:
        return False
    return True
