"""The shape of a column: its type, read from the schema's texts, with lists and subfields."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from turnwire_schema.geminidataanalytics.v1.schema_pb2 import Field

from turnwire.geminidataanalytics._column_types import RECORD_NAMES, TYPE_BY_NAME, ColumnType

_MEMBER: Final = re.compile(
    r"(?:`(?P<quoted>[^`]+)`|(?P<name>[^`\s]\S*))\s+(?P<type>.+)", re.DOTALL
)
_MAX_DEPTH: Final = 15  # BigQuery's bound for nested types; a deeper text is an unknown type


class Shape(NamedTuple):
    """The type of a column, of a list's items, or of a record's member.

    At most one of `scalar`, `items` and `is_record` is set. With none of them the type is
    unknown or has no cast, such as GEOGRAPHY, INTERVAL and RANGE: cells stay what they are.

    Attributes:
        name: The type's name in the schema, in upper case and without parameters.
        scalar: The scalar type.
        items: The shape of the items of a list.
        is_record: Whether it is a record.
        members: The members of a record by name, in the schema's order; empty where the schema
            does not name them.
        bounds: The shape of the bounds of a range, whose cells stay text in rows.
    """

    name: str = ""
    scalar: ColumnType | None = None
    items: Shape | None = None
    is_record: bool = False
    members: tuple[tuple[str, Shape], ...] = ()
    bounds: Shape | None = None


def shapes_of(fields: Iterable[Field]) -> dict[str, Shape]:
    """The shapes of columns by name, in order; of a name that comes twice, the first one."""
    shapes: dict[str, Shape] = {}
    for field in fields:
        if field.name not in shapes:
            shapes[field.name] = shape_of(field)
    return shapes


def shape_of(field: Field) -> Shape:
    """The shape of one column.

    The type is one of the names in the table of column types, in any case, with or without
    parameters, or ``ARRAY<…>``, ``…[]`` or ``STRUCT<name type, …>`` of such types.

    >>> shape_of(Field(type="varchar(20)")).name
    'VARCHAR'
    >>> shape_of(Field(type="ARRAY<INT64>")) == shape_of(Field(type="INT64", mode="REPEATED"))
    True
    """
    name = field.type.upper()
    if name in RECORD_NAMES:
        members = tuple(shapes_of(field.subfields).items())
        shape = Shape(name, is_record=True, members=members)
    else:
        shape = _shape_of_text(field.type, _MAX_DEPTH)
    if field.mode.upper() == "REPEATED" and shape.items is None:
        return Shape("ARRAY", items=shape)
    return shape


def _shape_of_text(text: str, depth: int) -> Shape:
    text = text.strip()
    if depth == 0:
        return Shape()
    if text.endswith("[]"):
        return Shape("ARRAY", items=_shape_of_text(text[:-2], depth - 1))
    outer, angle, rest = text.partition("<")
    if angle and rest.endswith(">"):
        outer = outer.strip().upper()
        if outer == "ARRAY":
            return Shape("ARRAY", items=_shape_of_text(rest[:-1], depth - 1))
        if outer in RECORD_NAMES:
            return _record_shape(rest[:-1], depth - 1)
        if outer == "RANGE":
            return Shape("RANGE", bounds=_shape_of_text(rest[:-1], depth - 1))
        return Shape(outer)
    # Parameters may stand before the last words: timestamp(6) with time zone.
    before, _, rest = text.partition("(")
    name = " ".join(f"{before} {rest.partition(')')[2]}".upper().split())
    if name in RECORD_NAMES:
        return Shape(name, is_record=True)
    scalar = TYPE_BY_NAME.get(name)
    return Shape(name, scalar)


def _record_shape(text: str, depth: int) -> Shape:
    members: dict[str, Shape] = {}
    for member in _split(text):
        match = _MEMBER.fullmatch(member.strip())
        if match is None:  # members without names: the keys of the cells are unknown
            return Shape("STRUCT", is_record=True)
        name = match["quoted"] or match["name"]
        members.setdefault(name, _shape_of_text(match["type"], depth))
    return Shape("STRUCT", is_record=True, members=tuple(members.items()))


def _split(text: str) -> Iterator[str]:
    """The parts of a text between commas outside of brackets and backquotes."""
    depth = start = 0
    is_quoted = False
    for at, character in enumerate(text):
        if character == "`":
            is_quoted = not is_quoted
        elif is_quoted:
            continue
        elif character in "<(":
            depth += 1
        elif character in ">)":
            depth -= 1
        elif character == "," and depth == 0:
            yield text[start:at]
            start = at + 1
    yield text[start:]
