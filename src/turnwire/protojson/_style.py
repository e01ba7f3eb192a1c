"""How messages are printed."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple


class Style(NamedTuple):
    """The options of printing, as `to_json` has them."""

    proto_names: bool = False
    enum_numbers: bool = False
    defaults: bool = False
    large_bytes_apart: bool = False
    """Whether large bytes are left as `LargeBytes`, for a writer that puts their base64 in."""


@cache
def text_style(style: Style) -> Style:
    """The same style for a writer of text, which puts the base64 of large bytes in last."""
    return style._replace(large_bytes_apart=True)
