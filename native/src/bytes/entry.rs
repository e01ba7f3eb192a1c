//! The beginnings of the entries of a Struct.

use super::out::{Out, varint_len};
use crate::stop::Result;

/// The beginning of an entry whose value, with its tag and length, takes `value_len` bytes.
#[inline(always)]
pub fn write_entry(out: &mut Out<'_>, key: &[u8], value_len: u64) -> Result<()> {
    let key_len = key.len() as u64;
    let len = 1 + u64::from(varint_len(key_len)) + key_len + value_len;
    if len < 0x80 {
        out.array([0x0A, len as u8, 0x0A, key_len as u8])?;
    } else {
        out.byte(0x0A)?;
        out.varint(len)?;
        out.byte(0x0A)?;
        out.varint(key_len)?;
    }
    out.short(key)
}

/// The beginning of an entry whose value is a string of a known length.
#[inline(always)]
pub fn string_entry(out: &mut Out<'_>, key: &[u8], len: usize) -> Result<()> {
    let len = len as u64;
    if len < 0x7E {
        write_entry(out, key, 4 + len)?;
        out.array([0x12, len as u8 + 2, 0x1A, len as u8])
    } else {
        let value_len = 1 + u64::from(varint_len(len)) + len;
        write_entry(out, key, 1 + u64::from(varint_len(value_len)) + value_len)?;
        out.byte(0x12)?;
        out.varint(value_len)?;
        out.byte(0x1A)?;
        out.varint(len)
    }
}
