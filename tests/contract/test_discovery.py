"""The messages of CES have what Google's discovery document says, and nothing else.

`scripts/upstream.py` writes the table from the newest document.
"""

from __future__ import annotations

from contract.tables import DISCOVERY, FIELDS, Discovered, messages
from google.api import field_behavior_pb2
from google.protobuf.descriptor import Descriptor, EnumDescriptor, FieldDescriptor
from support.cases import for_each

NOT_IN_REST = {
    "BidiSessionClientMessage": "Bidirectional sessions are not REST.",
    "BidiSessionServerMessage": "Bidirectional sessions are not REST.",
    "GoAway": "Only a bidirectional session sends it.",
    "InterruptionSignal": "Only a bidirectional session sends it.",
    "RecognitionResult": "Only a bidirectional session sends it.",
    "SessionConfig.session": "REST has it in the URL.",
    "SessionOutput.context": "REST does not have it.",
}
SCALARS = {
    "string": FieldDescriptor.TYPE_STRING,
    "boolean": FieldDescriptor.TYPE_BOOL,
    "byte": FieldDescriptor.TYPE_BYTES,
    "int32": FieldDescriptor.TYPE_INT32,
    "int64": FieldDescriptor.TYPE_INT64,
    "float": FieldDescriptor.TYPE_FLOAT,
    "double": FieldDescriptor.TYPE_DOUBLE,
}
WELL_KNOWN = {
    "google-datetime": "google.protobuf.Timestamp",
    "google-duration": "google.protobuf.Duration",
    "Struct": "google.protobuf.Struct",
}
PACKAGE = "turnwire_schema.ces.v1."


def ces_fields() -> dict[tuple[str, str], FieldDescriptor]:
    """The fields of CES by message and JSON name, as the table has them."""
    return {
        (message.full_name.removeprefix(PACKAGE), field.json_name): field
        for message in messages()
        if message.full_name.startswith(PACKAGE)
        for field in message.fields
    }


OURS = ces_fields()
SAID = {(row.message, row.json_name) for row in DISCOVERY}


@for_each("row", DISCOVERY, ids=lambda row: f"{row.message}.{row.json_name}")
def test_a_field_of_the_document_is_in_the_schema(row: Discovered) -> None:
    field = OURS[row.message, row.json_name]
    assert type_of(field, row.type) == row.type
    assert field.is_repeated == (row.label == "repeated" or row.type.startswith("map<"))
    behaviors = field.GetOptions().Extensions[field_behavior_pb2.field_behavior]
    assert (field_behavior_pb2.OUTPUT_ONLY in behaviors) == (row.read_only == "yes")


def type_of(field: FieldDescriptor, said: str) -> str:
    """The type of a field as the table writes it; of two spellings, the one that the table has."""
    declared: Descriptor | EnumDescriptor | None = field.message_type or field.enum_type
    if declared is None:
        return said if SCALARS.get(said) == field.type else f"scalar {field.type}"
    if isinstance(declared, EnumDescriptor):
        names = said.removeprefix("enum:").split("|")
        # The document orders the names differently.
        return said if sorted(names) == sorted(declared.values_by_name) else declared.full_name
    if declared.GetOptions().map_entry:
        key, value = (declared.fields_by_name[name].type for name in ("key", "value"))
        strings = key == value == FieldDescriptor.TYPE_STRING
        return "map<string,string>" if strings else declared.full_name
    if said in WELL_KNOWN:
        return said if declared.full_name == WELL_KNOWN[said] else declared.full_name
    return declared.full_name.removeprefix(PACKAGE)


def test_the_schema_has_no_field_that_the_document_lacks() -> None:
    missing = OURS.keys() - SAID
    unexplained = {
        f"{message}.{name}"
        for message, name in missing
        if message not in NOT_IN_REST and f"{message}.{name}" not in NOT_IN_REST
    }
    assert unexplained == set()


def test_a_field_that_only_the_document_has_is_in_the_table_of_fields_as_such() -> None:
    found = {(row.message, row.json_name) for row in FIELDS if row.seen_in == "discovery"}
    assert found
    assert found <= SAID
