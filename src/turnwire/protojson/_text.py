"""JSON text to Python values, strictly: what RFC 8259 does not allow is an error with its place."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any, NoReturn

from turnwire.errors import ParseError
from turnwire.protojson._values import MAX_JSON_DEPTH, BareConstant, ExactNumber, RepeatedKey

# Above this many digits int() refuses (and would take quadratic time).
_LONG_NUMBER = 4000


def _object_of(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
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
    return int(text)


_plain = json.JSONDecoder(object_pairs_hook=_object_of, parse_constant=BareConstant)
_exact = json.JSONDecoder(
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
    ("Unexpected UTF-8 BOM", "the text starts with a byte order mark; decode it as utf-8-sig"),
)


def text_of(data: str | bytes | bytearray | memoryview) -> str:
    """The text of JSON data, which is UTF-8 when it comes as bytes.

    Raises:
        ParseError: The bytes are not UTF-8 (kind ``"encoding"``).
    """
    if isinstance(data, str):
        return data
    try:
        return str(data, "utf-8")
    except UnicodeDecodeError as error:
        line, column = _place(bytes(data[: error.start]).decode("utf-8"), None)
        reason = f"invalid UTF-8: byte 0x{bytes(data)[error.start]:02x}"
        raise ParseError(reason, kind="encoding", line=line, column=column) from None


def values_of(text: str, *, exact: bool = False) -> Any:
    """The value of a JSON text.

    Args:
        text: One JSON value, with blanks around it at most.
        exact: Whether numbers keep their text (`ExactNumber`) where a double could lose some.

    Raises:
        ParseError: The text is not JSON (kind ``"syntax"``, or ``"depth"``).
    """
    try:
        return (_exact if exact else _plain).decode(text)
    except json.JSONDecodeError as error:
        raise _syntax_error(error.msg, text, error.pos) from None
    except RecursionError:
        return _read_deep(text, exact)
    except ValueError:
        # int() refuses numbers of thousands of digits; exact reading keeps those as text.
        return values_of(text, exact=True)


def _place(text: str, position: int | None) -> tuple[int, int]:
    """Line and column of a position, both counted from 1; None is the end of the text."""
    end = len(text) if position is None else position
    return text.count("\n", 0, end) + 1, end - text.rfind("\n", 0, end)


def _syntax_error(message: str, text: str, position: int, kind: str = "syntax") -> ParseError:
    reason = next((ours for theirs, ours in _REWORDED if message.startswith(theirs)), message)
    if position >= len(text.rstrip(" \t\n\r")) and kind == "syntax":
        reason = "the text ends too early: " + reason
    line, column = _place(text, position)
    return ParseError(reason, kind=kind, line=line, column=column)


_BLANKS = re.compile(r"[ \t\n\r]*")


def _read_deep(text: str, exact: bool) -> Any:
    """Reads a text that nests deeper than Python's own reader can follow, without recursion.

    Scalars and member names are still read by Python's reader.
    """
    decoder = _exact if exact else _plain
    blanks: Callable[[str, int], Any] = _BLANKS.match
    containers: list[list[Any]] = []  # arrays: elements; objects: (key, value) pairs
    keys: list[str | None] = []  # None for an array, else the key that waits for its value
    position = blanks(text, 0).end()

    def fail(message: str, at: int) -> NoReturn:
        raise _syntax_error(message, text, at)

    def read_key(at: int) -> tuple[str, int]:
        if text[at : at + 1] != '"':
            fail("Expecting property name", at)
        try:
            key, end = decoder.raw_decode(text, at)
        except json.JSONDecodeError as error:
            fail(error.msg, error.pos)
        end = blanks(text, end).end()
        if text[end : end + 1] != ":":
            fail("Expecting ':'", end)
        return key, blanks(text, end + 1).end()

    while True:
        character = text[position : position + 1]
        if character in ("[", "{") and character:
            if len(containers) >= MAX_JSON_DEPTH:
                reason = f"nested deeper than {MAX_JSON_DEPTH} levels"
                raise _syntax_error(reason, text, position, "depth")
            after = blanks(text, position + 1).end()
            closing = "]" if character == "[" else "}"
            if text[after : after + 1] != closing:
                key = None
                if character == "{":
                    key, after = read_key(after)
                containers.append([])
                keys.append(key)
                position = after
                continue
            value: Any = [] if character == "[" else {}
            position = after + 1
        else:
            try:
                value, position = decoder.raw_decode(text, position)
            except json.JSONDecodeError as error:
                fail(error.msg, error.pos)
            except ValueError:
                return _read_deep(text, exact=True)
        # A value is complete: hand it to its container, and close those that end here.
        while True:
            position = blanks(text, position).end()
            if not containers:
                if position != len(text):
                    fail("Extra data", position)
                return value
            key = keys[-1]
            containers[-1].append(value if key is None else (key, value))
            character = text[position : position + 1]
            if character == ",":
                position = blanks(text, position + 1).end()
                if key is not None:
                    keys[-1], position = read_key(position)
                break
            if character != ("]" if key is None else "}"):
                fail("Expecting ','", position)
            done = containers.pop()
            keys.pop()
            value = done if key is None else _object_of(done)
            position += 1
