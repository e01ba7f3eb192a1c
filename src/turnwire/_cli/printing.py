"""Prints to stdout in UTF-8, whatever the locale is."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from turnwire._cli import standard
from turnwire._cli.printable import printable
from turnwire._cli.shown import document, utf8


def print_lines(lines: Iterable[str]) -> None:
    """Prints a text for people."""
    output = standard.stdout()
    for line in lines:
        output.write(utf8(printable(line)) + b"\n")


def print_document(value: Any, *, indent: bool) -> None:
    """Prints a JSON document for programs."""
    standard.stdout().write(document(value, indent=indent) + b"\n")
