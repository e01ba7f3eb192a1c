"""Fields with DELIMITED encoding, which editions have: of every type, in every kind of field."""

from __future__ import annotations

import json
from typing import Any

import pytest
from google.protobuf import descriptor_pb2
from support.cases import for_each
from support.made import made

import turnwire

VALUES: dict[str, list[Any]] = {
    "Any": [{"@type": "a/google.protobuf.Empty"}, {}],
    "Duration": ["1.500s", "0s"],
    "FieldMask": ["a.bC,d", ""],
    "ListValue": [[1, None, ["x"]], []],
    "Struct": [{"a": 1, "b": {"c": [None]}}, {}],
    "Timestamp": ["2025-11-05T10:15:30Z", "1970-01-01T00:00:00Z"],
    "Value": [None, 1.5, "x", True, [None], {"a": None}],
    "BoolValue": [True, False],
    "BytesValue": ["/w==", ""],
    "DoubleValue": [1.5, "NaN", 0],
    "FloatValue": [0.1, 0],
    "Int32Value": [-1, 0],
    "Int64Value": ["-1", "0"],
    "StringValue": ["x", ""],
    "UInt32Value": [1, 0],
    "UInt64Value": ["18446744073709551615"],
    "Empty": [{}],
    "Own": [{"n": 1}, {"n": 0}, {}],
}
FILES = ("any", "duration", "empty", "field_mask", "struct", "timestamp", "wrappers")
ENCODINGS = ("LENGTH_PREFIXED", "DELIMITED")


def all_fields(encoding: str) -> Any:
    """A message with every type as a single field, in a list, a oneof, a map, and an extension."""
    file = descriptor_pb2.FileDescriptorProto(name="e.proto", package="e", syntax="editions")
    file.edition = descriptor_pb2.EDITION_2023
    for name in FILES:
        file.dependency.append(f"google/protobuf/{name}.proto")
        __import__(f"google.protobuf.{name}_pb2")
    # For the entries of maps too, which are never delimited.
    features = descriptor_pb2.FeatureSet
    file.options.features.message_encoding = features.MessageEncoding.Value(encoding)
    own = file.message_type.add(name="Own")
    own.field.add(name="n", number=1, label=1, type=5)
    message = file.message_type.add(name="M")
    message.oneof_decl.add(name="choice")
    message.extension_range.add(start=1000, end=2000)
    for number, name in enumerate(VALUES, 1):
        type_name = ".e.Own" if name == "Own" else f".google.protobuf.{name}"
        snake = name.lower()
        entry = message.nested_type.add(name=f"By{snake}Entry")
        entry.options.map_entry = True
        entry.field.add(name="key", number=1, label=1, type=9)
        entry.field.add(name="value", number=2, label=1, type=11, type_name=type_name)
        held = {"type": 11, "type_name": type_name}
        message.field.add(name=f"one{snake}", number=number, label=1, **held)
        message.field.add(name=f"many{snake}", number=number + 100, label=3, **held)
        message.field.add(name=f"or{snake}", number=number + 200, label=1, oneof_index=0, **held)
        message.field.add(
            name=f"by{snake}",
            number=number + 300,
            label=3,
            type=11,
            type_name=f".e.M.By{snake}Entry",
        )
        file.extension.add(name=f"x{snake}", number=number + 1000, label=1, extendee=".e.M", **held)
        file.extension.add(
            name=f"xs{snake}", number=number + 1100, label=3, extendee=".e.M", **held
        )
    return made(file)["e.M"]


CLASSES = {encoding: all_fields(encoding) for encoding in ENCODINGS}


@for_each("encoding", ENCODINGS)
@for_each("name", VALUES)
def test_every_type_in_every_kind_of_field(encoding: str, name: str) -> None:
    message_class = CLASSES[encoding]
    snake = name.lower()
    values = VALUES[name]
    documents: list[dict[str, Any]] = [
        {f"many{snake}": values},
        {f"[e.xs{snake}]": values},
        {f"by{snake}": {str(index): value for index, value in enumerate(values)}},
    ]
    for value in values:
        documents += [{f"one{snake}": value}, {f"or{snake}": value}, {f"[e.x{snake}]": value}]
    for document in documents:
        text = json.dumps(document).encode()
        message = turnwire.from_json(message_class, text)
        assert turnwire.from_dict(message_class, document) == message
        assert message_class.FromString(message.SerializeToString()) == message
        assert json.dumps(turnwire.to_dict(message)) == json.dumps(document)
        assert json.loads(turnwire.to_json(message)) == document
        # Both spellings of the wire format hold the same message.
        assert turnwire.to_dict(message, defaults=True).items() >= document.items()
        paths: list[Any] = []
        assert turnwire.from_json(message_class, text, unknown=paths.append) == message
        assert paths == []


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_errors_in_them_have_their_place(encoding: str) -> None:
    for text, path in (
        ('{"manystruct":[{},{"a":[1e999]}]}', ("manystruct", 1, "a", 0)),
        ('{"manystruct":[{},5]}', ("manystruct", 1)),
        ('{"ortimestamp":"x"}', ("ortimestamp",)),
        ('{"[e.xsvalue]":[null,NaN]}', ("[e.xsvalue]", 1)),
    ):
        with pytest.raises(turnwire.ParseError) as caught:
            turnwire.from_json(CLASSES[encoding], text)
        assert caught.value.path == path
