"""Reads large JSON texts in pieces, so that only one piece at a time stands in memory as values.

Python's own reader makes 26 bytes of objects from each byte of `[[],[],…]`. Here the arrays of a
large text know their place in it, and read their items again whenever they are iterated over.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Generator, Iterator
from json.decoder import scanstring  # type: ignore[attr-defined]
from typing import Any, NoReturn

from turnwire.protojson._pure._left_out import LeftOut
from turnwire.protojson._pure._values import RepeatedKey

MIN_LENGTH = 1 << 18
"""The length of the shortest text that is read in pieces, in characters."""

_PIECE = 1 << 16
_MAX_TOKEN = 64
# About what values take in memory, and from which multiple of their text on it is read again.
_CONTAINER_BYTES, _MEMBER_BYTES, _MAX_GROWTH = 230, 60, 10
_blanks = re.compile(r"[ \t\n\r]*+")
_Scan = Callable[[str, int], tuple[Any, int]]
_Inner = dict[int, tuple[list[Any], int]]


class LargeArray(list[Any]):
    """An array of a large text: it keeps no items, and is made to be iterated over."""

    __slots__ = ("_inner", "_length", "_start", "_text")

    def __init__(self, text: LargeText, start: int, length: int, inner: _Inner) -> None:
        super().__init__()
        self._text = text
        self._start = start
        self._length = length
        self._inner = inner

    def __len__(self) -> int:
        return self._length

    def __iter__(self) -> Iterator[Any]:
        left_out = self._text.left_out
        entries = left_out.entries
        index = 0
        for items, is_kept in self._text.items(self._start, self._inner):
            for item in items:
                before = len(entries)
                yield item
                if len(entries) > before and not is_kept:
                    left_out.settle(self, index, item, before)
                index += 1


class LargeText:
    """One large JSON text.

    Args:
        text: The text.
        decoder: Python's reader with the hooks of the caller; those for objects make a dict.
        left_out: The things that the readers of messages leave out.
    """

    def __init__(self, text: str, decoder: json.JSONDecoder, left_out: LeftOut) -> None:
        self.left_out = left_out
        self._text = text
        self._decoder = decoder
        self._scan: _Scan = decoder.scan_once  # type: ignore[attr-defined]
        self._piece = ""
        self._piece_start = 0

    def value(self) -> Any:
        """Reads the whole text.

        Raises:
            JSONDecodeError: It is not JSON; the error is the one that Python's reader has.
            RecursionError: It nests too deeply for Python's reader.
            ValueError: It has an integer that `int` refuses.
        """
        value, end = self._value(self._skip(0), "", 0)
        end = self._skip(end)
        if end < len(self._text):
            raise json.JSONDecodeError("Extra data", self._text, end)
        return value

    def items(
        self, position: int, inner: _Inner, *, finds_inner: bool = False
    ) -> Generator[tuple[list[Any], bool], None, int]:
        """Yields the items of the array whose bracket is before a position.

        Args:
            position: The position.
            inner: The items that stay in memory, and the ends of their texts, by their positions.
            finds_inner: Whether such items are put into `inner`.

        Yields:
            Some items, and whether they stay in memory.

        Returns:
            The position after the array.
        """
        text = self._text
        position = self._skip(position)
        before, good = "[", position
        takes_several = True
        if text.startswith("]", position):
            return position + 1
        while True:
            is_kept, is_large = position in inner, False
            if is_kept:
                items, end = inner[position]
            elif takes_several and (several := self._several(position, "[]")):
                items, end = several
            elif small := self._one_by_one(position):
                takes_several = False
                items, end = small
            else:
                item, end = self._value(position, before, good)
                items, is_large = [item], isinstance(item, dict | list)
            if finds_inner and (is_large or _takes_little(text[position:end])):
                inner[position] = items, end
            yield items, is_kept
            before, good = "[{}", end
            position = self._skip(end)
            if text.startswith("]", position):
                return position + 1
            if not text.startswith(",", position):
                self._refuse(before, good, position)
            position = self._skip(position + 1)

    def _value(self, position: int, before: str, good: int) -> tuple[Any, int]:
        """Reads the value at a position; returns it and the position after it.

        Args:
            position: The position.
            before: The start of a shorter text, which stands for all that came before `good`.
            good: The place up to which the text is good.
        """
        bracket = self._text[position : position + 1]
        if bracket == "[":
            inner: _Inner = {}
            items = self.items(position + 1, inner, finds_inner=True)
            length = 0
            while True:
                try:
                    length += len(next(items)[0])
                except StopIteration as stop:
                    return LargeArray(self, position + 1, length, inner), stop.value
        if bracket == "{":
            return self._object(position + 1)
        try:
            return self._scan(self._text, position)
        except StopIteration:
            self._refuse(before, good, position)

    def _object(self, position: int) -> tuple[dict[str, Any], int]:
        """Reads the object whose bracket is before a position."""
        text = self._text
        members: dict[str, Any] = {}
        repeated: str | None = None
        position = self._skip(position)
        before, good = "{", position
        takes_several = True
        if text.startswith("}", position):
            return members, position + 1
        while True:
            several = self._several(position, "{}") if takes_several else None
            if several is not None and _can_join(members, several[0]):
                members.update(several[0])
                end = several[1]
            else:
                takes_several = False
                if not text.startswith('"', position):
                    self._refuse(before, good, position)
                key, colon = scanstring(text, position + 1, True)
                position = self._skip(colon)
                if not text.startswith(":", position):
                    self._refuse('{""', colon, position)
                position = self._skip(position + 1)
                value, end = self._small(position) or self._value(position, '{"":', position)
                if repeated is None and key in members:
                    repeated = key
                members[key] = value
            before, good = '{"":{}', end
            position = self._skip(end)
            if text.startswith("}", position):
                break
            if not text.startswith(",", position):
                self._refuse(before, good, position)
            position = self._skip(position + 1)
        if repeated is not None:
            members = RepeatedKey(members)
            members.key = repeated
        return members, position + 1

    def _several(self, position: int, brackets: str) -> tuple[Any, int] | None:
        """Reads the items or members from a position on that a piece holds, mostly.

        They are cut off where the last one seems to end; if they are JSON, they do end there.

        Returns:
            An array or object of them, and the position after the last one. None if the piece
            seems to end elsewhere.
        """
        piece = self._text[position : position + _PIECE]
        cut = max(piece.rfind("},"), piece.rfind("],")) + 1 or piece.rfind(",")
        if cut <= 0:
            return None
        try:
            several, end = self._scan(f"{brackets[0]}{piece[:cut]}{brackets[1]}", 0)
        except (StopIteration, json.JSONDecodeError):
            return None
        # All of the text, or all up to a bracket in it. Nothing may not follow a comma.
        return (several, position + end - 2) if several else None

    def _one_by_one(self, position: int) -> tuple[list[Any], int] | None:
        """Reads small objects and arrays from a position on; None if there is none."""
        items: list[Any] = []
        end, stop = position, position + _PIECE
        while end < stop and (small := self._small(position)):
            item, end = small
            items.append(item)
            position = self._skip(end)
            if not self._text.startswith(",", position):
                break
            position = self._skip(position + 1)
        return (items, end) if items else None

    def _small(self, position: int) -> tuple[Any, int] | None:
        """Reads the object or array at a position, and returns it and the position after it.

        Returns None for a scalar, and for one that is larger than a piece or no JSON.
        """
        if not self._text.startswith(("{", "["), position):
            return None
        while True:
            offset = position - self._piece_start
            if 0 <= offset < len(self._piece):
                try:
                    value, end = self._scan(self._piece, offset)
                except (StopIteration, json.JSONDecodeError):
                    if offset == 0:
                        return None
                else:
                    return value, self._piece_start + end
            self._piece_start = position
            self._piece = self._text[position : position + _PIECE]

    def _skip(self, position: int) -> int:
        blanks = _blanks.match(self._text, position)
        return blanks.end() if blanks else position

    def _refuse(self, before: str, good: int, position: int) -> NoReturn:
        """Raises the error that Python's reader has for what stands at a position.

        Args:
            before: The start of a shorter text, which stands for all that came before `good`.
            good: The place up to which the text is good.
            position: The place at which something else must come.
        """
        shorter = before + self._text[good : position + _MAX_TOKEN]
        try:
            self._decoder.decode(shorter)
        except json.JSONDecodeError as error:
            place = error.pos - len(before) + good
            if place <= position:
                raise json.JSONDecodeError(error.msg, self._text, place) from None
        raise json.JSONDecodeError("Expecting value", self._text, position)


def _takes_little(text: str) -> bool:
    """Returns whether the values of some items take little more memory than is usual."""
    containers = 1 + text.count("{") + text.count("[")
    return _CONTAINER_BYTES * containers + _MEMBER_BYTES * text.count(",") < _MAX_GROWTH * len(text)


def _can_join(members: dict[str, Any], others: dict[str, Any]) -> bool:
    return type(others) is dict and members.keys().isdisjoint(others)
