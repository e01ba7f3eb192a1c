"""Struct, Value and ListValue as ``google.protobuf.json_format`` prints them.

Members are in the runtime's order, whole numbers are floats, and a Value without a kind is null.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from turnwire.protojson._pure._problem import MAX_DEPTH, Problem, too_deep


def _print_struct(struct: Any, depth: int) -> dict[str, Any]:
    fields = struct.fields
    printed: dict[str, Any] = {}
    key = ""
    if depth + 3 > MAX_DEPTH and len(fields):
        raise too_deep()
    try:
        for key in fields:
            value = fields[key]
            # Two looks find most values; asking for the kind takes longer than both.
            text = value.string_value
            if text:
                printed[key] = text
                continue
            number = value.number_value
            if number and number - number == 0.0:
                printed[key] = number
                continue
            printed[key] = _print_value(value, depth + 2)
    except Problem as problem:
        raise problem.at(key) from None
    return printed


def _print_value(value: Any, depth: int) -> Any:
    kind = value.WhichOneof("kind")
    if kind is None or kind == "null_value":
        return None
    if kind == "number_value":
        number = value.number_value
        if number - number != 0.0:
            raise Problem("value", f"a Struct cannot hold {number} in JSON")
        return number
    if kind in ("string_value", "bool_value"):
        return getattr(value, kind)
    if depth + 2 > MAX_DEPTH:
        raise too_deep()
    if kind == "struct_value":
        return _print_struct(value.struct_value, depth + 1)
    return _print_list_value(value.list_value, depth + 1)


def _print_list_value(values: Any, depth: int) -> list[Any]:
    printed: list[Any] = []
    if depth + 2 > MAX_DEPTH and len(values.values):
        raise too_deep()
    try:
        for value in values.values:
            printed.append(_print_value(value, depth + 1))
    except Problem as problem:
        raise problem.at(len(printed)) from None
    return printed


RUNTIME_PRINTERS: dict[str, Callable[[Any, int], Any]] = {
    "google.protobuf.Struct": _print_struct,
    "google.protobuf.Value": _print_value,
    "google.protobuf.ListValue": _print_list_value,
}
