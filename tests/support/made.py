"""Message classes made from the text of a descriptor, each in a separate pool."""

from __future__ import annotations

from typing import Any

from google.protobuf import descriptor_pb2, text_format
from google.protobuf.descriptor_pool import Default, DescriptorPool
from google.protobuf.message_factory import GetMessageClassesForFiles


def made(
    file: str | descriptor_pb2.FileDescriptorProto, pool: DescriptorPool | None = None
) -> dict[str, Any]:
    """The classes of a file, by their full names.

    Args:
        file: The file, also in text format; files of protobuf that it imports are added.
        pool: The pool to add it to; None makes one.
    """
    pool = pool or DescriptorPool()
    if isinstance(file, str):
        file = text_format.Parse(file, descriptor_pb2.FileDescriptorProto())
    for name in file.dependency:
        _add(pool, name)
    pool.AddSerializedFile(file.SerializeToString())
    return GetMessageClassesForFiles([file.name], pool)


def _add(pool: DescriptorPool, name: str) -> None:
    """Adds a file of the default pool and all that it imports."""
    try:
        pool.FindFileByName(name)
    except KeyError:
        file = Default().FindFileByName(name)
        for dependency in file.dependencies:
            _add(pool, dependency.name)
        pool.AddSerializedFile(file.serialized_pb)
