//! Single values of the wire format; what is malformed stops the walk.

use crate::bytes::wire::{Wire, unzigzag};
use crate::schema::Kind;
use crate::stop::{Result, Stop};

/// Turns malformed wire format into a stop.
pub fn well_formed<T>(read: Option<T>) -> Result<T> {
    read.ok_or(Stop::Undecided)
}

/// A length-delimited value with this tag.
#[inline(always)]
pub fn delimited<'w>(wire: &mut Wire<'w>, tag: u8) -> Option<&'w [u8]> {
    if wire.eat(&[tag]) { wire.delimited() } else { None }
}

pub fn seconds_and_nanos(wire: &[u8]) -> Result<(i64, i32)> {
    let mut wire = Wire::new(wire);
    let seconds = if wire.eat(&[0x08]) { well_formed(wire.varint())? as i64 } else { 0 };
    let nanos = if wire.eat(&[0x10]) { well_formed(wire.varint())? as i32 } else { 0 };
    if wire.is_empty() { Ok((seconds, nanos)) } else { Err(Stop::Undecided) }
}

#[inline(always)]
pub fn signed(kind: Kind, wire: &mut Wire<'_>) -> Result<i64> {
    Ok(match kind {
        Kind::Int32 => i64::from(well_formed(wire.varint())? as i32),
        Kind::Int64 => well_formed(wire.varint())? as i64,
        Kind::Sint32 => i64::from(unzigzag(well_formed(wire.varint())? & 0xFFFF_FFFF) as i32),
        Kind::Sint64 => unzigzag(well_formed(wire.varint())?),
        Kind::Sfixed32 => i64::from(i32::from_le_bytes(well_formed(wire.array())?)),
        Kind::Sfixed64 => i64::from_le_bytes(well_formed(wire.array())?),
        _ => return Err(Stop::Undecided),
    })
}

#[inline(always)]
pub fn unsigned(kind: Kind, wire: &mut Wire<'_>) -> Result<u64> {
    Ok(match kind {
        Kind::Uint32 => u64::from(well_formed(wire.varint())? as u32),
        Kind::Uint64 => well_formed(wire.varint())?,
        Kind::Fixed32 => u64::from(u32::from_le_bytes(well_formed(wire.array())?)),
        Kind::Fixed64 => u64::from_le_bytes(well_formed(wire.array())?),
        _ => return Err(Stop::Undecided),
    })
}
