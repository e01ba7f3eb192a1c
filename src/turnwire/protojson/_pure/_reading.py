"""The state of one reading: its options, the text of its numbers, and the things left out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from google.protobuf.descriptor_pool import DescriptorPool

from turnwire.errors import excerpt
from turnwire.protojson._options import LossyNumbers, Unknown
from turnwire.protojson._pure._numbers import Source
from turnwire.protojson._pure._problem import MAX_DEPTH, Problem
from turnwire.protojson._pure._values import check_ignored, inner_values


class Reading:
    """The state of one call of `from_json` or `from_dict`."""

    __slots__ = (
        "_left_out",
        "_marked",
        "ignore",
        "max_depth",
        "pool",
        "refuse_lossy",
        "source",
        "tell",
    )

    def __init__(
        self,
        unknown: Unknown,
        lossy_numbers: LossyNumbers,
        text: str | None,
        pool: DescriptorPool | None = None,
        max_depth: int = MAX_DEPTH,
    ) -> None:
        self.ignore = unknown != "error"
        self.tell = unknown if callable(unknown) else None
        self.refuse_lossy = lossy_numbers == "error"
        self.source = Source(text)
        self.pool = pool
        self.max_depth = max_depth
        # Containers are kept with their keys; their paths are only looked for when all went well.
        self._left_out: list[tuple[object, list[str | int | None]]] = []
        self._marked = 0

    def leave_out(self, container: object, key: str | int | None, value: object) -> None:
        """Leaves out something unknown that stands in a container (None: the container itself)."""
        check_ignored(value)
        if self.tell is None:
            return
        last = self._left_out[-1] if len(self._left_out) > self._marked else None
        if last is not None and last[0] is container:
            last[1].append(key)
        else:
            self._left_out.append((container, [key]))

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

    def mark(self) -> int:
        """Returns how much is left out so far, for a later call of `moved`."""
        self._marked = len(self._left_out)
        return self._marked

    def moved(self, copy: object, original: object, since: int) -> None:
        """Records that an object was read from a copy: things left out stand in the original."""
        self._left_out[since:] = [
            (original if container is copy else container, keys)
            for container, keys in self._left_out[since:]
        ]

    @property
    def has_left_out(self) -> bool:
        """Whether `tell_left_out` has something to tell."""
        return bool(self._left_out)

    def tell_left_out(self, root: object) -> None:
        """Calls the caller's function with the path of everything left out, in document order."""
        if self.tell is None or not self._left_out:
            return
        left_out: dict[int, set[str | int | None]] = {}
        for container, keys in self._left_out:
            left_out.setdefault(id(container), set()).update(keys)
        if None in left_out.get(id(root), ()):
            self.tell(())
        for container, steps, _ in inner_values(root, scalars_of=left_out):
            if id(container) in left_out and steps[-1] in left_out[id(container)]:
                self.tell(tuple(steps))
