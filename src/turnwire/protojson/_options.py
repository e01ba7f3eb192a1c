"""The options of reading and printing; `UnknownPlaces` does the work of ``unknown="warn"``."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Literal, NamedTuple, cast

from google.protobuf.descriptor import Descriptor
from google.protobuf.descriptor_pool import DescriptorPool
from google.protobuf.message import Message

from turnwire.errors import Path, UnknownFieldWarning

Unknown = Literal["error", "warn", "ignore"] | Callable[[Path], object]
"""The treatment of unknown fields, enum names and ``Any`` types.

They are refused, left out with a warning, or left out; a callable gets the path of each.
"""

LossyNumbers = Literal["round", "error"]
"""The treatment of an integer in a Struct that a double cannot hold: round it, or refuse it."""


class Base64(str):
    """A long text of base64, which a writer of JSON need not search for characters to escape."""

    __slots__ = ()


class Style(NamedTuple):
    """The options of printing, as `to_json` has them."""

    proto_names: bool = False
    enum_numbers: bool = False
    defaults: bool = False
    int64_as_numbers: bool = False
    pool: DescriptorPool | None = None
    like_json_format: bool = False
    """Whether the values and their order are those of ``google.protobuf.json_format``: map entries
    and Struct members in the runtime's order, floats as floats, defaults after the other members.
    """
    float_digits: int | None = None
    """The significant digits of all numbers of floating point in that style, or None for all."""
    marks_base64: bool = False
    """Whether long texts of base64 are `Base64`, in that style."""


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
