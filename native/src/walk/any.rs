//! An `Any` whose type is known: its bytes are another message's wire format.

use super::entries::Order;
use super::{Result, Sink, Walker, delimited, well_formed};
use crate::canonical::{MapOrder, canonical};
use crate::schema::Shape;
use crate::wire::Wire;
use crate::{DEEPEST, Stop};

const TYPE: &[u8] = b"@type";

impl<'w, S: Sink> Walker<'_, 'w, S> {
    pub(super) fn any(&mut self, wire: &'w [u8], depth: u32) -> Result<()> {
        let mut wire = Wire::new(wire);
        if wire.is_empty() {
            self.sink.begin_object()?;
            return self.sink.end_object();
        }
        let url = well_formed(delimited(&mut wire, 0x0A))?;
        let held: &[u8] =
            if wire.is_empty() { &[] } else { well_formed(delimited(&mut wire, 0x12))? };
        let types = self.options.types.ok_or(Stop::HandBack)?;
        let schema = types.find(url)?;
        let root = schema.messages.first().ok_or(Stop::HandBack)?;
        if !wire.is_empty() || depth + 1 > DEEPEST || root.by_name.contains_key(TYPE) {
            return Err(Stop::HandBack);
        }
        // Whoever made the Any may have written the fields in another order, or others than we know.
        let body = canonical(&schema, held, MapOrder::AsTheyAre, depth + 1)?;
        self.sink.begin_object()?;
        self.sink.key(TYPE, true)?;
        self.sink.string(url)?;
        let mut inner = Walker {
            schema: &schema,
            sink: self.sink.take(),
            options: self.options,
            entries: Vec::new(),
            order: Order::default(),
        };
        if root.shape == Shape::Fields {
            inner.members(root, Wire::new(&body), depth + 1, false)?;
        } else {
            inner.sink.key(b"value", false)?;
            inner.message(root, &body, depth + 1)?;
            inner.sink.end_object()?;
        }
        self.sink = inner.sink;
        Ok(())
    }
}
