"""How messages are printed."""

from __future__ import annotations

from typing import NamedTuple


class Style(NamedTuple):
    """The options of printing, as `to_json` has them."""

    proto_names: bool = False
    enum_numbers: bool = False
    defaults: bool = False
    large_bytes_apart: bool = False
    """Whether large bytes are left as `LargeBytes`, for a writer that puts their base64 in."""

    def with_large_bytes_apart(self) -> Style:
        """The same for a writer of text."""
        return Style(self.proto_names, self.enum_numbers, self.defaults, large_bytes_apart=True)
