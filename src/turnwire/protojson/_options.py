"""The options of reading and printing."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, NamedTuple

from google.protobuf.descriptor_pool import DescriptorPool

from turnwire.errors import Path

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
