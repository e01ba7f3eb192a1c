"""Message classes with every kind of field, in each syntax."""

from __future__ import annotations

from functools import cache

from google.protobuf import (
    any_pb2,
    descriptor_pb2,
    descriptor_pool,
    duration_pb2,
    empty_pb2,
    field_mask_pb2,
    message_factory,
    struct_pb2,
    timestamp_pb2,
    wrappers_pb2,
)
from google.protobuf.message import Message

F = descriptor_pb2.FieldDescriptorProto
SCALARS = {
    "double": F.TYPE_DOUBLE,
    "float": F.TYPE_FLOAT,
    "int64": F.TYPE_INT64,
    "uint64": F.TYPE_UINT64,
    "int32": F.TYPE_INT32,
    "fixed64": F.TYPE_FIXED64,
    "fixed32": F.TYPE_FIXED32,
    "bool": F.TYPE_BOOL,
    "string": F.TYPE_STRING,
    "bytes": F.TYPE_BYTES,
    "uint32": F.TYPE_UINT32,
    "sfixed32": F.TYPE_SFIXED32,
    "sfixed64": F.TYPE_SFIXED64,
    "sint32": F.TYPE_SINT32,
    "sint64": F.TYPE_SINT64,
}
MAP_KEYS = [name for name in SCALARS if name not in ("double", "float", "bytes")]
WELL_KNOWN = (
    *("Any", "Duration", "Empty", "FieldMask", "Struct", "Value", "ListValue", "Timestamp"),
    *("BoolValue", "BytesValue", "DoubleValue", "FloatValue", "Int32Value", "Int64Value"),
    *("StringValue", "UInt32Value", "UInt64Value"),
)
WELL_KNOWN_FILES = (
    *(any_pb2, duration_pb2, empty_pb2, field_mask_pb2),
    *(struct_pb2, timestamp_pb2, wrappers_pb2),
)


class _MessageBuilder:
    """Fills a DescriptorProto, numbering the fields."""

    def __init__(self, proto: descriptor_pb2.DescriptorProto, full_name: str) -> None:
        self.proto = proto
        self.full_name = full_name
        self.number = 0

    def field(self, name: str, field_type: int, type_name: str = "", repeated: bool = False) -> F:
        # Some numbers need longer tags, and not all fields are declared in the numbers' order.
        self.number += 1 if self.number < 40 else 60
        number = self.number ^ 1 if self.number < 40 else self.number
        label = F.LABEL_REPEATED if repeated else F.LABEL_OPTIONAL
        field = self.proto.field.add(name=name, number=number + 1, type=field_type, label=label)
        if type_name:
            field.type_name = type_name
        return field

    def map(self, name: str, key: int, value: int, value_name: str = "") -> None:
        entry = self.proto.nested_type.add(name=f"{name.title().replace('_', '')}Entry")
        entry.options.map_entry = True
        entry.field.add(name="key", number=1, type=key, label=F.LABEL_OPTIONAL)
        field = entry.field.add(name="value", number=2, type=value, label=F.LABEL_OPTIONAL)
        if value_name:
            field.type_name = value_name
        self.field(name, F.TYPE_MESSAGE, f"{self.full_name}.{entry.name}", repeated=True)


def _file(syntax: str) -> descriptor_pb2.FileDescriptorProto:
    package = f"turnwire_native_test.{syntax}"
    file = descriptor_pb2.FileDescriptorProto(name=f"turnwire_native_test/{syntax}.proto")
    file.package = package
    file.dependency.extend(module.DESCRIPTOR.name for module in WELL_KNOWN_FILES)
    if syntax == "editions":
        file.syntax = "editions"
        file.edition = descriptor_pb2.EDITION_2023
    elif syntax == "proto3":
        file.syntax = "proto3"
    enum = file.enum_type.add(name="Color")
    for name, number in (("RED", 0), ("GREEN", 1), ("BLUE", -7), ("FAR", 100_000), ("GRUEN", 1)):
        enum.value.add(name=name, number=number)
    enum.options.allow_alias = True
    color = f".{package}.Color"
    full_name = f".{package}.All"
    proto = file.message_type.add(name="All")
    build = _MessageBuilder(proto, full_name)
    for name, number in SCALARS.items():
        build.field(f"one_{name}", number)
        build.field(f"{name}_list", number, repeated=True)
    build.field("one_color", F.TYPE_ENUM, color)
    build.field("color_list", F.TYPE_ENUM, color, repeated=True)
    build.field("null", F.TYPE_ENUM, ".google.protobuf.NullValue")
    build.field("child", F.TYPE_MESSAGE, full_name)
    build.field("children", F.TYPE_MESSAGE, full_name, repeated=True)
    for name in WELL_KNOWN:
        build.field(f"one_{name}", F.TYPE_MESSAGE, f".google.protobuf.{name}")
        build.field(f"{name}_list", F.TYPE_MESSAGE, f".google.protobuf.{name}", repeated=True)
    for name in MAP_KEYS:
        build.map(f"by_{name}", SCALARS[name], F.TYPE_STRING)
    for name in ("double", "bytes", "int64", "bool"):
        build.map(f"to_{name}", F.TYPE_STRING, SCALARS[name])
    build.map("to_color", F.TYPE_STRING, F.TYPE_ENUM, color)
    build.map("to_child", F.TYPE_STRING, F.TYPE_MESSAGE, full_name)
    build.map("to_value", F.TYPE_INT32, F.TYPE_MESSAGE, ".google.protobuf.Value")
    proto.oneof_decl.add(name="choice")
    for name, number, type_name in (
        ("choose_text", F.TYPE_STRING, ""),
        ("choose_number", F.TYPE_INT32, ""),
        ("choose_child", F.TYPE_MESSAGE, full_name),
        ("choose_null", F.TYPE_ENUM, ".google.protobuf.NullValue"),
        ("choose_value", F.TYPE_MESSAGE, ".google.protobuf.Value"),
    ):
        build.field(name, number, type_name).oneof_index = 0
    build.field("named_otherwise", F.TYPE_STRING).json_name = "@odd name"
    build.field("_under__score_9_", F.TYPE_STRING)
    if syntax == "proto3":
        proto.oneof_decl.add(name="_maybe")
        maybe = build.field("maybe", F.TYPE_INT32)
        maybe.oneof_index = 1
        maybe.proto3_optional = True
    elif syntax == "proto2":
        group = proto.nested_type.add(name="Grouped")
        group.field.add(name="text", number=1, type=F.TYPE_STRING, label=F.LABEL_OPTIONAL)
        build.field("grouped", F.TYPE_GROUP, f"{full_name}.Grouped")
        build.field("unpacked", F.TYPE_INT32, repeated=True)
        packed = build.field("packed", F.TYPE_SINT32, repeated=True)
        packed.options.packed = True
        extendable = file.message_type.add(name="Extendable")
        extendable.field.add(name="text", number=1, type=F.TYPE_STRING, label=F.LABEL_OPTIONAL)
        extendable.extension_range.add(start=100, end=200)
        file.extension.add(
            name="extra",
            number=100,
            type=F.TYPE_STRING,
            label=F.LABEL_OPTIONAL,
            extendee=f".{package}.Extendable",
        )
    else:
        features = descriptor_pb2.FeatureSet
        delimited = build.field("delimited", F.TYPE_MESSAGE, full_name)
        delimited.options.features.message_encoding = features.DELIMITED
        implicit = build.field("implicit", F.TYPE_INT32)
        implicit.options.features.field_presence = features.IMPLICIT
        expanded = build.field("expanded", F.TYPE_INT32, repeated=True)
        expanded.options.features.repeated_field_encoding = features.EXPANDED
        closed = file.enum_type.add(name="Closed")
        closed.options.features.enum_type = features.CLOSED
        closed.value.add(name="CLOSED_ZERO", number=0)
        closed.value.add(name="CLOSED_ONE", number=1)
        build.field("one_closed", F.TYPE_ENUM, f".{package}.Closed")
        build.field("closed_list", F.TYPE_ENUM, f".{package}.Closed", repeated=True)
    return file


@cache
def classes_by_name() -> dict[str, type[Message]]:
    """Returns the classes by the full name of their message."""
    pool = descriptor_pool.DescriptorPool()
    for module in WELL_KNOWN_FILES:
        pool.AddSerializedFile(module.DESCRIPTOR.serialized_pb)
    names = []
    for syntax in ("proto2", "proto3", "editions"):
        file = _file(syntax)
        pool.AddSerializedFile(file.SerializeToString())
        names += [f"{file.package}.{message.name}" for message in file.message_type]
    return {
        name: message_factory.GetMessageClass(pool.FindMessageTypeByName(name)) for name in names
    }
