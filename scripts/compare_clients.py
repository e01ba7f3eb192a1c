"""Compares the schema with the public clients of Google that are installed.

python scripts/compare_clients.py    print what the schema lacks; exit 1 if it lacks something
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from importlib import metadata
from typing import Any, NamedTuple

from google.protobuf.descriptor import Descriptor, EnumDescriptor, FieldDescriptor
from google.protobuf.message import Message

from turnwire import schema
from turnwire._apis import APIS

CLIENT_PACKAGES = tuple(f"google-cloud-{api.name}" for api in APIS)

_VERSIONS = ("v1", "v1beta")


class Pair(NamedTuple):
    """One message type, in the schema and in one of Google's clients."""

    ours: type[Message]
    proto_plus: Any
    """The client's wrapper class, a `proto.Message`."""

    @property
    def theirs(self) -> type[Message]:
        """The protobuf class below the wrapper."""
        found: type[Message] = self.proto_plus.pb()
        return found

    def __repr__(self) -> str:
        return self.theirs.DESCRIPTOR.full_name


def pairs() -> list[Pair]:
    """Returns the pairs of all clients: both APIs, in both versions."""
    found = []
    for api in APIS:
        for version in _VERSIONS:
            types = importlib.import_module(f"google.cloud.{api.name}_{version}.types")
            for name in schema.message_names():
                relative = name.removeprefix(f"{api.package}.")
                wrapper = None if relative == name else _wrapper_of(types, relative)
                if wrapper is not None:
                    found.append(Pair(schema.message_class(name), wrapper))
    return found


def _wrapper_of(types: Any, name: str) -> Any:
    """Returns the client's class of a message; None if this version of the API has none."""
    found = types
    for part in name.split("."):
        found = getattr(found, part, None)
    return found


def lacks(pair: Pair) -> list[str]:
    """Returns what the client has of a message and the schema lacks or has otherwise."""
    ours: Any = pair.ours.DESCRIPTOR
    theirs: Any = pair.theirs.DESCRIPTOR
    return [
        line
        for field in theirs.fields
        for line in _field_lacks(ours.fields_by_number.get(field.number), field, ours)
    ]


def _field_lacks(
    ours: FieldDescriptor | None, theirs: FieldDescriptor, message: Descriptor
) -> Iterator[str]:
    where = f"{theirs.full_name} (JSON: {theirs.json_name})"
    if ours is None:
        same_name = [field for field in message.fields if field.json_name == theirs.json_name]
        if same_name:
            yield f"{where} has number {theirs.number}, here {same_name[0].number}"
        else:
            yield f"{where} with number {theirs.number} is not in the schema"
        return
    facts = [
        ("JSON name", ours.json_name, theirs.json_name),
        ("type", _type(ours), _type(theirs)),
        ("label", ours.is_repeated, theirs.is_repeated),
        ("oneof", _oneof(ours), _oneof(theirs)),
    ]
    for fact, here, there in facts:
        if here != there:
            yield f"{where}: the {fact} is {there!r}, here {here!r}"
    if ours.enum_type is not None and theirs.enum_type is not None:
        yield from _enum_lacks(ours.enum_type, theirs.enum_type)


def _enum_lacks(ours: EnumDescriptor, theirs: EnumDescriptor) -> Iterator[str]:
    names = {value.number: value.name for value in ours.values}
    for value in theirs.values:
        if names.get(value.number) != value.name:
            yield f"{theirs.full_name}.{value.name} = {value.number} is not in the schema"


def _type(field: FieldDescriptor) -> tuple[int, str]:
    """Returns the type of a field; messages and enums by their names below the package."""
    declared = field.message_type or field.enum_type
    name = "" if declared is None else declared.full_name
    if name.startswith(("turnwire_schema.", "google.cloud.")):
        name = name.partition(".v1.")[2] or name.partition(".v1beta.")[2]
    return field.type, name


def _oneof(field: FieldDescriptor) -> str:
    oneof = field.containing_oneof
    if oneof is None:
        return ""
    # The name of the oneof that an optional field is alone in, is the generator's.
    return "optional" if oneof.name.startswith("_") else oneof.name


def main() -> int:
    for package in CLIENT_PACKAGES:
        print(package, metadata.version(package))
    found = pairs()
    lines = sorted({line for pair in found for line in lacks(pair)})
    for line in lines:
        print(line)
    print(f"{len(found)} pairs of messages compared, {len(lines)} differences")
    return 1 if lines else 0


if __name__ == "__main__":
    sys.exit(main())
