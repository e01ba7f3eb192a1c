"""Asks the Rust core for a result.

The core handles only inputs that it fully understands. For anything else, errors included, and
where it is not installed, the answer is None, and pure Python decides.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, cast

from google.protobuf.descriptor import Descriptor, FileDescriptor
from google.protobuf.descriptor_pb2 import FileDescriptorSet
from google.protobuf.message import Message

from turnwire._backend import native
from turnwire.protojson._caches import make_room

if TYPE_CHECKING:
    from turnwire._backend import Codec, ColumnBuilder, LineChecker

LineConverter = Callable[[bytes, int], tuple[bytes, int, list[tuple[int, int, int, int, int]]]]

codecs: dict[type[Message], Codec] = {}
"""The codec of each message class that was used; `codec_of` makes those that are missing."""

MAX_CODECS = 256
"""The number of message classes whose codecs are kept."""


CORE_DEPTHS = frozenset({None, *range(96, 101)})
"""The limits of nesting that the core keeps: it decides about no message of more than 96 levels."""


class _NoCodec:
    """The codec of a class that the core does not handle, or of all without the core."""

    @staticmethod
    def parse(*_: object) -> None:
        """Returns None, as all of its methods do."""

    parse_values = print = print_indented = print_values = print_field = print_rows = parse
    print_like_json_format = parse_into = parse_values_into = parse


NO_CODEC = cast("Codec", _NoCodec)


def codec_of(message_class: type[Message]) -> Codec:
    """Returns the codec of a message class, made on first use."""
    codec = codecs.get(message_class)
    if codec is None:
        codec = _codec(message_class)
        make_room(codecs, MAX_CODECS)
        codecs[message_class] = codec
    return codec


def _codec(message_class: type[Message]) -> Codec:
    if native is None:
        return NO_CODEC
    descriptor = cast(Descriptor, message_class.DESCRIPTOR)
    codec: Codec = native.Codec(message_class, file_set_of(descriptor), descriptor.full_name)
    return codec


def line_checker_of(message_class: type[Message], rules: Any) -> LineChecker | None:
    """Returns a checker of lines of one message class; None without the core.

    Args:
        message_class: The class.
        rules: The rules of `turnwire.check`, as `LineChecker` describes them; None for no rules.
    """
    if native is None:
        return None
    descriptor = cast(Descriptor, message_class.DESCRIPTOR)
    checker: LineChecker = native.LineChecker(file_set_of(descriptor), descriptor.full_name, rules)
    return checker


def line_converter_of(message_class: type[Message]) -> LineConverter | None:
    """Returns a function that rewrites lines of JSON without making messages.

    It takes lines and the size of the largest one, and returns what `convert_lines` of the core
    does. Without the core, or for a class that it does not handle, there is none.

    Args:
        message_class: The class of the messages.
    """
    if native is None:
        return None
    return partial(native.convert_lines, codec_of(message_class))


def line_count(text: bytes) -> int:
    r"""Returns the number of line feeds in a text.

    >>> line_count(b"a\nb\n")
    2
    """
    return text.count(b"\n") if native is None else native.count_lines(text)


def column_builder(
    message_class: type[Message], columns: Any, null_misfits: bool, unknown: Any, lossy_numbers: Any
) -> ColumnBuilder | None:
    """Returns the core's builder of columns of a message class; None where it does not make them.

    Args:
        message_class: The class.
        columns: The Arrow schema.
        null_misfits: Makes times that do not fit their column null; else they are left to Python.
        unknown: As for `from_json`.
        lossy_numbers: As for `from_json`.
    """
    if native is None:
        return None
    codec = codec_of(message_class)
    make = native.ColumnBuilder.make
    builder: ColumnBuilder | None = make(codec, columns, null_misfits, unknown, lossy_numbers)
    return builder


def print_columns(
    message: Message, name: str, columns: list[tuple[str, Any, Any]], *, strict: bool
) -> Sequence[Any] | None:
    """Returns the Structs of a repeated field as Arrow arrays, where the core makes them.

    Args:
        message: The message.
        name: The field's name in JSON or in the schema.
        columns: The name, the form and the Arrow type of each column. In place of a `Form`, None
            stands for text alone, ``"json"`` for text that is JSON, a list of one form for lists,
            and a dict for records.
        strict: Leaves all to Python if a Struct has a member without a column.

    Returns:
        An object with ``__arrow_c_array__`` for each column, or None for one that has other than
        ordinary cells. None in place of all where only Python can decide.
    """
    if native is None:
        return None
    codec = codec_of(type(message))
    made: Sequence[Any] | None = native.print_columns(codec, message, name, columns, strict)
    return made


def file_set_of(descriptor: Descriptor) -> bytes:
    """Returns the serialized files that define a message and everything that it refers to."""
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
