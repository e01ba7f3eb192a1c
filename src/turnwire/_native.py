"""The Rust core in the place of the pure backend, which still decides whatever the core hands back.

The core only accepts: it gives None for all that it is not certain about, errors included. So the
texts and the places of errors are those of the pure backend.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar

from google.protobuf.descriptor import Descriptor, FileDescriptor
from google.protobuf.descriptor_pb2 import FileDescriptorSet
from google.protobuf.message import DecodeError, Message
from turnwire_native import Codec

from turnwire.protojson import _pure
from turnwire.protojson._printer import Style
from turnwire.protojson._reading import LossyNumbers, Unknown

M = TypeVar("M", bound=Message)


class _Transcoder(NamedTuple):
    """What a message class needs; bound methods, so that a call looks nothing up."""

    json_to_wire: Callable[..., bytes | None]
    wire_to_json: Callable[..., bytes | None]
    from_string: Callable[[bytes], Any]


_transcoders: dict[type[Message], _Transcoder] = {}


def _transcoder_of(message_class: type[Message]) -> _Transcoder:
    descriptor = message_class.DESCRIPTOR
    codec = Codec(_file_set(descriptor).SerializeToString(), descriptor.full_name)
    transcoder = _Transcoder(codec.json_to_wire, codec.wire_to_json, message_class.FromString)
    _transcoders[message_class] = transcoder
    return transcoder


def _file_set(descriptor: Descriptor) -> FileDescriptorSet:
    """The files that define a message and all that it refers to."""
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
    return files


def parse(
    message_class: type[M],
    data: str | bytes | bytearray | memoryview,
    unknown: Unknown,
    lossy_numbers: LossyNumbers,
) -> M:
    """Reads JSON text as a message."""
    transcoder = _transcoders.get(message_class) or _transcoder_of(message_class)
    if not isinstance(data, (bytes, str)):
        data = bytes(data)
    wire = transcoder.json_to_wire(data, unknown == "ignore", lossy_numbers == "error")
    if wire is not None:
        try:
            message: M = transcoder.from_string(wire)
            return message
        except DecodeError:
            pass
    return _pure.parse(message_class, data, unknown, lossy_numbers)


def print_text(message: Message, style: Style) -> bytes:
    """A message as compact JSON text."""
    message_class = type(message)
    transcoder = _transcoders.get(message_class) or _transcoder_of(message_class)
    text = transcoder.wire_to_json(message.SerializePartialToString(), *style)
    return _pure.print_text(message, style) if text is None else text
