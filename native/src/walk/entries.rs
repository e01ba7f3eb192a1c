//! Maps, and the plain JSON of Struct, Value and ListValue: what is printed sorted.

use super::scalar::scalar;
use super::structs::each_entry;
use super::{Result, Sink, Walker, delimited, signed, unsigned, well_formed};
use crate::schema::{Field, Kind};
use crate::wire::Wire;
use crate::{DEEPEST, Stop};

/// Up to here the order of entries is kept apart from them.
const FEW: usize = 16;

/// An entry of a map or a Struct.
#[derive(Clone, Copy)]
pub struct Entry<'w> {
    /// What entries are sorted by: the start of a text (where equal, the text decides), or a number.
    order: u64,
    key: &'w [u8],
    value: &'w [u8],
}

impl<'w> Entry<'w> {
    #[inline(always)]
    fn of_text(key: &'w [u8], value: &'w [u8]) -> Self {
        Self { order: start_of(key), key, value }
    }

    #[inline(always)]
    fn is_before(&self, other: &Self) -> bool {
        self.order < other.order || (self.order == other.order && self.key < other.key)
    }
}

/// In which order some entries are sorted.
#[derive(Clone, Copy, Default)]
pub struct Order {
    /// How many entries there are; more than `FEW` are sorted themselves.
    len: usize,
    places: [u8; FEW],
}

impl Order {
    fn as_they_are(len: usize) -> Self {
        Self { len, places: std::array::from_fn(|place| place as u8) }
    }

    #[inline(always)]
    fn place(&self, index: usize) -> usize {
        self.places.get(index).map_or(index, |place| usize::from(*place))
    }

    /// Whether the entries are in ascending order, without equal ones.
    #[inline(always)]
    fn sorts(&self, entries: &[Entry<'_>]) -> bool {
        let at = |index| entries.get(self.place(index));
        (1..self.len).all(|index| match (at(index - 1), at(index)) {
            (Some(one), Some(two)) => one.is_before(two),
            _ => false,
        })
    }
}

/// Turns a signed number into an unsigned one of the same order, and back.
const SIGN: u64 = 1 << 63;

impl<'s, 'w, S: Sink> Walker<'s, 'w, S> {
    pub(super) fn map(&mut self, field: &'s Field, wire: &mut Wire<'w>, depth: u32) -> Result<()> {
        let entry = &self.schema.messages[field.target as usize];
        let [key_field, value_field] = &entry.fields[..] else { return Err(Stop::HandBack) };
        if depth + 1 > DEEPEST {
            return Err(Stop::HandBack);
        }
        let base = self.entries.len();
        loop {
            let mut inner = Wire::new(well_formed(wire.delimited())?);
            if !inner.eat(&key_field.tag[..1]) {
                return Err(Stop::HandBack);
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
                return Err(Stop::HandBack);
            }
            self.entries.push(match key_field.kind {
                Kind::String => Entry::of_text(key, inner.rest()),
                _ => Entry { order, key, value: inner.rest() },
            });
            if !wire.eat(&field.tag[..field.tag_len.into()]) {
                break;
            }
        }
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
                _ => digits.format((entry.order ^ SIGN) as i64).as_bytes(),
            };
            self.sink.key(key, index == 0)?;
            let mut value = Wire::new(entry.value);
            self.single(value_field, &mut value, depth + 1)?;
            if !value.is_empty() {
                return Err(Stop::HandBack);
            }
        }
        self.entries.truncate(base);
        self.sink.end_object()
    }

    /// In which order the entries from `base` on are sorted; two equal keys are handed back.
    ///
    /// Rows come out of protobuf's maps in one order, mostly, so the last order is tried first.
    #[inline(always)]
    fn sorted(&mut self, base: usize) -> Result<Order> {
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
            entries
                .sort_unstable_by(|one, two| one.order.cmp(&two.order).then(one.key.cmp(two.key)));
        } else {
            let places = &mut order.places[..entries.len()];
            places.sort_unstable_by(|&one, &two| {
                let (one, two) = (&entries[usize::from(one)], &entries[usize::from(two)]);
                one.order.cmp(&two.order).then(one.key.cmp(two.key))
            });
            self.order = order;
        }
        if order.sorts(&self.entries[base..]) { Ok(order) } else { Err(Stop::HandBack) }
    }

    pub(super) fn structure(&mut self, wire: &'w [u8], depth: u32) -> Result<()> {
        if wire.is_empty() {
            self.sink.begin_object()?;
            return self.sink.end_object();
        }
        if depth + 2 > DEEPEST {
            return Err(Stop::HandBack);
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
        if depth + 1 > DEEPEST {
            return Err(Stop::HandBack);
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
        if depth + 1 > DEEPEST {
            return Err(Stop::HandBack);
        }
        let (&tag, rest) = well_formed(wire.split_first())?;
        let mut wire = Wire::new(rest);
        match tag {
            0x2A => self.structure(well_formed(wire.delimited())?, depth + 1)?,
            0x32 => self.list(well_formed(wire.delimited())?, depth + 1)?,
            _ => return Err(Stop::HandBack),
        }
        if wire.is_empty() { Ok(()) } else { Err(Stop::HandBack) }
    }
}

/// The first eight bytes as a number of the same order, zeros behind what is shorter.
#[inline(always)]
fn start_of(text: &[u8]) -> u64 {
    if let Some(eight) = text.first_chunk() {
        return u64::from_be_bytes(*eight);
    }
    match (text.first_chunk(), text.last_chunk()) {
        (Some(first), Some(last)) => {
            // The last four bytes may overlap the first ones, which are shifted out.
            let rest = u64::from(u32::from_be_bytes(*last)) << (8 * (8 - text.len()));
            u64::from(u32::from_be_bytes(*first)) << 32 | (rest & 0xFFFF_FFFF)
        }
        _ => {
            let start = text.iter().fold(0, |start, byte| start << 8 | u64::from(*byte));
            // Two shifts, as one by 64 bits is none.
            start << (8 * (7 - text.len())) << 8
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn starts_are_ordered_as_texts() {
        let text = b"\x01\xFFabcdefghij";
        for len in 0..text.len() {
            let mut expected = [0; 8];
            let start = len.min(8);
            expected[..start].copy_from_slice(&text[..start]);
            assert_eq!(start_of(&text[..len]), u64::from_be_bytes(expected));
        }
    }
}
