"""Changes the texts of a conversation before they are shown."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from turnwire.errors import Path, TurnwireError

Redact: TypeAlias = Callable[[Path, str], str]
"""A function of a path and the text at it; returns the text that is shown."""


class Redaction:
    """Applies a function to texts and to the texts in JSON values; without one, changes nothing.

    Names stay: those of members, columns and tools.

    >>> hidden = Redaction(lambda path, text: "***" if path[-1] == "name" else text)
    >>> hidden.value(("args",), {"name": "Ada", "boats": ["Otter", 2]})
    {'name': '***', 'boats': ['Otter', 2]}
    """

    def __init__(self, redact: Redact | None = None) -> None:
        self._redact = redact

    @property
    def is_active(self) -> bool:
        """Whether there is a function."""
        return self._redact is not None

    def text(self, path: Path, text: str) -> str:
        """Returns the text that is shown in place of one.

        Raises:
            TypeError: The function returns something else.
        """
        if self._redact is None or not text:
            return text
        changed: object = self._redact(path, text)
        if not isinstance(changed, str):
            raise TypeError(f"redact must return a str; it returned {type(changed).__name__}")
        return changed

    def value(self, path: Path, value: Any) -> Any:
        """Returns a JSON value with its texts changed, or the value itself.

        Raises:
            TypeError: The function returns something else than a str.
        """
        if self._redact is None:
            return value
        match value:
            case str():
                return self.text(path, value)
            case Mapping():
                return {key: self.value((*path, key), item) for key, item in value.items()}
            case list() | tuple():
                return [self.value((*path, index), item) for index, item in enumerate(value)]
            case _:
                return value


def json_value(read: Callable[[], Any], path: Path, redaction: Redaction) -> Any:
    """Returns a value of a message with its texts redacted; one that JSON lacks is explained."""
    try:
        value = read()
    except TurnwireError as error:
        return f"unreadable: {error}"
    return redaction.value(path, value)
