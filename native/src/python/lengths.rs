//! The lengths of messages as they came last.

use std::sync::atomic::{AtomicU8, Ordering::Relaxed};

use crate::bytes::out::varint_len;
use crate::schema::{Field, Schema};

/// The bytes that the length of each field's messages took last, by the places of the fields.
pub struct Lengths(Box<[AtomicU8]>);

impl Lengths {
    pub fn new(schema: &Schema) -> Self {
        Self(schema.fields().map(|_| AtomicU8::new(1)).collect())
    }

    /// The number of bytes to reserve for the length of a field's message.
    #[inline(always)]
    pub fn reserved(&self, field: &Field) -> u8 {
        self.0.get(field.id).map_or(1, |len| len.load(Relaxed))
    }

    /// Notes the length of a message; a long one is forgotten after some short ones.
    #[inline(always)]
    pub fn note(&self, field: &Field, reserved: u8, len: usize) {
        let next = varint_len(len as u64).max(reserved - 1).min(5);
        if next != reserved
            && let Some(last) = self.0.get(field.id)
        {
            last.store(next, Relaxed);
        }
    }
}
