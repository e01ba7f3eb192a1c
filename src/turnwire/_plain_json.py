"""Plain JSON values: read from JSON that stands in a string, and told apart."""

from __future__ import annotations

import json
import math
import re
from typing import Any, Final, NoReturn, TypeGuard

from turnwire.errors import ParseError, excerpt

_MAX_DIGITS: Final = 4000  # int() refuses more, with advice that is not for our users
_SURROGATE: Final = re.compile("[\ud800-\udfff]")
_SURROGATE_ESCAPE: Final = re.compile(r"\\u[dD][89a-fA-F]")


def plain_from_json(text: str) -> Any:
    """The value of a JSON text, integers exact and members in their order.

    Raises:
        ParseError: The text is not JSON (NaN and Infinity are not either), repeats a key, or has
            a number that is too large or a lone surrogate.
    """
    try:
        value = json.loads(
            text,
            object_pairs_hook=_object,
            parse_constant=_refuse,
            parse_float=_finite,
            parse_int=_integer,
        )
    except json.JSONDecodeError as error:
        raise ParseError(
            f"not JSON: {error.msg}", kind="syntax", line=error.lineno, column=error.colno
        ) from None
    except RecursionError:
        raise ParseError("the JSON is nested too deeply", kind="depth") from None
    if _SURROGATE_ESCAPE.search(text) and _has_lone_surrogate(value):
        raise ParseError("not JSON: a lone surrogate in a string", kind="encoding")
    return value


def _object(members: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(members)
    if len(value) != len(members):
        seen: set[str] = set()
        for name, _ in members:
            if name in seen:
                raise ParseError(f"the key {excerpt(name)} comes more than once", kind="duplicate")
            seen.add(name)
    return value


def _refuse(name: str) -> NoReturn:
    raise ParseError(f"not JSON: {name} is not a JSON value", kind="syntax")


def _finite(text: str) -> float:
    number = float(text)
    if math.isinf(number):
        raise ParseError(f"{text:.40} is too large for a double", kind="range")
    return number


def _integer(text: str) -> int:
    if len(text) > _MAX_DIGITS:
        raise ParseError(f"an integer of {len(text)} characters is too long", kind="range")
    return int(text)


def _has_lone_surrogate(value: Any) -> bool:
    waiting = [value]
    while waiting:
        held = waiting.pop()
        if isinstance(held, str):
            if _SURROGATE.search(held):
                return True
        elif is_object(held):
            waiting.extend(held)
            waiting.extend(held.values())
        elif is_list(held):
            waiting.extend(held)
    return False


def is_object(value: Any) -> TypeGuard[dict[str, Any]]:
    """Returns whether a plain value is a JSON object."""
    return isinstance(value, dict)


def is_list(value: Any) -> TypeGuard[list[Any]]:
    """Returns whether a plain value is a JSON list."""
    return isinstance(value, list)
