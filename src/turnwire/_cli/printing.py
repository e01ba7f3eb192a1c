"""Prints to stdout in UTF-8, whatever the locale is."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import Any

from turnwire._cli.shown import document, utf8


def print_lines(lines: Iterable[str]) -> None:
    """Prints a text for people."""
    for line in lines:
        sys.stdout.buffer.write(utf8(line) + b"\n")


def print_document(value: Any, *, indent: bool) -> None:
    """Prints a JSON document for programs."""
    sys.stdout.buffer.write(document(value, indent=indent) + b"\n")
