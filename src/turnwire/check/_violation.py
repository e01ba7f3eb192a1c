"""One violation: the place, the rule, how bad it is, and the reason in words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from turnwire.errors import Path, path_text

Severity = Literal["error", "note"]
"""Whether a violation makes the data wrong, or is only worth knowing."""

Rule = Literal[
    "required",
    "resource_name",
    "unmatched_response",
    "unknown_parent",
    "circular_parent",
    "citation",
    "result_without_query",
    "turn_order",
]
"""The rules, as stable tokens for programs; ``docs/check.md`` explains each of them."""


@dataclass(frozen=True, slots=True)
class Violation:
    """Something in a message that the schema or the conversation does not allow.

    In the terms of AIP-193, it is a ``FieldViolation``: `path_text` is its ``field``, `rule` its
    ``reason`` (there in upper case), and `reason` its ``description``.

    Attributes:
        path: The place, in JSON names and indices from 0; it begins at the message that was given,
            with an index before it if a recording was given.
        rule: The rule that is violated.
        severity: ``"error"``, or ``"note"`` where an answer of the service lacks a required field.
        reason: What is wrong, in words, without the place.

    >>> violation = Violation(("outputs", 0, "turnIndex"), "turn_order", "error", "turn 1 after 2")
    >>> print(violation)
    turn 1 after 2 at $.outputs[0].turnIndex
    """

    path: Path
    rule: Rule
    severity: Severity
    reason: str

    @property
    def path_text(self) -> str:
        """The path in one string, such as ``$.chunks[1].toolCall.tool``."""
        return path_text(self.path)

    def __str__(self) -> str:
        return f"{self.reason} at {self.path_text}"
