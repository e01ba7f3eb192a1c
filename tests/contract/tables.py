"""The contract as tables: every field and enum value of the public API, and what its pages say."""

from __future__ import annotations

import csv
from functools import cache
from pathlib import Path
from typing import NamedTuple

from google.protobuf.descriptor import Descriptor, FieldDescriptor

from turnwire import schema
from turnwire._apis import full_name_of

FOLDER = Path(__file__).parent


class Field(NamedTuple):
    """One line of fields.tsv."""

    api: str
    message: str
    number: str
    field: str
    json_name: str
    type: str
    label: str
    oneof: str
    seen_in: str
    version: str
    number_source: str

    @property
    def full_name(self) -> str:
        return full_name_of(f"{self.api}.{self.message}.{self.field}")


class EnumValue(NamedTuple):
    """One line of enums.tsv."""

    api: str
    enum: str
    name: str
    number: str

    @property
    def full_name(self) -> str:
        return full_name_of(f"{self.api}.{self.enum}.{self.name}")


class Behavior(NamedTuple):
    """One line of behaviors.tsv: the behavior of a field on its page, or in Google's discovery
    document; NONE where it says nothing."""

    api: str
    message: str
    field: str
    behavior: str

    @property
    def full_name(self) -> str:
        return full_name_of(f"{self.api}.{self.message}.{self.field}")


class Discovered(NamedTuple):
    """One line of discovery.tsv: a property of a message in Google's discovery document."""

    message: str
    json_name: str
    type: str
    label: str
    read_only: str


def rows(name: str) -> list[list[str]]:
    with (FOLDER / name).open(encoding="utf-8", newline="") as lines:
        return list(csv.reader(lines, delimiter="\t", quoting=csv.QUOTE_NONE))[1:]


FIELDS = [Field(*row) for row in rows("fields.tsv")]
ENUM_VALUES = [EnumValue(*row) for row in rows("enums.tsv")]
BEHAVIORS = [Behavior(*row) for row in rows("behaviors.tsv")]

# The line after the head has the revision of the document.
(_, REVISION, *_), *_discovered = rows("discovery.tsv")
DISCOVERY = [Discovered(*row) for row in _discovered]

FIELDLESS = [
    full_name_of("ces.GoAway"),
    full_name_of("gda.ChartOptions.ImageOptions.NoImage"),
    full_name_of("gda.ChartOptions.ImageOptions.SvgOptions"),
]
"""Messages without fields, which the tables cannot list."""


@cache
def messages() -> list[Descriptor]:
    """The descriptors of all messages, as the generated classes carry them."""
    return [schema.message_class(name).DESCRIPTOR for name in schema.message_names()]


def relative(name: str) -> str:
    """A full name below its package, as the tables write it: ``SessionOutput.DiagnosticInfo``."""
    return name.partition(".v1.")[2]


def type_of(field: FieldDescriptor) -> str:
    """The type of a field as the tables write it."""
    if field.message_type is not None:
        if field.message_type.GetOptions().map_entry:
            key, value = (field.message_type.fields_by_name[name] for name in ("key", "value"))
            return f"map<{type_of(key)},{type_of(value)}>"
        name = field.message_type.full_name
        return name if name.startswith("google.protobuf.") else relative(name)
    if field.enum_type is not None:
        return relative(field.enum_type.full_name)
    return SCALARS[field.type]


SCALARS = {
    getattr(FieldDescriptor, f"TYPE_{name.upper()}"): name
    for name in ("string", "bytes", "bool", "int32", "int64", "double", "float")
}
