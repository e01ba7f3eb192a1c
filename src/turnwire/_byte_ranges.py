"""Ranges of UTF-8 bytes in a text, fitted to it and counted in characters."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple


class FittedRange(NamedTuple):
    """A range within a text.

    Attributes:
        bytes: Start (inclusive) and end (exclusive) in UTF-8 bytes.
        characters: The same in characters of a Python str.
    """

    bytes: tuple[int, int]
    characters: tuple[int, int]


def fitted_ranges(text: str, ranges: Iterable[tuple[int, int]]) -> list[FittedRange]:
    """Fits ranges of bytes to a text: cut at its ends and widened to whole characters.

    An empty range stays empty. Time and memory are in proportion to the text and the number of
    ranges, however much they overlap.

    >>> fitted_ranges("naïve", [(0, 3), (4, 99)])
    [FittedRange(bytes=(0, 4), characters=(0, 3)), FittedRange(bytes=(4, 6), characters=(3, 5))]
    """
    data = text.encode("utf-8", "surrogatepass")
    fitted = [_whole_characters(data, start, end) for start, end in ranges]
    count_before = {0: 0}
    position = count = 0
    for offset in sorted({offset for each in fitted for offset in each}):
        count += _character_count(data[position:offset])
        count_before[offset] = count
        position = offset
    return [
        FittedRange((start, end), (count_before[start], count_before[end])) for start, end in fitted
    ]


def _whole_characters(data: bytes, start: int, end: int) -> tuple[int, int]:
    start = min(max(start, 0), len(data))
    end = min(max(end, start), len(data))
    empty = start == end
    while 0 < start < len(data) and _continues(data[start]):
        start -= 1
    if empty:
        return start, start
    while end < len(data) and _continues(data[end]):
        end += 1
    return start, end


def _character_count(data: bytes) -> int:
    return len(data.decode("utf-8", "surrogatepass"))


def _continues(byte: int) -> bool:
    return byte & 0xC0 == 0x80
