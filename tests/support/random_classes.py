"""Random message classes: any syntax, presence, nesting, recursion, maps, groups, oneofs, enums."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

from google.protobuf import descriptor_pb2
from google.protobuf.message import Message

from support.everything import DEPENDENCIES
from support.made import made
from support.messages import fill
from turnwire import from_json, to_json

_F = descriptor_pb2.FieldDescriptorProto
_NOT_SCALAR = (_F.TYPE_GROUP, _F.TYPE_MESSAGE, _F.TYPE_ENUM)
_SCALARS = [kind for kind in _F.Type.values() if kind not in _NOT_SCALAR]
_NOT_KEYS = (_F.TYPE_DOUBLE, _F.TYPE_FLOAT, _F.TYPE_BYTES)
_KEYS = [kind for kind in _SCALARS if kind not in _NOT_KEYS]
_WELL_KNOWN = (
    *("Any", "Duration", "FieldMask", "Struct", "Value", "ListValue", "Timestamp"),
    *("BoolValue", "BytesValue", "DoubleValue", "StringValue", "Int64Value", "UInt64Value"),
)
# Names that mean something to Arrow, to Python, or in another case.
_NAMES = ("key", "value", "item", "element", "class", "a", "A", "_b", "c_1", "start", "type")


class _File:
    """A random file that is being written."""

    def __init__(self, r: random.Random, number: int) -> None:
        self._r = r
        self._package = f"random{number}"
        self.file = descriptor_pb2.FileDescriptorProto(
            name=f"{self._package}.proto", package=self._package
        )
        self.file.dependency.extend(module.DESCRIPTOR.name for module in DEPENDENCIES)
        self._syntax = r.choice(("proto2", "proto3", "editions"))
        if self._syntax == "editions":
            self.file.edition = descriptor_pb2.EDITION_2023
        if self._syntax != "proto2":
            self.file.syntax = self._syntax
        self._names = [f"M{index}" for index in range(r.randint(1, 4))]
        self._add_enum()
        for name in self._names:
            self._add_message(name)

    def _add_enum(self) -> None:
        enum = self.file.enum_type.add(name="Colour")
        for name, number in (("NONE", 0), ("RED", 1), ("ROT", 1), ("MINUS", -7)):
            enum.value.add(name=name, number=number)
        enum.options.allow_alias = True
        if self._syntax == "editions" and self._r.random() < 0.5:
            enum.options.features.enum_type = descriptor_pb2.FeatureSet.CLOSED

    def _add_message(self, name: str) -> None:
        r = self._r
        message = self.file.message_type.add(name=name)
        names = r.sample(_NAMES, r.randint(0, 6))
        oneofs: dict[str, list[str]] = {}
        for number, field_name in enumerate(names, 1):
            number = number if r.random() < 0.8 else number * 1000
            field = message.field.add(name=field_name, number=number, label=_F.LABEL_OPTIONAL)
            choice = r.random()
            # The entries of maps `a` and `A` would have one name.
            if choice < 0.15 and field_name != "A":
                self._make_map(message, field)
            elif choice < 0.3 and self._syntax == "proto2":
                group = message.nested_type.add(name=f"G{number}")
                group.field.add(name="n", number=1, label=_F.LABEL_OPTIONAL, type=_F.TYPE_INT32)
                field.type, field.type_name = _F.TYPE_GROUP, f".{self._package}.{name}.G{number}"
                field.label = r.choice((_F.LABEL_OPTIONAL, _F.LABEL_REPEATED))
            else:
                self._set_type(field)
                choice = r.random()
                if choice < 0.3:
                    field.label = _F.LABEL_REPEATED
                elif choice < 0.5:
                    oneofs.setdefault(r.choice(("kind", "b")), []).append(field_name)
                else:
                    self._set_presence(field)
        self._add_oneofs(message, oneofs)

    def _set_type(self, field: descriptor_pb2.FieldDescriptorProto) -> None:
        choice = self._r.random()
        if choice < 0.4:
            field.type = self._r.choice(_SCALARS)
        elif choice < 0.5:
            field.type, field.type_name = _F.TYPE_ENUM, f".{self._package}.Colour"
        elif choice < 0.75:
            field.type = _F.TYPE_MESSAGE
            field.type_name = f".google.protobuf.{self._r.choice(_WELL_KNOWN)}"
        else:
            field.type = _F.TYPE_MESSAGE
            field.type_name = f".{self._package}.{self._r.choice(self._names)}"

    def _set_presence(self, field: descriptor_pb2.FieldDescriptorProto) -> None:
        is_message = field.type == _F.TYPE_MESSAGE
        features = descriptor_pb2.FeatureSet
        choice = self._r.random()
        if self._syntax == "proto2" and choice < 0.2 and not is_message:
            field.label = _F.LABEL_REQUIRED
        elif self._syntax == "proto2" and choice < 0.4 and field.type == _F.TYPE_INT64:
            field.default_value = "-5"
        elif self._syntax == "editions" and choice < 0.4:
            if is_message and not field.type_name.startswith(".google"):
                field.options.features.message_encoding = features.DELIMITED
            elif not is_message and field.type != _F.TYPE_ENUM:
                field.options.features.field_presence = features.IMPLICIT
        elif self._syntax == "proto3" and choice < 0.4:
            field.proto3_optional = True

    def _make_map(
        self,
        message: descriptor_pb2.DescriptorProto,
        field: descriptor_pb2.FieldDescriptorProto,
    ) -> None:
        entry = message.nested_type.add(name=f"{_camel(field.name)}Entry")
        entry.options.map_entry = True
        entry.field.add(name="key", number=1, label=_F.LABEL_OPTIONAL, type=self._r.choice(_KEYS))
        self._set_type(entry.field.add(name="value", number=2, label=_F.LABEL_OPTIONAL))
        field.label, field.type = _F.LABEL_REPEATED, _F.TYPE_MESSAGE
        field.type_name = f".{self._package}.{message.name}.{entry.name}"

    def _add_oneofs(
        self, message: descriptor_pb2.DescriptorProto, oneofs: dict[str, list[str]]
    ) -> None:
        fields = {field.name: field for field in message.field}
        for oneof, members in oneofs.items():
            for member in members:
                fields[member].oneof_index = len(message.oneof_decl)
            message.oneof_decl.add(name=oneof)
        for field in message.field:
            if field.proto3_optional:
                field.oneof_index = len(message.oneof_decl)
                message.oneof_decl.add(name=f"_{field.name}")


def _camel(name: str) -> str:
    # protoc names the message of a map's entries in this way.
    return "".join(part[:1].upper() + part[1:] for part in name.split("_"))


def random_classes(seed: int) -> list[type[Message]]:
    """Returns the message classes of a random file, which depends on the seed alone."""
    file = _File(random.Random(seed), seed).file
    classes = made(file)
    return [classes[f"{file.package}.{message.name}"] for message in file.message_type]


def random_rows(message_class: type[Message], seed: int) -> list[Message]:
    """Returns random messages as JSON gives them; reading an ``Any`` writes it in another order."""
    rows: list[Message] = []
    for row in range(3):
        r = random.Random(seed + row)
        message: Any = message_class()
        fill(message, r)
        for field in message.DESCRIPTOR.fields:
            if field.enum_type is not None and not field.is_repeated and r.random() < 0.3:
                with suppress(ValueError):  # a closed enum has no other numbers
                    setattr(message, field.name, r.choice((77, -(2**31))))
        rows.append(from_json(message_class, to_json(message)))
    return rows


def random_columns(seed: int) -> Iterator[tuple[type[Message], list[Message]]]:
    """Yields the classes of a random file that have columns, each with random messages."""
    for message_class in random_classes(seed):
        if message_class.DESCRIPTOR.fields:
            yield message_class, random_rows(message_class, seed)
