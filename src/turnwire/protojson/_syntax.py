"""Syntax errors: in our words, with the line and the column."""

from __future__ import annotations

from turnwire.errors import ParseError

_REWORDED = (
    ("Expecting property name", "expected a member name in double quotes"),
    ("Expecting ':'", 'expected ":" after the member name'),
    ("Expecting ','", 'expected "," or the end of this object or array'),
    ("Expecting value", "expected a JSON value"),
    ("Illegal trailing comma", "a comma must be followed by another value"),
    ("Unterminated string", "this string does not end"),
    ("Invalid control character", "control characters must be escaped in a string"),
    ("Invalid \\", "invalid escape in a string"),
    ("Extra data", "expected the end of the text, got more after the value"),
)


def place(text: str, position: int | None) -> tuple[int, int]:
    """Line and column of a position, both counted from 1; None is the end of the text."""
    end = len(text) if position is None else position
    return text.count("\n", 0, end) + 1, end - text.rfind("\n", 0, end)


def syntax_error(message: str, text: str, position: int, kind: str = "syntax") -> ParseError:
    """The error of a text, from the message that Python's reader gives and the position."""
    reason = next((ours for theirs, ours in _REWORDED if message.startswith(theirs)), message)
    if text.startswith("\ufeff") and position == 0:
        reason = "the text starts with a byte order mark; decode it as utf-8-sig"
    if position >= len(text.rstrip(" \t\n\r")) and kind == "syntax":
        reason = "the text ends too early: " + reason
    line, column = place(text, position)
    return ParseError(reason, kind=kind, line=line, column=column)
