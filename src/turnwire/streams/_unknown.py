"""Keeps the unknown things of an element until it is known to be a message, and reports them."""

from __future__ import annotations

import sys
from collections.abc import Iterable

from google.protobuf.message import Message

from turnwire.errors import Path
from turnwire.protojson import Unknown
from turnwire.protojson._options import MAX_PLACES, UnknownPlaces, place_of


class LeftOut:
    """The unknown things that reading one element left out, in bounded memory.

    For ``"warn"``, places are kept, each once and no more of them than are reported; all paths for
    a callable, which gets them all; nothing otherwise.

    Args:
        message_class: The class of the messages that are read.
        unknown: The option of `read`.

    Attributes:
        is_empty: Whether nothing was left out since the last `clear`.
        has_members: Whether members of the element itself are among them.
    """

    def __init__(self, message_class: type[Message], unknown: Unknown) -> None:
        self._places = UnknownPlaces(message_class) if unknown == "warn" else None
        self._report = unknown if callable(unknown) else None
        self.clear()

    def clear(self) -> None:
        """Forgets everything, for the next element."""
        self.is_empty = True
        self.has_members = False
        self._paths: list[Path | str | int] = []
        self._new_places: dict[tuple[str, ...], None] = {}

    def add(self, path: Path) -> None:
        """Takes the path of an unknown thing."""
        self.is_empty = False
        if len(path) == 1:
            self.has_members = True
        if self._report is not None:
            # The tuple around one name would be half of what it takes.
            self._paths.append(path[0] if len(path) == 1 else path)
        elif self._places is not None and len(self._new_places) <= MAX_PLACES:
            self._new_places[place_of(path)] = None

    def report(self, prefix: Path) -> None:
        """Reports all of them, each after this path, and forgets them.

        Warnings are issued on the line that reads the stream.
        """
        paths: Iterable[Path | str | int] = (
            self._new_places if self._report is None else self._paths
        )
        tell = self._report or self._places
        self.clear()
        if tell is not None:
            for path in paths:
                tell((*prefix, *path) if isinstance(path, tuple) else (*prefix, path))
        if self._places is not None:
            self._places.warn(_level_of_reader())


def _level_of_reader() -> int:
    """Returns the stack level of the first frame outside of Turnwire, seen from the caller."""
    level, frame = 1, sys._getframe(1)
    while frame.f_back and frame.f_globals.get("__name__", "").split(".")[0] == "turnwire":
        level, frame = level + 1, frame.f_back
    return level
