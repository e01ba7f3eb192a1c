"""The JSON Schemas of the JSON that Turnwire prints, for programs that generate types.

Such programs take a choice between schemas for a union of types, and a pattern for code. So a field
has one name and, where its JSON has one form, one type; nothing else is restricted.
"""

from __future__ import annotations

from typing import ClassVar

from google.protobuf.descriptor import Descriptor, EnumDescriptor
from json_schema_form import Form, Schema, comment_of


class PrintedForm(Form):
    """Makes the definitions of a bundle that describes what is printed."""

    SUFFIX = ".types.json"
    DESCRIPTION = (
        "The JSON of each message of {package} as Turnwire and the other protobuf runtimes print "
        "it by default, for programs that generate types."
    )
    PROTOBUF_TYPES: ClassVar[dict[str, Schema]] = {
        "String": {"type": "string"},
        "Bool": {"type": "boolean"},
        "Int32": {"type": "integer"},
        "Int64": {"type": "string"},
        # A string is "NaN", "Infinity" or "-Infinity".
        "Float": {"anyOf": [{"type": "number"}, {"type": "string"}]},
        "Bytes": {"type": "string", "contentEncoding": "base64"},
        "GoogleProtobufTimestamp": {"type": "string"},
        "GoogleProtobufDuration": {"type": "string"},
        "GoogleProtobufStruct": {"type": "object", "additionalProperties": True},
        "GoogleProtobufAny": {
            "title": "GoogleProtobufAny",
            "description": "A message of any type: its type URL and its members.",
            "type": "object",
            "properties": {"@type": {"type": "string"}},
            "additionalProperties": True,
        },
    }

    def _message(self, message: Descriptor) -> Schema:
        properties = {
            field.json_name: _described(self._field(field), comment_of(field.full_name))
            for field in message.fields
        }
        return {"properties": properties, "additionalProperties": False}

    def _enum(self, enum: EnumDescriptor) -> Schema:
        values = [
            f"- {value.name}: {' '.join(comment_of(f'{enum.full_name}.{value.name}').split())}"
            for value in enum.values
        ]
        return {
            "description": "\n".join([comment_of(enum.full_name), "", *values]),
            "type": "string",
            "enum": [value.name for value in enum.values],
        }


def _described(value: Schema, description: str) -> Schema:
    """Adds a description; beside a reference, json-schema-to-typescript would copy the type."""
    return {"description": description} | ({"allOf": [value]} if "$ref" in value else value)
