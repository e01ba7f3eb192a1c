"""Plain Python values out of protobuf's Struct, and out of JSON that stands in a string."""

from __future__ import annotations

import json
from typing import Any, NoReturn, TypeGuard

from google.protobuf.struct_pb2 import Struct, Value

from turnwire.errors import ParseError


def plain_from_struct(struct: Struct) -> dict[str, Any]:
    """A Struct as a plain deep dict; whole numbers are int. The message is not changed."""
    return {name: _plain(value) for name, value in struct.fields.items()}


def _plain(value: Value) -> Any:
    match value.WhichOneof("kind"):
        case "number_value":
            number = value.number_value
            return int(number) if number.is_integer() else number
        case "string_value":
            return value.string_value
        case "bool_value":
            return value.bool_value
        case "struct_value":
            return plain_from_struct(value.struct_value)
        case "list_value":
            return [_plain(item) for item in value.list_value.values]
        case _:
            return None


def plain_from_json(text: str) -> Any:
    """The value of a JSON text, integers exact and members in their order.

    Raises:
        ParseError: The text is not JSON; NaN and Infinity are not either.
    """
    try:
        return json.loads(text, parse_constant=_refuse)
    except json.JSONDecodeError as error:
        raise ParseError(
            f"not JSON: {error.msg}", kind="syntax", line=error.lineno, column=error.colno
        ) from None
    except RecursionError:
        raise ParseError("the JSON is nested too deeply", kind="depth") from None
    except ValueError as error:  # a constant that JSON has not, or an integer of 5,000 digits
        raise ParseError(f"not JSON: {error}", kind="syntax") from None


def _refuse(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON value")


def is_object(value: Any) -> TypeGuard[dict[str, Any]]:
    """Whether a plain value is a JSON object."""
    return isinstance(value, dict)


def is_list(value: Any) -> TypeGuard[list[Any]]:
    """Whether a plain value is a JSON list."""
    return isinstance(value, list)
