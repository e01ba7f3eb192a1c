"""Warns of unknown things in a stream, on the line that reads it."""

from __future__ import annotations

import sys
from collections.abc import Iterable

from google.protobuf.message import Message

from turnwire.errors import Path
from turnwire.protojson._warnings import UnknownPlaces


class UnknownWarnings:
    """Turns the paths of unknown things in one stream into warnings, one for each place.

    Args:
        message_class: The class of the messages that are read.
    """

    def __init__(self, message_class: type[Message]) -> None:
        self._places = UnknownPlaces(message_class)

    def warn(self, paths: Iterable[Path]) -> None:
        """Warns of those paths whose place is new."""
        for path in paths:
            self._places(path)
        self._places.warn(_level_of_reader())


def _level_of_reader() -> int:
    """Returns the stack level of the first frame outside of Turnwire, seen from the caller."""
    level, frame = 1, sys._getframe(1)
    while frame.f_back and frame.f_globals.get("__name__", "").split(".")[0] == "turnwire":
        level, frame = level + 1, frame.f_back
    return level
