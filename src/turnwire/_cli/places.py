"""The elements of an input, each with its place."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from turnwire._cli.problems import Problem
from turnwire.streams._machine import BLANKS


@dataclass(slots=True)
class Element:
    """One element of an input.

    Attributes:
        data: A JSON text without blanks around it, or wire bytes in the format "delimited".
        offset: The byte at which it begins in the unpacked input; None if that is not known.
        line: The line on which it begins, from 1; None if that is not known.
        index: Its index in the part, from 0.
        raw: The whole line, without its line feed; the data in a format without lines.
        others: The values of other columns, by their names, where the element is a row of a table.
    """

    data: bytes
    offset: int | None
    line: int | None
    index: int
    raw: bytes
    others: Mapping[str, Any] = field(default_factory=dict[str, Any])

    def placed(self, problem: Problem) -> Problem:
        """Returns a problem of the element with its place."""
        return replace(problem, line=self.line, offset=self.offset, index=self.index)


class Chunk(NamedTuple):
    """Whole lines of an input.

    Attributes:
        data: The lines, with their ends.
        offset: The byte at which they begin in the unpacked input.
        line: The number of the first one, from 1.
    """

    data: bytes
    offset: int
    line: int


def elements_in(chunk: Chunk, index: int) -> list[Element]:
    """Returns the elements on the lines of a chunk; lines of blanks hold none.

    Args:
        chunk: The chunk.
        index: The index of its first element.
    """
    elements = []
    offset = chunk.offset
    for line, text in enumerate(chunk.data.split(b"\n"), start=chunk.line):
        data = text.strip(BLANKS)
        if data:
            begin = offset if len(data) == len(text) else offset + text.index(data)
            elements.append(Element(data, begin, line, index, text))
            index += 1
        offset += len(text) + 1
    return elements


def element_on_line(chunk: Chunk, start: int, end: int, line: int, index: int) -> Element:
    """Returns the element on one line of a chunk.

    Args:
        chunk: The chunk.
        start: The start of the element in its data.
        end: The end of the element, without the blanks behind it.
        line: The number of its line in the chunk, from 0.
        index: The index of the element in the part.
    """
    data = chunk.data
    begin = data.rfind(b"\n", 0, start) + 1
    after = data.find(b"\n", end)
    raw = data[begin : after if after >= 0 else len(data)]
    return Element(data[start:end], chunk.offset + start, chunk.line + line, index, raw)


class Places:
    """Finds where elements begin in the bytes that were fed, for formats other than lines."""

    def __init__(self, offset: int) -> None:
        self._window = bytearray()
        self._offset = offset
        self._line = 1

    def feed(self, piece: bytes) -> None:
        self._window += piece

    def placed(self, found: list[bytes], index: int) -> list[Element]:
        """Returns elements with their places; without one where the text was put together."""
        elements = []
        position = 0
        for number, data in enumerate(found, start=index):
            begin = self._window.find(data, position)
            if begin < 0:
                elements.append(Element(data, None, None, number, data))
                continue
            self._line += self._window.count(b"\n", position, begin)
            elements.append(Element(data, self._offset + begin, self._line, number, data))
            self._line += data.count(b"\n")
            position = begin + len(data)
        if found and not position:
            position = len(self._window)
            self._line += self._window.count(b"\n")
        del self._window[:position]
        self._offset += position
        return elements
