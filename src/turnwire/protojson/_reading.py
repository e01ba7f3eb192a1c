"""What one reading carries along: its options, its numbers' text, and what it left out."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Literal

from turnwire.errors import Path, excerpt
from turnwire.protojson._numbers import Source
from turnwire.protojson._problem import Problem
from turnwire.protojson._values import check_ignored

Unknown = Literal["error", "ignore"] | Callable[[Path], object]
"""What to do with an unknown field, enum name or Any: refuse it, leave it out, or that and tell."""

LossyNumbers = Literal["round", "error"]
"""What to do with an integer in a Struct that no double holds: round it, or refuse it."""

MAX_DEPTH = 100
"""How deeply messages may nest: what protobuf's own parser takes. A map entry counts as one."""


class Reading:
    """The state of one call of `from_json` or `from_dict`."""

    __slots__ = ("_left_out", "ignore", "refuse_lossy", "source", "tell")

    def __init__(self, unknown: Unknown, lossy_numbers: LossyNumbers, text: str | None) -> None:
        self.ignore = unknown != "error"
        self.tell = unknown if callable(unknown) else None
        self.refuse_lossy = lossy_numbers == "error"
        self.source = Source(text)
        # Containers are kept with their keys; their paths are only looked for when all went well.
        self._left_out: list[tuple[object, str | int | None]] = []

    def leave_out(self, container: object, key: str | int | None, value: object) -> None:
        """Leaves out something unknown that stands in a container (None: the container itself)."""
        check_ignored(value)
        if self.tell is not None:
            self._left_out.append((container, key))

    def unknown_field(self, container: Mapping[str, Any], key: str, message_name: str) -> None:
        """Leaves out a member whose name the message does not have, or raises a Problem."""
        if not self.ignore:
            problem = Problem("unknown", f"unknown field {excerpt(key)} in {message_name}")
            raise problem.within(key, None)
        value = container[key]
        try:
            self.leave_out(container, key, value)
        except Problem as problem:
            raise problem.within(key, None) from None

    def moved(self, copy: object, original: object) -> None:
        """Says that an object was read from a copy; what was left out stands in the original."""
        self._left_out = [
            (original if container is copy else container, key) for container, key in self._left_out
        ]

    def tell_left_out(self, root: object) -> None:
        """Tells the caller the path of everything that was left out, in document order."""
        if self.tell is None or not self._left_out:
            return
        wanted = {id(container) for container, _ in self._left_out}
        # One Python object may stand in several places of a value that never was text.
        places: dict[int, list[Path]] = {}
        stack: list[tuple[Path, Any]] = [((), root)]
        while stack:
            path, value = stack.pop()
            if id(value) in wanted:
                places.setdefault(id(value), []).append(path)
            if isinstance(value, Mapping):
                members = reversed(list(value.items()))
                stack.extend(((*path, key), inner) for key, inner in members)
            elif isinstance(value, list | tuple):
                children = reversed(list(enumerate(value)))
                stack.extend(((*path, index), inner) for index, inner in children)
        told: dict[tuple[int, str | int | None], int] = {}
        for container, key in self._left_out:
            turn = told.get((id(container), key), 0)
            told[id(container), key] = turn + 1
            path = places[id(container)][turn]
            self.tell(path if key is None else (*path, key))
