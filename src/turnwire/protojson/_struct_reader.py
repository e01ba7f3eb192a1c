"""Struct, Value and ListValue: plain JSON to wire text.

Rows of results are Structs, so this is where most of a large document is read.
"""

from __future__ import annotations

import struct
from typing import Any

from turnwire.protojson._depth import MAX_DEPTH, too_deep
from turnwire.protojson._numbers import EXACT_IN_DOUBLE, struct_number
from turnwire.protojson._problem import Problem
from turnwire.protojson._reading import Reading
from turnwire.protojson._values import as_array, as_object, check_key
from turnwire.protojson._wire import ONE_BYTE, delimited, fixed, utf8, varint

_pack_double = struct.Struct("<d").pack
_double = fixed("<d")


# A Value by its kind: the tag, and where the size is known, what follows it.
_NULL = "\x08\x00"
_NUMBER = "\x11"
_STRING = "\x1a"
_BOOL = {True: "\x20\x01", False: "\x20\x00"}
_STRUCT = "\x2a"
_LIST = "\x32"

# The sizes of strings whose entries are kept ready. Longer ones are rare and cost more anyway.
_SHORT = 64


class _Key:
    """An entry of a Struct up to its value, ready for each kind and size of value.

    Column names come again in every row, and so do the sizes of their cells.
    """

    __slots__ = ("_start", "before_double", "constants", "strings")

    def __init__(self, key: str) -> None:
        # The key field of the map entry, and the tag of its value field.
        self._start = "\x0a" + delimited(utf8(key)) + "\x12"
        self.strings = [""] * _SHORT
        self.before_double = self.before(_NUMBER, 8)
        self.constants = {
            value: self.before(text, 0)
            for value, text in ((None, _NULL), (True, _BOOL[True]), (False, _BOOL[False]))
        }

    def before_string(self, size: int) -> str:
        """The entry up to the text of a string of so many bytes."""
        start = self.before(_STRING + varint(size), size)
        if size < _SHORT:
            self.strings[size] = start
        return start

    def before(self, value_start: str, size: int) -> str:
        """The entry up to the last `size` characters of its value."""
        value_size = len(value_start) + size
        start = self._start + varint(value_size) + value_start
        return "\x0a" + varint(len(start) + size) + start


# Emptied rather than left to grow: keys may come from data. So may keys of megabytes.
_keys: dict[str, _Key] = {}
_MOST_KEYS = 1024
_LONGEST_KEY = 256


def _key_of(key: str) -> _Key:
    check_key(key)
    known = _Key(key)
    if len(key) <= _LONGEST_KEY:
        if len(_keys) >= _MOST_KEYS:
            _keys.clear()
        _keys[key] = known
    return known


def read_struct(value: Any, reading: Reading, depth: int) -> str:
    """A JSON object as a Struct."""
    if type(value) is not dict:
        value = as_object(value)
    # The entry and its Value nest below the Struct.
    if value and depth + 2 > MAX_DEPTH:
        raise too_deep()
    out: list[str] = []
    append = out.append
    known = _keys.get
    name = ""
    try:
        for name, item in value.items():
            key = known(name) or _key_of(name)
            kind = type(item)
            if kind is str:
                text = item if item.isascii() else utf8(item)
                size = len(text)
                start = key.strings[size] if size < _SHORT else ""
                append((start or key.before_string(size)) + text)
            elif (kind is float and item - item == 0.0 and not reading.refuse_lossy) or (
                kind is int and item and -EXACT_IN_DOUBLE < item < EXACT_IN_DOUBLE
            ):
                append(key.before_double + _pack_double(item).decode("latin-1"))
            elif item is None or kind is bool:
                append(key.constants[item])
            else:
                append(key.before(read_value(item, reading, depth + 2), 0))
    except Problem as problem:
        raise problem.at(name) from None
    return "".join(out)


def read_structs(
    values: list[Any] | tuple[Any, ...], reading: Reading, depth: int, start: str
) -> str:
    """Many objects as the Structs of a repeated field, each behind the field's tag."""
    out: list[str] = []
    append = out.append
    try:
        for value in values:
            body = read_struct(value, reading, depth)
            size = len(body)
            if size < 128:
                append(start + ONE_BYTE[size] + body)
            else:
                append(start + varint(size) + body)
    except Problem as problem:
        raise problem.at(len(out)) from None
    return "".join(out)


def read_list_value(value: Any, reading: Reading, depth: int) -> str:
    """A JSON array as a ListValue."""
    if type(value) is not list:
        value = as_array(value)
    if value and depth + 1 > MAX_DEPTH:
        raise too_deep()
    out: list[str] = []
    try:
        for item in value:
            out.append("\x0a" + delimited(read_value(item, reading, depth + 1)))
    except Problem as problem:
        raise problem.at(len(out)) from None
    return "".join(out)


def read_value(value: Any, reading: Reading, depth: int) -> str:
    """Any JSON value as a Value."""
    if value is None:
        return _NULL
    if isinstance(value, str):
        return _STRING + delimited(utf8(value))
    if value is True or value is False:
        return _BOOL[value]
    kind = type(value)
    if kind is int and value and -EXACT_IN_DOUBLE < value < EXACT_IN_DOUBLE:
        return _NUMBER + _double(value)
    if isinstance(value, int | float):
        return _NUMBER + _double(struct_number(value, reading.source, reading.refuse_lossy))
    if isinstance(value, list | tuple):
        if depth + 1 > MAX_DEPTH:
            raise too_deep()
        return _LIST + delimited(read_list_value(value, reading, depth + 1))
    if kind is not dict:
        value = as_object(value, "a JSON value")
    if depth + 1 > MAX_DEPTH:
        raise too_deep()
    return _STRUCT + delimited(read_struct(value, reading, depth + 1))
