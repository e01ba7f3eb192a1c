"""The part that both forms of the JSON Schemas share: names, references, fields."""

from __future__ import annotations

from abc import ABC, abstractmethod
from functools import cache
from typing import Any, ClassVar

from google.protobuf.descriptor import Descriptor, EnumDescriptor, FieldDescriptor

from turnwire import schema

Schema = dict[str, Any]
Declaration = Descriptor | EnumDescriptor

_SCALARS = {
    FieldDescriptor.TYPE_STRING: "String",
    FieldDescriptor.TYPE_BYTES: "Bytes",
    FieldDescriptor.TYPE_BOOL: "Bool",
    FieldDescriptor.TYPE_INT32: "Int32",
    FieldDescriptor.TYPE_INT64: "Int64",
    FieldDescriptor.TYPE_FLOAT: "Float",
}
_WELL_KNOWN = {
    "google.protobuf.Timestamp": "GoogleProtobufTimestamp",
    "google.protobuf.Duration": "GoogleProtobufDuration",
    "google.protobuf.Struct": "GoogleProtobufStruct",
    "google.protobuf.Any": "GoogleProtobufAny",
    "google.protobuf.Int64Value": "Int64",
}

comment_of = cache(schema.comment_of)


class Form(ABC):
    """Makes the definitions of one bundle."""

    SUFFIX: ClassVar[str]
    """The end of the names of the bundles, after the name of the API."""

    DESCRIPTION: ClassVar[str]
    """The description of a bundle, with ``{package}`` for the proto package."""

    PROTOBUF_TYPES: ClassVar[dict[str, Schema]]
    """The schemas of protobuf's types by name; those with a title are definitions of the bundle.

    A type that the schema begins to use needs a line here, and one in the tables of this module.
    """

    def __init__(self) -> None:
        self.shared: dict[str, Schema] = {}
        """The definitions of protobuf's types that were used."""

    def definition(self, declaration: Declaration) -> Schema:
        """Returns the definition of a message or enum."""
        described = {
            "title": definition_name(declaration),
            "description": comment_of(declaration.full_name),
        }
        if isinstance(declaration, EnumDescriptor):
            return described | self._enum(declaration)
        return described | {"type": "object"} | self._message(declaration)

    @abstractmethod
    def _message(self, message: Descriptor) -> Schema: ...

    @abstractmethod
    def _enum(self, enum: EnumDescriptor) -> Schema: ...

    def _field(self, field: FieldDescriptor) -> Schema:
        """Returns the schema of a field's value that is not null."""
        message = field.message_type
        if message is not None and message.GetOptions().map_entry:
            value = self._value(message.fields_by_name["value"])
            return {"type": "object", "additionalProperties": value}
        value = self._value(field)
        return {"type": "array", "items": value} if field.is_repeated else value

    def _value(self, field: FieldDescriptor) -> Schema:
        """Returns the schema of one value of a field."""
        declaration = field.message_type or field.enum_type
        if declaration is None:
            return self._protobuf_type(_SCALARS[field.type])
        if declaration.full_name in _WELL_KNOWN:
            return self._protobuf_type(_WELL_KNOWN[declaration.full_name])
        return _reference_to(definition_name(declaration))

    def _protobuf_type(self, name: str) -> Schema:
        found = self.PROTOBUF_TYPES[name]
        if "title" not in found:
            return found
        self.shared[name] = found
        return _reference_to(name)


def definition_name(declaration: Declaration) -> str:
    """Returns the key of a message or enum in ``$defs``, such as ``SessionOutputDiagnosticInfo``.

    It has no dots: programs that generate types would take them for modules.
    """
    name: str = declaration.full_name.removeprefix(f"{declaration.file.package}.")
    return name.replace(".", "")


def _reference_to(name: str) -> Schema:
    return {"$ref": f"#/$defs/{name}"}
