"""What a rule of the JSON mapping is, as the tables of this package state it."""

from __future__ import annotations

from dataclasses import dataclass, field

Input = str | bytes
"""A JSON text; bytes for what is no text."""

PLACE = "$"


@dataclass(frozen=True)
class Rule:
    """One rule: a canonical form, other spellings of the same message, and what is refused.

    Attributes:
        name: The rule's group and its own name, such as ``"int32/largest"``.
        type: The short name of the message type.
        template: The JSON of a message, with ``$`` where the inputs stand.
        why: The rule in a sentence.
        canonical: What Turnwire prints; None where the rule is only about what is refused.
        variants: Other inputs that are the same message, by a label.
        invalid: Inputs that are refused, by a label that says what is wrong.
    """

    name: str
    type: str
    template: str
    why: str
    canonical: str | None = None
    variants: dict[str, Input] = field(default_factory=dict)
    invalid: dict[str, Input] = field(default_factory=dict)

    def text(self, value: Input) -> bytes:
        """The whole JSON text of one of the inputs."""
        before, _, after = self.template.partition(PLACE)
        middle = value if isinstance(value, bytes) else value.encode()
        return before.encode() + middle + after.encode()
