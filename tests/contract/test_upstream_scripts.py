"""The programs that compare with Google's sources overlook no kind of change."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from compare_clients import lacks
from contract import test_accidental_changes as changes
from google.protobuf import message_factory
from google.protobuf.descriptor_pb2 import FileDescriptorSet
from google.protobuf.descriptor_pool import DescriptorPool
from upstream import table

from turnwire import ces, schema


def test_the_table_has_every_kind_of_property() -> None:
    properties = {
        "text": {"type": "string", "readOnly": True},
        "data": {"type": "string", "format": "byte"},
        "turn": {"$ref": "ConversationTurn"},
        "novel": {"type": "array", "items": {"$ref": "Novel"}},
        "color": {"type": "string", "enum": ["RED", "BLUE"]},
        "extra": {"type": "object", "additionalProperties": {"type": "any"}},
        "names": {"type": "object", "additionalProperties": {"type": "string"}},
    }
    schemas = {"Chunk": {"properties": properties}, "Novel": {"properties": properties}}
    assert list(table({"revision": "20991231", "schemas": schemas})) == [
        ("message", "json_name", "type", "label", "read_only"),
        ("revision", "20991231", "", "", ""),
        ("Chunk", "color", "enum:RED|BLUE", "", ""),
        ("Chunk", "data", "byte", "", ""),
        ("Chunk", "extra", "Struct", "", ""),
        ("Chunk", "names", "map<string,string>", "", ""),
        ("Chunk", "novel", "Novel", "repeated", ""),
        ("Chunk", "text", "string", "", "yes"),
        ("Chunk", "turn", "Conversation.Turn", "", ""),
    ]


@pytest.mark.parametrize(
    ("change", "message_class", "report"),
    [
        (changes.add_field, ces.Chunk, "Chunk.novel (JSON: novel) with number 99 is not in"),
        (changes.renumber_field, ces.Chunk, "Chunk.text (JSON: text) has number 99, here "),
        (changes.change_json_name, ces.Chunk, "the JSON name is 'words', here 'text'"),
        (changes.change_type, ces.Chunk, "Chunk.text (JSON: text): the type is "),
        (changes.change_message_type, ces.Chunk, "Chunk.blob (JSON: blob): the type is "),
        (changes.make_repeated, ces.Message, "the label is True, here False"),
        (changes.leave_oneof, ces.Chunk, "the oneof is '', here 'data'"),
        (changes.rename_oneof, ces.Chunk, "the oneof is 'kind', here 'data'"),
        (changes.make_optional, ces.Message, "the oneof is 'optional', here ''"),
        (changes.rename_value, ces.InputAudioConfig, "AudioEncoding.PCM = 1 is not in"),
        (changes.renumber_value, ces.InputAudioConfig, "AudioEncoding.LINEAR16 = 99 is not in"),
        (changes.add_value, ces.InputAudioConfig, "AudioEncoding.OPUS = 4 is not in"),
    ],
)
def test_a_difference_of_a_client_is_reported(
    change: changes.Change, message_class: type, report: str
) -> None:
    theirs = changed_class(change, message_class.DESCRIPTOR.full_name)
    lines = lacks(SimpleNamespace(ours=message_class, theirs=theirs))
    assert any(report in line for line in lines), lines
    assert lacks(SimpleNamespace(ours=message_class, theirs=message_class)) == []


def changed_class(change: changes.Change, name: str) -> type:
    """A class of a message as the changed schema has it."""
    files = FileDescriptorSet.FromString(schema.descriptor_set().read_bytes())
    change(files)
    pool = DescriptorPool()
    for file in files.file:
        pool.Add(file)
    return message_factory.GetMessageClass(pool.FindMessageTypeByName(name))
