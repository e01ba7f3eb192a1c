"""`turnwire completion`: a script that completes the command line in a shell."""

from __future__ import annotations

import argparse
from functools import partial
from typing import Any

from turnwire._cli import standard
from turnwire._cli.help import topics
from turnwire.errors import MissingExtra

SHELLS = ("bash", "zsh", "tcsh")

EPILOG = """\
examples:
  turnwire completion bash > ~/.local/share/bash-completion/completions/turnwire
  turnwire completion zsh > ~/.zfunc/_turnwire
"""


def add(commands: Any, parser: argparse.ArgumentParser) -> None:
    """Adds the parser of the command.

    Args:
        commands: The commands.
        parser: The parser of the whole command line.
    """
    own = commands.add_parser(
        "completion",
        help="print a script that completes commands, options and files in a shell",
        description="Print a script that completes commands, options and files in a shell.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    own.add_argument("shell", choices=SHELLS, help="the shell that reads the script")
    own.set_defaults(run=partial(_complete, parser))


def _complete(parser: argparse.ArgumentParser, arguments: argparse.Namespace) -> None:
    try:
        import shtab
    except ImportError:
        raise MissingExtra("completion", "shtab") from None
    for action in _actions_of(parser):
        if action.dest == "topic":
            action.choices = list(topics())
        is_file = action.dest in _FILES and not action.choices
        if is_file and not hasattr(action, "complete"):
            action.complete = shtab.FILE  # type: ignore[attr-defined]
    standard.stdout().write(f"{shtab.complete(parser, arguments.shell)}\n".encode())


_FILES = ("input", "inputs", "output", "rejects", "descriptors")


def _actions_of(parser: argparse.ArgumentParser) -> list[argparse.Action]:
    """Returns the arguments of a parser and of its commands."""
    found = list(parser._actions)
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for below in action.choices.values():
                found += _actions_of(below)
    return found
