"""Finds where JSON objects, arrays and strings end, and the elements that are whole in a chunk.

These are the hot loops of the framing, and the native core takes their place: it has the same
names. Only brackets and strings are looked at. Whether what they hold is JSON is for the parser to
say.

The functions `take_...` pass on elements until the first doubt, and return where they stopped. The
caller decides on the rest: an error, or the beginning of something longer.
"""

from __future__ import annotations

import re
from operator import itemgetter

from turnwire.streams._machine import BLANKS

_ESCAPE = re.compile(rb"\\.", re.DOTALL)
_OPEN, _CLOSE, _QUOTE = b'[]"'

# Both kinds of brackets become one kind, and all other bytes become one character:
# a regular expression runs over one repeated literal much faster than over a set of characters.
_OUTLINE = bytes(
    _OPEN if byte in b"[{" else _CLOSE if byte in b"]}" else _QUOTE if byte == _QUOTE else ord("x")
    for byte in range(256)
)
_FILL = re.compile(rb"x*+")

# Deeper values are found too, level by level; the messages of the APIs rarely nest deeper.
_FAST_DEPTH = 10

# The number of openings in a row without a whole value; after them, none is expected before one
# closes.
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


def _event_pattern(line_end: bytes) -> re.Pattern[bytes]:
    """A server-sent event with at most one line of data, whose value is group 1.

    The dot is the fastest set of characters. It takes carriage returns too: they must be counted.
    """
    to_end = rb"(?>:.*" + line_end + rb")"
    error = rb"event:[ \t]*+error[ \t]*+" + line_end
    other = (
        rb"(?:(?!"
        + error
        + rb")(?:event|id|retry)?+"
        + to_end
        + rb"|(?:event|id|retry)"
        + line_end
        + rb")*+"
    )
    data = rb"(?:data(?>:(?![ \t\r]*+\[) ?+(.*)" + line_end + rb"|" + line_end + rb"))?+"
    return re.compile(other + data + other + line_end)


# The work of one call is in proportion to the lines that it takes.
_FIRST_BLOCK_BYTES = 2**10
_OPENING_ENDS = (b"{", b"[")
_OPENINGS = frozenset(b"{[")
_LAST_BYTE = itemgetter(-1)

_LINE_END = re.compile(rb"\r\n?|\n")
_EVENTS = {end: _event_pattern(end) for end in (b"\n", b"\r\n")}


class Scanner:
    """Looks at one chunk after another and remembers how deep inside of a value it is.

    Attributes:
        inside: Whether a value has begun and not ended.
        in_string: Whether it stands inside of a string.
    """

    __slots__ = ("_chunk", "_depth", "_escaped", "_outline", "in_string", "inside")

    def __init__(self) -> None:
        self._chunk = self._outline = b""
        self._depth = 0
        self._escaped = False
        self.inside = False
        self.in_string = False

    def load(self, chunk: bytes) -> None:
        """Takes the next chunk; all positions count from its start."""
        self._chunk = outline = chunk
        if self._escaped and chunk:
            outline = b"x" + chunk[1:]
            self._escaped = False
        if b"\\" in outline:
            # An escaped quote ends no string. Afterwards only a backslash at the very end is left.
            outline = _ESCAPE.sub(b"xx", outline)
            self._escaped = outline.endswith(b"\\")
        self._outline = outline.translate(_OUTLINE)

    def take_values(self, position: int, separator: bytes, limit: int, out: list[bytes]) -> int:
        """Appends the objects and arrays from here on, each after a separator and blanks.

        It stops before the first one that is not complete in this chunk or larger than the limit.
        It may stop before one that nests very deep.
        """
        chunk, outline, match = self._chunk, self._outline, _NEXT_VALUE.match
        usual = None
        while found := match(outline, position):
            start, end = found.span(1)
            gap = chunk[position:start]
            if gap != usual:
                if gap.strip(BLANKS) != separator:
                    break
                usual = gap
            if end - start > limit:
                break
            out.append(chunk[start:end])
            position = end
        return position

    def take_object_lines(self, position: int, limit: int, out: list[bytes]) -> int:
        """Appends the lines from here on, as long as each is one object or blank.

        It stops before the first one whose end is not in this chunk or that is longer than the
        limit. It may stop before one that nests very deep.
        """
        chunk, outline, match = self._chunk, self._outline, _VALUE.match
        while (newline := chunk.find(b"\n", position)) >= 0:
            line = chunk[position:newline]
            if len(line) > limit and len(line) - line.endswith(b"\r") > limit:
                break
            text = line.strip(BLANKS)
            if text:
                if not text.startswith(b"{"):
                    break
                start = position + line.find(b"{")
                # It must not look beyond the line: an open value would be searched to the end.
                found = match(outline, start, newline)
                if not found or found.end() - start != len(text):
                    break
                out.append(text)
            position = newline + 1
        return position

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


def take_lines(chunk: bytes, position: int, limit: int, out: list[bytes]) -> int:
    """Appends the lines from here on without the blanks around them, if there is more in them.

    It stops before the first one whose end is not in this chunk, that is longer than the limit, or
    whose last bracket opens: that one may begin a value over several lines.
    """
    size = _FIRST_BLOCK_BYTES
    while True:
        end = chunk.rfind(b"\n", position, position + size)
        if end < 0:
            end = chunk.find(b"\n", position + size)
        if end < 0:
            return position
        lines = chunk[position:end].split(b"\n")
        texts = [text for line in lines if (text := line.strip(BLANKS))]
        if end - position > limit or not _OPENINGS.isdisjoint(map(_LAST_BYTE, texts)):
            start = position
            for line in lines:
                text = line.strip(BLANKS)
                # A carriage return at the end does not count.
                is_long = len(line) - line.endswith(b"\r") > limit
                if is_long or text.endswith(_OPENING_ENDS):
                    return start
                if text:
                    out.append(text)
                start += len(line) + 1
        else:
            out += texts
        position = end + 1
        size *= 2


def take_events(chunk: bytes, position: int, limit: int, out: list[bytes]) -> int:
    """Appends the data of the server-sent events from here on that have one line of it, or none.

    It stops before the first other one, one whose data is an array or whose name is ``error``, and
    before one whose end is not in this chunk. It may stop
    before one that is about as large as the limit, or that has lines ending with a carriage return.
    """
    first = _LINE_END.search(chunk, position)
    pattern = _EVENTS.get(first[0]) if first else None
    if not pattern:
        return position
    count, match, has_returns = chunk.count, pattern.match, pattern is _EVENTS[b"\r\n"]
    while found := match(chunk, position):
        end = found.end()
        returns = count(b"\n", position, end) if has_returns else 0
        # The data is shorter than its event, so no limit is passed.
        if end - position > limit or count(b"\r", position, end) != returns:
            break
        element = (found[1] or b"").strip(BLANKS)
        if element:
            out.append(element)
        position = end
    return position
