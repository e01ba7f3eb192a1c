//! Fields with several values: lists, packed lists and maps.

use std::collections::HashSet;

use super::parser::Parser;
use crate::limits::MAX_DEPTH;
use crate::scalars::number::number_of;
use crate::schema::{Cardinality, Field, Kind};
use crate::stop::{Result, Stop};

/// The number of short messages of a list after which the next one is taken for short.
const SHORT_ONES: usize = 4;

impl<'s> Parser<'s, '_, '_, '_> {
    #[inline(never)]
    pub(super) fn several(&mut self, field: &'s Field, depth: u32) -> Result<()> {
        match field.cardinality {
            Cardinality::Singular => Err(Stop::Undecided),
            Cardinality::Map => self.map(field, depth),
            Cardinality::Repeated if field.kind.packs() => self.packed(field),
            Cardinality::Repeated => {
                self.scan.expect(b'[')?;
                if self.scan.eat(b']') {
                    return Ok(());
                }
                if field.kind == Kind::Message {
                    return self.messages(field, depth);
                }
                loop {
                    self.single(field, depth)?;
                    if !self.scan.another(b']')? {
                        return Ok(());
                    }
                }
            }
        }
    }

    /// The elements of a list of messages. After some short ones, lengths get one byte.
    fn messages(&mut self, field: &'s Field, depth: u32) -> Result<()> {
        let message = &self.schema.messages[field.target as usize];
        let mut short = if message.small { SHORT_ONES } else { 0 };
        loop {
            self.out.prefix(field.tag, field.tag_len.into())?;
            let mark = self.out.open(if short >= SHORT_ONES { 1 } else { 2 })?;
            let start = self.out.len();
            self.message(message, depth + 1)?;
            short = if self.out.len() - start < 0x80 { short + 1 } else { 0 };
            self.out.close(mark)?;
            if self.is_on_path(depth)
                && let Some(pieces) = &mut self.pieces
            {
                pieces.pass_on(self.out)?;
            }
            if !self.scan.another(b']')? {
                return Ok(());
            }
        }
    }

    fn packed(&mut self, field: &'s Field) -> Result<()> {
        self.scan.expect(b'[')?;
        if self.scan.eat(b']') {
            return Ok(());
        }
        self.out.prefix(field.other_tag, field.tag_len.into())?;
        let mark = self.out.open(2)?;
        loop {
            if !self.drops(field)? {
                self.scalar(field)?;
            }
            if !self.scan.another(b']')? {
                return self.out.close(mark);
            }
        }
    }

    fn map(&mut self, field: &'s Field, depth: u32) -> Result<()> {
        let entry = &self.schema.messages[field.target as usize];
        let [key_field, value_field] = &entry.fields[..] else { return Err(Stop::Undecided) };
        self.scan.expect(b'{')?;
        if self.scan.eat(b'}') {
            return Ok(());
        }
        if depth + 1 > MAX_DEPTH {
            return Err(Stop::Undecided);
        }
        self.scan.peek();
        let mut object = self.keys.open(self.scan.next_eight());
        // "0" and "-0" are two JSON keys and one map key.
        let mut numbers = HashSet::new();
        loop {
            let before = self.out.len();
            self.out.prefix(field.tag, field.tag_len.into())?;
            let mark = self.out.open(2)?;
            self.out.prefix(key_field.tag, key_field.tag_len.into())?;
            if key_field.kind == Kind::String {
                let key = self.key(&mut object)?;
                self.out.varint(key.len() as u64)?;
                self.out.slice(&key)?;
            } else {
                let text = self.scan.string()?.plain()?;
                let start = self.out.len();
                let number = match (key_field.kind, text) {
                    (Kind::Bool, b"true") => self.out.byte(1).map(|()| 1),
                    (Kind::Bool, b"false") => self.out.byte(0).map(|()| 0),
                    (kind, text) => {
                        // Not "1.0" and not "1e2".
                        if text.iter().any(|byte| matches!(byte, b'.' | b'e' | b'E')) {
                            return Err(Stop::Undecided);
                        }
                        let number = number_of(text)?;
                        self.integer(kind, number)?;
                        Ok(number
                            .signed()
                            .map(|signed| signed as u64)
                            .or_else(|_| number.unsigned())?)
                    }
                }?;
                debug_assert!(self.out.len() > start);
                if !numbers.insert(number) {
                    return Err(Stop::Undecided);
                }
                self.scan.expect(b':')?;
            }
            if self.scan.peek() == b'n' && !self.schema.has_null(value_field) {
                return Err(Stop::Undecided);
            }
            if self.drops(value_field)? {
                self.out.truncate(before);
            } else {
                self.single(value_field, depth + 1)?;
                self.out.close(mark)?;
            }
            if !self.scan.another(b'}')? {
                break;
            }
        }
        self.keys.close(&object);
        Ok(())
    }
}
