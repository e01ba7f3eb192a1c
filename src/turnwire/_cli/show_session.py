"""Shows a CES session, to people and to programs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from turnwire import ces
from turnwire._cli.layout import sections
from turnwire._cli.show_entries import (
    Screen,
    lines_of_entry,
    lines_of_left_out,
    lines_of_turn,
)
from turnwire.protojson import to_dict
from turnwire.report._building import conversation_of
from turnwire.report._redacting import Redact


def lines_of(
    session: ces.Session, width: int | None = None, redact: Redact | None = None
) -> Iterator[str]:
    """Yields the lines of a session for people.

    Args:
        session: The session.
        width: The columns of the screen; None for lines of any length.
        redact: Changes the texts.
    """
    shown, screen = conversation_of(session, redact=redact), Screen(width)
    return sections(
        (line for turn in shown.turns for line in lines_of_turn(turn, screen)),
        (line for entry in shown.closing for line in lines_of_entry(entry, screen)),
        lines_of_left_out(shown.left_out),
    )


def facts_of(session: ces.Session) -> dict[str, Any]:
    """Returns a session for programs; docs/cli.md documents the keys, which stay."""
    return {
        "name": session.name or None,
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
