//! The schemas of the searches: that of the package, and messages with every kind of field.

use std::sync::LazyLock;

use crate::bytes::out::encode_varint;
use crate::schema::Schema;
use crate::schema::descriptor::schema;

/// The descriptors of the package, with protobuf's own types that it refers to.
pub const PACKAGE: &[u8] = include_bytes!("../../../generated/turnwire.binpb");

/// The schemas by the name of their first message.
pub static SCHEMAS: LazyLock<Vec<(&str, Schema)>> = LazyLock::new(|| {
    let set = [PACKAGE, &own()].concat();
    let names = [
        "fuzz.proto2.All",
        "fuzz.proto3.All",
        "fuzz.editions.All",
        "fuzz.names.All",
        "google.protobuf.Struct",
        "google.protobuf.Value",
        "google.protobuf.Timestamp",
        "google.protobuf.Duration",
        "google.protobuf.FieldMask",
        "turnwire_schema.ces.v1.Message",
        "turnwire_schema.ces.v1.RunSessionResponse",
        "turnwire_schema.geminidataanalytics.v1.Message",
        "turnwire_schema.geminidataanalytics.v1.DataResult",
    ];
    names.map(|name| (name, schema(&set, name).expect(name))).into()
});

const SCALARS: [(&str, u64); 15] = [
    ("double", 1),
    ("float", 2),
    ("int64", 3),
    ("uint64", 4),
    ("int32", 5),
    ("fixed64", 6),
    ("fixed32", 7),
    ("bool", 8),
    ("string", 9),
    ("bytes", 12),
    ("uint32", 13),
    ("sfixed32", 15),
    ("sfixed64", 16),
    ("sint32", 17),
    ("sint64", 18),
];
const STRING: u64 = 9;
const GROUP: u64 = 10;
const MESSAGE: u64 = 11;
const ENUM: u64 = 14;
/// The first number that `fuzz.names.Extended` leaves to extensions.
pub const EXTENSION: u64 = 100;
const WELL_KNOWN: [&str; 17] = [
    "Any",
    "BoolValue",
    "BytesValue",
    "DoubleValue",
    "Duration",
    "Empty",
    "FieldMask",
    "FloatValue",
    "Int32Value",
    "Int64Value",
    "ListValue",
    "StringValue",
    "Struct",
    "Timestamp",
    "UInt32Value",
    "UInt64Value",
    "Value",
];

/// The descriptors that are made here.
pub fn own() -> Vec<u8> {
    let mut mask = Message::new("FieldMask");
    mask.field("paths", STRING, "", true);
    let google = [
        text(2, "google.protobuf"),
        text(12, "proto3"),
        bytes(4, &mask.proto),
        bytes(4, &text(1, "Empty")),
    ];
    let files = [google.concat(), file("proto2"), file("proto3"), file("editions"), names()];
    files.map(|file| bytes(1, &file)).concat()
}

/// A message with every kind of field, singular, repeated and in maps.
fn file(syntax: &str) -> Vec<u8> {
    let color = format!(".fuzz.{syntax}.Color");
    let closed = format!(".fuzz.{syntax}.Closed");
    let own_name = format!(".fuzz.{syntax}.All");
    let mut all = Message::new("All");
    for (name, kind) in SCALARS {
        all.field(&format!("one_{name}"), kind, "", false);
        all.field(&format!("{name}_list"), kind, "", true);
        all.map(&own_name, &format!("to_{name}"), STRING, kind, "");
        if !["double", "float", "bytes"].contains(&name) {
            all.map(&own_name, &format!("by_{name}"), kind, STRING, "");
        }
    }
    for (name, target) in [("color", &color), ("closed", &closed)] {
        all.field(&format!("one_{name}"), ENUM, target, false);
        all.field(&format!("{name}_list"), ENUM, target, true);
    }
    all.map(&own_name, "to_color", STRING, ENUM, &color);
    all.field("null", ENUM, ".google.protobuf.NullValue", false);
    all.field("child", MESSAGE, &own_name, false);
    all.field("children", MESSAGE, &own_name, true);
    all.map(&own_name, "to_child", STRING, MESSAGE, &own_name);
    all.map(&own_name, "to_value", 5, MESSAGE, ".google.protobuf.Value");
    for name in WELL_KNOWN {
        let target = format!(".google.protobuf.{name}");
        all.field(&format!("one_{name}"), MESSAGE, &target, false);
        all.field(&format!("{name}_list"), MESSAGE, &target, true);
    }
    let in_choice = integer(9, 0);
    all.field_with("choose_text", STRING, "", false, &in_choice);
    all.field_with("choose_child", MESSAGE, &own_name, false, &in_choice);
    all.field_with("choose_null", ENUM, ".google.protobuf.NullValue", false, &in_choice);
    all.field_with("choose_value", MESSAGE, ".google.protobuf.Value", false, &in_choice);
    all.field_with("named_otherwise", STRING, "", false, &text(10, "@odd name"));
    match syntax {
        "proto2" => {
            let mut grouped = Message::new("Grouped");
            grouped.field("text", STRING, "", false);
            all.proto.extend(bytes(3, &grouped.proto));
            all.field("grouped", GROUP, &format!("{own_name}.Grouped"), false);
            all.field("groups", GROUP, &format!("{own_name}.Grouped"), true);
        }
        "editions" => {
            let delimited = bytes(8, &bytes(21, &integer(5, 2)));
            all.field_with("delimited", MESSAGE, &own_name, false, &delimited);
            all.field_with("delimited_list", MESSAGE, &own_name, true, &delimited);
            for name in WELL_KNOWN {
                let target = format!(".google.protobuf.{name}");
                all.field_with(&format!("group_{name}"), MESSAGE, &target, false, &delimited);
                all.field_with(&format!("{name}_groups"), MESSAGE, &target, true, &delimited);
            }
            all.field_with("implicit", 5, "", false, &bytes(8, &bytes(21, &integer(1, 2))));
        }
        _ => {}
    }
    let closing = if syntax == "editions" { bytes(3, &bytes(7, &integer(2, 2))) } else { vec![] };
    [
        text(2, &format!("fuzz.{syntax}")),
        text(12, syntax),
        integer(14, 1000),
        bytes(4, &all.proto),
        bytes(5, &[enumeration("Color", &[("RED", 0), ("BLUE", -7), ("FAR", 100_000)])].concat()),
        bytes(5, &[enumeration("Closed", &[("ZERO", 0), ("ONE", 1)]), closing].concat()),
    ]
    .concat()
}

/// Messages and an enum whose JSON names are other names, and messages with room for extensions.
fn names() -> Vec<u8> {
    let mut page = Message::new("Page");
    page.field_with("name", STRING, "", false, &text(10, "title"));
    page.field_with("title", STRING, "", false, &text(10, "heading"));
    let mut extended = Message::new("Extended");
    extended.field("text", STRING, "", false);
    let range = [integer(1, EXTENSION), integer(2, EXTENSION + 100)].concat();
    extended.proto.extend(bytes(5, &range));
    let mut all = Message::new("All");
    for (name, target) in [("page", "Page"), ("extended", "Extended")] {
        let target = format!(".fuzz.names.{target}");
        all.field(name, MESSAGE, &target, false);
        all.field(&format!("{name}_list"), MESSAGE, &target, true);
        all.map(".fuzz.names.All", &format!("to_{name}"), STRING, MESSAGE, &target);
    }
    all.field("mood", ENUM, ".fuzz.names.Mood", false);
    all.field("moods", ENUM, ".fuzz.names.Mood", true);
    all.field("text", STRING, "", false);
    // Each value but the last has a JSON name that another value has as its own.
    let moods = [("SAD", 0, "GLAD"), ("GLAD", 1, "CALM"), ("CALM", 2, "0"), ("ODD", 3, "")];
    let moods = moods.map(|(name, number, json_name)| {
        let options = bytes(3, &text(998, json_name));
        let options = if json_name.is_empty() { vec![] } else { options };
        bytes(2, &[text(1, name), integer(2, number), options].concat())
    });
    [
        text(2, "fuzz.names"),
        text(12, "editions"),
        integer(14, 1000),
        bytes(4, &all.proto),
        bytes(4, &page.proto),
        bytes(4, &extended.proto),
        bytes(5, &[text(1, "Mood"), moods.concat()].concat()),
    ]
    .concat()
}

/// A DescriptorProto whose fields are numbered one after the other.
struct Message {
    proto: Vec<u8>,
    number: u64,
}

impl Message {
    fn new(name: &str) -> Self {
        Self { proto: text(1, name), number: 0 }
    }

    fn field(&mut self, name: &str, kind: u64, target: &str, repeated: bool) {
        self.field_with(name, kind, target, repeated, &[]);
    }

    fn field_with(&mut self, name: &str, kind: u64, target: &str, repeated: bool, more: &[u8]) {
        self.number += if self.number < 60 { 1 } else { 50 };
        let target = if target.is_empty() { vec![] } else { text(6, target) };
        let field = [
            text(1, name),
            integer(3, self.number),
            integer(4, if repeated { 3 } else { 1 }),
            integer(5, kind),
            target,
            more.to_vec(),
        ];
        self.proto.extend(bytes(2, &field.concat()));
    }

    fn map(&mut self, own_name: &str, name: &str, key: u64, value: u64, target: &str) {
        let entry_name = format!("{name}Entry");
        let mut entry = Message::new(&entry_name);
        entry.field("key", key, "", false);
        entry.field("value", value, target, false);
        entry.proto.extend(bytes(7, &integer(7, 1)));
        self.proto.extend(bytes(3, &entry.proto));
        self.field(name, MESSAGE, &format!("{own_name}.{entry_name}"), true);
    }
}

fn enumeration(name: &str, values: &[(&str, i64)]) -> Vec<u8> {
    let values = values
        .iter()
        .map(|(name, number)| bytes(2, &[text(1, name), integer(2, *number as u64)].concat()));
    [vec![text(1, name)], values.collect()].concat().concat()
}

fn text(number: u64, value: &str) -> Vec<u8> {
    bytes(number, value.as_bytes())
}

/// A length-delimited field on the wire.
pub fn bytes(number: u64, value: &[u8]) -> Vec<u8> {
    [&varint(number << 3 | 2), &varint(value.len() as u64), value].concat()
}

fn integer(number: u64, value: u64) -> Vec<u8> {
    [varint(number << 3), varint(value)].concat()
}

pub fn varint(value: u64) -> Vec<u8> {
    let mut bytes = [0; 10];
    let len = encode_varint(value, &mut bytes);
    bytes[..len].to_vec()
}
