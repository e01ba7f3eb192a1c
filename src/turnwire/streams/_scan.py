"""Picks the functions that find the elements in a chunk: the core's, else those in Python."""

from __future__ import annotations

from typing import TYPE_CHECKING

from turnwire._backend import native

if TYPE_CHECKING or native is None:
    from turnwire.streams._pure_scan import Scanner, take_events, take_lines
else:
    Scanner, take_events, take_lines = native.Scanner, native.take_events, native.take_lines

__all__ = ["Scanner", "take_events", "take_lines"]
