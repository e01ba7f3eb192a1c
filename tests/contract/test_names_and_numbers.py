"""The schema is the public API's: nothing more, nothing less, and every number the same."""

from __future__ import annotations

import pytest
from contract.tables import (
    BEHAVIORS,
    ENUM_VALUES,
    FIELDLESS,
    FIELDS,
    Behavior,
    EnumValue,
    Field,
    enums,
    messages,
    relative,
    type_of,
)
from google.api import field_behavior_pb2
from google.protobuf.descriptor import FieldDescriptor

DESCRIPTORS = {field.full_name: field for message in messages() for field in message.fields}


def label_of(field: FieldDescriptor) -> str:
    if type_of(field).startswith("map<"):
        return "map"
    if field.is_repeated:
        return "repeated"
    oneof = field.containing_oneof
    # A proto3 `optional` field stands alone in a oneof that protoc makes for it.
    return "optional" if oneof is not None and oneof.name == f"_{field.name}" else ""


def oneof_of(field: FieldDescriptor) -> str:
    oneof = field.containing_oneof
    return "" if oneof is None or label_of(field) == "optional" else oneof.name


@pytest.mark.parametrize("row", FIELDS, ids=lambda row: row.full_name)
def test_a_field_is_as_the_public_api_has_it(row: Field) -> None:
    field = DESCRIPTORS[row.full_name]
    found = (str(field.number), field.json_name, type_of(field), label_of(field), oneof_of(field))
    assert found == (row.number, row.json_name, row.type, row.label, row.oneof)


def test_there_are_no_other_fields() -> None:
    assert DESCRIPTORS.keys() == {row.full_name for row in FIELDS}


def test_there_are_no_other_messages() -> None:
    owners = {row.full_name.rpartition(".")[0] for row in FIELDS}
    assert {message.full_name for message in messages()} == owners | set(FIELDLESS)


def test_the_enum_values_are_those_of_the_public_api() -> None:
    found = [
        EnumValue(
            enum.full_name.split(".")[1], relative(enum.full_name), value.name, str(value.number)
        )
        for enum in enums()
        for value in enum.values
    ]
    assert sorted(found) == sorted(ENUM_VALUES)


def test_the_tables_are_whole() -> None:
    assert (len(FIELDS), len(ENUM_VALUES)) == (409, 54)
    documented = {
        (row.api, row.message, row.field) for row in FIELDS if row.seen_in == "documented"
    }
    assert documented == {row[:3] for row in BEHAVIORS}
    assert len(documented) == 138


@pytest.mark.parametrize("row", BEHAVIORS, ids=lambda row: row.full_name)
def test_a_field_is_annotated_as_its_page_says(row: Behavior) -> None:
    options = DESCRIPTORS[row.full_name].GetOptions()
    behaviors = options.Extensions[field_behavior_pb2.field_behavior]
    names = [field_behavior_pb2.FieldBehavior.Name(behavior) for behavior in behaviors]
    assert names == ([] if row.behavior == "NONE" else [row.behavior])
