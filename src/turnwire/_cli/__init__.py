"""The command line: data on stdout, messages on stderr, and an exit status for programs."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from contextlib import suppress
from importlib import import_module
from importlib.metadata import version
from typing import NoReturn

from turnwire import __version__, backend
from turnwire._cli import standard
from turnwire._cli.failure import InputError, ProblemsFound, UsageError
from turnwire.errors import MissingExtra, TurnwireError

COMMANDS = {
    "answer": "answer",
    "session": "session",
    "report": "page",
    "chart": "chart",
    "check": "check",
    "convert": "convert",
    "tabulate": "tabulate",
    "schema": "schema",
}
"""The module of each command: `add` adds its parser and sets `run`, a function of the arguments.

Only the one that is named is imported, since all of them take half a second.
"""

_ABOUT_ALL = ("help", "completion", "manual")
"""The modules of commands that take the parser of the whole command line."""

INVALID, USAGE, IO_ERROR, INTERRUPTED = 1, 2, 3, 130

EPILOG = """\
exit status:
  0  done
  1  invalid data, which stderr explains, or something was left out
  2  wrong usage
  3  a file or a standard stream cannot be read or written
  130, 143  interrupted (Ctrl-C), terminated (SIGTERM)

examples:
  turnwire answer answer.json
  turnwire session session.ndjson
  turnwire report session.ndjson -o session.html
  turnwire check 'logs/*.ndjson.gz'
  turnwire convert --type ces.Message messages.ndjson --to array
  turnwire tabulate 'logs/*.ndjson.gz' -o out/
  turnwire schema show ces.Chunk
  turnwire help streams
"""


def run(arguments: Sequence[str]) -> int:
    """Runs one command and returns the exit status; argparse exits by itself on wrong usage."""
    parsed = _parser(arguments).parse_args(arguments)
    try:
        parsed.run(parsed)
        standard.flush()
    except ProblemsFound:
        standard.flush()
        return INVALID
    except MissingExtra as error:
        return _say(error, IO_ERROR)
    except (InputError, TurnwireError) as error:
        return _say(error, INVALID)
    except RecursionError:
        return _say("the input is nested too deeply", INVALID)
    except UsageError as error:
        return _say(error, USAGE)
    except OSError as error:
        named = error.filename is not None and error.filename2 is None
        return _say(f"{error.filename}: {error.strerror}" if named else error, IO_ERROR)
    except KeyboardInterrupt:
        return INTERRUPTED
    return 0


class _Parser(argparse.ArgumentParser):
    def parse_known_args(  # type: ignore[override]
        self, args: Sequence[str] | None = None, namespace: argparse.Namespace | None = None
    ) -> tuple[argparse.Namespace, list[str]]:
        """Refuses unknown arguments here, where the help of the command is named."""
        into = argparse.Namespace() if namespace is None else namespace
        parsed, unrecognized = super().parse_known_args(args, into)
        if unrecognized:
            self.error(f"unrecognized arguments: {' '.join(unrecognized)}")
        return parsed, unrecognized

    def error(self, message: str) -> NoReturn:
        """Reports wrong usage on one line, without the lines of the usage above it."""
        standard.say(f"{message}; see {self.prog} --help")
        self.exit(USAGE)


def _version() -> str:
    if backend == "pure":
        return f"turnwire {__version__} (pure Python)"
    return f"turnwire {__version__} (native core {version('turnwire-native')})"


def _parser(arguments: Sequence[str] = ()) -> argparse.ArgumentParser:
    """Returns the parser of the command that stands first, or else of all commands."""
    parser = _Parser(
        prog="turnwire",
        description="Show, convert, check and explain messages of two conversation APIs.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=_version())
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    named = [COMMANDS[name] for name in arguments[:1] if name in COMMANDS]
    for name in named or COMMANDS.values():
        import_module(f"turnwire._cli.{name}").add(commands)
    for name in () if named else _ABOUT_ALL:
        import_module(f"turnwire._cli.{name}").add(commands, parser)
    return parser


def _say(error: object, status: int) -> int:
    # Where stdout and stderr go to one place, the error stands after the data before it.
    with suppress(OSError):
        standard.flush()
    standard.say(str(error))
    return status
