"""The state of one reading: its options, the text of its numbers, and the things left out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from google.protobuf.descriptor_pool import DescriptorPool

from turnwire.errors import excerpt
from turnwire.protojson._options import LossyNumbers, Unknown
from turnwire.protojson._pure._left_out import LeftOut
from turnwire.protojson._pure._numbers import Source
from turnwire.protojson._pure._problem import MAX_DEPTH, Problem
from turnwire.protojson._pure._values import check_ignored


class Reading:
    """The state of one call of `from_json` or `from_dict`."""

    __slots__ = (
        "base64_bytes",
        "ignore",
        "left_out",
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
        *,
        base64_bytes: bool = False,
    ) -> None:
        self.ignore = unknown != "error"
        self.tell = unknown if callable(unknown) else None
        self.refuse_lossy = lossy_numbers == "error"
        self.source = Source(text)
        self.pool = pool
        self.max_depth = max_depth
        # Whether bytes from Python are base64, as text is, instead of the value itself.
        self.base64_bytes = base64_bytes
        # Paths are only looked for when all went well.
        self.left_out = LeftOut()

    def leave_out(self, container: object, key: str | int | None, value: object) -> None:
        """Leaves out something unknown that stands in a container (None: the container itself)."""
        check_ignored(value)
        if self.tell is None:
            return
        self.left_out.add(container, key)

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

    def tell_left_out(self, root: object) -> None:
        """Calls the caller's function with the path of everything left out, in document order."""
        if self.tell is None or not self.left_out.entries:
            return
        for path in self.left_out.paths(root):
            self.tell(path)
