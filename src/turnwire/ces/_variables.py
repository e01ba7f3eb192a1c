"""The session's variables, folded from the changes that its messages tell."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from google.protobuf.struct_pb2 import Value
from turnwire_schema.ces.v1.message_pb2 import Message

from turnwire.protojson import to_dict


def fold_variables(messages: Iterable[Message]) -> dict[str, Value]:
    """The variables after these messages.

    ``defaultVariables`` and ``updatedVariables`` are both changes by variable name, taken in
    order: a name that comes again replaces the whole value, a name that does not stays as it is.
    """
    values: dict[str, Value] = {}
    for message in messages:
        for chunk in message.chunks:
            match chunk.WhichOneof("data"):
                case "default_variables":
                    values.update(chunk.default_variables.fields)
                case "updated_variables":
                    values.update(chunk.updated_variables.fields)
                case _:
                    pass
    return values


def plain_variables(values: Mapping[str, Value]) -> dict[str, Any]:
    """Variables as plain JSON values, by name in the order of the names: a Struct has none."""
    return {name: to_dict(values[name]) for name in sorted(values)}
