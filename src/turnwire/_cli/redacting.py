"""Finds the function that `--redact` names, and applies it."""

from __future__ import annotations

import argparse
import importlib
import os
import sys
from typing import Any

from turnwire._cli.failure import UsageError
from turnwire.errors import Path, TurnwireError, excerpt, path_text
from turnwire.report._redacting import Redact, Redaction


def add_redact(parser: argparse.ArgumentParser) -> None:
    """Adds the option."""
    parser.add_argument(
        "--redact",
        type=_function,
        metavar="MODULE:FUNCTION",
        help="a function of the path of a text and the text, which returns the text to show; the "
        "module is looked for in the current folder, too",
    )


def redacted(value: Any, redact: Redact | None) -> Any:
    """Returns a document for programs with its texts changed."""
    return Redaction(redact).value((), value)


def _function(name: str) -> Redact:
    module_name, colon, function_name = name.partition(":")
    if not (module_name and colon and function_name):
        raise argparse.ArgumentTypeError(f"expected MODULE:FUNCTION; got {excerpt(name)}")
    here = os.getcwd()
    if here not in sys.path:
        sys.path.append(here)
    try:
        found: Any = importlib.import_module(module_name)
        for part in function_name.split("."):
            found = getattr(found, part)
    except (ImportError, AttributeError, SyntaxError) as error:
        raise argparse.ArgumentTypeError(f"{name}: {error}") from error
    if not callable(found):
        raise argparse.ArgumentTypeError(f"{name}: it is not a function")

    def redact(path: Path, text: str) -> str:
        try:
            changed: object = found(path, text)
        except TurnwireError:
            raise
        except Exception as error:
            reason = f"{type(error).__name__}: {error}"
            raise UsageError(f"--redact {name} failed at {path_text(path)}: {reason}") from error
        if not isinstance(changed, str):
            returned = type(changed).__name__
            raise UsageError(f"--redact {name} must return a str; it returned {returned}")
        return changed

    return redact
