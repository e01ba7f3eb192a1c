//! Reads JSON texts into wire format, one after the other in the same memory.

use std::mem::MaybeUninit;

use super::keys::Keys;
use super::messages::parse;
use super::parser::ParseOptions;
use crate::bytes::out::Out;
use crate::schema::Schema;
use crate::stop::{Result, Stop};

/// The largest room for one message's wire format that is kept from one call to the next.
const MAX_KEPT: usize = 1 << 20;

/// The memory that each text uses again.
#[derive(Default)]
pub struct Reader {
    keys: Keys,
    room: Vec<MaybeUninit<u8>>,
}

impl Reader {
    /// Gives `then` the wire format of a JSON text that has nothing unknown.
    pub fn read<T>(
        &mut self,
        schema: &Schema,
        text: &[u8],
        options: ParseOptions,
        then: impl FnOnce(&[u8]) -> Result<T>,
    ) -> Result<T> {
        let mut capacity = text.len() + text.len() / 2 + 512;
        loop {
            if self.room.len() < capacity {
                self.room.resize(capacity, MaybeUninit::uninit());
            }
            let mut out = Out::new(&mut self.room);
            match parse(schema, text, false, &mut out, &mut self.keys, options) {
                Err(Stop::Full) => capacity = 2 * self.room.len(),
                Err(stop) => return Err(stop),
                // Only Python reports what is unknown.
                Ok(left_out) if !left_out.is_empty() => return Err(Stop::Undecided),
                Ok(_) => return then(out.written()),
            }
        }
    }

    /// Frees memory that one large text needed.
    pub fn shrink(&mut self) {
        if self.room.len() > MAX_KEPT {
            self.room = Vec::new();
        }
    }
}
