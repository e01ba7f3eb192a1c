"""The errors of rows: a kind, a place and a reason, with advice on what the text may be."""

from __future__ import annotations

from typing import NamedTuple

from google.protobuf.message import Message

from turnwire.errors import ParseError, Path, SerializeError, StreamError, path_text
from turnwire.streams._refusals import json_value, refusal_in
from turnwire.streams._wrapped import wrapping_of


class Problem(NamedTuple):
    """The error of one row; its members are those of the column ``error``.

    Attributes:
        kind: The stable token, as of `turnwire.TurnwireError`.
        path: The place in the JSON text, such as ``$.chunks[1].text``.
        reason: The error in words.
    """

    kind: str
    path: str
    reason: str

    @classmethod
    def of(cls, error: ParseError | SerializeError) -> Problem:
        """Returns the problem that an error describes."""
        return cls(error.kind, error.path_text, error.reason)

    def within(self, path: Path) -> Problem:
        """Returns the same problem of a text that stands at a path of another one."""
        return self._replace(path=path_text(path) + self.path.removeprefix("$"))


class Advice:
    """Says more about texts that are not messages of a class.

    >>> from turnwire import ces
    >>> entry = b'{"insertId": "a", "jsonPayload": {"role": "user"}}'
    >>> problem = Problem("unknown", "$.insertId", "unknown field")
    >>> Advice(ces.Message).on(problem, entry, ()).kind
    'wrapped'
    """

    def __init__(self, message_class: type[Message]) -> None:
        fields = message_class.DESCRIPTOR.fields
        self._names = {name for field in fields for name in (field.name, field.json_name)}

    def on(self, problem: Problem, text: bytes, at: Path) -> Problem:
        """Returns the problem of a text, or a better one.

        Args:
            problem: The problem as the reader found it.
            text: The text.
            at: The path that led to the text, without indices.
        """
        value = json_value(text) if text[:1] in (b"{", b"[") else None
        refusal = refusal_in(value, self._names.__contains__)
        if isinstance(refusal, StreamError):
            return Problem(refusal.kind, "$", refusal.reason)
        wrapping = None
        if isinstance(value, dict):
            wrapping = wrapping_of(value, self._names.__contains__)
        if wrapping is None:
            return problem
        names = (step for step in at if isinstance(step, str))
        wrapping = wrapping._replace(at=(*names, *wrapping.at))
        if wrapping.is_certain:
            return Problem("wrapped", "$", wrapping.advice)
        return problem._replace(reason=f"{problem.reason}; {wrapping.advice}")
