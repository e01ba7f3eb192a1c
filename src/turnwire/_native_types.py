"""What the Rust core knows of the types that an Any holds: those that the pure backend has found.

Which type a URL names is a question of what was imported. So the core never looks for one: it hands
back a name that it does not know, and is told the type when the pure backend has found it.
"""

from __future__ import annotations

from functools import cache

from google.protobuf.descriptor import Descriptor, FileDescriptor
from google.protobuf.descriptor_pb2 import FileDescriptorSet
from google.protobuf.descriptor_pool import DescriptorPool
from google.protobuf.struct_pb2 import Struct
from turnwire_native import Types

from turnwire.protojson._types import descriptor_of, message_class_named

_types: dict[DescriptorPool, Types] = {}


def types_of(pool: DescriptorPool) -> Types:
    """What the core knows of a pool."""
    types = _types.get(pool)
    return types or _types.setdefault(pool, Types(shorter_keys_first()))


def learn_type(pool: DescriptorPool) -> None:
    """Tells the core the type of an Any that it missed, if it did, after the pure backend found it.

    A type once found is the same for ever, save for one of another pool: this one, which is asked
    first, may get one of the same name. Such a type stays with the pure backend.
    """
    types = types_of(pool)
    name = types.take_missed()
    found = None if name is None else message_class_named(name, pool)
    if name is not None and found is not None:
        descriptor = descriptor_of(found)
        if descriptor.file.pool is pool:
            types.add(name, file_set_of(descriptor), descriptor.full_name)


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


@cache
def shorter_keys_first() -> bool | None:
    """How protobuf sorts the keys of a map when it writes the same bytes for the same message.

    It promises no order, and has one: that of the bytes, though some versions put a key behind
    those that begin with it.

    Returns:
        Whether a key comes before those that begin with it, or None where keys are not sorted.
    """
    keys = ("b", "ab", "", "a", "\u00e9", "B", "abc", "\u65e5", "\U0001f600", "z" * 40)
    for is_shorter_first, end in ((True, b""), (False, b"\xff")):
        ordered = sorted(keys, key=lambda key: key.encode() + end)
        if _struct(*keys) == b"".join(map(_struct, ordered)):
            return is_shorter_first
    return None


def _struct(*keys: str) -> bytes:
    struct = Struct()
    for key in keys:
        struct.fields[key].bool_value = True
    return struct.SerializeToString(deterministic=True)
