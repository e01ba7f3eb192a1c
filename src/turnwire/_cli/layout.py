"""Lays text out on a screen: its width there, labels, sections and tables."""

from __future__ import annotations

import shutil
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Any

from turnwire._cli import standard
from turnwire._cli.printable import on_one_line, printable
from turnwire._cli.shown import cell_text

_WIDEST_CELL, _NARROWEST_CELL = 60, 6
_GAP = "  "


def screen_width() -> int | None:
    """Returns the columns of the terminal; None if stdout is not one, such as a pipe."""
    return shutil.get_terminal_size().columns if standard.stdout().isatty() else None


def width_of(text: str) -> int:
    """Returns the columns that a text takes: two for an East Asian wide character.

    >>> width_of("Žlutá"), width_of("横浜"), width_of("e\u0301")
    (5, 4, 1)
    """
    if text.isascii():
        return len(text)
    return sum(map(_width_of_character, text))


def cut(text: str, width: int) -> str:
    """Cuts a text to at most `width` columns; a text that was cut ends in ``…``.

    >>> cut("横浜の港", 5)
    '横浜…'
    """
    if width_of(text) <= width:
        return text
    kept, taken = "", 1
    for character in text:
        taken += _width_of_character(character)
        if taken > width:
            break
        kept += character
    return kept + "…"


def labelled(label: str, text: str, indent: str = "") -> Iterator[str]:
    r"""Yields a text behind a label; its further lines are indented.

    >>> list(labelled("reply", "Two boats:\nHeron\nOtter"))
    ['reply: Two boats:', '  Heron', '  Otter']
    """
    first, *others = printable(text).split("\n")
    yield f"{indent}{label}: {first}".rstrip()
    yield from (f"{indent}  {line}".rstrip() for line in others)


def block(label: str, text: str) -> Iterator[str]:
    """Yields a text below its label, every line indented."""
    yield f"{label}:"
    yield from (f"  {line}".rstrip() for line in printable(text.rstrip()).split("\n"))


def sections(*parts: Iterable[str]) -> Iterator[str]:
    """Yields the lines of several parts, with a blank line between those that have any.

    >>> list(sections(["a", "b"], [], ["c"]))
    ['a', 'b', '', 'c']
    """
    filled = filter(None, map(list, parts))
    for position, lines in enumerate(filled):
        if position:
            yield ""
        yield from lines


def table(
    columns: Sequence[str], rows: Sequence[Mapping[str, Any]], width: int | None = None
) -> Iterator[str]:
    """Yields rows under their columns, a line each, numbers to the right.

    Cells are cut to 60 columns, and further where that makes the lines fit; numbers never are.

    Args:
        columns: The names of the columns.
        rows: The rows; a key for each column.
        width: How long a line should be at most; None for any length.

    >>> for line in table(["boat", "guests"], [{"boat": "Otter", "guests": 9}]):
    ...     print(line)
    boat   guests
    Otter       9
    """
    heads = [on_one_line(name) for name in columns]
    cells = [[on_one_line(cell_text(row[name])) for row in rows] for name in columns]
    numeric = [_is_numeric(row[name] for row in rows) for name in columns]
    longest = [max(map(width_of, column), default=0) for column in cells]
    wanted = [max(width_of(head), cell) for head, cell in zip(heads, longest, strict=True)]
    least = [cell if is_number else 0 for cell, is_number in zip(longest, numeric, strict=True)]
    widths = _fitting(wanted, least, width)
    for line in (heads, *zip(*cells, strict=True)):
        yield _GAP.join(map(_aligned, line, widths, numeric)).rstrip()


def _fitting(wanted: Sequence[int], least: Sequence[int], width: int | None) -> list[int]:
    """Returns the widths of columns: what they want, within the largest cap that fits."""

    def capped(cap: int) -> list[int]:
        return [max(low, min(want, cap)) for want, low in zip(wanted, least, strict=True)]

    cap = _WIDEST_CELL
    if width is not None:
        room = width - len(_GAP) * (len(wanted) - 1)
        while cap > _NARROWEST_CELL and sum(capped(cap)) > room:
            cap -= 1
    return capped(cap)


def _aligned(cell: str, width: int, is_number: bool) -> str:
    shown = cut(cell, width)
    blanks = " " * (width - width_of(shown))
    return blanks + shown if is_number else shown + blanks


def _is_numeric(values: Iterator[Any]) -> bool:
    present = [value for value in values if value is not None]
    return bool(present) and all(
        isinstance(value, int | float | Decimal) and not isinstance(value, bool)
        for value in present
    )


def _width_of_character(character: str) -> int:
    if unicodedata.category(character) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1
