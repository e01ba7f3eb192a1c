"""Finds the message class of a rule: a message of the schema, or one of other_messages.txtpb."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from google.protobuf import field_mask_pb2, struct_pb2, text_format, wrappers_pb2
from google.protobuf.descriptor_pb2 import EnumValueDescriptorProto, FileDescriptorSet
from google.protobuf.descriptor_pool import DescriptorPool
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass

from turnwire import schema

_PREFIX = "rules."


def is_of_schema(name: str) -> bool:
    """Returns whether a rule's type is a message of the schema, which other languages know."""
    return not name.startswith(_PREFIX)


def message_class(name: str) -> type[Message]:
    """Returns the class of a message by its short name, or by the full name of another message."""
    if is_of_schema(name):
        return schema.message_class(name)
    return GetMessageClass(_pool().FindMessageTypeByName(name))


@cache
def _pool() -> DescriptorPool:
    """Returns a separate pool, which leaves the default one as users have it."""
    pool = DescriptorPool()
    for module in (field_mask_pb2, struct_pb2, wrappers_pb2):
        pool.AddSerializedFile(module.DESCRIPTOR.serialized_pb)
    text = Path(__file__).with_name("other_messages.txtpb").read_text(encoding="utf-8")
    for file in text_format.Parse(text, FileDescriptorSet()).file:
        for value in (value for enum in file.enum_type for value in enum.value):
            _set_json_name(value)
        pool.AddSerializedFile(file.SerializeToString())
    return pool


def _set_json_name(value: EnumValueDescriptorProto) -> None:
    """Turns a value's uninterpreted option into ``(pb.enumvalue.json).string``.

    The option's message is field 998, and the string in it field 1. Older runtimes do not know the
    option, so it is written as bytes.
    """
    for option in value.options.uninterpreted_option:
        name = option.string_value
        inner = b"\x0a" + bytes([len(name)]) + name
        value.options.MergeFromString(b"\xb2\x3e" + bytes([len(inner)]) + inner)
    value.options.ClearField("uninterpreted_option")
