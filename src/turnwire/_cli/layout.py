"""Lays text out on a screen: widths, labels, sections, and lines whose parts have a style."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator
from typing import Literal, NamedTuple

from turnwire._printable import printable

INDENT = "  "

Style = Literal["label", "heading", "faint", "error"]


class Span(NamedTuple):
    """A part of a line that has a style."""

    start: int
    end: int
    style: Style


class Line(str):
    """A line of text with the styles of its parts, which only a terminal shows."""

    spans: tuple[Span, ...] = ()


def styled(text: str, style: Style, end: int | None = None) -> Line:
    """Returns a line with a style, up to its end or to `end`.

    >>> styled("boat: Otter", "label", 5).spans
    (Span(start=0, end=5, style='label'),)
    """
    line = Line(text)
    line.spans = (Span(0, len(text) if end is None else end, style),)
    return line


def indented(lines: Iterable[str], indent: str = INDENT) -> Iterator[Line]:
    """Yields lines with an indent, which keep their styles."""
    for line in lines:
        moved = Line(f"{indent}{line}".rstrip())
        if isinstance(line, Line):
            width = len(indent)
            moved.spans = tuple(
                Span(start + width, end + width, style) for start, end, style in line.spans
            )
        yield moved


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
    return text if width_of(text) <= width else f"{_start_of(text, width - 1, least=0)}…"


def wrapped(text: str, width: int, max_lines: int) -> list[str]:
    """Breaks a text into lines of at most `width` columns, at blanks where there are any.

    The last of `max_lines` lines is cut if more would follow.

    >>> wrapped("Two boats cross tonight", 9, 2)
    ['Two boats', 'cross to…']
    """
    lines: list[str] = []
    while width_of(text) > width:
        if len(lines) == max_lines - 1:
            return [*lines, cut(text, width)]
        line = _start_of(text, width, least=1)
        rest = text[len(line) :]
        if not rest.startswith(" ") and " " in line.strip():
            line = line[: line.rindex(" ")]
        lines.append(line.rstrip())
        text = text[len(line) :].lstrip()
    return [*lines, text]


def labelled(label: str, text: str, indent: str = "") -> Iterator[Line]:
    r"""Yields a text behind a label; its further lines are indented.

    >>> list(labelled("reply", "Two boats:\nHeron\nOtter"))
    ['reply: Two boats:', '  Heron', '  Otter']
    """
    first, *others = printable(text).split("\n")
    yield from indented([styled(f"{label}: {first}".rstrip(), "label", len(label) + 1)], indent)
    yield from indented(others, f"{indent}  ")


def block(label: str, text: str) -> Iterator[Line]:
    """Yields a text below its label, every line indented."""
    yield styled(f"{label}:", "label")
    yield from indented(printable(text.rstrip()).split("\n"))


def sections(*parts: Iterable[str]) -> Iterator[str]:
    """Yields the lines of several parts, with a blank line between those that have any.

    >>> list(sections(["a", "b"], [], ["c"]))
    ['a', 'b', '', 'c']
    """
    is_first_part = True
    for part in parts:
        for position, line in enumerate(part):
            if position == 0 and not is_first_part:
                yield ""
            is_first_part = False
            yield line


def _start_of(text: str, width: int, *, least: int) -> str:
    """Returns as many characters as fit, and at least a minimum."""
    taken = 0
    for position, character in enumerate(text):
        taken += _width_of_character(character)
        if taken > width and position >= least:
            return text[:position]
    return text


def _width_of_character(character: str) -> int:
    if unicodedata.category(character) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1
