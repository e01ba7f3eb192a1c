"""The descriptors that the Rust core makes its tables from."""

from __future__ import annotations

from google.protobuf.descriptor import Descriptor, FileDescriptor
from google.protobuf.descriptor_pb2 import FileDescriptorSet


def file_set_of(descriptor: Descriptor) -> bytes:
    """The serialized files that define a message and all that it refers to."""
    found: dict[str, FileDescriptor] = {}
    waiting = [descriptor.file]
    while waiting:
        file = waiting.pop()
        if file.name not in found:
            found[file.name] = file
            waiting.extend(file.dependencies)
    files = FileDescriptorSet()
    for file in found.values():
        file.CopyToProto(files.file.add())
    return files.SerializeToString()
