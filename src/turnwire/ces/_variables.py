"""The session's variables, folded from the changes that its messages report."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, assert_never

from google.protobuf.struct_pb2 import Value
from turnwire_schema.ces.v1.message_pb2 import Message

from turnwire.protojson import to_dict


class Variables:
    """Variables by name, message by message.

    ``updatedVariables`` and ``defaultVariables`` change variables by name: a name that comes again
    replaces the whole value. Defaults are those of the start of the conversation, and services
    repeat them: an update outranks every default, wherever that stands; among defaults the last
    one wins.
    """

    def __init__(self, messages: Iterable[Message] = ()) -> None:
        self._defaults: dict[str, Value] = {}
        self._updates: dict[str, Value] = {}
        for message in messages:
            self.add(message)

    def add(self, message: Message) -> dict[str, Value]:
        """Takes the next message and returns the variables whose value it changed."""
        changed: dict[str, Value] = {}
        for chunk in message.chunks:
            match chunk.WhichOneof("data"):
                case "updated_variables":
                    for name, value in chunk.updated_variables.fields.items():
                        if self._updates.get(name, self._defaults.get(name)) != value:
                            changed[name] = value
                        self._updates[name] = value
                case "default_variables":
                    for name, value in chunk.default_variables.fields.items():
                        if name not in self._updates and self._defaults.get(name) != value:
                            changed[name] = value
                        self._defaults[name] = value
                case (
                    "text"
                    | "transcript"
                    | "image"
                    | "blob"
                    | "payload"
                    | "tool_call"
                    | "tool_response"
                    | "agent_transfer"
                    | None
                ):
                    pass
                case _ as kind:
                    assert_never(kind)
        return changed

    @property
    def values(self) -> dict[str, Value]:
        """All variables with their values."""
        return self._defaults | self._updates


def plain_variables(values: Mapping[str, Value]) -> dict[str, Any]:
    """Variables as plain JSON values, by name in the order of the names: a Struct has none."""
    return {name: to_dict(values[name]) for name in sorted(values)}
