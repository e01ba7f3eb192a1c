"""JSON that nests deeper than Python's own reader can follow, read without recursion."""

from __future__ import annotations

import json
import re
from typing import Any, NoReturn

from turnwire.protojson._json_decoders import EXACT, PLAIN, object_of
from turnwire.protojson._syntax import syntax_error
from turnwire.protojson._traversal import MAX_JSON_DEPTH

_blanks = re.compile(r"[ \t\n\r]*").match


def _after_blanks(text: str, position: int) -> int:
    match = _blanks(text, position)
    return match.end() if match else position


def deep_value_of(text: str, exact: bool) -> Any:
    """Reads a text that nests deeper than Python's own reader can follow, without recursion.

    Scalars and member names are still read by Python's reader.
    """
    decoder = EXACT if exact else PLAIN
    containers: list[list[Any]] = []  # arrays: elements; objects: (key, value) pairs
    keys: list[str | None] = []  # None for an array, else the key that waits for its value
    position = _after_blanks(text, 0)

    def fail(message: str, at: int) -> NoReturn:
        raise syntax_error(message, text, at)

    def read_key(at: int) -> tuple[str, int]:
        if text[at : at + 1] != '"':
            fail("Expecting property name", at)
        try:
            key, end = decoder.raw_decode(text, at)
        except json.JSONDecodeError as error:
            fail(error.msg, error.pos)
        end = _after_blanks(text, end)
        if text[end : end + 1] != ":":
            fail("Expecting ':'", end)
        return key, _after_blanks(text, end + 1)

    while True:
        character = text[position : position + 1]
        if character in ("[", "{"):
            if len(containers) >= MAX_JSON_DEPTH:
                reason = f"nested deeper than {MAX_JSON_DEPTH} levels"
                raise syntax_error(reason, text, position, "depth")
            after = _after_blanks(text, position + 1)
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
                return deep_value_of(text, exact=True)
        # A value is complete: hand it to its container, and close those that end here.
        while True:
            position = _after_blanks(text, position)
            if not containers:
                if position != len(text):
                    fail("Extra data", position)
                return value
            key = keys[-1]
            containers[-1].append(value if key is None else (key, value))
            character = text[position : position + 1]
            if character == ",":
                position = _after_blanks(text, position + 1)
                if key is not None:
                    keys[-1], position = read_key(position)
                break
            if character != ("]" if key is None else "}"):
                fail("Expecting ','", position)
            done = containers.pop()
            keys.pop()
            value = done if key is None else object_of(done)
            position += 1
