//! The Structs of one field and their entries, for rows.

use super::payload::{delimited, well_formed};
use crate::bytes::wire::Wire;
use crate::schema::{Cardinality, DELIMITED, Kind, Schema, Shape};
use crate::stop::{Result, Stop};

/// Gives `each` the wire format of every Struct in a repeated field of the schema's first message.
pub fn each_struct<'w>(
    schema: &Schema,
    wire: &'w [u8],
    name: &[u8],
    mut each: impl FnMut(&'w [u8]) -> Result<()>,
) -> Result<()> {
    let root = schema.messages.first().filter(|root| root.shape == Shape::Fields);
    let root = root.ok_or(Stop::Undecided)?;
    let index = *root.by_name.get(name).ok_or(Stop::Undecided)?;
    let field = &root.fields[usize::from(index)];
    if field.kind != Kind::Message
        || field.cardinality != Cardinality::Repeated
        || schema.messages[field.target as usize].shape != Shape::Struct
    {
        return Err(Stop::Undecided);
    }
    let mut wire = Wire::new(wire);
    while !wire.is_empty() {
        match well_formed(wire.tag())? {
            (number, DELIMITED) if number == field.number => {
                each(well_formed(wire.delimited())?)?;
            }
            (number, _) if number == field.number => return Err(Stop::Undecided),
            (number, wire_type) => {
                well_formed(wire.payload(number, wire_type))?;
            }
        }
    }
    Ok(())
}

/// Gives `each` the key of every entry of a Struct, and the wire format of its Value.
#[inline(always)]
pub fn each_entry<'w>(
    structure: &'w [u8],
    mut each: impl FnMut(&'w [u8], &'w [u8]) -> Result<()>,
) -> Result<()> {
    let mut wire = Wire::new(structure);
    while !wire.is_empty() {
        let mut entry = Wire::new(well_formed(delimited(&mut wire, 0x0A))?);
        let key = well_formed(delimited(&mut entry, 0x0A))?;
        let value = well_formed(delimited(&mut entry, 0x12))?;
        if !entry.is_empty() {
            return Err(Stop::Undecided);
        }
        each(key, value)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entries(structure: &[u8]) -> Result<Vec<(&[u8], &[u8])>> {
        let mut found = Vec::new();
        each_entry(structure, |key, value| {
            found.push((key, value));
            Ok(())
        })?;
        Ok(found)
    }

    #[test]
    fn entries_are_taken_as_protobuf_writes_them() {
        let two = b"\x0A\x07\x0A\x01a\x12\x02\x08\x00\x0A\x07\x0A\x01b\x12\x02\x20\x01";
        assert_eq!(entries(two), Ok(vec![(&b"a"[..], &b"\x08\x00"[..]), (b"b", b"\x20\x01")]));
        assert_eq!(entries(b""), Ok(vec![]));
        for other in [
            &b"\x0A\x03\x0A\x01a"[..],                    // no value
            b"\x0A\x04\x12\x02\x08\x00",                  // no key
            b"\x0A\x07\x12\x02\x08\x00\x0A\x01a",         // the value first
            b"\x0A\x09\x0A\x01a\x12\x02\x08\x00\x18\x01", // something behind it
            b"\x0A\x07\x0A\x01a\x12\x02\x08",             // cut off
            b"\x12\x00",                                  // another field
        ] {
            assert_eq!(entries(other), Err(Stop::Undecided), "{other:?}");
        }
    }
}
