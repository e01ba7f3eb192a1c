"""Other libraries that read and write the same JSON, where they are installed."""

from __future__ import annotations

import importlib.util
from typing import Any

from google.protobuf.descriptor import Descriptor, FileDescriptor
from google.protobuf.descriptor_pb2 import FileDescriptorSet
from google.protobuf.message import Message


def protobuf_py_class(message_class: type[Message]) -> Any | None:
    """The class that protobuf-py makes of the same descriptors, or None without it."""
    if not importlib.util.find_spec("protobuf_ext"):
        return None
    from protobuf.wkt import FileDescriptorSet as Theirs

    files = FileDescriptorSet()
    _add(message_class.DESCRIPTOR.file, files, set())
    registry = Theirs.from_binary(files.SerializeToString()).to_registry()
    return registry.message(message_class.DESCRIPTOR.full_name).type


def _add(file: FileDescriptor, files: FileDescriptorSet, found: set[str]) -> None:
    """Adds a file after those that it imports."""
    if file.name in found:
        return
    found.add(file.name)
    for dependency in file.dependencies:
        _add(dependency, files, found)
    copy = files.file.add()
    file.CopyToProto(copy)
    # Only protoc writes JSON names, and protobuf-py makes none itself.
    for proto in copy.message_type:
        _name_fields(proto, file.message_types_by_name[proto.name])


def _name_fields(proto: Any, descriptor: Descriptor) -> None:
    for field in proto.field:
        field.json_name = descriptor.fields_by_name[field.name].json_name
    for nested in proto.nested_type:
        _name_fields(nested, descriptor.nested_types_by_name[nested.name])
