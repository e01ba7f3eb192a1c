"""JSON values in Python: names of their types, markers, and a walk through unread values."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any

from turnwire.errors import excerpt
from turnwire.protojson._pure._problem import Problem

MAX_JSON_DEPTH = 900
"""The deepest nesting of a value that no field reads: Python's reader can follow it everywhere."""


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
    """Returns the name of a JSON value's type for an error text."""
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
    """Returns the problem of a value of another JSON type than the schema asks for."""
    if isinstance(value, RepeatedKey):
        problem = Problem("duplicate", f"the key {excerpt(value.key)} comes more than once")
        return problem.at(value.key)
    kind = "syntax" if isinstance(value, BareConstant) else "type"
    return Problem(kind, f"expected {expected}, got {type_name(value)}")


def as_object(value: object, expected: str = "object") -> Mapping[str, Any]:
    """Returns the members of an object that is not a plain dict; else raises a Problem."""
    if isinstance(value, Mapping) and not isinstance(value, RepeatedKey):
        return value
    raise wrong_type(expected, value)


def check_key(key: object) -> None:
    """Checks a member name that came from Python, where a dict takes any key."""
    if not isinstance(key, str):
        raise Problem("type", f"expected string keys, got a Python {type(key).__name__}")


def as_array(value: object) -> list[Any] | tuple[Any, ...]:
    """Returns the elements of an array; raises a Problem for anything else."""
    if isinstance(value, list | tuple):
        return value
    raise wrong_type("array", value)


# The quick questions come first: millions of values may be asked.
_SCALARS = frozenset((str, int, float, bool, type(None)))
_CONTAINERS = (dict, list, tuple, Mapping)
_STRINGS = frozenset((str,))
_NOT_JSON = (BareConstant, RepeatedKey)


def inner_values(
    root: object, scalars_of: Collection[int] = ()
) -> Iterator[tuple[object, list[str | int], object]]:
    """Iterates over the values inside of a value, in document order and without recursion.

    Args:
        root: An object or array.
        scalars_of: The id() of each object and array whose scalars are wanted too. There may be
            millions that are not.

    Yields:
        The object or array that holds it, the steps from the root to it (one list, which the next
        yield changes), and the value.

    Raises:
        Problem: They nest too deeply.
    """
    open_containers = [(root, _members(root))]
    steps: list[str | int] = [""]
    while open_containers:
        container, members = open_containers[-1]
        skips_scalars = id(container) not in scalars_of
        for steps[-1], item in members:
            is_scalar = type(item) in _SCALARS
            if is_scalar and skips_scalars:
                continue
            yield container, steps, item
            if is_scalar or not isinstance(item, _CONTAINERS) or not item:
                continue
            if len(steps) > MAX_JSON_DEPTH:
                raise Problem("depth", f"nested deeper than {MAX_JSON_DEPTH} levels")
            open_containers.append((item, _members(item)))
            steps.append("")
            break
        else:
            open_containers.pop()
            steps.pop()


def _members(value: Any) -> Iterator[tuple[Any, object]]:
    if isinstance(value, Mapping):
        return iter(value.items())
    return enumerate(value if isinstance(value, list | tuple) else ())


def check_ignored(value: object) -> None:
    """Checks a value that nothing reads: it must be JSON, without repeated keys, not too deep."""
    for _, steps, item in inner_values([value]):
        try:
            if isinstance(item, _NOT_JSON):
                raise wrong_type("a JSON value", item)
            if isinstance(item, Mapping) and not _STRINGS.issuperset(map(type, item)):
                for key in item:
                    check_key(key)
        except Problem as problem:
            for step in reversed(steps[1:]):
                problem.at(step)
            raise
