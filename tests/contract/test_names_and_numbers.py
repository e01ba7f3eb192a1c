"""The schema is the public API's: nothing more, nothing less, and every number the same."""

from __future__ import annotations

from contract.comparison import differences
from contract.tables import BEHAVIORS, FIELDS, Behavior, messages
from google.api import field_behavior_pb2
from support.cases import for_each

DESCRIPTORS = {field.full_name: field for message in messages() for field in message.fields}


def test_the_schema_is_as_the_public_api_has_it() -> None:
    assert differences(messages()) == []


def test_the_tables_are_whole() -> None:
    said = {(row.api, row.message, row.field) for row in FIELDS if row.seen_in != "referenced"}
    assert said == {row[:3] for row in BEHAVIORS}
    # New fields need no other number here, and fields that are lost are noticed.
    assert sum(row.seen_in == "documented" for row in FIELDS) >= 138


@for_each("row", BEHAVIORS, ids=lambda row: row.full_name)
def test_a_field_is_annotated_as_its_source_says(row: Behavior) -> None:
    options = DESCRIPTORS[row.full_name].GetOptions()
    behaviors = options.Extensions[field_behavior_pb2.field_behavior]
    names = [field_behavior_pb2.FieldBehavior.Name(behavior) for behavior in behaviors]
    assert names == ([] if row.behavior == "NONE" else [row.behavior])
