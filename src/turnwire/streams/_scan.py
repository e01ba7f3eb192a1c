"""Picks what finds the elements in a chunk: the native core where it is installed, else Python."""

from __future__ import annotations

from typing import TYPE_CHECKING

from turnwire._backend import backend

if TYPE_CHECKING or backend == "pure":
    from turnwire.streams._pure_scan import Scanner, take_events, take_lines
else:
    from turnwire_native import Scanner, take_events, take_lines

__all__ = ["Scanner", "take_events", "take_lines"]
