"""Finds every declaration of the schema with its comment and place, in the descriptor set."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

from google.protobuf.descriptor_pb2 import (
    DescriptorProto,
    EnumDescriptorProto,
    FileDescriptorProto,
    FileDescriptorSet,
    SourceCodeInfo,
)

from turnwire._apis import APIS

_PACKAGES = {api.package for api in APIS}

_Named = DescriptorProto | EnumDescriptorProto
_Place = tuple[int, ...]
"""The path of a SourceCodeInfo.Location: field numbers and indices, from the file downwards."""


class Declaration(NamedTuple):
    """A message, field, oneof, enum or enum value, as its .proto file declares it."""

    file: FileDescriptorProto
    is_message: bool
    comment: str
    comment_is_above: bool
    first_line: int
    last_line: int


def data_file(installed: str, in_checkout: str) -> Path:
    """Returns a data file of the installed package or, in a checkout, its original."""
    here = Path(__file__).resolve().parent
    path = here / "_data" / installed
    return path if path.exists() else here.parents[1] / in_checkout


@cache
def declarations() -> dict[str, Declaration]:
    """Returns all declarations of the schema by full name, in the order of the files."""
    path = data_file("turnwire.binpb", "generated/turnwire.binpb")
    files = FileDescriptorSet.FromString(path.read_bytes()).file
    return {
        name: _declaration(file, location, is_message)
        for file in files
        if file.package in _PACKAGES
        for name, location, is_message in _located(file)
    }


def _located(file: FileDescriptorProto) -> Iterator[tuple[str, SourceCodeInfo.Location, bool]]:
    """Yields the full name and place of each declaration, and whether it is a message."""
    locations = {tuple(place.path): place for place in file.source_code_info.location}
    top: list[tuple[_Place, _Named]] = [
        *(((4, index), message) for index, message in enumerate(file.message_type)),
        *(((5, index), enum) for index, enum in enumerate(file.enum_type)),
    ]
    for place, declared in top:
        for inner, name, is_message in _walk(place, declared, file.package):
            # No file spells out the entry of a map, or the oneof of an optional field.
            if inner in locations:
                yield name, locations[inner], is_message


def _walk(place: _Place, declared: _Named, scope: str) -> Iterator[tuple[_Place, str, bool]]:
    name = f"{scope}.{declared.name}"
    yield place, name, isinstance(declared, DescriptorProto)
    if isinstance(declared, EnumDescriptorProto):
        for index, value in enumerate(declared.value):
            yield (*place, 2, index), f"{name}.{value.name}", False
        return
    for index, field in enumerate(declared.field):
        yield (*place, 2, index), f"{name}.{field.name}", False
    for index, oneof in enumerate(declared.oneof_decl):
        yield (*place, 8, index), f"{name}.{oneof.name}", False
    for index, message in enumerate(declared.nested_type):
        yield from _walk((*place, 3, index), message, name)
    for index, enum in enumerate(declared.enum_type):
        yield from _walk((*place, 4, index), enum, name)


def _declaration(
    file: FileDescriptorProto, location: SourceCodeInfo.Location, is_message: bool
) -> Declaration:
    span = location.span  # line, column, last line where it is another one, column
    comment = location.leading_comments or location.trailing_comments
    lines = [line.removeprefix(" ").rstrip() for line in comment.splitlines()]
    return Declaration(
        file=file,
        is_message=is_message,
        comment="\n".join(lines).strip("\n"),
        comment_is_above=bool(location.leading_comments),
        first_line=span[0],
        last_line=span[2] if len(span) == 4 else span[0],
    )
