"""Picks the backend that does the work: pure Python, until a native core is installed."""

from __future__ import annotations

from turnwire.protojson._pure import parse, print_text, print_value, read_value

backend = "pure"

__all__ = ["backend", "parse", "print_text", "print_value", "read_value"]
