"""Prints to stdout in UTF-8, whatever the locale is."""

from __future__ import annotations

import csv
import io
import itertools
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from turnwire._cli import standard
from turnwire._cli.painting import painter
from turnwire._printable import printable
from turnwire._shown import cell_text, document, utf8


def print_lines(lines: Iterable[str]) -> None:
    """Prints a text for people, in colours where stdout is a terminal that has them."""
    output, paint = standard.stdout(), painter()
    for line in lines:
        shown = utf8(printable(line))
        if paint is not None and shown.decode() == line:  # else the styles would be misplaced
            shown = utf8(paint(line))
        output.write(shown + b"\n")


def print_document(value: Any, *, indent: bool) -> None:
    """Prints a JSON document for programs."""
    standard.stdout().write(document(value, indent=indent) + b"\n")


def print_csv(columns: Sequence[str], rows: Iterable[Mapping[str, Any]]) -> None:
    """Prints rows as CSV with a line of names; None is an empty cell."""
    output = standard.stdout()
    is_shown = output.isatty()
    for cells in itertools.chain([columns], ([row[name] for name in columns] for row in rows)):
        line = io.StringIO()
        texts = ["" if cell is None else cell_text(cell) for cell in cells]
        csv.writer(line, lineterminator="\n").writerow(texts)
        output.write(utf8(printable(line.getvalue()) if is_shown else line.getvalue()))
