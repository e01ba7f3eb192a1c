"""`turnwire session`: the turns, tool calls and end of a CES session."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from typing import Any

from turnwire import ces
from turnwire._cli.arguments import add_input
from turnwire._cli.reading import collected
from turnwire._cli.shown import document, one_line

ITEMS: dict[str, type[ces.SessionItem]] = {
    "ces.RunSessionResponse": ces.RunSessionResponse,
    "ces.SessionOutput": ces.SessionOutput,
    "ces.BidiSessionServerMessage": ces.BidiSessionServerMessage,
    "ces.Conversation": ces.Conversation,
    "ces.Message": ces.Message,
}

EPILOG = """\
examples:
  turnwire session session.ndjson
  turnwire session --type ces.Conversation stored.json
  turnwire session session.ndjson --json | jq .toolExchanges
"""


def add(commands: Any) -> None:
    """Adds the parser of the command."""
    parser = commands.add_parser(
        "session",
        help="show the turns, tool calls and variables of a CES session",
        description="Show what happened in a CES session.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "--type",
        choices=ITEMS,
        default="ces.RunSessionResponse",
        help="what the input holds (default: ces.RunSessionResponse)",
    )
    add_input(parser)
    parser.set_defaults(run=_show)


def _show(arguments: argparse.Namespace) -> None:
    with collected(ITEMS[arguments.type], arguments) as items:
        session = ces.Session.collect(items)
        if arguments.json:
            print(document(facts_of(session)))
        else:
            print("\n".join(lines_of(session)))


def lines_of(session: ces.Session) -> Iterator[str]:
    """A session for people."""
    for turn in session.turns:
        yield f"turn {turn.index}: {turn.reply}"
        for payload in turn.payloads:
            yield f"  payload: {one_line(payload)}"
        for image in turn.images:
            yield f"  image: {image.alt_text} ({image.mime_type}, {len(image.data)} bytes)"
        if turn.audio:
            yield f"  audio: {len(turn.audio)} bytes"
    if session.tool_exchanges:
        yield "\ntool calls:"
    for depth, exchange in ces.walk_exchanges(session.tool_exchanges):
        call = f"{exchange.name}({one_line(exchange.args)})"
        outcome = exchange.error if exchange.status == "error" else exchange.result
        shown = "" if exchange.status == "pending" else f" {one_line(outcome)}"
        yield f"  {'  ' * depth}{call} -> {exchange.status}{shown}"
    yield f"\nvariables: {one_line(session.variables)}"
    yield f"active agent: {session.active_agent or 'the root agent'}"
    yield f"ended: {'no' if session.ended is None else one_line(session.ended.metadata)}"


def facts_of(session: ces.Session) -> dict[str, Any]:
    """A session for programs."""
    return {
        "turns": [
            {
                "index": turn.index,
                "reply": turn.reply,
                "completed": turn.completed,
                "payloads": turn.payloads,
                "progress": turn.progress,
            }
            for turn in session.turns
        ],
        "toolExchanges": [_facts_of_exchange(exchange) for exchange in session.tool_exchanges],
        "variables": session.variables,
        "activeAgent": session.active_agent,
        "ended": None if session.ended is None else {"metadata": session.ended.metadata},
    }


def _facts_of_exchange(exchange: ces.ToolExchange) -> dict[str, Any]:
    return {
        "id": exchange.id,
        "name": exchange.name,
        "args": exchange.args,
        "status": exchange.status,
        "result": exchange.result,
        "error": exchange.error,
        "agent": exchange.agent,
        "children": [_facts_of_exchange(child) for child in exchange.children],
    }
