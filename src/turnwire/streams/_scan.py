"""Picks the scanner of the framing: the native core's where it is installed, else pure Python's."""

from __future__ import annotations

from typing import TYPE_CHECKING

from turnwire._backend import backend

if TYPE_CHECKING or backend == "pure":
    from turnwire.streams._pure_scan import Scanner
else:
    from turnwire_native import Scanner

__all__ = ["Scanner"]
