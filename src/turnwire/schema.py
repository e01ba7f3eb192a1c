"""The schema as data: its files, and the comment of every declaration.

Other languages and tools need the files, `proto_root`, `include_paths`, `descriptor_set` and
`json_schema_root`; programs that explain messages to people need the comments, `comment_of` and
`describe`.

A declaration goes by its full protobuf name, or by the short one that starts with the API:
``turnwire_schema.ces.v1.Chunk.text`` and ``ces.Chunk.text`` are one field. The name of an enum
value stands below its enum: ``ces.AudioEncoding.LINEAR16``.
"""

from __future__ import annotations

import difflib
import importlib
import textwrap
from collections.abc import Collection
from pathlib import Path

from google.api import field_behavior_pb2  # type: ignore[import-untyped]
from google.protobuf.message import Message

from turnwire._apis import full_name_of, short_names_of
from turnwire._declarations import data_file, declarations
from turnwire.errors import TurnwireError, excerpt

__all__ = [
    "UnknownNameError",
    "comment_of",
    "describe",
    "descriptor_set",
    "include_paths",
    "is_provisional",
    "json_schema_root",
    "message_class",
    "message_names",
    "proto_root",
    "short_name",
]


_MAX_HINTS = 3
_FIRST_PROVISIONAL = 15001


class UnknownNameError(TurnwireError, KeyError):
    """The schema has no declaration of that name; the text offers the nearest one.

    >>> try:
    ...     comment_of("ces.Chunk.txt")
    ... except UnknownNameError as error:
    ...     print(error)
    the schema has no "ces.Chunk.txt"; did you mean ces.Chunk.text?
    """

    def __init__(self, reason: str) -> None:
        super().__init__(reason, kind="unknown")


def proto_root() -> Path:
    """Returns the root folder of the .proto files, for protoc or buf.

    The files import ``google/api/*.proto`` as well, which googleapis-common-protos has.

    >>> (proto_root() / "turnwire_schema" / "ces" / "v1" / "message.proto").exists()
    True
    """
    return data_file("proto", "proto")


def include_paths() -> tuple[Path, ...]:
    """Returns the folders that protoc needs to compile a file which imports the schema.

    They are `proto_root` and the folder in which googleapis-common-protos has
    ``google/api/*.proto``. ``turnwire schema includes`` prints them as options of protoc.

    >>> [(folder / "google/api/field_behavior.proto").exists() for folder in include_paths()]
    [False, True]
    """
    # The path of the package `google` has the folders of all distributions that extend it.
    return proto_root(), Path(field_behavior_pb2.__file__).resolve().parents[2]


def descriptor_set() -> Path:
    """Returns the file that holds the schema as one ``google.protobuf.FileDescriptorSet``.

    It has comments and positions, and the imported files too, each file after those it imports.

    >>> descriptor_set().name
    'turnwire.binpb'
    """
    return data_file("turnwire.binpb", "generated/turnwire.binpb")


def json_schema_root() -> Path:
    """Returns the folder of the JSON Schemas: for each API one of what is read, one of output.

    >>> sorted(path.name for path in json_schema_root().glob("ces*"))
    ['ces.json', 'ces.types.json']
    """
    return data_file("jsonschema", "generated/jsonschema")


def message_names() -> tuple[str, ...]:
    """Returns the full names of all messages, sorted.

    >>> [name for name in message_names() if name.startswith("turnwire_schema.ces.v1.Ch")]
    ['turnwire_schema.ces.v1.Chunk']
    """
    return tuple(sorted(name for name, found in declarations().items() if found.is_message))


def message_class(name: str) -> type[Message]:
    """Returns the generated class of a message.

    Args:
        name: A full or a short name.

    Raises:
        UnknownNameError: The schema has no such message.

    >>> message_class("ces.Message").DESCRIPTOR.full_name
    'turnwire_schema.ces.v1.Message'
    """
    full_name = _resolve(name, message_names(), "message ")
    file = declarations()[full_name].file
    module = file.name.removesuffix(".proto").replace("/", ".") + "_pb2"
    found: object = importlib.import_module(module)
    for part in full_name.removeprefix(f"{file.package}.").split("."):
        found = getattr(found, part)
    assert isinstance(found, type)
    assert issubclass(found, Message)
    return found


def short_name(full_name: str) -> str:
    """Returns the short form of a name, which every function here takes as well.

    >>> short_name("turnwire_schema.ces.v1.Message")
    'ces.Message'
    """
    full_name = full_name_of(full_name)
    return next(iter(short_names_of(full_name)), full_name)


def comment_of(name: str) -> str:
    """Returns the comment of a message, field, oneof, enum or enum value.

    Args:
        name: A full or a short name.

    Returns:
        The text without comment signs; ``""`` for a declaration without a comment.

    Raises:
        UnknownNameError: The schema has no such declaration.

    >>> comment_of("ces.Chunk.text")
    'Optional. Text data.'
    """
    return declarations()[_resolve(name, declarations())].comment


def describe(name: str) -> str:
    """Returns a declaration as its .proto file writes it, with its comments.

    Args:
        name: A full or a short name.

    Raises:
        UnknownNameError: The schema has no such declaration.

    >>> print(describe("ces.EndSession").splitlines()[0])
    // turnwire_schema.ces.v1.EndSession in turnwire_schema/ces/v1/session_output.proto
    """
    full_name = _resolve(name, declarations())
    found = declarations()[full_name]
    above = found.comment.splitlines() if found.comment_is_above else []
    source = (proto_root() / found.file.name).read_text(encoding="utf-8").splitlines()
    declared = "\n".join(source[found.first_line : found.last_line + 1])
    lines = [
        f"// {full_name} in {found.file.name}",
        "",
        *(f"// {line}".rstrip() for line in above),
        textwrap.dedent(declared),
    ]
    return "\n".join(lines)


def is_provisional(name: str) -> bool:
    """Reports whether a field has a provisional number, since Google publishes none.

    Such a number may change in any release, so its bytes should not be kept; its JSON may.

    Args:
        name: A full or a short name of a field.

    Raises:
        UnknownNameError: The schema has no such field.

    >>> is_provisional("ces.Chunk.text")
    False
    """
    message, _, field_name = _resolve(name, declarations()).rpartition(".")
    if message in message_names():
        field = message_class(message).DESCRIPTOR.fields_by_name.get(field_name)
        if field is not None:
            return field.number >= _FIRST_PROVISIONAL
    raise UnknownNameError(f"the schema has no field {excerpt(name)}")


def _resolve(name: str, known: Collection[str], what: str = "") -> str:
    """Returns the full name among the known ones that a full or short name means."""
    full_name = full_name_of(name)
    if full_name in known:
        return full_name
    short_names = [short for each in known for short in short_names_of(each)]
    # A name whose beginning is missing fits wherever it is the end.
    ends = [short_names_of(each) for each in known if each.endswith(f".{name}")]
    near = sorted(min(names, key=len) for names in ends if names)
    if not 0 < len(near) <= _MAX_HINTS:
        near = difflib.get_close_matches(name, [*short_names, *known], n=1)
    hint = f"; did you mean {' or '.join(near)}?" if near else ""
    raise UnknownNameError(f"the schema has no {what}{excerpt(name)}{hint}")
