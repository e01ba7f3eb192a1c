"""The JSON Schemas of all JSON that Turnwire reads."""

from __future__ import annotations

from typing import ClassVar

from google.protobuf.descriptor import Descriptor, EnumDescriptor, OneofDescriptor
from json_rules import pattern
from json_schema_form import Form, Schema, comment_of

_NULL: Schema = {"type": "null"}
_NUMBER: Schema = {"type": "string", "pattern": pattern("number")}
# Numbers between the largest float and this one are rounded to the largest float.
_FLOAT_LIMIT = 3.4028235677973366e38


def _integer(bits: int) -> Schema:
    return {"type": "integer", "minimum": -(2 ** (bits - 1)), "maximum": 2 ** (bits - 1) - 1}


_TITLED_TYPES: dict[str, Schema] = {
    "Int32": {
        "description": "An integer of 32 bits, bare or quoted.",
        "anyOf": [_integer(32), _NUMBER],
    },
    "EnumNumber": {
        "description": "The number of an enum value, bare or quoted; a quoted one is written as an "
        "integer.",
        "anyOf": [_integer(32), {"type": "string", "pattern": pattern("integer_text")}],
    },
    "Int64": {
        "description": "An integer of 64 bits, quoted or bare. Programs that read bare numbers as "
        "doubles keep only a quoted one exact.",
        "anyOf": [_NUMBER, _integer(64)],
    },
    "Float": {
        "description": "A number of 32 bits, bare or quoted.",
        "anyOf": [
            {
                "type": "number",
                "exclusiveMinimum": -_FLOAT_LIMIT,
                "exclusiveMaximum": _FLOAT_LIMIT,
            },
            {"enum": ["NaN", "Infinity", "-Infinity"]},
            _NUMBER,
        ],
    },
    "Bytes": {
        "description": "Bytes in base64: the standard or the URL-safe alphabet, with or without "
        "padding.",
        "type": "string",
        "contentEncoding": "base64",
        "pattern": pattern("base64"),
    },
    "GoogleProtobufTimestamp": {
        "description": "A point in time (RFC 3339) with Z or an offset, and up to nine fractional "
        "digits.",
        "type": "string",
        "pattern": pattern("timestamp"),
    },
    "GoogleProtobufDuration": {
        "description": 'Seconds, with up to nine fractional digits, and an s: "1.5s".',
        "type": "string",
        "pattern": pattern("duration"),
    },
    "GoogleProtobufAny": {
        "description": "A message of any type: its type URL in @type, and its members beside it.",
        "type": "object",
        "anyOf": [
            {
                "required": ["@type"],
                "properties": {"@type": {"type": "string", "pattern": "/[^/]+$"}},
            },
            {"maxProperties": 0},
        ],
    },
}


class ReadForm(Form):
    """Makes the definitions of a bundle that describes what is read."""

    SUFFIX = ".json"
    DESCRIPTION = (
        "The JSON of each message of {package} that Turnwire reads: both spellings of a field's "
        "name, null for a field that is not set, numbers bare or in quotes, enum values as names "
        "or numbers. Refer to one definition, such as #/$defs/Message."
    )
    PROTOBUF_TYPES: ClassVar[dict[str, Schema]] = {
        "String": {"type": "string"},
        "Bool": {"type": "boolean"},
        "GoogleProtobufStruct": {"type": "object"},
        **{title: {"title": title} | found for title, found in _TITLED_TYPES.items()},
    }

    def _message(self, message: Descriptor) -> Schema:
        properties: dict[str, Schema] = {}
        spellings: dict[str, Schema] = {}
        for field in message.fields:
            value = _or_null(self._field(field))
            # The first paragraph: this form is for validators and editors.
            comment = comment_of(field.full_name).partition("\n\n")[0]
            properties[field.json_name] = {"description": comment} | value
            if field.name != field.json_name:
                properties[field.name] = value
                spellings[field.name] = {"properties": {field.json_name: False}}
        written: Schema = {"properties": properties, "additionalProperties": False}
        if spellings:
            written["dependentSchemas"] = spellings
        # A oneof of one member cannot be broken, and neither can that of an optional field.
        if oneofs := [_at_most_one(oneof) for oneof in message.oneofs if len(oneof.fields) > 1]:
            written["allOf"] = oneofs
        return written

    def _enum(self, enum: EnumDescriptor) -> Schema:
        values = [
            {"const": value.name, "description": comment_of(f"{enum.full_name}.{value.name}")}
            for value in enum.values
        ]
        return {"anyOf": [*values, self._protobuf_type("EnumNumber")]}


def _at_most_one(oneof: OneofDescriptor) -> Schema:
    """Returns a schema that allows at most one member of a oneof to be present and not null."""
    names = dict.fromkeys(name for field in oneof.fields for name in (field.json_name, field.name))
    none_is_set = {"properties": dict.fromkeys(names, _NULL)}
    return {
        "$comment": f"at most one member of {oneof.name}",
        "oneOf": [none_is_set, *(_is_set(name) for name in names)],
    }


def _is_set(name: str) -> Schema:
    return {"required": [name], "properties": {name: {"not": _NULL}}}


def _or_null(value: Schema) -> Schema:
    """Returns a schema that allows null too: it leaves a field of any type unset."""
    if isinstance(value.get("type"), str):
        return value | {"type": [value["type"], "null"]}
    return {"anyOf": [value, _NULL]}
