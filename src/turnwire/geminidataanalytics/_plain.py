"""Plain JSON values: out of JSON that stands in a string, and told apart."""

from __future__ import annotations

import json
import math
from typing import Any, NoReturn, TypeGuard

from turnwire.errors import ParseError


def plain_from_json(text: str) -> Any:
    """The value of a JSON text, integers exact and members in their order.

    Raises:
        ParseError: The text is not JSON (NaN and Infinity are not either), or has a number that
            is too large.
    """
    try:
        return json.loads(text, parse_constant=_refuse, parse_float=_finite)
    except json.JSONDecodeError as error:
        raise ParseError(
            f"not JSON: {error.msg}", kind="syntax", line=error.lineno, column=error.colno
        ) from None
    except RecursionError:
        raise ParseError("the JSON is nested too deeply", kind="depth") from None
    except ValueError as error:  # what _refuse and _finite raise, or an integer of 5,000 digits
        raise ParseError(f"not JSON: {error}", kind="syntax") from None


def _refuse(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON value")


def _finite(text: str) -> float:
    number = float(text)
    if math.isinf(number):
        raise ValueError(f"{text:.40} is too large for a double")
    return number


def is_object(value: Any) -> TypeGuard[dict[str, Any]]:
    """Whether a plain value is a JSON object."""
    return isinstance(value, dict)


def is_list(value: Any) -> TypeGuard[list[Any]]:
    """Whether a plain value is a JSON list."""
    return isinstance(value, list)
