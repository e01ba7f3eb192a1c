"""Finds where JSON objects, arrays and strings end, in text that arrives in chunks.

This is the one hot loop of the framing, and a native core can take its place: whoever offers
`load`, `spans`, `resume`, `in_string` and `inside` is a scanner.

Only brackets and strings are looked at. Whether what they hold is JSON is for the parser to say.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

_ESCAPE = re.compile(rb"\\.", re.DOTALL)
_OPEN, _CLOSE, _QUOTE = b'[]"'

# Both kinds of brackets become one kind, and all that does not matter becomes one character:
# a regular expression runs over one repeated literal much faster than over a set of characters.
_OUTLINE = bytes(
    _OPEN if byte in b"[{" else _CLOSE if byte in b"]}" else _QUOTE if byte == _QUOTE else ord("x")
    for byte in range(256)
)
_FILL = re.compile(rb"x*+")

# Deeper values are found too, level by level; the messages of the APIs rarely nest deeper.
_FAST_DEPTH = 10

# After so many openings in a row that were no whole value, none is expected before one closes.
_MISSES = 16


def _value_pattern(depth: int) -> bytes:
    """A bracketed value that nests at most `depth` levels: `re` knows no recursion.

    Everything is possessive, so that a value that does not end costs one pass and no backtracking.
    """
    pattern = rb'\[x*+(?:"[^"]*+"x*+)*+\]'
    for _ in range(depth - 1):
        pattern = rb'\[x*+(?:"[^"]*+"x*+|' + pattern + rb"x*+)*+\]"
    return pattern


_VALUE = re.compile(_value_pattern(_FAST_DEPTH))
_NEXT_VALUE = re.compile(rb"x*+(" + _value_pattern(_FAST_DEPTH) + rb")")


class Scanner:
    """Looks at one chunk after another and remembers how deep inside of a value it is.

    Attributes:
        inside: Whether a value has begun and not ended.
        in_string: Whether it stands inside of a string.
    """

    __slots__ = ("_depth", "_escaped", "_outline", "in_string", "inside")

    def __init__(self) -> None:
        self._outline = b""
        self._depth = 0
        self._escaped = False
        self.inside = False
        self.in_string = False

    def load(self, chunk: bytes) -> None:
        """Takes the next chunk; all positions count from its start."""
        outline = chunk
        if self._escaped and chunk:
            outline = b"x" + chunk[1:]
            self._escaped = False
        if b"\\" in outline:
            # An escaped quote ends no string. Afterwards only a backslash at the very end is left.
            outline = _ESCAPE.sub(b"xx", outline)
            self._escaped = outline.endswith(b"\\")
        self._outline = outline.translate(_OUTLINE)

    def spans(self, position: int) -> Iterator[tuple[int, int]]:
        """The objects and arrays that follow one another from here, each with start and end.

        Between them may be anything but quotes and brackets: the caller looks at it. It stops
        before the first value that is not complete in this chunk, or that nests very deep.
        """
        outline, match = self._outline, _NEXT_VALUE.match
        while found := match(outline, position):
            span = found.span(1)
            yield span
            position = span[1]

    def resume(self, position: int) -> int:
        """Goes on inside of a value, or begins one whose first character stands here.

        Returns:
            Where the value ends, or -1 if this chunk ends first.
        """
        outline = self._outline
        self.inside = True
        misses = 0
        while True:
            if self.in_string:
                position = outline.find(b'"', position) + 1
                if not position:
                    return -1
                self.in_string = False
            else:
                filled = _FILL.match(outline, position)
                position = filled.end() if filled else position
                if position == len(outline):
                    return -1
                mark = outline[position]
                if mark == _QUOTE:
                    self.in_string = True
                    position += 1
                    continue
                if mark == _CLOSE:
                    misses = 0
                    self._depth -= 1
                    position += 1
                elif misses < _MISSES and (whole := _VALUE.match(outline, position)):
                    misses = 0
                    position = whole.end()
                else:
                    misses += 1
                    self._depth += 1
                    position += 1
            if self._depth <= 0:
                self._depth = 0
                self.inside = False
                return position
