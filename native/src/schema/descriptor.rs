//! From a serialized `google.protobuf.FileDescriptorSet` to field tables.

use std::collections::{HashMap, HashSet};

use super::names::FieldNames;
use super::serialized::{
    EDITION_2023, EDITION_PROTO3, Features, all, integer, json_name_of_value, last,
};
use super::tables::{
    Cardinality, DELIMITED, Enum, Field, Kind, Message, Names, Schema, Shape, Table,
};
use crate::bytes::out::encode_varint;
use crate::limits::MAX_SLOTS;

/// A field with its JSON name and its name in the schema.
type NamedField = (Field, Box<[u8]>, Box<[u8]>);

/// A type's own descriptor and the features it inherits, its own included.
#[derive(Clone, Copy)]
struct Raw<'w> {
    bytes: &'w [u8],
    features: Features,
}

struct Builder<'w> {
    messages: HashMap<Vec<u8>, Raw<'w>>,
    enums: HashMap<Vec<u8>, Raw<'w>>,
    message_order: Vec<Vec<u8>>,
    message_index: HashMap<Vec<u8>, u32>,
    enum_index: HashMap<Vec<u8>, u32>,
    built_enums: Vec<Enum>,
}

/// The tables of the message called `root` and of all that it refers to.
///
/// None where the set is malformed or incomplete.
pub fn schema(descriptor_set: &[u8], root: &str) -> Option<Schema> {
    named_schema(descriptor_set, root).map(|(schema, _)| schema)
}

/// Like [`schema`], with the full names of its messages.
pub fn named_schema(descriptor_set: &[u8], root: &str) -> Option<(Schema, Vec<Vec<u8>>)> {
    let mut builder = Builder {
        messages: HashMap::new(),
        enums: HashMap::new(),
        message_order: Vec::new(),
        message_index: HashMap::new(),
        enum_index: HashMap::new(),
        built_enums: Vec::new(),
    };
    for file in all(descriptor_set, 1) {
        builder.index_file(file)?;
    }
    builder.message(root.as_bytes())?;
    let mut messages = Vec::new();
    while let Some(name) = builder.message_order.get(messages.len()).cloned() {
        messages.push(builder.build_message(&name)?);
    }
    let fields = messages.iter_mut().flat_map(|message: &mut Message| &mut message.fields);
    for (id, field) in fields.enumerate() {
        field.id = id;
    }
    let schema = Schema { messages: messages.into(), enums: builder.built_enums.into() };
    Some((schema, builder.message_order))
}

impl<'w> Builder<'w> {
    fn index_file(&mut self, file: &'w [u8]) -> Option<()> {
        let syntax = last(file, 12).unwrap_or(b"proto2");
        let edition = match syntax {
            b"editions" => integer(file, 14).unwrap_or(EDITION_2023),
            b"proto3" => EDITION_PROTO3,
            _ => EDITION_PROTO3 - 1,
        };
        let features = Features::of_edition(edition)
            .overridden(last(last(file, 8).unwrap_or_default(), 50))?;
        let package = last(file, 2).unwrap_or_default();
        self.index_types(package, file, 4, 5, features)
    }

    fn index_types(
        &mut self,
        scope: &[u8],
        bytes: &'w [u8],
        message_field: u32,
        enum_field: u32,
        inherited: Features,
    ) -> Option<()> {
        for bytes in all(bytes, message_field) {
            let name = qualified(scope, last(bytes, 1)?);
            let features = inherited.overridden(last(last(bytes, 7).unwrap_or_default(), 12))?;
            self.index_types(&name, bytes, 3, 4, features)?;
            self.messages.insert(name, Raw { bytes, features });
        }
        for bytes in all(bytes, enum_field) {
            let name = qualified(scope, last(bytes, 1)?);
            let features = inherited.overridden(last(last(bytes, 3).unwrap_or_default(), 7))?;
            self.enums.insert(name, Raw { bytes, features });
        }
        Some(())
    }

    /// The index of a message, which will be built if it was not yet.
    fn message(&mut self, name: &[u8]) -> Option<u32> {
        if let Some(&index) = self.message_index.get(name) {
            return Some(index);
        }
        self.messages.get(name)?;
        let index = u32::try_from(self.message_order.len()).ok()?;
        self.message_order.push(name.to_vec());
        self.message_index.insert(name.to_vec(), index);
        Some(index)
    }

    fn enumeration(&mut self, name: &[u8]) -> Option<u32> {
        if let Some(&index) = self.enum_index.get(name) {
            return Some(index);
        }
        let raw = *self.enums.get(name)?;
        let mut numbers = Table::default();
        let mut values = Vec::new();
        for value in all(raw.bytes, 2) {
            let name = last(value, 1)?;
            let number = integer(value, 2).unwrap_or(0) as i32;
            numbers.insert(name.into(), number);
            values.push((name, json_name_of_value(value), number));
        }
        let json_names = values.iter().any(|(_, json_name, _)| json_name.is_some());
        // JSON names go before names in the schema, and first values before their aliases.
        for (_, json_name, number) in values.iter().rev() {
            if let Some(json_name) = *json_name {
                numbers.insert(json_name.into(), *number);
            }
        }
        let mut names = Names::default();
        let mut seen = HashSet::new();
        for (name, json_name, number) in values {
            let name = json_name.unwrap_or(name);
            // A name that is read as another number is not printed.
            if seen.insert(number) && numbers[name] == number {
                names.insert(number, name);
            }
        }
        let index = u32::try_from(self.built_enums.len()).ok()?;
        self.built_enums.push(Enum {
            null_value: name == b"google.protobuf.NullValue",
            closed: raw.features.closed_enum,
            json_names,
            numbers,
            names,
        });
        self.enum_index.insert(name.to_vec(), index);
        Some(index)
    }

    fn build_message(&mut self, name: &[u8]) -> Option<Message> {
        let raw = *self.messages.get(name)?;
        let options = last(raw.bytes, 7).unwrap_or_default();
        let map_entry = integer(options, 7) == Some(1);
        let message_set = integer(options, 1) == Some(1);
        let mut oneofs = HashMap::new();
        let mut built = Vec::new();
        for bytes in all(raw.bytes, 2) {
            built.push(self.build_field(bytes, raw, map_entry, &mut oneofs)?);
        }
        let in_order = built.is_sorted_by_key(|(field, ..): &NamedField| field.number);
        let mut by_number: Vec<_> = built;
        by_number.sort_by_key(|(field, ..)| field.number);
        let count = by_number.len();
        let mut by_name = Table::default();
        // Python decides where a name alone does not identify a field.
        let mut unclear = false;
        let mut fields = Vec::with_capacity(count);
        for (mut field, json_name, proto_name) in by_number {
            let index = u16::try_from(fields.len()).ok()?;
            // The bits of the oneofs follow those of the fields.
            field.oneof = field.oneof.map(|bit| bit + count as u16);
            for name in [json_name, proto_name] {
                unclear |= !plain(&name);
                unclear |= by_name.insert(name, index).is_some_and(|other| other != index);
            }
            fields.push(field);
        }
        // In the order of the fields, which is that of most writers; other spellings follow.
        let spelled = |key: fn(&Field) -> &[u8]| {
            fields.iter().enumerate().map(move |(index, field)| (key(field), index as u16))
        };
        let names: Vec<_> = spelled(Field::json_name)
            .chain(
                spelled(Field::proto_name)
                    .filter(|(name, index)| fields[usize::from(*index)].json_name() != *name),
            )
            .collect();
        let mut shape = shape_of(name);
        let single = matches!(&fields[..], [only] if only.number == 1);
        if unclear
            || count + oneofs.len() > MAX_SLOTS
            || message_set
            || (shape == Shape::Wrapper && !single)
        {
            shape = Shape::Foreign;
        }
        Some(Message {
            shape,
            small: matches!(shape, Shape::Timestamp | Shape::Duration),
            names: FieldNames::new(&names),
            fields: fields.into(),
            by_name,
            extendable: all(raw.bytes, 5).next().is_some(),
            in_order,
        })
    }

    fn build_field(
        &mut self,
        bytes: &[u8],
        parent: Raw<'w>,
        in_map_entry: bool,
        oneofs: &mut HashMap<u64, u16>,
    ) -> Option<NamedField> {
        let options = last(bytes, 8).unwrap_or_default();
        let features = parent.features.overridden(last(options, 21))?;
        let name = last(bytes, 1)?;
        let json_name = last(bytes, 10).map_or_else(|| lower_camel(name), <[u8]>::to_vec);
        let number = u32::try_from(integer(bytes, 3)?).ok().filter(|number| *number < 1 << 29)?;
        let mut kind = kind_of(integer(bytes, 5)?)?;
        let type_name = last(bytes, 6).map(|name| name.strip_prefix(b".").unwrap_or(name));
        let target = match kind {
            Kind::Message | Kind::Group => self.message(type_name?)?,
            Kind::Enum => self.enumeration(type_name?)?,
            _ => 0,
        };
        let mut cardinality = Cardinality::Singular;
        if integer(bytes, 4) == Some(3) {
            let entry = type_name.and_then(|name| self.messages.get(name));
            let is_map = kind == Kind::Message
                && entry.is_some_and(|raw| {
                    integer(last(raw.bytes, 7).unwrap_or_default(), 7) == Some(1)
                });
            cardinality = if is_map { Cardinality::Map } else { Cardinality::Repeated };
        }
        if kind == Kind::Message
            && features.delimited_message
            && cardinality != Cardinality::Map
            && !in_map_entry
        {
            kind = Kind::Group;
        }
        let declared = integer(bytes, 9).and_then(|index| usize::try_from(index).ok());
        let oneof_name = declared.and_then(|index| last(all(parent.bytes, 8).nth(index)?, 1));
        let oneof = integer(bytes, 9).map(|declared| {
            let next = oneofs.len() as u16;
            *oneofs.entry(declared).or_insert(next)
        });
        let presence = cardinality == Cardinality::Singular
            && (matches!(kind, Kind::Message | Kind::Group)
                || oneof.is_some()
                || !features.implicit_presence);
        let (tag, tag_len) = tag(number, kind.wire_type());
        let other_wire_type = match kind {
            Kind::Group => 4,
            kind if kind.packs() => DELIMITED,
            kind => kind.wire_type(),
        };
        let field = Field {
            id: 0,
            number,
            tag,
            tag_len,
            other_tag: tag_bytes(number, other_wire_type),
            kind,
            cardinality,
            presence,
            oneof,
            oneof_name: oneof_name.map(Into::into),
            json_key: [b",\"", &json_name[..], b"\":"].concat().into(),
            proto_key: [b",\"", name, b"\":"].concat().into(),
            target,
        };
        Some((field, json_name.into(), name.into()))
    }
}

fn tag(number: u32, wire_type: u8) -> ([u8; 5], u8) {
    let mut bytes = [0; 10];
    let len = encode_varint(u64::from(number) << 3 | u64::from(wire_type), &mut bytes);
    ([bytes[0], bytes[1], bytes[2], bytes[3], bytes[4]], len as u8)
}

fn tag_bytes(number: u32, wire_type: u8) -> [u8; 5] {
    tag(number, wire_type).0
}

fn qualified(scope: &[u8], name: &[u8]) -> Vec<u8> {
    if scope.is_empty() { name.to_vec() } else { [scope, b".", name].concat() }
}

/// Whether a name stands in any JSON text as it is, and does not look like an extension's.
fn plain(name: &[u8]) -> bool {
    name.iter().all(|byte| matches!(byte, b' '..=b'~') && !matches!(byte, b'"' | b'\\' | b'['))
}

/// The JSON name that a field has if none is declared.
pub fn lower_camel(name: &[u8]) -> Vec<u8> {
    let mut camel = Vec::with_capacity(name.len());
    let mut raise = false;
    for &byte in name {
        if byte == b'_' {
            raise = true;
        } else {
            camel.push(if raise { byte.to_ascii_uppercase() } else { byte });
            raise = false;
        }
    }
    camel
}

fn kind_of(number: u64) -> Option<Kind> {
    use Kind::*;
    const KINDS: [Kind; 18] = [
        Double, Float, Int64, Uint64, Int32, Fixed64, Fixed32, Bool, String, Group, Message, Bytes,
        Uint32, Enum, Sfixed32, Sfixed64, Sint32, Sint64,
    ];
    KINDS.get(usize::try_from(number).ok()?.checked_sub(1)?).copied()
}

fn shape_of(name: &[u8]) -> Shape {
    match name.strip_prefix(b"google.protobuf.").unwrap_or_default() {
        b"Timestamp" => Shape::Timestamp,
        b"Duration" => Shape::Duration,
        b"FieldMask" => Shape::FieldMask,
        b"Struct" => Shape::Struct,
        b"Value" => Shape::Value,
        b"ListValue" => Shape::ListValue,
        b"Any" => Shape::Any,
        b"DoubleValue" | b"FloatValue" | b"Int64Value" | b"UInt64Value" | b"Int32Value"
        | b"UInt32Value" | b"BoolValue" | b"StringValue" | b"BytesValue" => Shape::Wrapper,
        _ => Shape::Fields,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_names() {
        for (name, expected) in [("foo_bar", "fooBar"), ("_foo__bar_", "FooBar"), ("a1_2b", "a12b")]
        {
            assert_eq!(lower_camel(name.as_bytes()), expected.as_bytes());
        }
    }

    #[test]
    fn malformed_sets_are_refused() {
        assert!(schema(b"\x0a\xff", "x").is_none());
        assert!(schema(b"", "x").is_none());
    }
}
