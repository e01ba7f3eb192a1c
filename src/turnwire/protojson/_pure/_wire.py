"""The pieces of protobuf's wire format that a writer needs, as *wire text*.

Wire text is a str with one character, U+0000 to U+00FF, for each byte; ``encode("latin-1")`` turns
it into bytes, once for a whole document. Most of what is written is ASCII text that is a str
already, and Python puts strs together faster than bytes.
"""

from __future__ import annotations

import struct
from collections.abc import Callable

from turnwire.protojson._pure._problem import Problem

VARINT, FIXED64, LENGTH_DELIMITED, START_GROUP, END_GROUP, FIXED32 = range(6)

ONE_BYTE = tuple(chr(number) for number in range(256))

MAX_PIECES = 4096
"""The most pieces of an array that are kept: a short str takes 50 bytes more than its text."""


def varint(number: int) -> str:
    """Returns a number from 0 to 2**64 - 1 as a varint."""
    if number < 128:
        return ONE_BYTE[number]
    if number < 16384:
        return ONE_BYTE[number & 127 | 128] + ONE_BYTE[number >> 7]
    out = []
    while number > 127:
        out.append(ONE_BYTE[number & 127 | 128])
        number >>= 7
    out.append(ONE_BYTE[number])
    return "".join(out)


def signed_varint(number: int) -> str:
    """Returns a number from -2**63 to 2**63 - 1 as a varint, in two's complement."""
    return varint(number if number >= 0 else number + (1 << 64))


def zigzag_varint(number: int) -> str:
    """Returns a number from -2**63 to 2**63 - 1 as a ZigZag varint."""
    return varint(number << 1 if number >= 0 else (-number << 1) - 1)


def fixed(layout: str) -> Callable[[float], str]:
    """Returns a writer of numbers in one of the fixed layouts of the `struct` module."""
    pack = struct.Struct(layout).pack
    return lambda number: pack(number).decode("latin-1")


def tag(number: int, wire_type: int) -> str:
    """Returns the tag that stands before a field's value."""
    return varint(number << 3 | wire_type)


def delimited(body: str) -> str:
    """Returns wire text with its length in front."""
    return varint(len(body)) + body


def wire_text(data: bytes) -> str:
    """Returns bytes as wire text."""
    return data.decode("latin-1")


def utf8(text: str) -> str:
    """Returns a string's UTF-8 as wire text; a lone surrogate is a problem."""
    if text.isascii():
        return text
    try:
        return text.encode().decode("latin-1")
    except UnicodeEncodeError as error:
        surrogate = f"\\u{ord(text[error.start]):04x}"
        raise Problem("encoding", f"lone surrogate {surrogate} in a string") from None
