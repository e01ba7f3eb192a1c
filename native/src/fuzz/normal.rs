//! Wire bytes as protobuf itself writes them: the result of parsing and serializing a message.

use std::collections::BTreeMap;

use super::descriptors::{bytes, varint};
use crate::bytes::wire::{Payload, Wire};
use crate::schema::{Cardinality, DELIMITED, Field, Kind, Message, Schema};

/// Brings the bytes of messages into their normal form: fields in order, lengths and numbers as
/// short as possible, lists packed, no defaults, one NaN.
///
/// None where they are malformed.
pub struct Normal<'s> {
    pub schema: &'s Schema,
    /// Drops fields that the schema does not have, which else are malformed.
    pub drops_unknown: bool,
}

impl Normal<'_> {
    /// The normal form of the schema's first message.
    pub fn of(&self, wire: &[u8]) -> Option<Vec<u8>> {
        self.message(&self.schema.messages[0], wire, false)
    }

    fn message(&self, message: &Message, wire: &[u8], is_entry: bool) -> Option<Vec<u8>> {
        // For each field its values, without their tags.
        let mut values: Vec<Vec<Vec<u8>>> = vec![Vec::new(); message.fields.len()];
        // A single message that comes again continues the earlier one.
        let mut bodies: BTreeMap<usize, Vec<u8>> = BTreeMap::new();
        let mut wire = Wire::new(wire);
        while !wire.is_empty() {
            let (number, wire_type) = wire.tag()?;
            let Some(index) = message.fields.iter().position(|field| field.number == number) else {
                wire.payload(number, wire_type).filter(|_| self.drops_unknown)?;
                continue;
            };
            let field = &message.fields[index];
            let packs = field.cardinality == Cardinality::Repeated && field.kind.packs();
            if packs && wire_type == DELIMITED {
                let mut packed = Wire::new(wire.delimited()?);
                while !packed.is_empty() {
                    values[index].push(self.single(field, &mut packed)?);
                }
            } else if wire_type != field.kind.wire_type() {
                return None;
            } else if field.kind == Kind::Message && field.cardinality == Cardinality::Singular {
                bodies.entry(index).or_default().extend(wire.delimited()?);
            } else {
                values[index].push(self.single(field, &mut wire)?);
            }
        }
        for (index, body) in bodies {
            let target = &self.schema.messages[message.fields[index].target as usize];
            values[index] = vec![delimited(&self.message(target, &body, false)?)];
        }
        let fields = message.fields.iter().zip(values);
        Some(fields.flat_map(|(field, values)| field_bytes(field, values, is_entry)).collect())
    }

    fn single(&self, field: &Field, wire: &mut Wire<'_>) -> Option<Vec<u8>> {
        Some(match field.kind {
            Kind::Double => match f64::from_le_bytes(wire.array()?) {
                value if value.is_nan() => f64::NAN.to_le_bytes().into(),
                value => value.to_le_bytes().into(),
            },
            Kind::Float => match f32::from_le_bytes(wire.array()?) {
                value if value.is_nan() => f32::NAN.to_le_bytes().into(),
                value => value.to_le_bytes().into(),
            },
            Kind::Fixed64 | Kind::Sfixed64 => wire.array::<8>()?.into(),
            Kind::Fixed32 | Kind::Sfixed32 => wire.array::<4>()?.into(),
            Kind::Bool => vec![u8::from(wire.varint()? != 0)],
            // JSON has only one null.
            Kind::Enum if self.schema.enums[field.target as usize].null_value => {
                wire.varint().map(|_| vec![0])?
            }
            Kind::Int32 | Kind::Enum => varint(i64::from(wire.varint()? as i32) as u64),
            Kind::Uint32 | Kind::Sint32 => varint(u64::from(wire.varint()? as u32)),
            Kind::Int64 | Kind::Uint64 | Kind::Sint64 => varint(wire.varint()?),
            Kind::String => delimited(std::str::from_utf8(wire.delimited()?).ok()?.as_bytes()),
            Kind::Bytes => delimited(wire.delimited()?),
            Kind::Message => {
                let target = &self.schema.messages[field.target as usize];
                let is_entry = field.cardinality == Cardinality::Map;
                delimited(&self.message(target, wire.delimited()?, is_entry)?)
            }
            Kind::Group => {
                let target = &self.schema.messages[field.target as usize];
                let Payload::Group(inner) = wire.payload(field.number, 3)? else { return None };
                self.message(target, inner, false)?
            }
        })
    }
}

fn field_bytes(field: &Field, mut values: Vec<Vec<u8>>, is_entry: bool) -> Vec<u8> {
    let number = u64::from(field.number);
    match field.cardinality {
        Cardinality::Repeated if field.kind.packs() => {
            return if values.is_empty() { vec![] } else { bytes(number, &values.concat()) };
        }
        Cardinality::Repeated => {}
        Cardinality::Map => values.sort(),
        Cardinality::Singular => {
            // The last value counts; an entry of a map has both fields.
            let last = values.pop().or_else(|| is_entry.then(|| default(field)));
            let is_kept = |value: &_| is_entry || field.presence || *value != default(field);
            values = last.into_iter().filter(is_kept).collect();
        }
    }
    let start = varint(number << 3 | u64::from(field.kind.wire_type()));
    let end = if field.kind == Kind::Group { varint(number << 3 | 4) } else { vec![] };
    values.into_iter().flat_map(|value| [&start[..], &value, &end].concat()).collect()
}

/// The value that a field has if it is not there.
fn default(field: &Field) -> Vec<u8> {
    match field.kind.wire_type() {
        1 => vec![0; 8],
        5 => vec![0; 4],
        _ => vec![0],
    }
}

fn delimited(value: &[u8]) -> Vec<u8> {
    [&varint(value.len() as u64), value].concat()
}
