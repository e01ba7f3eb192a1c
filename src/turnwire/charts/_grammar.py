"""The grammar of a specification: Vega or Vega-Lite, told by its schema or its shape."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final, Literal, NamedTuple

from turnwire._plain_json import is_object, plain_from_json
from turnwire.errors import ChartError, ParseError, excerpt

Grammar = Literal["vega", "vega-lite"]
"""The language of a specification."""

_MAX_WRAPPERS: Final = 8  # layers of strings and wrappers around a specification
_SCHEMA: Final = re.compile(r"/(vega|vega-lite)/v(\d+)(?:\.\d+)*\.json\b")
_VERSIONS: Final = {"vega": range(5, 7), "vega-lite": range(4, 7)}
_NEWEST: Final = 6
_LITE_KEYS: Final = ("mark", "layer", "hconcat", "vconcat", "concat", "spec")
_VEGA_KEYS: Final = ("marks", "signals", "scales")


class Dialect(NamedTuple):
    """A grammar and its major version."""

    grammar: Grammar
    version: int


def unwrapped(value: Any) -> dict[str, Any]:
    r"""Returns the specification in a value: JSON in a string is read, wrappers are taken off.

    Raises:
        ParseError: It does not hold an object.

    >>> unwrapped('{"vegaConfig": "{\\"mark\\": \\"bar\\"}"}')
    {'mark': 'bar'}
    """
    for _ in range(_MAX_WRAPPERS):
        if isinstance(value, str):
            value = plain_from_json(value)
        elif is_object(value) and isinstance(inner := value.get("vegaConfig"), dict | str):
            value = inner  # a specification itself has no member of this name
        else:
            break
    if not is_object(value):
        raise ParseError("expected a Vega object", kind="type")
    return value


def spec_of(value: Any) -> dict[str, Any]:
    """Returns the specification in an argument, or raises a `ChartError` for other data."""
    if not isinstance(value, Mapping | str):
        found = type(value).__name__
        raise TypeError(f"expected a specification as a dict or as JSON text, got {found}")
    try:
        return unwrapped(value if isinstance(value, str) else dict(value))
    except ParseError as error:
        raise ChartError(f"not a specification: {error}", kind=error.kind) from None


def grammar_of(spec: Mapping[str, Any] | str) -> Grammar:
    """Returns the grammar of a specification: ``"vega"`` or ``"vega-lite"``.

    Its ``$schema`` says it; without one, or with one that the rest contradicts, its shape does.

    Args:
        spec: The specification as a dict or as JSON text; wrappers such as ``{"vegaConfig": …}``
            are taken off.

    Raises:
        TypeError: The argument is neither.
        ChartError: It is not a specification, or is of a version that cannot be drawn.

    >>> from turnwire import charts
    >>> charts.grammar_of({"mark": "bar"}), charts.grammar_of({"marks": []})
    ('vega-lite', 'vega')
    """
    return dialect_of(spec_of(spec)).grammar


def dialect_of(spec: Mapping[str, Any]) -> Dialect:
    """Returns the grammar and version of a specification without wrappers."""
    shape = _shape_of(spec)
    schema = spec.get("$schema")
    found = _SCHEMA.search(schema) if isinstance(schema, str) else None
    if found is None:
        if shape is None:
            known = ", ".join(sorted(spec)[:5]) or "no members"
            raise ChartError(
                f"neither Vega nor Vega-Lite: expected a $schema, marks or a mark; got {known}",
                kind="grammar",
            )
        return Dialect(shape, _NEWEST)
    grammar: Grammar = "vega" if found[1] == "vega" else "vega-lite"
    if shape is not None and shape != grammar:
        return Dialect(shape, _NEWEST)
    version = int(found[2])
    versions = _VERSIONS[grammar]
    if version not in versions:
        raise ChartError(
            f"the schema {excerpt(str(schema))} cannot be drawn: expected a {grammar} version "
            f"from {versions[0]} to {versions[-1]}",
            kind="version",
        )
    return Dialect(grammar, version)


def _shape_of(spec: Mapping[str, Any]) -> Grammar | None:
    is_vega = any(isinstance(spec.get(key), list) for key in _VEGA_KEYS)
    is_lite = any(key in spec for key in _LITE_KEYS)
    if is_vega == is_lite:
        return None
    return "vega" if is_vega else "vega-lite"
