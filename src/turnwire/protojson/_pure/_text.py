"""JSON text to Python values, strictly: anything outside RFC 8259 is an error with its place.

Python's own reader does the work. Whatever it accepts too easily is checked here, or marked for
the readers of messages.
"""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Any

from turnwire.errors import ParseError
from turnwire.protojson._pure._large import MIN_LENGTH, LargeText
from turnwire.protojson._pure._left_out import LeftOut
from turnwire.protojson._pure._values import BareConstant, ExactNumber, RepeatedKey

# Above this many digits int() refuses (and would take quadratic time).
_LONG_NUMBER = 4000


def text_of(data: str | bytes | bytearray | memoryview) -> str:
    """Returns the text of JSON data, which is UTF-8 when it comes as bytes.

    Raises:
        ParseError: The bytes are not UTF-8 (kind ``"encoding"``).
    """
    if isinstance(data, str):
        return data
    if isinstance(data, memoryview):
        # Its elements may be larger than a byte, and need not lie one after another.
        data = data.tobytes()
    try:
        return str(data, "utf-8")
    except UnicodeDecodeError as error:
        line, column = _place(data[: error.start].decode("utf-8"), None)
        reason = f"invalid UTF-8: byte 0x{data[error.start]:02x}"
        raise ParseError(reason, kind="encoding", line=line, column=column) from None


def values_of(text: str, *, exact: bool = False) -> Any:
    """Reads the value of a JSON text.

    Args:
        text: One JSON value, with blanks around it at most.
        exact: Whether numbers keep their text (`ExactNumber`) where a double could lose some.

    Raises:
        ParseError: The text is not JSON (kind ``"syntax"``), or nests deeper than Python's reader
            follows (kind ``"depth"``).
    """
    return _values_of(text, exact, None)


def values_in(text: str, left_out: LeftOut, *, exact: bool = False) -> Any:
    """Reads the value of a JSON text; the arrays of a large one are read again when they are used.

    Args:
        text: As for `values_of`.
        left_out: The things that the readers of messages leave out while they use the value.
        exact: As for `values_of`.

    Raises:
        ParseError: As `values_of` does.
    """
    return _values_of(text, exact, left_out if len(text) >= MIN_LENGTH else None)


def _values_of(text: str, exact: bool, left_out: LeftOut | None) -> Any:
    decoder = _EXACT if exact else _PLAIN
    try:
        if left_out is not None:
            with suppress(RecursionError):
                return LargeText(text, decoder, left_out).value()
        try:
            return decoder.decode(text)
        except RecursionError:
            # A thread begins with an empty stack: the limit does not depend on the caller's.
            with ThreadPoolExecutor(1) as thread:
                return thread.submit(decoder.decode, text).result()
    except json.JSONDecodeError as error:
        raise _syntax_error(error.msg, text, error.pos) from None
    except RuntimeError:
        # A RecursionError again; or threads cannot be started here.
        reason = "the text is nested too deeply to be read"
        raise ParseError(reason, kind="depth") from None
    except ValueError:
        # int() refuses numbers of thousands of digits; exact reading keeps those as text.
        return _values_of(text, True, left_out)


def _object_of(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Makes an object of its members, marked if a key comes more than once."""
    members = dict(pairs)
    if len(members) == len(pairs):
        return members
    marked = RepeatedKey(members)
    seen: set[str] = set()
    for key, _ in pairs:
        if key in seen:
            marked.key = key
            break
        seen.add(key)
    return marked


def _exact_int(text: str) -> int | ExactNumber:
    # A double can be negative zero, and Python's int cannot.
    if text == "-0" or len(text) > _LONG_NUMBER:
        return ExactNumber.of(text)
    try:
        return int(text)
    except ValueError:
        # A program may have lowered the limit of digits.
        return ExactNumber.of(text)


_PLAIN = json.JSONDecoder(object_pairs_hook=_object_of, parse_constant=BareConstant)
_EXACT = json.JSONDecoder(
    object_pairs_hook=_object_of,
    parse_constant=BareConstant,
    parse_float=ExactNumber.of,
    parse_int=_exact_int,
)

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


def _place(text: str, position: int | None) -> tuple[int, int]:
    """Returns line and column of a position, both counted from 1; None is the end of the text."""
    end = len(text) if position is None else position
    return text.count("\n", 0, end) + 1, end - text.rfind("\n", 0, end)


def _syntax_error(message: str, text: str, position: int) -> ParseError:
    """Returns the error for a message of Python's reader and the position."""
    reason = next((ours for theirs, ours in _REWORDED if message.startswith(theirs)), message)
    if text.startswith("\ufeff") and position == 0:
        reason = "the text starts with a byte order mark; decode it as utf-8-sig"
    if position >= len(text.rstrip(" \t\n\r")):
        reason = "the text ends too early: " + reason
    line, column = _place(text, position)
    return ParseError(reason, kind="syntax", line=line, column=column)
