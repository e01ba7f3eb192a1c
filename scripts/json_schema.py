"""Makes the JSON Schemas in generated/jsonschema, or checks that they are up to date.

    python scripts/json_schema.py            write generated/jsonschema
    python scripts/json_schema.py --check    compare; exit 1 on any difference

Each message that stands at the top of a .proto file has a schema (draft 2020-12) of its JSON, made
from the descriptor set. A file is complete: the messages that it refers to are in its ``$defs``,
each with the same ``$id`` in every file.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from functools import cache
from typing import Any

from committed_tree import bring_up_to_date
from environment import ROOT
from google.protobuf.descriptor import Descriptor, EnumDescriptor, FieldDescriptor, OneofDescriptor
from google.protobuf.descriptor_pb2 import FileDescriptorSet
from google.protobuf.descriptor_pool import DescriptorPool
from json_schema_types import BASE, PROTOBUF_TYPES, SCALARS, WELL_KNOWN

from turnwire import schema

Schema = dict[str, Any]

TARGET = ROOT / "generated" / "jsonschema"
FOLDERS = ("ces", "geminidataanalytics")

_NULL: Schema = {"type": "null"}

comment_of = cache(schema.comment_of)  # asked for again in each file that a message is in


def top_messages() -> Iterator[Descriptor]:
    """The messages at the top of the .proto files, as the descriptor set has them."""
    files = FileDescriptorSet.FromString(schema.descriptor_set().read_bytes()).file
    pool = DescriptorPool()
    for file in files:
        pool.Add(file)
    for file in files:
        if file.package.startswith("turnwire_schema."):
            yield from pool.FindFileByName(file.name).message_types_by_name.values()


def document(message: Descriptor) -> Schema:
    """The complete schema of a message, with all that it refers to."""
    declared: dict[str, Schema] = {}
    _declare(message, declared)
    root = declared.pop(_id(message))
    inner = {key.removeprefix(BASE).removesuffix(".json"): declared[key] for key in declared}
    definitions = {"$defs": dict(sorted(inner.items()))} if inner else {}
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **root, **definitions}


def _declare(declaration: Descriptor | EnumDescriptor, declared: dict[str, Schema]) -> None:
    """Adds the schema of a message or enum, and of all that it refers to, by ``$id``."""
    identifier = _id(declaration)
    if identifier in declared:
        return
    if isinstance(declaration, EnumDescriptor):
        declared[identifier] = _enum(declaration, declared)
        return
    declared[identifier] = {}  # reserved, as a message may refer to itself
    declared[identifier] = _message(declaration, declared)


def _id(declaration: Descriptor | EnumDescriptor) -> str:
    """The identifier of a schema: ``…/ces/v1/SessionOutput.DiagnosticInfo.json``."""
    package = declaration.file.package
    name = declaration.full_name.removeprefix(f"{package}.")
    return f"{BASE}{package.removeprefix('turnwire_schema.').replace('.', '/')}/{name}.json"


def _message(message: Descriptor, declared: dict[str, Schema]) -> Schema:
    properties: dict[str, Schema] = {}
    spellings: dict[str, Schema] = {}
    for field in message.fields:
        described = {"description": comment_of(field.full_name)}
        properties[field.json_name] = described | _or_null(_field(field, declared))
        if field.name != field.json_name:
            properties[field.name] = {"$ref": f"#/properties/{field.json_name}"}
            spellings[field.name] = {"properties": {field.json_name: False}}
    written: Schema = {
        "$id": _id(message),
        "title": message.name,
        "description": comment_of(message.full_name),
        "type": "object",
        "properties": properties,
        "additionalProperties": False,
    }
    if spellings:
        written["dependentSchemas"] = spellings
    # A oneof of one member cannot be broken, and neither can that of an optional field.
    if oneofs := [_at_most_one(oneof) for oneof in message.oneofs if len(oneof.fields) > 1]:
        written["allOf"] = oneofs
    return written


def _at_most_one(oneof: OneofDescriptor) -> Schema:
    """That of the members one at most is there and not null."""
    names = dict.fromkeys(name for field in oneof.fields for name in (field.json_name, field.name))
    none_is_set = {"properties": dict.fromkeys(names, _NULL)}
    return {
        "$comment": f"at most one member of {oneof.name}",
        "oneOf": [none_is_set, *(_is_set(name) for name in names)],
    }


def _is_set(name: str) -> Schema:
    return {"required": [name], "properties": {name: {"not": _NULL}}}


def _enum(enum: EnumDescriptor, declared: dict[str, Schema]) -> Schema:
    values = [
        {"const": value.name, "description": comment_of(f"{enum.full_name}.{value.name}")}
        for value in enum.values
    ]
    return {
        "$id": _id(enum),
        "title": enum.name,
        "description": comment_of(enum.full_name),
        "anyOf": [*values, _protobuf_type("int32", declared)],
    }


def _field(field: FieldDescriptor, declared: dict[str, Schema]) -> Schema:
    """The schema of what a field holds, when it is not null."""
    message = field.message_type
    if message is not None and message.GetOptions().map_entry:
        return {
            "type": "object",
            "additionalProperties": _value(message.fields_by_name["value"], declared),
        }
    if field.is_repeated:
        return {"type": "array", "items": _value(field, declared)}
    return _value(field, declared)


def _value(field: FieldDescriptor, declared: dict[str, Schema]) -> Schema:
    """The schema of one value of a field."""
    declaration = field.message_type or field.enum_type
    if declaration is None:
        name = SCALARS[field.type]
    elif declaration.full_name in WELL_KNOWN:
        name = WELL_KNOWN[declaration.full_name]
    else:
        _declare(declaration, declared)
        return {"$ref": _id(declaration)}
    return _protobuf_type(name, declared)


def _protobuf_type(name: str, declared: dict[str, Schema]) -> Schema:
    found = PROTOBUF_TYPES[name]
    if "$id" not in found:
        return found
    declared[found["$id"]] = found
    return {"$ref": found["$id"]}


def _or_null(value: Schema) -> Schema:
    """Null leaves a field unset, of whatever type it is."""
    if isinstance(value.get("type"), str):
        return value | {"type": [value["type"], "null"]}
    return {"anyOf": [value, _NULL]}


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--check", action="store_true", help="compare, write nothing")
    arguments = parser.parse_args()
    files = {}
    for message in top_messages():
        text = json.dumps(document(message), indent=1, ensure_ascii=False)
        files[_id(message).removeprefix(BASE)] = f"{text}\n".encode()
    return bring_up_to_date(
        TARGET, FOLDERS, files, command="make json-schema", check=arguments.check
    )


if __name__ == "__main__":
    sys.exit(main())
