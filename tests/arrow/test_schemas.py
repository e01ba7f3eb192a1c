"""The types of columns, and the classes and options that are refused."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import Any

import pyarrow as pa
import pytest
from google.protobuf import descriptor_pb2, empty_pb2, struct_pb2, text_format, timestamp_pb2
from google.protobuf.descriptor_pool import DescriptorPool
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass
from support.analytics import gda
from support.cases import for_each
from support.everything import EVERYTHING2, EVERYTHING3, GROUP
from support.messages import message_classes

from turnwire import arrow, ces

TIME = pa.timestamp("ns", "UTC")

TYPES = {
    "one_double": pa.float64(),
    "one_float": pa.float32(),
    "one_int32": pa.int32(),
    "one_sint32": pa.int32(),
    "one_sfixed32": pa.int32(),
    "one_int64": pa.int64(),
    "one_sint64": pa.int64(),
    "one_sfixed64": pa.int64(),
    "one_uint32": pa.uint32(),
    "one_fixed32": pa.uint32(),
    "one_uint64": pa.uint64(),
    "one_fixed64": pa.uint64(),
    "one_bool": pa.bool_(),
    "one_string": pa.string(),
    "one_bytes": pa.binary(),
    "many_bytes": pa.list_(pa.binary()),
    "colour": pa.string(),
    "nothing": pa.string(),
    "wkt_timestamp": TIME,
    "wkts_timestamp": pa.list_(TIME),
    "wkt_duration": pa.duration("ns"),
    "wkt_struct": pa.string(),
    "wkt_value": pa.string(),
    "wkt_listvalue": pa.string(),
    "wkt_any": pa.string(),
    "wkt_fieldmask": pa.struct([pa.field("paths", pa.list_(pa.string()))]),
    "wkt_boolvalue": pa.bool_(),
    "wkt_uint64value": pa.uint64(),
    "wkts_stringvalue": pa.list_(pa.string()),
    "self": pa.string(),
    "selves": pa.list_(pa.string()),
    "by_string": pa.map_(pa.string(), pa.string()),
    "by_uint32": pa.map_(pa.uint32(), pa.string()),
    "choice_case": pa.string(),
}


@for_each("message_class", [EVERYTHING2, EVERYTHING3])
@for_each("name", TYPES)
def test_type(message_class: type[Message], name: str) -> None:
    field = arrow.schema_of(message_class).field(name)
    assert field.type == TYPES[name]
    assert field.nullable


def test_options_change_types() -> None:
    schema = arrow.schema_of(EVERYTHING3, enums="dictionary", on_misfit="string")
    assert schema.field("colour").type == pa.dictionary(pa.int32(), pa.string())
    assert schema.field("wkts_timestamp").type == pa.list_(pa.string())
    assert schema.field("wkt_duration").type == pa.string()


def depth(kind: pa.DataType, name: str) -> int:
    """Returns how many structs of a recursive type stand in each other."""
    if pa.types.is_list(kind):
        kind = kind.value_type
    return 1 + depth(kind.field(name).type, name) if pa.types.is_struct(kind) else 0


def test_recursion_is_json_from_a_depth() -> None:
    for recursion in range(4):
        schema = arrow.schema_of(ces.Span, recursion=recursion)
        assert depth(schema.field("child_spans").type, "child_spans") == recursion


def test_json_text_names_its_message_type() -> None:
    schema = arrow.schema_of(EVERYTHING3)
    key = b"turnwire.type"
    assert schema.field("wkt_struct").metadata == {key: b"google.protobuf.Struct"}
    assert schema.field("self").metadata == {key: b"three.Everything"}
    assert schema.field("selves").type.value_field.metadata == {key: b"three.Everything"}
    assert schema.field("by_string").type.item_field.metadata == {key: b"three.Everything"}
    assert schema.field("one_string").metadata is None


def test_extension_types_are_not_used() -> None:
    for message_class in message_classes():
        if message_class.DESCRIPTOR.fields:
            assert "ARROW:extension" not in arrow.schema_of(message_class).to_string()


def test_groups_are_structs() -> None:
    inner = pa.struct([pa.field("n", pa.int32())])
    schema = arrow.schema_of(GROUP)
    assert schema.field("inner").type == inner
    assert schema.field("inners").type == pa.list_(inner)


def test_a_message_without_fields_is_a_boolean() -> None:
    message_class = build(
        'message_type { name: "M" field { name: "f" number: 1 label: LABEL_OPTIONAL '
        'type: TYPE_MESSAGE type_name: ".made.Empty" } } message_type { name: "Empty" }'
    )
    rows = [message_class(), message_class(f={})]
    table = arrow.to_arrow(message_class, rows)
    assert table["f"].type == pa.bool_()
    assert table["f"].to_pylist() == [None, True]
    assert list(arrow.from_arrow(message_class, table)) == rows


def build(messages: str, name: str = "M") -> type[Message]:
    pool = DescriptorPool()
    text = f'name: "made.proto" package: "made" syntax: "proto3" {messages}'
    pool.Add(text_format.Parse(text, descriptor_pb2.FileDescriptorProto()))
    return GetMessageClass(pool.FindMessageTypeByName(f"made.{name}"))


def test_a_clash_names_the_field() -> None:
    message_class = build(
        'message_type { name: "M" oneof_decl { name: "kind" } '
        'field { name: "a" number: 1 label: LABEL_OPTIONAL type: TYPE_STRING oneof_index: 0 } '
        'field { name: "kind_case" number: 2 label: LABEL_OPTIONAL type: TYPE_STRING } }'
    )
    with pytest.raises(ValueError, match=r"kind_case of the oneof made\.M\.kind .*made\.M\.kind_c"):
        arrow.schema_of(message_class)


@pytest.mark.parametrize(
    "message_class",
    [timestamp_pb2.Timestamp, struct_pb2.Struct, struct_pb2.Value, empty_pb2.Empty],
)
def test_a_class_without_columns(message_class: type[Message]) -> None:
    calls: list[Any] = [
        lambda: arrow.schema_of(message_class),
        lambda: arrow.to_arrow(message_class, []),
        lambda: arrow.from_arrow(message_class, pa.table({})),
        lambda: arrow.read(message_class, b""),
        lambda: arrow.parse(message_class, pa.array([""])),
        lambda: arrow.bigquery_schema_of(message_class),
    ]
    for call in calls:
        with pytest.raises(ValueError, match=f"{message_class.DESCRIPTOR.full_name} has no column"):
            call()


@pytest.mark.parametrize(
    "options",
    [{"enums": "number"}, {"recursion": -1}, {"recursion": True}, {"on_misfit": "nul"}],
)
def test_wrong_options(options: Any) -> None:
    with pytest.raises(ValueError, match=next(iter(options))):
        arrow.schema_of(ces.Message, **options)
    with pytest.raises(ValueError, match=next(iter(options))):
        arrow.to_arrow(ces.Message, [], **options)


@pytest.mark.parametrize("wrong", [ces.Message(), "Message", None, Message])
def test_wrong_classes(wrong: Any) -> None:
    with pytest.raises(TypeError):
        arrow.schema_of(wrong)


def test_bigquery() -> None:
    columns = {column["name"]: column for column in arrow.bigquery_schema_of(EVERYTHING3)}
    assert json.loads(json.dumps(columns)) == columns
    kinds = {name: (column["type"], column["mode"]) for name, column in columns.items()}
    assert kinds["one_int64"] == ("INTEGER", "NULLABLE")
    assert kinds["one_uint64"] == ("NUMERIC", "NULLABLE")
    assert kinds["one_float"] == ("FLOAT", "NULLABLE")
    assert kinds["many_bool"] == ("BOOLEAN", "REPEATED")
    assert kinds["one_bytes"] == ("BYTES", "NULLABLE")
    assert kinds["colours"] == ("STRING", "REPEATED")
    assert kinds["wkt_struct"] == ("JSON", "NULLABLE")
    assert kinds["wkts_value"] == ("JSON", "REPEATED")
    assert kinds["wkt_timestamp"] == ("TIMESTAMP", "NULLABLE")
    assert kinds["wkts_duration"] == ("INTEGER", "REPEATED")
    assert columns["by_bool"] == {
        "name": "by_bool",
        "type": "RECORD",
        "mode": "REPEATED",
        "fields": [
            {"name": "key", "type": "BOOLEAN", "mode": "NULLABLE"},
            {"name": "value", "type": "JSON", "mode": "NULLABLE"},
        ],
    }


def test_bigquery_has_a_schema_for_every_class() -> None:
    for message_class in [*message_classes(), EVERYTHING2, GROUP]:
        if message_class.DESCRIPTOR.fields:
            schema = arrow.schema_of(message_class)
            found = arrow.bigquery_schema_of(message_class)
            assert [column["name"] for column in found] == schema.names


def test_bigquery_refuses_too_many_levels() -> None:
    assert arrow.bigquery_schema_of(ces.Span, recursion=13)
    with pytest.raises(ValueError, match="15 levels, and child_spans"):
        arrow.bigquery_schema_of(ces.Span, recursion=16)


@pytest.mark.parametrize("name", ["M", "Outer"])
def test_bigquery_refuses_names_that_differ_in_case_alone(name: str) -> None:
    message_class = build(
        'message_type { name: "Outer" '
        'field { name: "tag" number: 1 label: LABEL_OPTIONAL type: TYPE_STRING } '
        'field { name: "Tag" number: 2 label: LABEL_OPTIONAL type: TYPE_STRING } } '
        'message_type { name: "M" field { name: "outers" number: 1 label: LABEL_REPEATED '
        'type: TYPE_MESSAGE type_name: ".made.Outer" } }',
        name,
    )
    path = r"outers\." if name == "M" else ""
    with pytest.raises(ValueError, match=f"takes {path}Tag and {path}tag for one column"):
        arrow.bigquery_schema_of(message_class)
    assert arrow.schema_of(message_class)


def test_without_pyarrow_the_error_names_the_extra() -> None:
    program = """
import sys
class Block:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] == "pyarrow":
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
sys.meta_path.insert(0, Block())
import turnwire
from turnwire import arrow, ces
for call in (
    lambda: arrow.schema_of(ces.Message),
    lambda: arrow.to_arrow(ces.Message, []),
    lambda: arrow.from_arrow(ces.Message, None),
    lambda: arrow.read(ces.Message, b""),
    lambda: arrow.parse(ces.Message, None),
    lambda: arrow.bigquery_schema_of(ces.Message),
):
    try:
        call()
    except turnwire.MissingExtra as error:
        assert error.extra == "arrow", error.extra
        assert 'pip install "turnwire[arrow]"' in str(error), error
    else:
        raise AssertionError("no error")
"""
    subprocess.run([sys.executable, "-c", program], env=dict(os.environ), check=True)


def test_pyarrow_is_imported_when_it_is_needed() -> None:
    program = "import sys, turnwire; turnwire.arrow; assert 'pyarrow' not in sys.modules"
    subprocess.run([sys.executable, "-c", program], check=True)


def test_the_analytics_messages_have_columns() -> None:
    schema = arrow.schema_of(gda.Message)
    assert schema.field("timestamp").type == TIME
    assert schema.field("kind_case").type == pa.string()


def test_very_many_structs_are_refused() -> None:
    with pytest.raises(ValueError, match=r"more than 10,000 structs.*smaller recursion"):
        arrow.schema_of(EVERYTHING3, recursion=50)
    with pytest.raises(ValueError, match=r"more than 100 levels.*smaller recursion"):
        arrow.schema_of(ces.Span, recursion=2000)
