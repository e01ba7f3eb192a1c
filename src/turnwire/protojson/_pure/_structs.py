"""Struct, Value and ListValue: plain JSON to wire text, and messages to plain JSON.

Rows of results are Structs: most of a large document is read here.
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from decimal import Decimal
from typing import Any

from turnwire.protojson._options import Style
from turnwire.protojson._pure._numbers import (
    EXACT_IN_DOUBLE,
    number_value,
    rounded_double,
    struct_number,
)
from turnwire.protojson._pure._problem import MAX_DEPTH, Problem, too_deep
from turnwire.protojson._pure._reading import Reading
from turnwire.protojson._pure._values import as_array, as_object, check_key
from turnwire.protojson._pure._wire import MAX_PIECES, ONE_BYTE, delimited, fixed, utf8, varint

_pack_double = struct.Struct("<d").pack
_double = fixed("<d")


# A Value by its kind: the tag, and where the size is known, what follows it.
_NULL = "\x08\x00"
_NUMBER = "\x11"
_STRING = "\x1a"
_BOOL = {True: "\x20\x01", False: "\x20\x00"}
_STRUCT = "\x2a"
_LIST = "\x32"

# Entries of strings below this size are kept ready. Longer ones are rare and cost more anyway.
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
        """Returns the entry up to the text of a string of a known length."""
        start = self.before(_STRING + varint(size), size)
        if size < _SHORT:
            self.strings[size] = start
        return start

    def before(self, value_start: str, size: int) -> str:
        """Returns the entry up to the last `size` characters of its value."""
        value_size = len(value_start) + size
        start = self._start + varint(value_size) + value_start
        return "\x0a" + varint(len(start) + size) + start


# Keys come from data, which may have millions of them, and some of megabytes.
_keys: dict[str, _Key] = {}
_MAX_KEYS = 1024
_MAX_KEY_LENGTH = 256


def _key_of(key: str) -> _Key:
    check_key(key)
    known = _Key(key)
    if len(key) <= _MAX_KEY_LENGTH:
        if len(_keys) >= _MAX_KEYS:
            _keys.clear()
        _keys[key] = known
    return known


def read_struct(value: Any, reading: Reading, depth: int) -> str:
    """Reads a JSON object as a Struct."""
    if type(value) is not dict:
        value = as_object(value)
    # The entry and its Value nest below the Struct.
    if value and depth + 2 > reading.max_depth:
        raise too_deep(reading.max_depth)
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
    """Reads objects as the Structs of a repeated field, each after the field's tag."""
    out: list[str] = []
    append = out.append
    joined: list[str] = []
    try:
        for value in values:
            body = read_struct(value, reading, depth)
            size = len(body)
            if size < 128:
                append(start + ONE_BYTE[size] + body)
            else:
                append(start + varint(size) + body)
            if len(out) == MAX_PIECES:
                joined.append("".join(out))
                out.clear()
    except Problem as problem:
        raise problem.at(len(joined) * MAX_PIECES + len(out)) from None
    return "".join((*joined, *out))


def read_list_value(value: Any, reading: Reading, depth: int) -> str:
    """Reads a JSON array as a ListValue."""
    if type(value) is not list:
        value = as_array(value)
    if value and depth + 1 > reading.max_depth:
        raise too_deep(reading.max_depth)
    out: list[str] = []
    joined: list[str] = []
    try:
        for item in value:
            out.append("\x0a" + delimited(read_value(item, reading, depth + 1)))
            if len(out) == MAX_PIECES:
                joined.append("".join(out))
                out.clear()
    except Problem as problem:
        raise problem.at(len(joined) * MAX_PIECES + len(out)) from None
    return "".join((*joined, *out))


def read_value(value: Any, reading: Reading, depth: int) -> str:
    """Reads any JSON value as a Value."""
    if value is None:
        return _NULL
    if isinstance(value, str):
        return _STRING + delimited(utf8(value))
    if value is True or value is False:
        return _BOOL[value]
    kind = type(value)
    if kind is int and value and -EXACT_IN_DOUBLE < value < EXACT_IN_DOUBLE:
        return _NUMBER + _double(value)
    if isinstance(value, int | float | Decimal):
        return _NUMBER + _double(struct_number(value, reading.source, reading.refuse_lossy))
    if isinstance(value, list | tuple):
        if depth + 1 > reading.max_depth:
            raise too_deep(reading.max_depth)
        return _LIST + delimited(read_list_value(value, reading, depth + 1))
    if kind is not dict:
        value = as_object(value, "a JSON value")
    if depth + 1 > reading.max_depth:
        raise too_deep(reading.max_depth)
    return _STRUCT + delimited(read_struct(value, reading, depth + 1))


Printer = Callable[[Any, int], Any]


def struct_printers(style: Style) -> dict[str, Printer]:
    """Returns the printers of Struct, Value and ListValue, by the full names of these types.

    In the style of ``google.protobuf.json_format``, members are in the runtime's order, whole
    numbers are floats, and a Value without a kind is null. In the other one, keys are sorted, whole
    numbers are integers, and such a Value is a problem.
    """
    like_json_format, digits = style.like_json_format, style.float_digits
    in_order = iter if like_json_format else sorted

    def print_struct(struct: Any, depth: int) -> dict[str, Any]:
        fields = struct.fields
        printed: dict[str, Any] = {}
        key = ""
        # The entry and its Value nest below the Struct, which nests below its holder.
        if depth + 3 > MAX_DEPTH and len(fields):
            raise too_deep()
        try:
            for key in in_order(fields):
                value = fields[key]
                # Two looks find most values; asking for the kind takes longer than both.
                text = value.string_value
                if text:
                    printed[key] = text
                    continue
                number = value.number_value
                if number and number - number == 0.0 and not digits:
                    whole = not like_json_format and -1e16 < number < 1e16 and number.is_integer()
                    printed[key] = int(number) if whole else number
                    continue
                printed[key] = print_value(value, depth + 2)
        except Problem as problem:
            raise problem.at(key) from None
        return printed

    def print_value(value: Any, depth: int) -> Any:
        kind = value.WhichOneof("kind")
        if kind == "string_value":
            return value.string_value
        if kind == "number_value":
            number = value.number_value
            if number - number != 0.0:
                raise Problem("value", f"a Struct cannot hold {number} in JSON")
            if digits:
                return rounded_double(number, digits=digits)
            return number if like_json_format else number_value(number)
        if kind == "bool_value":
            return value.bool_value
        if kind == "null_value" or (kind is None and like_json_format):
            return None
        if depth + 2 > MAX_DEPTH:
            raise too_deep()
        if kind == "struct_value":
            return print_struct(value.struct_value, depth + 1)
        if kind == "list_value":
            return print_list_value(value.list_value, depth + 1)
        raise Problem("value", "a Value must hold something; set null_value for null")

    def print_list_value(values: Any, depth: int) -> list[Any]:
        printed: list[Any] = []
        if depth + 2 > MAX_DEPTH and len(values.values):
            raise too_deep()
        try:
            for value in values.values:
                printed.append(value.string_value or print_value(value, depth + 1))
        except Problem as problem:
            raise problem.at(len(printed)) from None
        return printed

    return {
        "google.protobuf.Struct": print_struct,
        "google.protobuf.Value": print_value,
        "google.protobuf.ListValue": print_list_value,
    }
