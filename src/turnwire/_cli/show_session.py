"""Shows a CES session, to people and to programs."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import Any

from turnwire import ces
from turnwire._cli.layout import (
    INDENT,
    Line,
    Span,
    indented,
    labelled,
    sections,
    styled,
    wrapped,
)
from turnwire._cli.printable import on_one_line
from turnwire._cli.shown import one_line
from turnwire.protojson import to_dict

_MIN_WIDTH = 20
_MAX_LINES = 6


def lines_of(session: ces.Session, width: int | None = None) -> Iterator[str]:
    """Yields the lines of a session for people.

    Args:
        session: The session.
        width: The columns of the screen; None for lines of any length.
    """
    said = _said_by_users(session)
    return sections(
        (line for turn in session.turns for line in _lines_of_turn(turn, said[turn.index])),
        _lines_outside_of_turns(session),
        _lines_of_exchanges(session, width),
        _lines_of_state(session),
    )


def _said_by_users(session: ces.Session) -> defaultdict[int | None, list[str]]:
    """Returns the texts of users in each turn, by its index."""
    said: defaultdict[int | None, list[str]] = defaultdict(list)
    for entry in session.transcript:
        if entry.role.lower() == "user" and entry.text:
            said[entry.turn].append(entry.text)
    return said


def _lines_of_turn(turn: ces.Turn, said: Iterable[str]) -> Iterator[str]:
    state = "" if turn.completed else " (not completed)"
    yield styled(f"turn {turn.index}{state}", "heading")
    for text in said:
        yield from labelled("user", text, "  ")
    if turn.reply:
        yield from labelled("reply", turn.reply, "  ")
    if turn.interrupted:
        yield from indented([styled("interrupted", "faint")])
    for note in turn.progress:
        yield from labelled("progress", note, "  ")
    for payload in turn.payloads:
        yield from labelled("payload", one_line(payload), INDENT)
    for image in turn.images:
        shown = f"({image.mime_type}, {len(image.data)} bytes)"
        yield from labelled("image", on_one_line(f"{image.alt_text} {shown}".lstrip()), INDENT)
    if turn.audio:
        yield from labelled("audio", f"{len(turn.audio)} bytes", INDENT)
    for cited in turn.citations:
        words = "" if cited.byte_range is None else f"{one_line(cited.text)} from "
        for source in cited.sources:
            shown = on_one_line(f"{source.title} <{source.uri}>".lstrip())
            yield from labelled("cites", f"{words}{shown}", INDENT)


def _lines_outside_of_turns(session: ces.Session) -> Iterator[str]:
    for entry in session.transcript:
        if entry.turn is None and entry.text:
            yield from labelled(on_one_line(entry.role) or "message", entry.text)


def _lines_of_exchanges(session: ces.Session, width: int | None) -> Iterator[str]:
    if session.tool_exchanges:
        yield styled("tool calls:", "label")
    for depth, exchange in ces.walk_exchanges(session.tool_exchanges):
        indent = INDENT * (1 + depth)
        line = _exchange_line(exchange)
        room = None if width is None else max(width - len(indent) - len(INDENT), _MIN_WIDTH)
        first, *others = [line] if room is None else wrapped(line, room, _MAX_LINES)
        yield from indented([_with_status(first, exchange)], indent)
        yield from indented(others, indent + INDENT)


def _lines_of_state(session: ces.Session) -> Iterator[str]:
    variables = session.variables
    yield styled("variables:" if variables else "variables: none", "label", len("variables:"))
    for name, value in variables.items():
        yield from labelled(on_one_line(name), one_line(value), INDENT)
    for transfer in session.transfers:
        name = f" ({transfer.display_name})" if transfer.display_name else ""
        yield from labelled("transfer", on_one_line(f"{transfer.target_agent}{name}"))
    if session.active_agent:
        yield from labelled("active agent", on_one_line(session.active_agent))
    if session.going_away:
        yield "the service is about to close the connection"
    yield from labelled("ended", _end_line(session.ended))


def _exchange_line(exchange: ces.ToolExchange) -> str:
    call = f"{on_one_line(exchange.name)}({one_line(exchange.args)})"
    outcome = exchange.error if exchange.status == "error" else exchange.result
    shown = "" if exchange.status == "pending" else f" {one_line(outcome)}"
    notes = [f"agent {on_one_line(exchange.agent)}"] if exchange.agent else []
    if exchange.unmatched:
        notes.append("no call was seen")
    return f"{call} -> {exchange.status}{shown}" + (f" [{', '.join(notes)}]" if notes else "")


def _with_status(line: str, exchange: ces.ToolExchange) -> str:
    """Returns a line in which an error is seen at once."""
    mark = f" -> {exchange.status}"
    start = line.find(mark)
    if exchange.status != "error" or start < 0:
        return line
    shown = Line(line)
    shown.spans = (Span(start, start + len(mark), "error"),)
    return shown


def _end_line(end: ces.SessionEnd | None) -> str:
    if end is None:
        return "no"
    shown = "yes, escalated" if end.escalated else "yes"
    return f"{shown}, {one_line(end.metadata)}" if end.metadata else shown


def facts_of(session: ces.Session) -> dict[str, Any]:
    """Returns a session for programs; docs/cli.md documents the keys, which stay."""
    return {
        "turns": [_facts_of_turn(turn) for turn in session.turns],
        "transcript": [
            {"turn": entry.turn, "role": entry.role, "text": entry.text, "time": entry.time}
            for entry in session.transcript
            if entry.text
        ],
        # A flat list: a tree of any depth would be deeper than programs read JSON.
        "toolExchanges": [
            _facts_of_exchange(depth, exchange)
            for depth, exchange in ces.walk_exchanges(session.tool_exchanges)
        ],
        "openToolCalls": [
            {"id": call.id, "name": ces.tool_name_of(call), "args": ces.args_of(call)}
            for call in session.open_tool_calls
        ],
        "variables": session.variables,
        "transfers": [to_dict(transfer) for transfer in session.transfers],
        "activeAgent": session.active_agent,
        "ended": None
        if session.ended is None
        else {"metadata": session.ended.metadata, "escalated": session.ended.escalated},
        "goingAway": session.going_away,
    }


def _facts_of_turn(turn: ces.Turn) -> dict[str, Any]:
    return {
        "index": turn.index,
        "reply": turn.reply,
        "completed": turn.completed,
        "interrupted": turn.interrupted,
        "progress": turn.progress,
        "payloads": turn.payloads,
        "images": [
            {"altText": image.alt_text, "mimeType": image.mime_type, "bytes": len(image.data)}
            for image in turn.images
        ],
        "audioBytes": len(turn.audio),
        "citations": [
            to_dict(chunk) for output in turn.outputs for chunk in output.citations.cited_chunks
        ],
        "suggestions": [to_dict(suggestion) for suggestion in turn.suggestions],
    }


def _facts_of_exchange(depth: int, exchange: ces.ToolExchange) -> dict[str, Any]:
    return {
        "depth": depth,
        "id": exchange.id,
        "parentId": exchange.parent_id,
        "name": exchange.name,
        "args": exchange.args,
        "status": exchange.status,
        "result": exchange.result,
        "error": exchange.error,
        "agent": exchange.agent,
        "unmatched": exchange.unmatched,
        "seconds": None if exchange.duration_ns is None else exchange.duration_ns / 1e9,
    }
