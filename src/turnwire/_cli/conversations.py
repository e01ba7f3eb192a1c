"""Keeps the conversations of one input apart: by a name in each element."""

from __future__ import annotations

import argparse
import json
from collections import OrderedDict
from collections.abc import Iterator

from turnwire._cli.places import Element
from turnwire._cli.problems import Problem
from turnwire.check import Violation
from turnwire.check._recording import MAX_OPEN, Recording
from turnwire.errors import ParseError
from turnwire.streams._members import parts_at


def add_conversation_at(parser: argparse.ArgumentParser) -> None:
    """Adds the argument that names the place of a conversation's name."""
    parser.add_argument(
        "--conversation-at",
        metavar="NAME",
        help="the member of each JSON object with the name of its conversation, such as "
        "labels.session",
    )


def value_at(element: Element, at: str) -> str | None:
    """Returns the text of the value at a place in an element, or in a column of that name.

    It is None where nothing stands there.
    """
    if at in element.others:
        value = element.others[at]
        return None if value is None else str(value)
    try:
        part = next(parts_at(element.data, tuple(at.split("."))), None)
        value = None if part is None else json.loads(part.text)
    except (ParseError, ValueError):
        return None
    return None if value is None else str(value)


def nameless(at: str) -> Problem:
    """Returns the problem of an element without the name of its conversation."""
    reason = f"expected the name of a conversation at {at}, got nothing or null"
    return Problem("conversation", "", reason)


class Recordings:
    """The recordings that are checked at once, each by the name of its conversation.

    Conversations of a log overlap in time. The one that was idle for the longest time is finished
    when there are too many.
    """

    def __init__(self) -> None:
        self._open: OrderedDict[str, Recording] = OrderedDict()

    def of(self, name: str) -> tuple[Recording, Iterator[Violation]]:
        """Returns the recording of a name, and violations of the one that is finished for it."""
        found: Iterator[Violation] = iter(())
        if name not in self._open:
            self._open[name] = Recording()
            if len(self._open) > MAX_OPEN:
                found = self._open.popitem(last=False)[1].finish()
        self._open.move_to_end(name)
        return self._open[name], found

    def finish(self) -> Iterator[Violation]:
        """Yields the violations that only the ends of the recordings show."""
        for recording in self._open.values():
            yield from recording.finish()
