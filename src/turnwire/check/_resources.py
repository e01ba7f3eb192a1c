"""The patterns of resource names, by reflection: from annotations, or the comment of a field."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Any, NamedTuple, cast

from google.api.resource_pb2 import (  # type: ignore[import-untyped]
    resource,
    resource_definition,
    resource_reference,
)
from google.protobuf.descriptor import Descriptor, FieldDescriptor, FileDescriptor

from turnwire import schema

_COMMENTED = re.compile(r"^Resource name: (\S+)$", re.MULTILINE)
_QUOTED = re.compile(r'resource name[^."]*, or "(\w+)"')
_VARIABLE = re.compile(r"\{(\w+)(?:=[^}]*)?\}")


class Names(NamedTuple):
    """The names that a field may hold.

    Attributes:
        patterns: The patterns, as annotations and comments write them.
        texts: The texts around the variables of each pattern.
        expression: Matches the names as a whole.
    """

    patterns: tuple[str, ...]
    texts: tuple[tuple[str, ...], ...]
    expression: re.Pattern[str]


@cache
def names_of(field: FieldDescriptor) -> Names | None:
    """Returns the resource names that a field may hold; None where nothing says it.

    >>> from turnwire import ces
    >>> names = names_of(ces.ToolCall.DESCRIPTOR.fields_by_name["tool"])
    >>> names and names.patterns
    ('projects/{project}/locations/{location}/apps/{app}/tools/{tool}',)
    """
    if field.cpp_type != FieldDescriptor.CPPTYPE_STRING:
        return None
    patterns = tuple(_annotated(field)) or tuple(_commented(field))
    if not patterns or "*" in patterns:
        return None
    # Literal texts and names of variables take turns.
    texts = tuple(tuple(_VARIABLE.split(pattern)[::2]) for pattern in patterns)
    # A variable is one segment.
    expressions = ("[^/]+".join(map(re.escape, each)) for each in texts)
    return Names(patterns, texts, re.compile("|".join(expressions)))


def _annotated(field: FieldDescriptor) -> Iterator[str]:
    """Yields the patterns of the resource that a field refers to, or is the name of."""
    parent = cast(Descriptor, field.containing_type)
    referred: str = _extension(field.GetOptions(), resource_reference).type
    for definition in _definitions(parent.file) if referred else ():
        if definition.type == referred:
            yield from definition.pattern
    own = _extension(parent.GetOptions(), resource)
    if (own.name_field or "name") == field.name:
        yield from own.pattern


def _commented(field: FieldDescriptor) -> Iterator[str]:
    """Yields the patterns that the comment of a field of our schema gives."""
    try:
        comment = schema.comment_of(field.full_name)
    except schema.UnknownNameError:
        return
    for pattern in _COMMENTED.findall(comment):
        yield pattern
        yield from _QUOTED.findall(" ".join(comment.split()))


@cache
def _definitions(file: FileDescriptor) -> tuple[Any, ...]:
    """Returns the resources that a file and the files that it imports define."""
    found: list[Any] = list(_extension(file.GetOptions(), resource_definition))
    found += _of_messages(file.message_types_by_name.values())
    for dependency in file.dependencies:
        found += _definitions(dependency)
    return tuple(found)


def _of_messages(descriptors: Any) -> Iterator[Any]:
    for descriptor in descriptors:
        own = _extension(descriptor.GetOptions(), resource)
        if own.type:
            yield own
        nested: list[Descriptor] = descriptor.nested_types
        yield from _of_messages(nested)


def _extension(options: Any, extension: Any) -> Any:
    return options.Extensions[extension]
