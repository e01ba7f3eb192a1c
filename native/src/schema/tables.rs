//! The field tables of the messages that can be reached from one message.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use super::names::FieldNames;

/// A hash for names of the schema. Its keys are trusted; look-ups of others only miss.
#[derive(Default)]
pub struct NameHasher(u64);

impl Hasher for NameHasher {
    #[inline]
    fn write(&mut self, bytes: &[u8]) {
        let (words, rest) = bytes.as_chunks::<8>();
        for word in words {
            self.add(u64::from_le_bytes(*word));
        }
        let mut last = [0; 8];
        last[..rest.len()].copy_from_slice(rest);
        self.add(u64::from_le_bytes(last) ^ ((rest.len() as u64) << 56));
    }

    #[inline]
    fn write_usize(&mut self, value: usize) {
        self.add(value as u64);
    }

    #[inline]
    fn finish(&self) -> u64 {
        self.0
    }
}

impl NameHasher {
    #[inline]
    fn add(&mut self, word: u64) {
        self.0 = (self.0.rotate_left(5) ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    }
}

/// A table from names (or numbers) of the schema.
pub type Table<K, V> = HashMap<K, V, BuildHasherDefault<NameHasher>>;

/// The JSON form of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// An object with the message's fields.
    Fields,
    Timestamp,
    Duration,
    FieldMask,
    Struct,
    Value,
    ListValue,
    /// The bare value of its one field.
    Wrapper,
    /// The type of another message beside that message's JSON.
    Any,
    /// A message that only Python can read and write, such as a message set.
    Foreign,
}

/// The type of a single value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Double,
    Float,
    Int64,
    Uint64,
    Int32,
    Fixed64,
    Fixed32,
    Bool,
    String,
    Group,
    Message,
    Bytes,
    Uint32,
    Enum,
    Sfixed32,
    Sfixed64,
    Sint32,
    Sint64,
}

/// The number of values that a field has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cardinality {
    Singular,
    Repeated,
    Map,
}

/// The wire type of a length-delimited value.
pub const DELIMITED: u8 = 2;

impl Kind {
    /// The wire type of a single value of this type.
    pub fn wire_type(self) -> u8 {
        match self {
            Self::Double | Self::Fixed64 | Self::Sfixed64 => 1,
            Self::Float | Self::Fixed32 | Self::Sfixed32 => 5,
            Self::String | Self::Bytes | Self::Message => DELIMITED,
            Self::Group => 3,
            _ => 0,
        }
    }

    /// Whether several values can be packed into one length-delimited value.
    pub fn packs(self) -> bool {
        !matches!(self, Self::String | Self::Bytes | Self::Message | Self::Group)
    }
}

/// One field of a message.
#[derive(Debug)]
pub struct Field {
    /// The place of the field among all fields of the schema.
    pub id: usize,
    pub number: u32,
    /// The tag of a single value, as it stands on the wire, and its length.
    pub tag: [u8; 5],
    pub tag_len: u8,
    /// The tag of a packed value, a group's end, or equal to `tag`.
    pub other_tag: [u8; 5],
    pub kind: Kind,
    pub cardinality: Cardinality,
    /// Whether the field is left out of the JSON only if it is unset.
    pub presence: bool,
    /// The bit of its oneof in the set of members that were seen.
    pub oneof: Option<u16>,
    /// The name of its oneof, also of one that stands for an `optional` of proto3.
    pub oneof_name: Option<Box<[u8]>>,
    /// `,"jsonName":` and `,"proto_name":`
    pub json_key: Box<[u8]>,
    pub proto_key: Box<[u8]>,
    /// The index of its message or enum type.
    pub target: u32,
}

impl Field {
    /// The name that JSON has.
    pub fn json_name(&self) -> &[u8] {
        inner(&self.json_key)
    }

    /// The name that the schema has.
    pub fn proto_name(&self) -> &[u8] {
        inner(&self.proto_key)
    }
}

/// A key without its comma, quotes and colon.
fn inner(key: &[u8]) -> &[u8] {
    key.get(2..key.len().saturating_sub(2)).unwrap_or_default()
}

/// One message type.
#[derive(Debug)]
pub struct Message {
    pub shape: Shape,
    /// Whether its bytes are always fewer than 128.
    pub small: bool,
    /// In the order of their numbers.
    pub fields: Box<[Field]>,
    pub names: FieldNames,
    /// From both spellings of a name to the index of the field.
    pub by_name: Table<Box<[u8]>, u16>,
    pub extendable: bool,
    /// Whether the fields are declared in the order of their numbers.
    pub in_order: bool,
}

/// One enum type.
#[derive(Debug)]
pub struct Enum {
    /// Also reads `null` as its zero value.
    pub null_value: bool,
    pub closed: bool,
    /// Whether a value has another name in JSON than in the schema.
    pub json_names: bool,
    pub numbers: Table<Box<[u8]>, i32>,
    /// The first name of each number.
    pub names: Names,
}

/// Names by number: a list where the numbers are small, else a table.
#[derive(Debug, Default)]
pub struct Names {
    pub low: Vec<Option<Box<[u8]>>>,
    pub other: HashMap<i32, Box<[u8]>>,
}

impl Names {
    const LOW: usize = 256;

    pub fn insert(&mut self, number: i32, name: &[u8]) {
        let name: Box<[u8]> = name.into();
        match usize::try_from(number) {
            Ok(index) if index < Self::LOW => {
                if self.low.len() <= index {
                    self.low.resize(index + 1, None);
                }
                self.low[index].get_or_insert(name);
            }
            _ => {
                self.other.entry(number).or_insert(name);
            }
        }
    }

    #[inline]
    pub fn get(&self, number: i32) -> Option<&[u8]> {
        match self.low.get(number as u32 as usize) {
            Some(name) => name.as_deref(),
            None => self.other.get(&number).map(|name| &**name),
        }
    }
}

/// All types that can be reached from the first message.
#[derive(Debug)]
pub struct Schema {
    pub messages: Box<[Message]>,
    pub enums: Box<[Enum]>,
}

impl Schema {
    /// The schema of `google.protobuf.Value` alone, which is any JSON value.
    pub fn of_value() -> Self {
        let value = Message {
            shape: Shape::Value,
            small: false,
            fields: Box::default(),
            names: FieldNames::default(),
            by_name: Table::default(),
            extendable: false,
            in_order: true,
        };
        Self { messages: Box::new([value]), enums: Box::default() }
    }

    /// The fields of all messages, in the order of their places.
    pub fn fields(&self) -> impl Iterator<Item = &Field> {
        self.messages.iter().flat_map(|message| &message.fields)
    }

    /// Whether `null` is a value of the field rather than its absence.
    pub fn takes_null(&self, field: &Field) -> bool {
        field.cardinality == Cardinality::Singular && self.has_null(field)
    }

    /// Whether `null` is a value of the field's type.
    pub fn has_null(&self, field: &Field) -> bool {
        match field.kind {
            Kind::Message | Kind::Group => {
                self.messages[field.target as usize].shape == Shape::Value
            }
            Kind::Enum => self.enums[field.target as usize].null_value,
            _ => false,
        }
    }
}
