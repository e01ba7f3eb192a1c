"""Message classes with features that the schema does not use: proto2, editions, groups, extensions.

They are built in a separate pool, so that the default pool stays as a user has it.
"""

from __future__ import annotations

from google.protobuf import (
    any_pb2,
    descriptor_pb2,
    duration_pb2,
    field_mask_pb2,
    struct_pb2,
    text_format,
    timestamp_pb2,
    wrappers_pb2,
)
from google.protobuf.descriptor_pool import DescriptorPool
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass

_SCALARS = (
    *("double", "float", "int64", "uint64", "int32", "fixed64", "fixed32", "bool", "string"),
    *("bytes", "uint32", "sfixed32", "sfixed64", "sint32", "sint64"),
)
_WELL_KNOWN = (
    *("Any", "Duration", "FieldMask", "Struct", "Value", "ListValue", "Timestamp"),
    *("BoolValue", "BytesValue", "DoubleValue", "FloatValue", "StringValue"),
    *("Int32Value", "Int64Value", "UInt32Value", "UInt64Value"),
)
DEPENDENCIES = (
    any_pb2,
    duration_pb2,
    field_mask_pb2,
    struct_pb2,
    timestamp_pb2,
    wrappers_pb2,
)


def _field(name: str, number: int, kind: str, label: str = "OPTIONAL", more: str = "") -> str:
    if kind.startswith("."):
        typed = f'type_name: "{kind}"'
        if "type:" not in more:
            typed += " type: TYPE_MESSAGE"
    else:
        typed = f"type: TYPE_{kind.upper()}"
    return f'field {{ name: "{name}" number: {number} label: LABEL_{label} {typed} {more} }}\n'


def _everything(package: str) -> str:
    fields = []
    nested = []
    for number, kind in enumerate(_SCALARS, 1):
        fields.append(_field(f"one_{kind}", number, kind))
        fields.append(_field(f"many_{kind}", number + 100, kind, "REPEATED"))
    for number, name in enumerate(_WELL_KNOWN, 1):
        kind = f".google.protobuf.{name}"
        fields.append(_field(f"wkt_{name.lower()}", number + 200, kind))
        fields.append(_field(f"wkts_{name.lower()}", number + 300, kind, "REPEATED"))
    keys = [kind for kind in _SCALARS if kind not in ("double", "float", "bytes")]
    for number, kind in enumerate(keys, 1):
        entry = f"By{kind.capitalize()}Entry"
        nested.append(
            f'nested_type {{ name: "{entry}" options {{ map_entry: true }}\n'
            + _field("key", 1, kind)
            + _field("value", 2, f".{package}.Everything")
            + "}\n"
        )
        name = f"by_{kind}"
        fields.append(_field(name, number + 400, f".{package}.Everything.{entry}", "REPEATED"))
    fields.append(_field("self", 500, f".{package}.Everything"))
    fields.append(_field("selves", 501, f".{package}.Everything", "REPEATED"))
    fields.append(_field("colour", 502, f".{package}.Colour", more="type: TYPE_ENUM"))
    fields.append(_field("colours", 503, f".{package}.Colour", "REPEATED", "type: TYPE_ENUM"))
    fields.append(
        _field("nothing", 504, ".google.protobuf.NullValue", more="type: TYPE_ENUM oneof_index: 0")
    )
    fields.append(_field("either", 505, "string", more="oneof_index: 0"))
    fields.append(_field("or_value", 506, ".google.protobuf.Value", more="oneof_index: 0"))
    fields.append(_field("_odd__Name_1", 507, "int32", more='json_name: "oddOne"'))
    return (
        'message_type { name: "Everything"\n'
        + "".join(fields)
        + "".join(nested)
        + 'oneof_decl { name: "choice" }\n}\n'
    )


_ENUM = """enum_type { name: "Colour"
  value { name: "NONE" number: 0 } value { name: "RED" number: 1 }
  value { name: "GREEN" number: 2 } value { name: "GRUN" number: 2 }
  value { name: "MINUS" number: -1 }
  options { allow_alias: true } }
"""


def _build() -> tuple[DescriptorPool, dict[str, type[Message]]]:
    pool = DescriptorPool()
    for module in DEPENDENCIES:
        pool.AddSerializedFile(module.DESCRIPTOR.serialized_pb)
    imports = "".join(f'dependency: "{module.DESCRIPTOR.name}"\n' for module in DEPENDENCIES)
    proto2 = (
        'name: "everything2.proto" package: "two" syntax: "proto2"\n'
        + imports
        + _everything("two")
        + _ENUM
        + 'message_type { name: "Group"\n'
        + 'nested_type { name: "Inner"\n'
        + _field("n", 1, "int32")
        + "}\n"
        + _field("inner", 1, ".two.Group.Inner", more="type: TYPE_GROUP")
        + _field("inners", 2, ".two.Group.Inner", "REPEATED", "type: TYPE_GROUP")
        + _field("late", 2000, "int32", "REPEATED")
        + "extension_range { start: 100 end: 1000 } }\n"
        + "extension { "
        + _field("ext_number", 100, "int64", more='extendee: ".two.Group"')[len("field { ") :]
        + "extension { "
        + _field("ext_group", 101, ".two.Group", "REPEATED", 'extendee: ".two.Group"')[
            len("field { ") :
        ]
    )
    proto3 = (
        'name: "everything3.proto" package: "three" syntax: "proto3"\n'
        + imports
        + _everything("three")
        + _ENUM
    )
    edition = (
        'name: "edition.proto" package: "edition" syntax: "editions" edition: EDITION_2023\n'
        'message_type { name: "Edition"\n'
        + _field("implicit", 1, "int32", more="options { features { field_presence: IMPLICIT } }")
        + _field("explicit", 2, "int32")
        + _field(
            "delimited",
            3,
            ".edition.Edition",
            more="options { features { message_encoding: DELIMITED } }",
        )
        + _field("closed", 4, ".edition.Closed", more="type: TYPE_ENUM")
        + "}\n"
        'enum_type { name: "Closed" value { name: "A" number: 0 } value { name: "B" number: 1 }'
        " options { features { enum_type: CLOSED } } }\n"
    )
    for text in (proto2, proto3, edition):
        pool.Add(text_format.Parse(text, descriptor_pb2.FileDescriptorProto()))
    names = ("two.Everything", "three.Everything", "two.Group", "edition.Edition")
    return pool, {name: GetMessageClass(pool.FindMessageTypeByName(name)) for name in names}


POOL, CLASSES = _build()
EVERYTHING2 = CLASSES["two.Everything"]
EVERYTHING3 = CLASSES["three.Everything"]
GROUP = CLASSES["two.Group"]
EDITION = CLASSES["edition.Edition"]
