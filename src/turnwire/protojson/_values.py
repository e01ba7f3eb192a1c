"""JSON values in Python: what each type is called, and markers for what plain values cannot say."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from turnwire.errors import excerpt
from turnwire.protojson._problem import Problem


class ExactNumber(float):
    """A JSON number that keeps its text, for when a double is not exact enough."""

    __slots__ = ("text",)
    text: str

    @classmethod
    def of(cls, text: str) -> ExactNumber:
        """Reads a number's text."""
        number = cls(text)
        number.text = text
        return number


class RepeatedKey(dict[str, Any]):
    """An object in which a key came more than once."""

    __slots__ = ("key",)
    key: str


class BareConstant:
    """A bare NaN, Infinity or -Infinity, which Python's reader takes and JSON does not have."""

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name = name


class ExactNeeded(Exception):
    """A number must be read from its text; read the document again with exact numbers."""


def type_name(value: object) -> str:
    """What a JSON value is called in an error text."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return "string"
    if isinstance(value, int | float):
        return "number"
    if isinstance(value, BareConstant):
        return f"{value.name}, which is not JSON"
    if isinstance(value, Mapping):
        return "object"
    if isinstance(value, list | tuple):
        return "array"
    return f"a Python {type(value).__name__}"


def wrong_type(expected: str, value: object) -> Problem:
    """The problem of a value that has another JSON type than the schema asks for."""
    if isinstance(value, RepeatedKey):
        return repeated_key(value)
    kind = "syntax" if isinstance(value, BareConstant) else "type"
    return Problem(kind, f"expected {expected}, got {type_name(value)}")


def repeated_key(value: RepeatedKey) -> Problem:
    """The problem of an object in which a key comes twice; its place is that key."""
    problem = Problem("duplicate", f"the key {excerpt(value.key)} comes more than once")
    return problem.at(value.key)


def as_object(value: object, expected: str = "object") -> Mapping[str, Any]:
    """The members of an object that is not a plain dict; raises a Problem for anything else."""
    if isinstance(value, Mapping) and not isinstance(value, RepeatedKey):
        return value
    raise wrong_type(expected, value)


def check_key(key: object) -> None:
    """Checks a member name that came from Python, where a dict takes any key."""
    if not isinstance(key, str):
        raise Problem("type", f"expected string keys, got a Python {type(key).__name__}")


def as_array(value: object) -> list[Any] | tuple[Any, ...]:
    """The elements of an array; raises a Problem for anything else."""
    if isinstance(value, list | tuple):
        return value
    raise wrong_type("array", value)
