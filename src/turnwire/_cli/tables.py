"""Lays rows out as a table or, where the screen is too narrow for one, one value below another."""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Any, NamedTuple

from turnwire._cli.layout import Line, cut, indented, styled, width_of, wrapped
from turnwire._printable import on_one_line
from turnwire._shown import cell_text

_GAP = "  "
_MAX_CELL = 60
_MAX_SHORT = 20
"""Texts up to this width are never cut."""
_MIN_LONG = 12
"""The least width of a column of long texts; with less, values stand one below another."""
_MAX_HEAD = 16
_MAX_LINES = 3

_TIME = re.compile(r"\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d[\d:.,]*(?: ?(?:Z|UTC|[+-][\d:]{2,6}))?)?")
"""Dates and times as they come where no schema names the type of a column."""

_Row = Mapping[str, Any]


class _Column(NamedTuple):
    """One column: its texts, and whether they may be cut."""

    head: str
    cells: Sequence[str]
    longest: int
    is_numeric: bool
    is_long: bool

    @property
    def wanted(self) -> int:
        return max(self.longest, width_of(self.head))

    @property
    def least(self) -> int:
        if self.is_long:
            return min(self.longest, _MIN_LONG)
        return max(self.longest, min(width_of(self.head), _MAX_HEAD))


def table(columns: Sequence[str], rows: Sequence[_Row], width: int | None = None) -> Iterator[str]:
    """Yields rows under their columns, numbers to the right.

    Without a width, long texts are cut to 60 columns. With one, they are cut further, so that the
    lines fit; where that does not suffice, each row becomes a block with a line for each value, in
    which long texts are wrapped. Numbers, dates and short texts are never cut.

    Args:
        columns: The names of the columns.
        rows: The rows; a key for each column.
        width: The columns of the screen; None for lines of any length.

    >>> for line in table(["boat", "guests"], [{"boat": "Otter", "guests": 9}]):
    ...     print(line)
    boat   guests
    Otter       9
    """
    found = [_column(name, rows) for name in columns]
    if width is None:
        widths = [
            min(column.wanted, _MAX_CELL) if column.is_long else column.wanted for column in found
        ]
        yield from _lines(found, widths)
    elif (fitting := _fitting(found, width)) is None:
        yield from _stacked(found, len(rows), width)
    else:
        yield from _lines(found, fitting)


def _column(name: str, rows: Sequence[_Row]) -> _Column:
    cells = [on_one_line(cell_text(row[name])) for row in rows]
    values = [row[name] for row in rows if row[name] is not None]
    is_numeric = bool(values) and all(map(_is_number, values))
    longest = max(map(width_of, cells), default=0)
    is_time = bool(values) and all(map(_is_time, values))
    is_long = longest > _MAX_SHORT and not is_numeric and not is_time
    return _Column(on_one_line(name), cells, longest, is_numeric, is_long)


def _fitting(columns: Sequence[_Column], width: int) -> list[int] | None:
    """Returns the widths of columns in a table that fits; None if there are none.

    The columns of long texts share the room that is left, up to one common cap.
    """
    room = width - len(_GAP) * (len(columns) - 1)
    if sum(column.least for column in columns) > room:
        return None
    widths = [column.least for column in columns]
    left = room - sum(widths)
    while left:
        growing = [index for index, column in enumerate(columns) if widths[index] < column.wanted]
        if not growing:
            break
        index = min(growing, key=lambda index: widths[index])
        widths[index] += 1
        left -= 1
    return widths


def _lines(columns: Sequence[_Column], widths: Sequence[int]) -> Iterator[Line]:
    yield styled(_joined(columns, [column.head for column in columns], widths), "heading")
    for cells in zip(*(column.cells for column in columns), strict=True):
        yield Line(_joined(columns, cells, widths))


def _joined(columns: Sequence[_Column], cells: Sequence[str], widths: Sequence[int]) -> str:
    aligned = []
    for column, cell, width in zip(columns, cells, widths, strict=True):
        shown = cut(cell, width)
        blanks = " " * (width - width_of(shown))
        aligned.append(blanks + shown if column.is_numeric else shown + blanks)
    return _GAP.join(aligned).rstrip()


def _stacked(columns: Sequence[_Column], count: int, width: int) -> Iterator[Line]:
    """Yields each row as lines of a name and a value."""
    names = max((min(width_of(column.head), _MAX_HEAD) for column in columns), default=0)
    room = max(width - names - len(_GAP), _MAX_SHORT)
    for row in range(count):
        if row:
            yield Line()
        for column in columns:
            head = cut(column.head, _MAX_HEAD)
            head += " " * (names - width_of(head))
            cell = column.cells[row]
            first, *others = wrapped(cell, room, _MAX_LINES) if column.is_long else [cell]
            yield styled(f"{head}{_GAP}{first}".rstrip(), "label", len(head))
            yield from indented(others, " " * names + _GAP)


def _is_number(value: object) -> bool:
    return isinstance(value, int | float | Decimal) and not isinstance(value, bool)


def _is_time(value: object) -> bool:
    if isinstance(value, str):
        return _TIME.fullmatch(value) is not None
    return isinstance(value, datetime.date | datetime.time)
