//! An `Any` whose type is known: its type comes first, as printers write it.

use std::borrow::Cow;

use super::{Parser, Result};
use crate::canonical::canonical;
use crate::schema::{Message, Shape};
use crate::{DEEPEST, Stop};

const TYPE: &[u8] = b"@type";

impl<'s> Parser<'s, '_, '_, '_> {
    /// The body of an Any. What it holds is written as protobuf's deterministic writer does.
    pub(super) fn any(&mut self, depth: u32) -> Result<()> {
        self.scan.expect(b'{')?;
        if self.scan.eat(b'}') {
            return Ok(());
        }
        self.name(TYPE)?;
        let url = self.scan.string()?.decoded()?;
        let types = self.options.types.ok_or(Stop::HandBack)?;
        let schema = types.find(&url)?;
        let root = schema.messages.first().ok_or(Stop::HandBack)?;
        self.out.byte(0x0A)?;
        self.out.varint(url.len() as u64)?;
        self.out.slice(&url)?;
        let start = self.out.len();
        let mut inner = Parser {
            schema: &schema,
            scan: self.scan,
            checked: self.checked,
            out: self.out,
            options: self.options,
            keys: self.keys,
            unknown: std::mem::take(&mut self.unknown),
            pieces: None,
        };
        inner.held(root, depth + 1)?;
        (self.scan, self.checked, self.unknown) = (inner.scan, inner.checked, inner.unknown);
        let held = &self.out.written()[start..];
        let body = canonical(&schema, held, types.map_order(), depth + 1)?;
        self.out.truncate(start);
        if !body.is_empty() {
            self.out.byte(0x12)?;
            self.out.varint(body.len() as u64)?;
            self.out.slice(&body)?;
        }
        Ok(())
    }

    /// The members that follow the type.
    fn held(&mut self, root: &'s Message, depth: u32) -> Result<()> {
        if depth > DEEPEST || root.by_name.contains_key(TYPE) {
            return Err(Stop::HandBack);
        }
        let more = self.scan.another(b'}')?;
        if root.shape == Shape::Fields {
            if more {
                let first_unknown = self.unknown.len();
                // It must not come twice.
                self.unknown.push(Cow::Borrowed(TYPE));
                return self.members(root, depth, first_unknown);
            }
            return Ok(());
        }
        self.name(b"value")?;
        self.message(root, depth)?;
        if self.scan.another(b'}')? { Err(Stop::HandBack) } else { Ok(()) }
    }

    /// This name, and the colon behind it.
    fn name(&mut self, name: &[u8]) -> Result<()> {
        if self.scan.string()?.plain()? != name {
            return Err(Stop::HandBack);
        }
        self.scan.expect(b':')
    }
}
