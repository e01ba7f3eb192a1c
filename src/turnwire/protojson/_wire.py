"""The pieces of protobuf's wire format that a writer needs."""

from __future__ import annotations

VARINT, FIXED64, LENGTH_DELIMITED, START_GROUP, END_GROUP, FIXED32 = range(6)

ONE_BYTE = tuple(bytes((number,)) for number in range(256))


def varint(number: int) -> bytes:
    """A number from 0 to 2**64 - 1 as a varint."""
    if number < 128:
        return ONE_BYTE[number]
    if number < 16384:
        return ONE_BYTE[number & 127 | 128] + ONE_BYTE[number >> 7]
    out = bytearray()
    while number > 127:
        out.append(number & 127 | 128)
        number >>= 7
    out.append(number)
    return bytes(out)


def signed_varint(number: int) -> bytes:
    """A number from -2**63 to 2**63 - 1 as a varint, negative ones in two's complement."""
    return varint(number if number >= 0 else number + (1 << 64))


def zigzag_varint(number: int) -> bytes:
    """A number from -2**63 to 2**63 - 1 as a ZigZag varint."""
    return varint(number << 1 if number >= 0 else (-number << 1) - 1)


def tag(number: int, wire_type: int) -> bytes:
    """The bytes before a field's value."""
    return varint(number << 3 | wire_type)


def delimited(body: bytes) -> bytes:
    """Bytes with their length in front."""
    return varint(len(body)) + body
