"""The JSON value of a text, to see whether it is an error of the service or a wrapper.

Python needs up to 26 times the size of a text for its values, if they are many and small. A large
text of that kind is looked at member by member, and only what can matter is kept.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection

from turnwire.errors import ParseError
from turnwire.streams._machine import BLANKS
from turnwire.streams._steps import members_of
from turnwire.streams._values import Array

Knows = Callable[[str], bool]
"""Whether the message type has a member of this name."""

_LONE_SURROGATE = re.compile("[\ud800-\udfff]")
_MAX_DIGITS = 400
# A text of fewer values takes at most some ten times its size.
_BYTES_PER_VALUE = 12
_MIN_ROOM = 2**16
_MAX_KEPT = 100
_MAX_DEPTH = 8
_PIECE_BYTES = 2**12


def outline(text: bytes, telling: Collection[str], knows: Knows) -> object:
    """Returns JSON text as Python values that can be printed; None if it is no JSON.

    A lone surrogate becomes U+FFFD, and so does invalid UTF-8: an error of a service must be shown.
    Of a large text of many small values, the telling members are kept, and the first ones of the
    others; the rest is not looked at.

    Args:
        text: The text.
        telling: The names of members that make an object an error of the service.
        knows: Whether the message type has a member; one of these is kept.
    """
    try:
        return _Outline(text, telling, knows).value(text.strip(BLANKS))
    except (ValueError, RecursionError, ParseError):
        return None


class _Outline:
    """Reads one text; `room` is how many bytes of many small values may still be read whole."""

    def __init__(self, text: bytes, telling: Collection[str], knows: Knows) -> None:
        self._telling = telling
        self._knows = knows
        self._room = max(_MIN_ROOM, len(text) // 8)

    def value(self, text: bytes, depth: int = _MAX_DEPTH) -> object:
        if _has_few_values(text):
            return _whole(text)
        if len(text) <= self._room:
            self._room -= len(text)
            return _whole(text)
        if not depth:
            return None
        return self._object(text, depth) if text.startswith(b"{") else self._array(text, depth)

    def _may_tell(self, text: bytes, position: int = 0) -> bool:
        """Returns whether a telling name can follow; it may be written with escapes."""
        names = "|".join(self._telling)
        return re.compile(f'"(?:{names})"|\\\\u00'.encode()).search(text, position) is not None

    def _object(self, text: bytes, depth: int) -> dict[str, object]:
        kept: dict[str, tuple[int, int]] = {}
        telling: dict[str, tuple[int, int]] = {}
        knows_one = goes_on = False
        for name, start, end in members_of(text):
            is_known = not knows_one and self._knows(name)
            knows_one = knows_one or is_known
            if name in self._telling or is_known:
                telling[name] = start, end
            elif len(kept) < _MAX_KEPT:
                kept[name] = start, end
            elif not goes_on:
                goes_on = self._may_tell(text, end)
                if not goes_on:
                    break
        # The telling ones are read first, while there is room.
        return {
            name: self.value(text[start:end], depth - 1)
            for name, (start, end) in (telling | kept).items()
        }

    def _array(self, text: bytes, depth: int) -> list[object]:
        machine = Array(len(text))
        kept: list[object] = []
        large = 0
        may_tell = self._may_tell(text)
        for start in range(0, len(text), _PIECE_BYTES):
            if not may_tell and len(kept) >= _MAX_KEPT:
                break
            items: list[bytes] = []
            machine.feed(text[start : start + _PIECE_BYTES], items)
            for item in items:
                # Small ones are bounded by the room for them, and large ones by their number.
                is_small = self._room >= len(item)
                may_stay = len(kept) < _MAX_KEPT or (
                    (is_small or large < _MAX_KEPT) and self._may_tell(item)
                )
                if may_stay:
                    kept.append(self.value(item, depth - 1))
                    large += not is_small
        return kept


def _has_few_values(text: bytes) -> bool:
    if not text.startswith((b"{", b"[")):
        return True
    count = text.count(b",") + text.count(b"[") + text.count(b"{")
    return count * _BYTES_PER_VALUE <= len(text)


def _whole(text: bytes) -> object:
    value: object = json.loads(text.decode(errors="replace"), parse_int=_number)
    if b"\\u" in text:
        printed = json.dumps(value, ensure_ascii=False)
        if _LONE_SURROGATE.search(printed):
            value = json.loads(_LONE_SURROGATE.sub("\ufffd", printed), parse_int=_number)
    return value


def _number(digits: str) -> int | float:
    return int(digits) if len(digits) <= _MAX_DIGITS else float(digits)
