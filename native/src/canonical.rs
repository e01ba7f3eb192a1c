//! The wire format of a message as protobuf's deterministic writer writes it.

use std::cmp::Ordering;
use std::ops::Range;

use crate::out::encode_varint;
use crate::parse::MOST_BITS;
use crate::schema::{Cardinality, DELIMITED, Field, Kind, Message, Schema, Shape};
use crate::wire::Wire;
use crate::{DEEPEST, Stop};

type Result<T> = std::result::Result<T, Stop>;

/// As many bytes may a tag or a length take; parsers refuse longer ones.
const LONGEST_LENGTH: usize = 5;

/// In which order the entries of a map are written.
#[derive(Clone, Copy)]
pub enum MapOrder {
    /// As they stand there.
    AsTheyAre,
    /// By key, a key before those that begin with it.
    ShorterFirst,
    /// By key, a key behind those that begin with it.
    LongerFirst,
    /// As nobody here knows.
    Unknown,
}

/// The schema's first message, written as protobuf itself would.
///
/// Unknown fields are left out. What is set twice and groups are handed back, as is all that a parser
/// may refuse or read in another way; but whether strings are UTF-8 is for the caller to see.
pub fn canonical(schema: &Schema, wire: &[u8], order: MapOrder, depth: u32) -> Result<Vec<u8>> {
    let root = schema.messages.first().ok_or(Stop::HandBack)?;
    let out = Vec::with_capacity(wire.len());
    let mut writer = Writer { schema, order, values: Vec::new(), out };
    writer.message(root, wire, depth)?;
    Ok(writer.out)
}

/// A value as it stands on the wire, without its tag and its length.
#[derive(Clone, Copy)]
struct Raw<'w> {
    /// The index of its field.
    index: usize,
    wire_type: u8,
    bytes: &'w [u8],
}

struct Writer<'s, 'w> {
    schema: &'s Schema,
    order: MapOrder,
    /// The values of the messages that are open, innermost last.
    values: Vec<Raw<'w>>,
    out: Vec<u8>,
}

impl<'w> Writer<'_, 'w> {
    fn message(&mut self, message: &Message, wire: &'w [u8], depth: u32) -> Result<()> {
        if depth > DEEPEST || message.shape == Shape::Foreign {
            return Err(Stop::HandBack);
        }
        let base = self.values.len();
        // An unknown field could be an extension, which is known.
        self.read(message, wire, !message.extendable)?;
        self.values[base..].sort_by_key(|value| value.index);
        let mut oneofs = [false; MOST_BITS];
        let mut rest = base..self.values.len();
        while let Some(value) = self.values.get(rest.start..rest.end).and_then(<[_]>::first) {
            let field = &message.fields[value.index];
            let same = |other: &&Raw<'_>| other.index == value.index;
            let count = self.values[rest.clone()].iter().take_while(same).count();
            if let Some(oneof) = field.oneof
                && std::mem::replace(&mut oneofs[usize::from(oneof) % MOST_BITS], true)
            {
                return Err(Stop::HandBack);
            }
            self.field(field, rest.start..rest.start + count, depth)?;
            rest.start += count;
        }
        self.values.truncate(base);
        Ok(())
    }

    /// Reads the values of all fields, in the order in which they stand there.
    fn read(&mut self, message: &Message, wire: &'w [u8], leave_out_unknown: bool) -> Result<()> {
        let mut wire = Wire::new(wire);
        while !wire.is_empty() {
            let (number, wire_type) = tag(&mut wire)?;
            let bytes = value(&mut wire, wire_type)?;
            match message.fields.binary_search_by_key(&number, |field| field.number) {
                Ok(index) => self.values.push(Raw { index, wire_type, bytes }),
                Err(_) if leave_out_unknown => {}
                Err(_) => return Err(Stop::HandBack),
            }
        }
        Ok(())
    }

    /// Writes a field, of which all values are given.
    fn field(&mut self, field: &Field, values: Range<usize>, depth: u32) -> Result<()> {
        match field.cardinality {
            Cardinality::Map => self.map(field, values, depth),
            Cardinality::Repeated if field.kind.packs() => self.numbers(field, values),
            Cardinality::Repeated => {
                for place in values {
                    self.single(field, self.values[place], depth)?;
                }
                Ok(())
            }
            Cardinality::Singular => {
                let value = self.values[values.start];
                if values.len() > 1 || value.wire_type != field.kind.wire_type() {
                    return Err(Stop::HandBack);
                }
                if !field.presence && self.is_default(field, value)? {
                    return Ok(());
                }
                self.single(field, value, depth)
            }
        }
    }

    /// Writes one value with its tag.
    fn single(&mut self, field: &Field, value: Raw<'w>, depth: u32) -> Result<()> {
        if value.wire_type != field.kind.wire_type() {
            return Err(Stop::HandBack);
        }
        self.out.extend_from_slice(&field.tag[..field.tag_len.into()]);
        match field.kind {
            Kind::Message => {
                let start = self.open();
                let schema = self.schema;
                self.message(&schema.messages[field.target as usize], value.bytes, depth + 1)?;
                self.close(start);
            }
            Kind::String | Kind::Bytes => {
                self.varint(value.bytes.len() as u64);
                self.out.extend_from_slice(value.bytes);
            }
            kind => {
                let number = self.number(field, &mut Wire::new(value.bytes))?;
                self.write_number(kind, number);
            }
        }
        Ok(())
    }

    /// Whether a field without presence is as if it was not set.
    fn is_default(&self, field: &Field, value: Raw<'_>) -> Result<bool> {
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
    fn numbers(&mut self, field: &Field, values: Range<usize>) -> Result<()> {
        let before = self.out.len();
        let tag_len = usize::from(field.tag_len);
        let mut start = before;
        if field.packed {
            self.out.extend_from_slice(&field.other_tag[..tag_len]);
            start = self.open();
        }
        for place in values {
            let value = self.values[place];
            if ![DELIMITED, field.kind.wire_type()].contains(&value.wire_type) {
                return Err(Stop::HandBack);
            }
            let mut wire = Wire::new(value.bytes);
            while !wire.is_empty() {
                let number = self.number(field, &mut wire)?;
                if !field.packed {
                    self.out.extend_from_slice(&field.tag[..tag_len]);
                }
                self.write_number(field.kind, number);
            }
        }
        if self.out.len() == start {
            self.out.truncate(before);
        } else if field.packed {
            self.close(start);
        }
        Ok(())
    }

    /// Writes the entries of a map; each has its key and its value.
    fn map(&mut self, field: &Field, values: Range<usize>, depth: u32) -> Result<()> {
        let schema = self.schema;
        let entry = &schema.messages[field.target as usize];
        let [key_field, value_field] = &entry.fields[..] else { return Err(Stop::HandBack) };
        let base = self.values.len();
        for place in values {
            let before = self.values.len();
            if self.values[place].wire_type != DELIMITED {
                return Err(Stop::HandBack);
            }
            // With unknown fields, an entry may be taken for unknown as a whole.
            self.read(entry, self.values[place].bytes, false)?;
            match self.values[before..] {
                [key, value] if (key.index, value.index) == (0, 1) => {}
                _ => return Err(Stop::HandBack),
            }
        }
        let pairs = self.values[base..].as_chunks_mut::<2>().0;
        if pairs.len() > 1 {
            match (self.order, key_field.kind) {
                (MapOrder::AsTheyAre, _) => {}
                (MapOrder::ShorterFirst, Kind::String) => pairs.sort_by_key(|[key, _]| key.bytes),
                (MapOrder::LongerFirst, Kind::String) => {
                    pairs.sort_by(|[one, _], [other, _]| longer_first(one.bytes, other.bytes));
                }
                _ => return Err(Stop::HandBack),
            }
        }
        for place in (base..self.values.len()).step_by(2) {
            self.out.extend_from_slice(&field.tag[..field.tag_len.into()]);
            let start = self.open();
            self.single(key_field, self.values[place], depth + 1)?;
            self.single(value_field, self.values[place + 1], depth + 1)?;
            self.close(start);
        }
        self.values.truncate(base);
        Ok(())
    }

    /// The bits of a number as they stand on the wire, without those that its type does not have.
    fn number(&self, field: &Field, wire: &mut Wire<'_>) -> Result<u64> {
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

    fn write_number(&mut self, kind: Kind, number: u64) {
        match kind.wire_type() {
            1 => self.out.extend_from_slice(&number.to_le_bytes()),
            5 => self.out.extend_from_slice(&(number as u32).to_le_bytes()),
            _ => self.varint(number),
        }
    }

    fn varint(&mut self, value: u64) {
        let mut bytes = [0; 10];
        let len = encode_varint(value, &mut bytes);
        self.out.extend_from_slice(&bytes[..len]);
    }

    /// Leaves one byte for the length of a body, and gives where that begins.
    fn open(&mut self) -> usize {
        self.out.push(0);
        self.out.len()
    }

    /// Fills in the length of the body that began at `start`.
    fn close(&mut self, start: usize) {
        let mut bytes = [0; 10];
        let len = encode_varint((self.out.len() - start) as u64, &mut bytes);
        self.out[start - 1] = bytes[0];
        if len > 1 {
            self.out.splice(start..start, bytes[1..len].iter().copied());
        }
    }
}

fn longer_first(one: &[u8], other: &[u8]) -> Ordering {
    let len = one.len().min(other.len());
    one[..len].cmp(&other[..len]).then(other.len().cmp(&one.len()))
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
