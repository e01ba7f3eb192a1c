"""How deeply messages may nest."""

from __future__ import annotations

from turnwire.protojson._problem import Problem

MAX_DEPTH = 100
"""What protobuf's own parser takes, below the outermost message. A map entry counts as one."""


def too_deep() -> Problem:
    """The problem of a message that protobuf's own parser would not read back."""
    return Problem("depth", f"messages are nested deeper than {MAX_DEPTH} levels")
