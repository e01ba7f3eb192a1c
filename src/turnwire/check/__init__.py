"""Checks what the annotations of the schema and the references in a conversation promise.

JSON that can be read may still lack a required field, name a resource in a wrong way, or answer a
tool call that nobody made. `violations` finds such things in a message, a view or a recording.
"""

from turnwire.check._recording import violations
from turnwire.check._violation import Rule, Severity, Violation

__all__ = ["Rule", "Severity", "Violation", "violations"]
