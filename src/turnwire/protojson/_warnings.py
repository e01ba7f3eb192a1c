"""Warns of unknown things that a reading left out."""

from __future__ import annotations

import warnings
from typing import cast

from google.protobuf.descriptor import Descriptor
from google.protobuf.message import Message

from turnwire.errors import Path, UnknownFieldWarning

MAX_PLACES = 100
"""The number of places that are reported for one document or stream."""


def place_of(path: Path) -> tuple[str, ...]:
    """Returns a path without its indices."""
    return tuple(step for step in path if isinstance(step, str))


class UnknownPlaces:
    """Collects the places of unknown things: a callable for the option ``unknown``.

    A place is a path without indices. Each is reported once, however often it comes; after 100
    of them a last warning says that there are more.

    Args:
        message_class: The class of the messages that are read.
    """

    def __init__(self, message_class: type[Message]) -> None:
        self._message_class = message_class
        self._seen: set[tuple[str, ...]] = set()
        self._new: list[tuple[str, ...]] = []

    def __call__(self, path: Path) -> None:
        """Takes the path of an unknown thing."""
        place = place_of(path)
        if len(self._seen) == MAX_PLACES:
            place = ("…",)
        elif len(self._seen) > MAX_PLACES:
            return
        if place not in self._seen:
            self._seen.add(place)
            self._new.append(place)

    def warn(self, stacklevel: int) -> None:
        """Warns of the places that came since the last call.

        Args:
            stacklevel: As for `warnings.warn`: 1 is the caller's line.
        """
        if self._new:
            places, self._new = self._new, []
            name = cast(Descriptor, self._message_class.DESCRIPTOR).full_name
            for place in places:
                warnings.warn(UnknownFieldWarning(place, name), stacklevel=stacklevel + 1)
