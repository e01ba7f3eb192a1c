"""Goes through JSON values that no message reads: without recursion, in document order."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any

from turnwire.protojson._problem import Problem
from turnwire.protojson._values import BareConstant, RepeatedKey, wrong_type

MAX_JSON_DEPTH = 10_000
"""How deeply a value may nest that no field reads. It does not depend on Python's stack."""


# The quick questions come first: millions of values may be asked.
_SCALARS = frozenset((str, int, float, bool, type(None)))
_CONTAINERS = (dict, list, tuple, Mapping)
_NOT_JSON = (BareConstant, RepeatedKey)


def inner_values(
    root: object, scalars_of: Collection[int] = ()
) -> Iterator[tuple[object, list[str | int], object]]:
    """The values inside of a value, in document order and without recursion.

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
            if is_scalar or not isinstance(item, _CONTAINERS):
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
    """Checks what nobody reads: it must still be JSON, without repeated keys, and not too deep."""
    for _, steps, item in inner_values([value]):
        if isinstance(item, _NOT_JSON):
            problem = wrong_type("a JSON value", item)
            for step in reversed(steps[1:]):
                problem.at(step)
            raise problem
