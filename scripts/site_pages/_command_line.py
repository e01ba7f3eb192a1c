"""Makes the page of the command line from its parser."""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator

from turnwire import _cli

_WIDTH = "90"


def page_of_command_line() -> dict[str, str]:
    """Returns the page, by its path."""
    os.environ["COLUMNS"] = _WIDTH
    lines = [
        "# The command line, option by option",
        "",
        "[The guide](../docs/cli.md) shows the commands at work.",
        "",
        *_command(_cli._parser()),
        "---",
        "",
        "This page is made of the parser of the command line, `src/turnwire/_cli`.",
    ]
    return {"reference/command-line.md": "\n".join(lines)}


def _command(parser: argparse.ArgumentParser) -> Iterator[str]:
    """Writes a command and those below it."""
    yield f"## {parser.prog}"
    yield ""
    yield _text(parser.description or "")
    yield ""
    yield from _block(parser.format_usage().removeprefix("usage: "))
    below: list[argparse.ArgumentParser] = []
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            below += dict.fromkeys(action.choices.values())
        elif action.dest != "help":
            yield from _option(parser, action)
    yield from _block(parser.epilog or "")
    for command in below:
        yield from _command(command)


def _option(parser: argparse.ArgumentParser, action: argparse.Action) -> Iterator[str]:
    formatter = parser._get_formatter()
    yield f"`{formatter._format_action_invocation(action)}`"
    yield f": {_text(formatter._expand_help(action) if action.help else '')}"
    yield ""


def _block(text: str) -> Iterator[str]:
    if text:
        yield from ("```text", text.strip(), "```", "")


def _text(text: str) -> str:
    """Returns words without the marks that Markdown would take for its own."""
    return text.replace("\\", "\\\\").replace("*", "\\*").replace("<", "\\<").replace("_", "\\_")
