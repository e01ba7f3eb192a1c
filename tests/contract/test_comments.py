"""Every declaration says what it is, and the examples in the comments are right."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from contract.tables import BEHAVIORS, FIELDS, Field, messages, relative
from google.api import field_behavior_pb2
from google.protobuf.descriptor import Descriptor, FieldDescriptor, OneofDescriptor
from support.cases import for_each

import turnwire
from turnwire import schema


def examples_of(message: Descriptor) -> Iterator[str]:
    """The JSON objects that stand, indented, in the comment of a message."""
    lines = schema.comment_of(message.full_name).splitlines()
    text = "\n".join(line for line in lines if line.startswith("    "))
    while (start := text.find("{")) >= 0:
        _, end = json.JSONDecoder().raw_decode(text, start)
        yield text[start:end]
        text = text[end:]


EXAMPLES = [(message.full_name, text) for message in messages() for text in examples_of(message)]
ONEOFS = [
    oneof
    for message in messages()
    for oneof in message.oneofs
    if oneof.name != f"_{oneof.fields[0].name}"
]
REQUIRED = {row.full_name for row in BEHAVIORS if row.behavior == "REQUIRED"}
MAY_BE_ABSENT = [
    row
    for row in FIELDS
    if row.seen_in != "referenced" and not row.oneof and row.full_name not in REQUIRED
]
FIELD_DESCRIPTORS = [field for message in messages() for field in message.fields]


@for_each("row", FIELDS, ids=lambda row: row.full_name)
def test_a_field_has_a_comment_that_says_how_firm_it_is(row: Field) -> None:
    comment = schema.comment_of(row.full_name)
    assert comment
    assert ("provisional" in comment.lower()) == (row.number_source == "provisional")
    assert ("v1beta" in comment) == (row.version == "v1beta")


@for_each("row", MAY_BE_ABSENT, ids=lambda row: row.full_name)
def test_a_documented_field_says_what_its_absence_means(row: Field) -> None:
    """Text, bytes and lists say "Empty: ...", all else "Absent: ..." or "False or absent: ..."."""
    can_be_empty = row.label == "repeated" or row.type in ("string", "bytes")
    marker = r"\bEmpty:\s" if can_be_empty else r"\b[Aa]bsent:\s"
    assert re.search(marker, schema.comment_of(row.full_name))


@for_each("field", FIELD_DESCRIPTORS, ids=lambda field: field.full_name)
def test_a_comment_begins_with_the_behavior_of_its_field(field: FieldDescriptor) -> None:
    behaviors = field.GetOptions().Extensions[field_behavior_pb2.field_behavior]
    said = [
        field_behavior_pb2.FieldBehavior.Name(behavior).capitalize().replace("_", " ")
        for behavior in behaviors
    ]
    words = "Required|Optional|Output only|Identifier"
    assert re.findall(rf"^({words})\. ", schema.comment_of(field.full_name)) == said


@for_each("message", messages(), ids=lambda message: message.full_name)
def test_a_message_its_oneofs_and_its_enums_have_comments(message: Descriptor) -> None:
    assert schema.comment_of(message.full_name)
    for oneof in message.oneofs:
        if oneof in ONEOFS:
            assert schema.comment_of(oneof.full_name), oneof.full_name
    for enum in message.enum_types:
        for name in [enum.full_name, *(f"{enum.full_name}.{value.name}" for value in enum.values)]:
            assert schema.comment_of(name), name


@for_each(("name", "text"), EXAMPLES)
def test_an_example_is_json_of_its_message(name: str, text: str) -> None:
    message = turnwire.from_json(schema.message_class(name), text)
    assert turnwire.from_json(type(message), turnwire.to_json(message)) == message


@for_each("oneof", ONEOFS, ids=lambda oneof: oneof.full_name)
def test_every_member_of_a_oneof_has_an_example(oneof: OneofDescriptor) -> None:
    owner = oneof.containing_type
    parsed = [
        turnwire.from_json(schema.message_class(owner.full_name), text)
        for text in examples_of(owner)
    ]
    shown = {message.WhichOneof(oneof.name) for message in parsed}
    assert {field.name for field in oneof.fields} <= shown


def test_there_are_examples() -> None:
    names = {relative(name) for name, _ in EXAMPLES}
    assert {"Message", "Chunk", "SystemMessage", "SessionOutput"} <= names
