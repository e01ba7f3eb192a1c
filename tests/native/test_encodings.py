"""Every well-known type in every place of a message, with both encodings, on both backends."""

from __future__ import annotations

import os
from functools import cache
from typing import Any

import pytest
from google.protobuf import descriptor_pb2, descriptor_pool, json_format, message_factory
from support.cases import for_each

if os.environ.get("TURNWIRE_REQUIRE_NATIVE") != "1":
    pytest.importorskip("turnwire_native")

from native.classes import WELL_KNOWN_FILES
from native.test_native import outcome

from native import core_first, samples
from turnwire.protojson import _pure
from turnwire.protojson._accelerator import codec_of
from turnwire.protojson._options import Style

F = descriptor_pb2.FieldDescriptorProto
GOOD = {
    "Duration": ('"1.500s"',),
    "Empty": ("{}",),
    "FieldMask": ('"a.bC,d"', '""'),
    "Struct": ("{}", '{"a":{"b":[1,null]}}'),
    "Value": ("null", "1.5", '"x"', "[]", '{"a":null}'),
    "ListValue": ("[]", "[null,[1]]"),
    "Timestamp": ('"2025-01-02T03:04:05Z"',),
    "BoolValue": ("true", "false"),
    "BytesValue": ('"AQID"',),
    "DoubleValue": ("1.5", '"NaN"'),
    "FloatValue": ("0.1",),
    "Int32Value": ("7",),
    "Int64Value": ('"-7"',),
    "StringValue": ('""', '"x"'),
    "UInt32Value": ("7",),
    "UInt64Value": ('"7"',),
    "Any": ("{}",),
}
"""Texts of each type in their printed form."""
PLACES = {
    "one": '{{"one":{}}}',
    "list": '{{"list":[{0},{0}]}}',
    "chosen": '{{"chosen":{}}}',
    "map": '{{"map":{{"a":{0},"b":{0}}}}}',
}


@cache
def message_class(name: str, delimited: bool) -> Any:
    """A message with fields of a well-known type in every place."""
    file = descriptor_pb2.FileDescriptorProto(
        name=f"encodings/{name}_{delimited}.proto",
        package=f"encodings.{name.lower()}{'_delimited' * delimited}",
        syntax="editions",
        edition=descriptor_pb2.EDITION_2023,
        dependency=[module.DESCRIPTOR.name for module in WELL_KNOWN_FILES],
    )
    proto = file.message_type.add(name="M")
    proto.oneof_decl.add(name="choice")
    entry = proto.nested_type.add(name="MapEntry")
    entry.options.map_entry = True
    entry.field.add(name="key", number=1, type=F.TYPE_STRING, label=F.LABEL_OPTIONAL)
    target = f".google.protobuf.{name}"
    fields = [
        entry.field.add(name="value", number=2, type=F.TYPE_MESSAGE, type_name=target, label=1),
        proto.field.add(name="one", number=1, type=F.TYPE_MESSAGE, type_name=target, label=1),
        proto.field.add(name="list", number=2, type=F.TYPE_MESSAGE, type_name=target, label=3),
        proto.field.add(name="chosen", number=3, type=F.TYPE_MESSAGE, type_name=target, label=1),
    ]
    fields[-1].oneof_index = 0
    proto.field.add(name="other", number=4, type=F.TYPE_STRING, label=1).oneof_index = 0
    proto.field.add(
        name="map",
        number=5,
        type=F.TYPE_MESSAGE,
        type_name=f".{file.package}.M.MapEntry",
        label=F.LABEL_REPEATED,
    )
    if delimited:
        for field in fields[1:]:
            field.options.features.message_encoding = descriptor_pb2.FeatureSet.DELIMITED
    pool = descriptor_pool.DescriptorPool()
    for module in WELL_KNOWN_FILES:
        pool.AddSerializedFile(module.DESCRIPTOR.serialized_pb)
    pool.AddSerializedFile(file.SerializeToString())
    return message_factory.GetMessageClass(pool.FindMessageTypeByName(f"{file.package}.M"))


CASES = [(name, place, text) for name, texts in GOOD.items() for place in PLACES for text in texts]


@for_each("delimited", [False, True])
@for_each(("name", "place", "text"), CASES)
def test_good_texts(name: str, place: str, text: str, delimited: bool) -> None:
    document = PLACES[place].format(text)
    target = message_class(name, delimited)
    message = _pure.parse(target, document, "error", "round")
    assert message == json_format.Parse(document, target())
    assert codec_of(target).parse(document, "error", "round") == message
    for style in (Style(), Style(defaults=True)):
        printed = _pure.print_text(message, style)
        assert codec_of(target).print(message, *style[:3]) == printed
        assert _pure.parse(target, printed, "error", "round") == message
    assert document.encode() == _pure.print_text(message, Style())


@for_each("delimited", [False, True])
@for_each("name", GOOD)
@for_each("text", samples.ODD_TEXTS)
def test_odd_texts(name: str, text: str, delimited: bool) -> None:
    target = message_class(name, delimited)
    for place in PLACES.values():
        for unknown in ("error", "ignore"):
            args = target, place.format(text), unknown, "round"
            assert outcome(core_first.parse, *args) == outcome(_pure.parse, *args)
