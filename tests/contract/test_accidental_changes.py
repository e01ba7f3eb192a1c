"""Each kind of accidental change of the schema is reported: the comparison overlooks none.

A copy of the descriptor set is changed in memory, as an edit of a .proto file would change it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from contract.comparison import differences
from google.protobuf.descriptor import Descriptor
from google.protobuf.descriptor_pb2 import (
    DescriptorProto,
    EnumDescriptorProto,
    FieldDescriptorProto,
    FileDescriptorProto,
    FileDescriptorSet,
)
from google.protobuf.descriptor_pool import DescriptorPool

from turnwire import schema

PACKAGE = "turnwire_schema.ces.v1."
Change = Callable[[FileDescriptorSet], None]


def file_of(files: FileDescriptorSet, name: str) -> FileDescriptorProto:
    return next(file for file in files.file if file.name == f"turnwire_schema/ces/v1/{name}.proto")


def message_of(files: FileDescriptorSet, file: str, name: str) -> DescriptorProto:
    return next(found for found in file_of(files, file).message_type if found.name == name)


def field_of(message: DescriptorProto, name: str) -> FieldDescriptorProto:
    return next(field for field in message.field if field.name == name)


def chunk(files: FileDescriptorSet) -> DescriptorProto:
    return message_of(files, "message", "Chunk")


def text(files: FileDescriptorSet) -> FieldDescriptorProto:
    return field_of(chunk(files), "text")


def encoding(files: FileDescriptorSet) -> EnumDescriptorProto:
    return file_of(files, "session_config").enum_type[0]


def rename_field(files: FileDescriptorSet) -> None:
    text(files).name = "words"


def renumber_field(files: FileDescriptorSet) -> None:
    text(files).number = 99


def change_type(files: FileDescriptorSet) -> None:
    text(files).type = FieldDescriptorProto.TYPE_BYTES


def change_message_type(files: FileDescriptorSet) -> None:
    field_of(chunk(files), "blob").type_name = f".{PACKAGE}Image"


def make_repeated(files: FileDescriptorSet) -> None:
    field_of(
        message_of(files, "message", "Message"), "role"
    ).label = FieldDescriptorProto.LABEL_REPEATED


def make_optional(files: FileDescriptorSet) -> None:
    message = message_of(files, "message", "Message")
    message.oneof_decl.add(name="_role")
    field_of(message, "role").proto3_optional = True
    field_of(message, "role").oneof_index = len(message.oneof_decl) - 1


def change_json_name(files: FileDescriptorSet) -> None:
    text(files).json_name = "words"


def leave_oneof(files: FileDescriptorSet) -> None:
    text(files).ClearField("oneof_index")


def rename_oneof(files: FileDescriptorSet) -> None:
    chunk(files).oneof_decl[0].name = "kind"


def remove_field(files: FileDescriptorSet) -> None:
    chunk(files).field.remove(text(files))


def add_field(files: FileDescriptorSet) -> None:
    chunk(files).field.add(
        name="novel",
        json_name="novel",
        number=99,
        type=FieldDescriptorProto.TYPE_STRING,
        label=FieldDescriptorProto.LABEL_OPTIONAL,
    )


def rename_message(files: FileDescriptorSet) -> None:
    message_of(files, "bidi_session", "GoAway").name = "Bye"
    server = message_of(files, "bidi_session", "BidiSessionServerMessage")
    field_of(server, "go_away").type_name = f".{PACKAGE}Bye"


def add_message(files: FileDescriptorSet) -> None:
    file_of(files, "message").message_type.add(name="Novel")


def rename_value(files: FileDescriptorSet) -> None:
    encoding(files).value[1].name = "PCM"


def renumber_value(files: FileDescriptorSet) -> None:
    encoding(files).value[1].number = 99


def remove_value(files: FileDescriptorSet) -> None:
    del encoding(files).value[1]


def add_value(files: FileDescriptorSet) -> None:
    encoding(files).value.add(name="OPUS", number=4)


def add_enum(files: FileDescriptorSet) -> None:
    file_of(files, "message").enum_type.add(name="Novel").value.add(name="NOVEL", number=0)


REPORTS: list[tuple[Change, list[str]]] = [
    (rename_field, ["gone: Chunk.text", "new: Chunk.words"]),
    (renumber_field, ["Chunk.text: number was '1', is '99'"]),
    (change_type, ["Chunk.text: type was 'string', is 'bytes'"]),
    (change_message_type, ["Chunk.blob: type was 'Blob', is 'Image'"]),
    (make_repeated, ["Message.role: label was '', is 'repeated'"]),
    (make_optional, ["Message.role: label was '', is 'optional'"]),
    (change_json_name, ["Chunk.text: JSON name was 'text', is 'words'"]),
    (leave_oneof, ["Chunk.text: oneof was 'data', is ''"]),
    (remove_field, ["gone: Chunk.text"]),
    (add_field, ["new: Chunk.novel"]),
    (
        rename_message,
        [
            "gone: GoAway",
            "new: Bye",
            "BidiSessionServerMessage.go_away: type was 'GoAway', is 'Bye'",
        ],
    ),
    (add_message, ["new: Novel"]),
    (rename_value, ["gone: AudioEncoding.LINEAR16", "new: AudioEncoding.PCM"]),
    (renumber_value, ["AudioEncoding.LINEAR16: number was '1', is '99'"]),
    (remove_value, ["gone: AudioEncoding.LINEAR16"]),
    (add_value, ["new: AudioEncoding.OPUS"]),
    (add_enum, ["new: Novel.NOVEL"]),
]


def with_nested(message: Descriptor) -> Iterator[Descriptor]:
    if not message.GetOptions().map_entry:
        yield message
    for nested in message.nested_types:
        yield from with_nested(nested)


def reported(change: Change | None) -> list[str]:
    """Returns the differences that a change of the schema makes, without the package's name."""
    files = FileDescriptorSet.FromString(schema.descriptor_set().read_bytes())
    if change is not None:
        change(files)
    pool = DescriptorPool()
    for file in files.file:
        file.ClearField("source_code_info")
        pool.Add(file)
    messages = [
        message
        for file in files.file
        if file.package.startswith("turnwire_schema.")
        for top in pool.FindFileByName(file.name).message_types_by_name.values()
        for message in with_nested(top)
    ]
    return [line.replace(PACKAGE, "") for line in differences(messages)]


@pytest.mark.parametrize(
    ("change", "report"), REPORTS, ids=[change.__name__ for change, _ in REPORTS]
)
def test_a_change_is_reported(change: Change, report: list[str]) -> None:
    assert reported(change) == report


def test_renaming_a_oneof_is_reported_of_each_member() -> None:
    report = reported(rename_oneof)
    assert len(report) == 10
    assert all(line.endswith("oneof was 'data', is 'kind'") for line in report)


def test_nothing_is_reported_of_the_schema_as_it_is() -> None:
    assert reported(None) == []
