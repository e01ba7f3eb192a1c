"""Cuts a text where its cited words begin and end."""

from __future__ import annotations

import heapq
from collections.abc import Iterator
from typing import NamedTuple

from turnwire.report._model import Source, Text
from turnwire.report._words import is_web


class Piece(NamedTuple):
    """A part of a text.

    Attributes:
        text: The part.
        href: The address of its source; ``""`` where it has none that a page may link to.
        numbers: The numbers of the citations that end here, counted from 1.
    """

    text: str
    href: str = ""
    numbers: tuple[int, ...] = ()


def pieces_of(block: Text) -> Iterator[Piece]:
    """Yields the parts of a text, which together are the text.

    Where citations overlap, the words link to the source of the one that began last. Time and size
    are in proportion to the text and its citations.

    >>> menu = Source("Menu", "https://menu.example")
    >>> from turnwire.report._model import Citation
    >>> for piece in pieces_of(Text("Soup of the day", (Citation((menu,), 0, 4),))):
    ...     print(piece)
    Piece(text='Soup', href='https://menu.example', numbers=(1,))
    Piece(text=' of the day', href='', numbers=())
    """
    begins: dict[int, list[int]] = {}
    ends: dict[int, list[int]] = {}
    for index, citation in enumerate(block.citations):
        if citation.start is not None and citation.end is not None:
            begins.setdefault(citation.start, []).append(index)
            ends.setdefault(citation.end, []).append(index)
    cuts = sorted({0, len(block.text), *begins, *ends})
    running: list[tuple[int, int]] = []
    for start, end in zip(cuts, [*cuts[1:], len(block.text)], strict=True):
        for index in begins.get(start, ()):
            heapq.heappush(running, (-start, index))
        while running and (block.citations[running[0][1]].end or 0) <= start:
            heapq.heappop(running)
        href = _href_of(block.citations[running[0][1]].sources) if running else ""
        numbers = tuple(index + 1 for index in ends.get(end, ()))
        if start < end:
            yield Piece(block.text[start:end], href, numbers)


def _href_of(sources: tuple[Source, ...]) -> str:
    return next((source.uri for source in sources if is_web(source.uri)), "")
