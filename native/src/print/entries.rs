//! Maps, and the plain JSON of Struct, Value and ListValue: what is printed sorted.

use super::order::{Entry, FEW, Order};
use super::payload::{delimited, signed, unsigned, well_formed};
use super::scalar::scalar;
use super::sink::Sink;
use super::structs::each_entry;
use super::walker::Walker;
use crate::bytes::wire::Wire;
use crate::limits::MAX_DEPTH;
use crate::schema::{Field, Kind};
use crate::stop::{Result, Stop};

/// Turns a signed number into an unsigned one of the same order, and back.
const SIGN: u64 = 1 << 63;

/// The signed key of a map's entry.
pub fn signed_key(order: u64) -> i64 {
    (order ^ SIGN) as i64
}

/// Gives `each` the entries of a map whose first tag was read; their values still have to be read.
pub fn map_entries<'w>(
    field: &Field,
    (key_field, value_field): (&Field, &Field),
    wire: &mut Wire<'w>,
    mut each: impl FnMut(Entry<'w>),
) -> Result<()> {
    loop {
        let mut inner = Wire::new(well_formed(wire.delimited())?);
        if !inner.eat(&key_field.tag[..1]) {
            return Err(Stop::Undecided);
        }
        let mut key: &[u8] = &[];
        let order = match key_field.kind {
            Kind::String => {
                key = well_formed(inner.delimited())?;
                0
            }
            Kind::Bool => u64::from(well_formed(inner.varint())? != 0),
            kind @ (Kind::Uint32 | Kind::Uint64 | Kind::Fixed32 | Kind::Fixed64) => {
                unsigned(kind, &mut inner)?
            }
            kind => signed(kind, &mut inner)? as u64 ^ SIGN,
        };
        if !inner.eat(&value_field.tag[..1]) {
            return Err(Stop::Undecided);
        }
        each(match key_field.kind {
            Kind::String => Entry::of_text(key, inner.rest()),
            _ => Entry { order, key, value: inner.rest() },
        });
        if !wire.eat(&field.tag[..field.tag_len.into()]) {
            return Ok(());
        }
    }
}

impl<'s, 'w, S: Sink> Walker<'s, 'w, S> {
    pub(super) fn map(&mut self, field: &'s Field, wire: &mut Wire<'w>, depth: u32) -> Result<()> {
        let entry = &self.schema.messages[field.target as usize];
        let [key_field, value_field] = &entry.fields[..] else { return Err(Stop::Undecided) };
        if depth + 1 > MAX_DEPTH {
            return Err(Stop::Undecided);
        }
        let base = self.entries.len();
        map_entries(field, (key_field, value_field), wire, |entry| self.entries.push(entry))?;
        let order = self.sorted(base)?;
        self.sink.begin_object()?;
        for index in 0..order.len {
            let entry = self.entries[base + order.place(index)];
            let mut digits = itoa::Buffer::new();
            let key = match key_field.kind {
                Kind::String => entry.key,
                Kind::Bool if entry.order == 0 => b"false",
                Kind::Bool => b"true",
                Kind::Uint32 | Kind::Uint64 | Kind::Fixed32 | Kind::Fixed64 => {
                    digits.format(entry.order).as_bytes()
                }
                _ => digits.format(signed_key(entry.order)).as_bytes(),
            };
            self.sink.key(key, index == 0)?;
            let mut value = Wire::new(entry.value);
            self.single(value_field, &mut value, depth + 1)?;
            if !value.is_empty() {
                return Err(Stop::Undecided);
            }
        }
        self.entries.truncate(base);
        self.sink.end_object()
    }

    /// The order of the entries from `base` on; two equal keys are undecided.
    ///
    /// Protobuf's maps mostly give all rows in one order, so the last order is tried first.
    #[inline(always)]
    fn sorted(&mut self, base: usize) -> Result<Order> {
        if self.options.like_json_format {
            // The runtime writes a map from its end.
            self.entries[base..].reverse();
            return Ok(Order::as_they_are(self.entries.len() - base));
        }
        let entries = &self.entries[base..];
        if self.order.len == entries.len() && self.order.sorts(entries) {
            return Ok(self.order);
        }
        self.sort(base)
    }

    #[inline(never)]
    fn sort(&mut self, base: usize) -> Result<Order> {
        let entries = &mut self.entries[base..];
        let mut order = Order::as_they_are(entries.len());
        if entries.len() > FEW {
            entries.sort_unstable_by(Entry::compare);
        } else {
            let places = &mut order.places[..entries.len()];
            places.sort_unstable_by(|&one, &two| {
                let (one, two) = (&entries[usize::from(one)], &entries[usize::from(two)]);
                one.compare(two)
            });
            self.order = order;
        }
        if order.sorts(&self.entries[base..]) { Ok(order) } else { Err(Stop::Undecided) }
    }

    pub(super) fn structure(&mut self, wire: &'w [u8], depth: u32) -> Result<()> {
        if wire.is_empty() {
            self.sink.begin_object()?;
            return self.sink.end_object();
        }
        if depth + 2 > MAX_DEPTH {
            return Err(Stop::Undecided);
        }
        let base = self.entries.len();
        each_entry(wire, |key, value| {
            self.entries.push(Entry::of_text(key, value));
            Ok(())
        })?;
        let order = self.sorted(base)?;
        let mut sink = self.sink.take();
        sink.begin_object()?;
        for index in 0..order.len {
            let entry = self.entries[base + order.place(index)];
            sink.key(entry.key, index == 0)?;
            if !scalar(&mut sink, entry.value)? {
                self.sink = sink;
                self.value(entry.value, depth + 2)?;
                sink = self.sink.take();
            }
        }
        sink.end_object()?;
        self.sink = sink;
        self.entries.truncate(base);
        Ok(())
    }

    pub(super) fn list(&mut self, wire: &'w [u8], depth: u32) -> Result<()> {
        let mut wire = Wire::new(wire);
        self.sink.begin_list()?;
        if depth + 1 > MAX_DEPTH {
            return Err(Stop::Undecided);
        }
        while !wire.is_empty() {
            let value = well_formed(delimited(&mut wire, 0x0A))?;
            self.value(value, depth + 1)?;
            if !wire.is_empty() {
                self.sink.next_element()?;
            }
        }
        self.sink.end_list()
    }

    pub(super) fn value(&mut self, wire: &'w [u8], depth: u32) -> Result<()> {
        if scalar(&mut self.sink, wire)? {
            return Ok(());
        }
        if depth + 1 > MAX_DEPTH {
            return Err(Stop::Undecided);
        }
        if wire.is_empty() && self.options.like_json_format {
            return self.sink.null();
        }
        let (&tag, rest) = well_formed(wire.split_first())?;
        let mut wire = Wire::new(rest);
        match tag {
            0x2A => self.structure(well_formed(wire.delimited())?, depth + 1)?,
            0x32 => self.list(well_formed(wire.delimited())?, depth + 1)?,
            _ => return Err(Stop::Undecided),
        }
        if wire.is_empty() { Ok(()) } else { Err(Stop::Undecided) }
    }
}
