//! The wire format of a message as protobuf's deterministic writer writes it.

use std::cmp::Ordering;

use crate::out::encode_varint;
use crate::schema::{Cardinality, DELIMITED, Field, Kind, Message, Schema, Shape};
use crate::wire::Wire;
use crate::{DEEPEST, Stop};

type Result<T> = std::result::Result<T, Stop>;

/// As many bytes may a tag or a length take; parsers refuse longer ones.
const LONGEST_LENGTH: usize = 5;

/// In which order the entries of a map are written.
#[derive(Clone, Copy)]
pub enum Order {
    /// As they stand there.
    AsTheyAre,
    /// By key, a key before those that begin with it.
    ShorterFirst,
    /// By key, a key behind those that begin with it.
    LongerFirst,
    /// As nobody here knows.
    Unknown,
}

/// Rewrites messages of one schema.
#[derive(Clone, Copy)]
pub struct Canonical<'s> {
    pub schema: &'s Schema,
    pub order: Order,
}

/// A value as it stands on the wire, without its tag and its length.
#[derive(Clone, Copy)]
struct Raw<'w> {
    /// The index of its field.
    index: usize,
    wire_type: u8,
    bytes: &'w [u8],
}

impl Canonical<'_> {
    /// Appends a message to `out`, written as protobuf itself would.
    ///
    /// Unknown fields are left out. What is set twice and groups are handed back, as is all that a
    /// parser may refuse or read in another way; but whether strings are UTF-8 is for the caller to
    /// see.
    pub fn write(
        self,
        message: &Message,
        wire: &[u8],
        out: &mut Vec<u8>,
        depth: u32,
    ) -> Result<()> {
        if depth > DEEPEST || message.shape == Shape::Foreign {
            return Err(Stop::HandBack);
        }
        let mut values = values_of(message, wire, !message.extendable)?;
        values.sort_by_key(|value| value.index);
        let mut oneofs = Vec::new();
        for values in values.chunk_by(|one, other| one.index == other.index) {
            let field = &message.fields[values[0].index];
            if let Some(oneof) = field.oneof {
                if oneofs.contains(&oneof) {
                    return Err(Stop::HandBack);
                }
                oneofs.push(oneof);
            }
            match (field.cardinality, values) {
                (Cardinality::Map, _) => self.map(field, values, out, depth)?,
                (Cardinality::Repeated, _) if field.kind.packs() => {
                    self.numbers(field, values, out)?;
                }
                (Cardinality::Repeated, _) => {
                    for value in values {
                        self.single(field, *value, out, depth)?;
                    }
                }
                (Cardinality::Singular, [value]) if value.wire_type == field.kind.wire_type() => {
                    if field.presence || !self.is_default(field, *value)? {
                        self.single(field, *value, out, depth)?;
                    }
                }
                _ => return Err(Stop::HandBack),
            }
        }
        Ok(())
    }

    /// Writes one value with its tag.
    fn single(self, field: &Field, value: Raw<'_>, out: &mut Vec<u8>, depth: u32) -> Result<()> {
        if value.wire_type != field.kind.wire_type() {
            return Err(Stop::HandBack);
        }
        out.extend_from_slice(&field.tag[..field.tag_len.into()]);
        match field.kind {
            Kind::Message => delimited(out, |out| {
                let message = &self.schema.messages[field.target as usize];
                self.write(message, value.bytes, out, depth + 1)
            }),
            Kind::String | Kind::Bytes => delimited(out, |out| {
                out.extend_from_slice(value.bytes);
                Ok(())
            }),
            kind => {
                write_number(kind, self.number(field, &mut Wire::new(value.bytes))?, out);
                Ok(())
            }
        }
    }

    /// Whether a field without presence is as if it was not set.
    fn is_default(self, field: &Field, value: Raw<'_>) -> Result<bool> {
        match field.kind {
            Kind::Message | Kind::Group => Ok(false),
            Kind::String | Kind::Bytes => Ok(value.bytes.is_empty()),
            kind => match (kind, self.number(field, &mut Wire::new(value.bytes))?) {
                // Writers do not agree on the negative zero.
                (Kind::Double, 0x8000_0000_0000_0000) | (Kind::Float, 0x8000_0000) => {
                    Err(Stop::HandBack)
                }
                (_, number) => Ok(number == 0),
            },
        }
    }

    /// Writes a list of numbers, packed or not, as its field is declared.
    fn numbers(self, field: &Field, values: &[Raw<'_>], out: &mut Vec<u8>) -> Result<()> {
        let mut numbers = Vec::new();
        for value in values {
            let mut wire = Wire::new(value.bytes);
            if value.wire_type == field.kind.wire_type() {
                numbers.push(self.number(field, &mut wire)?);
            } else if value.wire_type == DELIMITED {
                while !wire.is_empty() {
                    numbers.push(self.number(field, &mut wire)?);
                }
            } else {
                return Err(Stop::HandBack);
            }
        }
        let tag_len = usize::from(field.tag_len);
        if !field.packed {
            for number in numbers {
                out.extend_from_slice(&field.tag[..tag_len]);
                write_number(field.kind, number, out);
            }
        } else if !numbers.is_empty() {
            out.extend_from_slice(&field.other_tag[..tag_len]);
            delimited(out, |out| {
                numbers.iter().for_each(|number| write_number(field.kind, *number, out));
                Ok(())
            })?;
        }
        Ok(())
    }

    /// Writes the entries of a map; each has its key and its value.
    fn map(self, field: &Field, values: &[Raw<'_>], out: &mut Vec<u8>, depth: u32) -> Result<()> {
        let entry = &self.schema.messages[field.target as usize];
        let [key_field, value_field] = &entry.fields[..] else { return Err(Stop::HandBack) };
        let mut entries = Vec::with_capacity(values.len());
        for raw in values {
            match values_of(entry, raw.bytes, false)?[..] {
                [key, value] if (key.index, value.index) == (0, 1) => entries.push((key, value)),
                _ => return Err(Stop::HandBack),
            }
        }
        if entries.len() > 1 {
            match (self.order, key_field.kind) {
                (Order::AsTheyAre, _) => {}
                (Order::ShorterFirst, Kind::String) => entries.sort_by_key(|(key, _)| key.bytes),
                (Order::LongerFirst, Kind::String) => {
                    entries.sort_by(|(one, _), (other, _)| longer_first(one.bytes, other.bytes));
                }
                _ => return Err(Stop::HandBack),
            }
        }
        for (key, value) in entries {
            out.extend_from_slice(&field.tag[..field.tag_len.into()]);
            delimited(out, |out| {
                self.single(key_field, key, out, depth + 1)?;
                self.single(value_field, value, out, depth + 1)
            })?;
        }
        Ok(())
    }

    /// The bits of a number as they stand on the wire, without those that its type does not have.
    fn number(self, field: &Field, wire: &mut Wire<'_>) -> Result<u64> {
        let read = match field.kind {
            Kind::Double | Kind::Fixed64 | Kind::Sfixed64 => wire.array().map(u64::from_le_bytes),
            Kind::Float | Kind::Fixed32 | Kind::Sfixed32 => {
                wire.array().map(|bytes| u64::from(u32::from_le_bytes(bytes)))
            }
            Kind::Bool => wire.varint().map(|value| u64::from(value != 0)),
            Kind::Int32 | Kind::Enum => wire.varint().map(|value| value as i32 as u64),
            Kind::Uint32 | Kind::Sint32 => wire.varint().map(|value| u64::from(value as u32)),
            Kind::Int64 | Kind::Uint64 | Kind::Sint64 => wire.varint(),
            Kind::String | Kind::Bytes | Kind::Message | Kind::Group => None,
        };
        let number = read.ok_or(Stop::HandBack)?;
        if field.kind == Kind::Enum {
            let target = &self.schema.enums[field.target as usize];
            if target.closed && target.names.get(number as i32).is_none() {
                return Err(Stop::HandBack);
            }
        }
        Ok(number)
    }
}

fn longer_first(one: &[u8], other: &[u8]) -> Ordering {
    let len = one.len().min(other.len());
    one[..len].cmp(&other[..len]).then(other.len().cmp(&one.len()))
}

/// The values of all fields, in the order in which they stand there.
///
/// Unknown ones may only be left out where they cannot be extensions, and not in a map's entry: some
/// parsers take that for unknown as a whole.
fn values_of<'w>(message: &Message, wire: &'w [u8], leave_out: bool) -> Result<Vec<Raw<'w>>> {
    let mut values = Vec::new();
    let mut wire = Wire::new(wire);
    while !wire.is_empty() {
        let (number, wire_type) = tag(&mut wire)?;
        let bytes = value(&mut wire, wire_type)?;
        match message.fields.binary_search_by_key(&number, |field| field.number) {
            Ok(index) => values.push(Raw { index, wire_type, bytes }),
            Err(_) if leave_out => {}
            Err(_) => return Err(Stop::HandBack),
        }
    }
    Ok(values)
}

fn tag(wire: &mut Wire<'_>) -> Result<(u32, u8)> {
    let tag = u32::try_from(short_varint(wire)?).map_err(|_| Stop::HandBack)?;
    if tag < 8 { Err(Stop::HandBack) } else { Ok((tag >> 3, (tag & 7) as u8)) }
}

fn short_varint(wire: &mut Wire<'_>) -> Result<u64> {
    let before = wire.rest().len();
    let value = wire.varint().ok_or(Stop::HandBack)?;
    if before - wire.rest().len() > LONGEST_LENGTH { Err(Stop::HandBack) } else { Ok(value) }
}

fn value<'w>(wire: &mut Wire<'w>, wire_type: u8) -> Result<&'w [u8]> {
    let rest = wire.rest();
    let len = match wire_type {
        0 => {
            wire.varint().ok_or(Stop::HandBack)?;
            return Ok(&rest[..rest.len() - wire.rest().len()]);
        }
        1 => 8,
        DELIMITED => i32::try_from(short_varint(wire)?).map_err(|_| Stop::HandBack)? as usize,
        5 => 4,
        _ => return Err(Stop::HandBack),
    };
    wire.take(len).ok_or(Stop::HandBack)
}

fn write_number(kind: Kind, number: u64, out: &mut Vec<u8>) {
    match kind.wire_type() {
        1 => out.extend_from_slice(&number.to_le_bytes()),
        5 => out.extend_from_slice(&(number as u32).to_le_bytes()),
        _ => {
            let mut bytes = [0; 10];
            let len = encode_varint(number, &mut bytes);
            out.extend_from_slice(&bytes[..len]);
        }
    }
}

/// Writes a body with its length in front.
fn delimited(out: &mut Vec<u8>, write: impl FnOnce(&mut Vec<u8>) -> Result<()>) -> Result<()> {
    let start = out.len();
    out.push(0);
    write(out)?;
    let mut bytes = [0; 10];
    let len = encode_varint((out.len() - start - 1) as u64, &mut bytes);
    out[start] = bytes[0];
    if len > 1 {
        out.splice(start + 1..start + 1, bytes[1..len].iter().copied());
    }
    Ok(())
}
