"""Compares declarations with the tables: what the schema has, and what the contract says."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from contract.tables import ENUM_VALUES, FIELDLESS, FIELDS, type_of
from google.protobuf.descriptor import Descriptor, EnumDescriptor, FieldDescriptor

Facts = dict[str, str]


def differences(messages: Iterable[Descriptor]) -> list[str]:
    """Lists the changes, a line each: ``gone: …``, ``new: …``, ``…: number was 1, is 2``."""
    found, agreed = _declared(list(messages)), _agreed()
    lines = [f"gone: {name}" for name in agreed if name not in found]
    lines += [f"new: {name}" for name in found if name not in agreed]
    for name in agreed.keys() & found:
        lines += [
            f"{name}: {fact} was {agreed[name][fact]!r}, is {value!r}"
            for fact, value in found[name].items()
            if value != agreed[name][fact]
        ]
    return sorted(lines)


def _agreed() -> dict[str, Facts]:
    """The facts of the tables, by full name."""
    facts: dict[str, Facts] = {name: {} for name in FIELDLESS}
    for row in FIELDS:
        facts[row.full_name.rpartition(".")[0]] = {}
        facts[row.full_name] = {
            "number": row.number,
            "JSON name": row.json_name,
            "type": row.type,
            "label": row.label,
            "oneof": row.oneof,
        }
    for value in ENUM_VALUES:
        facts[value.full_name] = {"number": value.number}
    return facts


def _declared(messages: list[Descriptor]) -> dict[str, Facts]:
    """The same facts of messages, and of the enums in them and beside them."""
    facts: dict[str, Facts] = {}
    for message in messages:
        facts[message.full_name] = {}
        for field in message.fields:
            facts[field.full_name] = {
                "number": str(field.number),
                "JSON name": field.json_name,
                "type": type_of(field),
                "label": _label_of(field),
                "oneof": _oneof_of(field),
            }
    for enum in _enums(messages):
        for value in enum.values:
            facts[f"{enum.full_name}.{value.name}"] = {"number": str(value.number)}
    return facts


def _enums(messages: list[Descriptor]) -> Iterator[EnumDescriptor]:
    for file in {message.file.name: message.file for message in messages}.values():
        yield from file.enum_types_by_name.values()
    for message in messages:
        yield from message.enum_types


def _label_of(field: FieldDescriptor) -> str:
    if type_of(field).startswith("map<"):
        return "map"
    if field.is_repeated:
        return "repeated"
    oneof = field.containing_oneof
    # A proto3 `optional` field stands alone in a oneof that protoc makes for it.
    return "optional" if oneof is not None and oneof.name == f"_{field.name}" else ""


def _oneof_of(field: FieldDescriptor) -> str:
    oneof = field.containing_oneof
    return "" if oneof is None or _label_of(field) == "optional" else oneof.name
