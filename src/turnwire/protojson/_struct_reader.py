"""Struct, Value and ListValue: plain JSON to their wire format.

Rows of results are Structs, so this is where most of a large document is read.
"""

from __future__ import annotations

import struct
from typing import Any

from turnwire.protojson._numbers import EXACT_IN_DOUBLE, struct_number
from turnwire.protojson._problem import Problem
from turnwire.protojson._reading import MAX_DEPTH, Reading
from turnwire.protojson._values import as_array, as_object, wrong_type
from turnwire.protojson._wire import ONE_BYTE, delimited, varint

_double = struct.Struct("<d").pack

_NULL = b"\x08\x00"
_TRUE = b"\x20\x01"
_FALSE = b"\x20\x00"

# Column names come again in every row. The cache is emptied rather than left to grow.
_keys: dict[str, bytes] = {}
_MOST_KEYS = 4096


def utf8_of(text: str) -> bytes:
    """The UTF-8 bytes of a string; a lone surrogate is a problem."""
    try:
        return text.encode()
    except UnicodeEncodeError as error:
        surrogate = f"\\u{ord(text[error.start]):04x}"
        raise Problem("encoding", f"lone surrogate {surrogate} in a string") from None


def _key_bytes(key: str) -> bytes:
    """A map entry's key field, and the tag of the value field that follows it."""
    encoded = b"\x0a" + delimited(utf8_of(key)) + b"\x12"
    if len(_keys) >= _MOST_KEYS:
        _keys.clear()
    _keys[key] = encoded
    return encoded


def too_deep() -> Problem:
    """The problem of a message that protobuf's own parser would not read back."""
    return Problem("depth", f"messages are nested deeper than {MAX_DEPTH} levels")


def read_struct(value: Any, reading: Reading, depth: int) -> bytes:
    """A JSON object as the bytes of a Struct."""
    if type(value) is not dict:
        value = as_object(value)
    # The entry and its Value nest below the Struct.
    if value and depth + 2 > MAX_DEPTH:
        raise too_deep()
    out: list[bytes] = []
    append = out.append
    known = _keys.get
    key = ""
    try:
        for key, item in value.items():
            start = known(key) or _key_bytes(key)
            if type(item) is str:
                text = item.encode()
                size = len(text)
                if size < 126:
                    body = start + ONE_BYTE[size + 2] + b"\x1a" + ONE_BYTE[size] + text
                else:
                    body = start + delimited(b"\x1a" + varint(size) + text)
            elif item is None:
                body = start + b"\x02\x08\x00"
            else:
                body = start + delimited(read_value(item, reading, depth + 2))
            size = len(body)
            append((b"\x0a" + ONE_BYTE[size] if size < 128 else b"\x0a" + varint(size)) + body)
    except Problem as problem:
        raise problem.at(key) from None
    except UnicodeEncodeError:
        try:
            utf8_of(key)
            utf8_of(item)
        except Problem as problem:
            raise problem.at(key) from None
        raise
    return b"".join(out)


def read_list_value(value: Any, reading: Reading, depth: int) -> bytes:
    """A JSON array as the bytes of a ListValue."""
    if type(value) is not list:
        value = as_array(value)
    if value and depth + 1 > MAX_DEPTH:
        raise too_deep()
    out: list[bytes] = []
    index = 0
    try:
        for index, item in enumerate(value):
            body = read_value(item, reading, depth + 1)
            out.append(b"\x0a" + delimited(body))
    except Problem as problem:
        raise problem.at(index) from None
    return b"".join(out)


def read_value(value: Any, reading: Reading, depth: int) -> bytes:
    """Any JSON value as the bytes of a Value."""
    if value is None:
        return _NULL
    if isinstance(value, str):
        return b"\x1a" + delimited(utf8_of(value))
    if value is True:
        return _TRUE
    if value is False:
        return _FALSE
    kind = type(value)
    if kind is int and value and -EXACT_IN_DOUBLE < value < EXACT_IN_DOUBLE:
        return b"\x11" + _double(value)
    if isinstance(value, int | float):
        return b"\x11" + _double(struct_number(value, reading.source, reading.refuse_lossy))
    if kind is dict or hasattr(value, "keys"):
        if depth + 1 > MAX_DEPTH:
            raise too_deep()
        return b"\x2a" + delimited(read_struct(value, reading, depth + 1))
    if isinstance(value, list | tuple):
        if depth + 1 > MAX_DEPTH:
            raise too_deep()
        return b"\x32" + delimited(read_list_value(value, reading, depth + 1))
    raise wrong_type("a JSON value", value)
