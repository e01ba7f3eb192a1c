"""Python's JSON reader, set up to mark what JSON does not allow and what a double would change."""

from __future__ import annotations

import json
from typing import Any

from turnwire.protojson._values import BareConstant, ExactNumber, RepeatedKey

# Above this many digits int() refuses (and would take quadratic time).
_LONG_NUMBER = 4000


def object_of(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object of its members, marked if a key comes more than once."""
    members = dict(pairs)
    if len(members) == len(pairs):
        return members
    marked = RepeatedKey(members)
    seen: set[str] = set()
    for key, _ in pairs:
        if key in seen:
            marked.key = key
            break
        seen.add(key)
    return marked


def _exact_int(text: str) -> int | ExactNumber:
    # A double can be negative zero, and Python's int cannot.
    if text == "-0" or len(text) > _LONG_NUMBER:
        return ExactNumber.of(text)
    try:
        return int(text)
    except ValueError:
        # A program may have lowered the limit of digits.
        return ExactNumber.of(text)


PLAIN = json.JSONDecoder(object_pairs_hook=object_of, parse_constant=BareConstant)
EXACT = json.JSONDecoder(
    object_pairs_hook=object_of,
    parse_constant=BareConstant,
    parse_float=ExactNumber.of,
    parse_int=_exact_int,
)
