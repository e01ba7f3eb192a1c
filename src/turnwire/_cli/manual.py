"""`turnwire manual`: the manual page, made of the help texts."""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator
from functools import partial
from typing import Any

from turnwire import __version__
from turnwire._cli import standard


def add(commands: Any, parser: argparse.ArgumentParser) -> None:
    """Adds the parser of the command.

    Args:
        commands: The commands.
        parser: The parser of the whole command line.
    """
    own = commands.add_parser(
        "manual",
        help="print the manual page, for man",
        description="Print the manual page of all commands in the format of man.",
        epilog="examples:\n  turnwire manual > ~/.local/share/man/man1/turnwire.1\n",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    own.set_defaults(run=partial(_print, parser))


def _print(parser: argparse.ArgumentParser, _: argparse.Namespace) -> None:
    standard.stdout().write("".join(f"{line}\n" for line in _page(parser)).encode())


def _page(parser: argparse.ArgumentParser) -> Iterator[str]:
    yield f'.TH TURNWIRE 1 "" "turnwire {__version__}" "User Commands"'
    yield ".SH NAME"
    yield f"turnwire \\- {_text(parser.description or '')}"
    yield ".SH SYNOPSIS"
    yield ".B turnwire"
    yield "COMMAND [OPTION ...] [ARGUMENT ...]"
    yield ".SH COMMANDS"
    for name, command in commands_of(parser):
        yield from _command(name, command)
    yield from _examples(parser.epilog or "")


def _command(name: str, parser: argparse.ArgumentParser) -> Iterator[str]:
    usage = " ".join(parser.format_usage().removeprefix("usage: ").split())
    yield f".SS {_text(name)}"
    yield _text(usage)
    yield ".PP"
    yield _text(parser.description or "")
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction) or action.help == argparse.SUPPRESS:
            continue
        yield ".TP"
        yield f".B {_text(', '.join(_names(action)))}"
        # The texts have placeholders, as those of the defaults.
        yield _text(parser._get_formatter()._expand_help(action) if action.help else "")
    yield from _examples(parser.epilog or "")
    for below, command in commands_of(parser):
        yield from _command(f"{name} {below}", command)


def commands_of(
    parser: argparse.ArgumentParser,
) -> Iterator[tuple[str, argparse.ArgumentParser]]:
    """Yields the name and the parser of each command below a parser."""
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            yield from action.choices.items()


def _names(action: argparse.Action) -> list[str]:
    value = action.metavar or ("|".join(map(str, action.choices)) if action.choices else None)
    shown = value if isinstance(value, str) else action.dest.upper()
    if not action.option_strings:
        return [shown]
    return [f"{name} {shown}" if action.nargs != 0 else name for name in action.option_strings]


def _examples(epilog: str) -> Iterator[str]:
    if epilog:
        yield ".PP"
        yield ".nf"
        yield from (_text(line) for line in epilog.splitlines())
        yield ".fi"


def _text(text: str) -> str:
    """Escapes a text for roff, where a line that begins with a mark is a request."""
    escaped = text.replace("\\", "\\e").replace("-", "\\-")
    return re.sub(r"^(?=[.'])", r"\\&", escaped)
