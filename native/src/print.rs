//! Wire format to JSON text.

use crate::number::{write_double, write_float, write_integer, write_unsigned};
use crate::out::Out;
use crate::scan::{is_plain, special};
use crate::schema::{Cardinality, DELIMITED, Field, Kind, Message, Schema, Shape};
use crate::wire::{Wire, unzigzag};
use crate::{DEEPEST, Stop, base64, time};

type Result<T> = std::result::Result<T, Stop>;

/// How a message is to be printed.
#[derive(Clone, Copy, Default)]
pub struct PrintOptions {
    pub proto_names: bool,
    pub enum_numbers: bool,
    /// Prints fields without presence though they hold their default.
    pub defaults: bool,
}

/// Writes the JSON text of the schema's first message.
///
/// `wire` is what protobuf itself wrote: fields in the order of their numbers, each only once. What
/// is written otherwise is handed back. The caller checks that the text is UTF-8.
pub fn print(schema: &Schema, wire: &[u8], out: &mut Out<'_>, options: PrintOptions) -> Result<()> {
    let root = schema.messages.first().ok_or(Stop::HandBack)?;
    Printer { schema, out, options, entries: Vec::new() }.message(root, wire, 0)
}

/// Up to here entries are sorted by insertion.
const FEW: usize = 16;

struct Printer<'s, 'w, 'o, 'b> {
    schema: &'s Schema,
    out: &'o mut Out<'b>,
    options: PrintOptions,
    /// The entries of the maps and Structs that are being printed, innermost last.
    entries: Vec<Entry<'w>>,
}

/// An entry of a map or a Struct.
#[derive(Clone, Copy)]
struct Entry<'w> {
    /// What entries are sorted by: the start of a text (where equal, the text decides), or a number.
    order: u64,
    key: &'w [u8],
    value: &'w [u8],
}

impl<'w> Entry<'w> {
    #[inline(always)]
    fn of_text(key: &'w [u8], value: &'w [u8]) -> Self {
        let mut start = [0; 8];
        match key.first_chunk() {
            Some(chunk) => start = *chunk,
            None => start[..key.len()].copy_from_slice(key),
        }
        Self { order: u64::from_be_bytes(start), key, value }
    }

    #[inline(always)]
    fn is_before(&self, other: &Self) -> bool {
        self.order < other.order || (self.order == other.order && self.key < other.key)
    }
}

/// Turns a signed number into an unsigned one of the same order, and back.
const SIGN: u64 = 1 << 63;

/// Turns malformed wire format into a hand-back.
fn well_formed<T>(read: Option<T>) -> Result<T> {
    read.ok_or(Stop::HandBack)
}

impl<'s, 'w> Printer<'s, 'w, '_, '_> {
    fn message(&mut self, message: &'s Message, wire: &'w [u8], depth: u32) -> Result<()> {
        if depth > DEEPEST {
            return Err(Stop::HandBack);
        }
        match message.shape {
            Shape::Fields => self.fields(message, Wire::new(wire), depth),
            Shape::Struct => self.structure(wire, depth),
            Shape::Value => self.value(wire, depth),
            Shape::ListValue => self.list(wire, depth),
            Shape::Timestamp => {
                let (seconds, nanos) = seconds_and_nanos(wire)?;
                time::write_timestamp(self.out, seconds, nanos)
            }
            Shape::Duration => {
                let (seconds, nanos) = seconds_and_nanos(wire)?;
                time::write_duration(self.out, seconds, nanos)
            }
            Shape::FieldMask => self.field_mask(wire),
            Shape::Wrapper => {
                let field = message.fields.first().ok_or(Stop::HandBack)?;
                let mut wire = Wire::new(wire);
                if wire.is_empty() {
                    return self.default(field);
                }
                if well_formed(wire.tag())? != (field.number, field.kind.wire_type()) {
                    return Err(Stop::HandBack);
                }
                self.single(field, &mut wire, depth)?;
                if wire.is_empty() { Ok(()) } else { Err(Stop::HandBack) }
            }
            Shape::Foreign => Err(Stop::HandBack),
        }
    }

    fn fields(&mut self, message: &'s Message, mut wire: Wire<'w>, depth: u32) -> Result<()> {
        self.out.byte(b'{')?;
        let start = self.out.len();
        let mut next = 0;
        while !wire.is_empty() {
            let (number, wire_type) = well_formed(wire.tag())?;
            while let Some(field) = message.fields.get(next)
                && field.number < number
            {
                self.missing(field, start)?;
                next += 1;
            }
            match message.fields.get(next) {
                Some(field) if field.number == number => {
                    self.key_of(field, start)?;
                    self.field(field, wire_type, &mut wire, depth)?;
                    next += 1;
                }
                _ => {
                    // Unknown fields come last, and have no JSON; but an extension may be known.
                    let known = message.fields.binary_search_by_key(&number, |field| field.number);
                    if known.is_ok() || message.extendable {
                        return Err(Stop::HandBack);
                    }
                    well_formed(wire.payload(number, wire_type))?;
                }
            }
        }
        if self.options.defaults {
            for field in message.fields.iter().skip(next) {
                self.missing(field, start)?;
            }
        }
        self.out.byte(b'}')
    }

    #[inline(always)]
    fn missing(&mut self, field: &'s Field, start: usize) -> Result<()> {
        if self.options.defaults && !field.presence {
            self.key_of(field, start)?;
            return self.default(field);
        }
        Ok(())
    }

    #[inline(always)]
    fn key_of(&mut self, field: &'s Field, start: usize) -> Result<()> {
        let key = if self.options.proto_names { &field.proto_key } else { &field.json_key };
        // The key begins with a comma, which the first member does not have.
        let first = usize::from(self.out.len() == start);
        self.out.short(&key[first..])
    }

    #[inline(never)]
    fn default(&mut self, field: &Field) -> Result<()> {
        let text: &[u8] = match (field.cardinality, field.kind) {
            (Cardinality::Repeated, _) => b"[]",
            (Cardinality::Map, _) => b"{}",
            (_, Kind::String | Kind::Bytes) => b"\"\"",
            (_, Kind::Bool) => b"false",
            (_, Kind::Int64 | Kind::Uint64 | Kind::Fixed64 | Kind::Sfixed64 | Kind::Sint64) => {
                b"\"0\""
            }
            (_, Kind::Enum) => return self.enumeration(field, 0),
            (_, Kind::Message | Kind::Group) => return Err(Stop::HandBack),
            _ => b"0",
        };
        self.out.slice(text)
    }

    fn field(
        &mut self,
        field: &'s Field,
        wire_type: u8,
        wire: &mut Wire<'w>,
        depth: u32,
    ) -> Result<()> {
        let packed = wire_type == DELIMITED && field.kind.packs();
        if wire_type != field.kind.wire_type()
            && !(packed && field.cardinality == Cardinality::Repeated)
        {
            return Err(Stop::HandBack);
        }
        match field.cardinality {
            Cardinality::Singular => self.single(field, wire, depth),
            Cardinality::Map => self.map(field, wire, depth),
            Cardinality::Repeated => {
                self.out.byte(b'[')?;
                if packed {
                    let mut values = Wire::new(well_formed(wire.delimited())?);
                    while !values.is_empty() {
                        self.scalar(field, &mut values)?;
                        if !values.is_empty() {
                            self.out.byte(b',')?;
                        }
                    }
                } else {
                    self.single(field, wire, depth)?;
                    while wire.eat(&field.tag[..field.tag_len.into()]) {
                        self.out.byte(b',')?;
                        self.single(field, wire, depth)?;
                    }
                }
                self.out.byte(b']')
            }
        }
    }

    /// One value whose tag was read.
    #[inline]
    fn single(&mut self, field: &'s Field, wire: &mut Wire<'w>, depth: u32) -> Result<()> {
        match field.kind {
            Kind::Message => {
                let body = well_formed(wire.delimited())?;
                self.message(&self.schema.messages[field.target as usize], body, depth + 1)
            }
            Kind::Group => {
                let Some(crate::wire::Payload::Group(body)) = wire.payload(field.number, 3) else {
                    return Err(Stop::HandBack);
                };
                self.message(&self.schema.messages[field.target as usize], body, depth + 1)
            }
            Kind::String => write_string(self.out, well_formed(wire.delimited())?),
            Kind::Bytes => {
                self.out.byte(b'"')?;
                base64::write(well_formed(wire.delimited())?, self.out)?;
                self.out.byte(b'"')
            }
            _ => self.scalar(field, wire),
        }
    }

    #[inline(always)]
    fn scalar(&mut self, field: &Field, wire: &mut Wire<'w>) -> Result<()> {
        match field.kind {
            Kind::Double => self.double(f64::from_le_bytes(well_formed(wire.array())?)),
            Kind::Float => {
                let value = f32::from_le_bytes(well_formed(wire.array())?);
                if value.is_finite() {
                    write_float(self.out, value)
                } else {
                    self.double(value.into())
                }
            }
            Kind::Bool => {
                let value = well_formed(wire.varint())? != 0;
                self.out.slice(if value { b"true" } else { b"false" })
            }
            Kind::Enum => {
                let number = well_formed(wire.varint())? as i32;
                self.enumeration(field, number)
            }
            Kind::Int32 | Kind::Sint32 | Kind::Sfixed32 => {
                let value = signed(field.kind, wire)?;
                write_integer(self.out, value)
            }
            Kind::Uint32 | Kind::Fixed32 => {
                let value = unsigned(field.kind, wire)?;
                write_unsigned(self.out, value)
            }
            Kind::Int64 | Kind::Sint64 | Kind::Sfixed64 => {
                self.out.byte(b'"')?;
                let value = signed(field.kind, wire)?;
                write_integer(self.out, value)?;
                self.out.byte(b'"')
            }
            Kind::Uint64 | Kind::Fixed64 => {
                self.out.byte(b'"')?;
                let value = unsigned(field.kind, wire)?;
                write_unsigned(self.out, value)?;
                self.out.byte(b'"')
            }
            Kind::String | Kind::Bytes | Kind::Message | Kind::Group => Err(Stop::HandBack),
        }
    }

    fn double(&mut self, value: f64) -> Result<()> {
        if value.is_finite() {
            return write_double(self.out, value);
        }
        self.out.slice(match value {
            f64::INFINITY => b"\"Infinity\"",
            f64::NEG_INFINITY => b"\"-Infinity\"",
            _ => b"\"NaN\"",
        })
    }

    fn enumeration(&mut self, field: &Field, number: i32) -> Result<()> {
        let target = &self.schema.enums[field.target as usize];
        if target.null_value {
            return self.out.slice(b"null");
        }
        match target.names.get(number) {
            Some(name) if !self.options.enum_numbers => self.out.short(name),
            // An unknown value of a closed enum is an unknown field, which has no JSON.
            None if target.closed => Err(Stop::HandBack),
            _ => write_integer(self.out, number.into()),
        }
    }

    fn map(&mut self, field: &'s Field, wire: &mut Wire<'w>, depth: u32) -> Result<()> {
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
        self.sort(base)?;
        for index in base..self.entries.len() {
            let entry = self.entries[index];
            self.out.byte(if index == base { b'{' } else { b',' })?;
            if key_field.kind == Kind::String {
                write_string(self.out, entry.key)?;
            } else {
                self.out.byte(b'"')?;
                match key_field.kind {
                    Kind::Bool => {
                        self.out.slice(if entry.order == 0 { b"false" } else { b"true" })?
                    }
                    Kind::Uint32 | Kind::Uint64 | Kind::Fixed32 | Kind::Fixed64 => {
                        write_unsigned(self.out, entry.order)?;
                    }
                    _ => write_integer(self.out, (entry.order ^ SIGN) as i64)?,
                }
                self.out.byte(b'"')?;
            }
            self.out.byte(b':')?;
            let mut value = Wire::new(entry.value);
            self.single(value_field, &mut value, depth + 1)?;
            if !value.is_empty() {
                return Err(Stop::HandBack);
            }
        }
        self.entries.truncate(base);
        self.out.byte(b'}')
    }

    /// Sorts the entries from `base` on; two equal keys are handed back.
    #[inline(always)]
    fn sort(&mut self, base: usize) -> Result<()> {
        let entries = &mut self.entries[base..];
        if entries.len() <= FEW {
            for end in 1..entries.len() {
                let entry = entries[end];
                let mut place = end;
                while place > 0 && entry.is_before(&entries[place - 1]) {
                    entries[place] = entries[place - 1];
                    place -= 1;
                }
                entries[place] = entry;
            }
        } else {
            entries
                .sort_unstable_by(|one, two| one.order.cmp(&two.order).then(one.key.cmp(two.key)));
        }
        if entries.is_sorted_by(Entry::is_before) { Ok(()) } else { Err(Stop::HandBack) }
    }

    fn structure(&mut self, wire: &'w [u8], depth: u32) -> Result<()> {
        let mut wire = Wire::new(wire);
        if wire.is_empty() {
            return self.out.slice(b"{}");
        }
        if depth + 2 > DEEPEST {
            return Err(Stop::HandBack);
        }
        let base = self.entries.len();
        while !wire.is_empty() {
            let mut entry = Wire::new(well_formed(delimited(&mut wire, 0x0A))?);
            let key = well_formed(delimited(&mut entry, 0x0A))?;
            let value = well_formed(delimited(&mut entry, 0x12))?;
            if !entry.is_empty() {
                return Err(Stop::HandBack);
            }
            self.entries.push(Entry::of_text(key, value));
        }
        self.sort(base)?;
        for index in base..self.entries.len() {
            let entry = self.entries[index];
            self.out.byte(if index == base { b'{' } else { b',' })?;
            write_string(self.out, entry.key)?;
            self.out.byte(b':')?;
            self.value(entry.value, depth + 2)?;
        }
        self.entries.truncate(base);
        self.out.byte(b'}')
    }

    fn list(&mut self, wire: &'w [u8], depth: u32) -> Result<()> {
        let mut wire = Wire::new(wire);
        self.out.byte(b'[')?;
        if depth + 1 > DEEPEST {
            return Err(Stop::HandBack);
        }
        while !wire.is_empty() {
            let value = well_formed(delimited(&mut wire, 0x0A))?;
            self.value(value, depth + 1)?;
            if !wire.is_empty() {
                self.out.byte(b',')?;
            }
        }
        self.out.byte(b']')
    }

    fn value(&mut self, wire: &'w [u8], depth: u32) -> Result<()> {
        if depth + 1 > DEEPEST {
            return Err(Stop::HandBack);
        }
        let (&tag, rest) = well_formed(wire.split_first())?;
        let mut wire = Wire::new(rest);
        match tag {
            0x1A => write_string(self.out, well_formed(wire.delimited())?)?,
            0x11 => {
                let value = f64::from_le_bytes(well_formed(wire.array())?);
                if !value.is_finite() {
                    return Err(Stop::HandBack);
                }
                write_double(self.out, value)?;
            }
            0x20 => {
                let value = well_formed(wire.varint())? != 0;
                self.out.slice(if value { b"true" } else { b"false" })?;
            }
            0x08 => {
                well_formed(wire.varint())?;
                self.out.slice(b"null")?;
            }
            0x2A => self.structure(well_formed(wire.delimited())?, depth + 1)?,
            0x32 => self.list(well_formed(wire.delimited())?, depth + 1)?,
            _ => return Err(Stop::HandBack),
        }
        if wire.is_empty() { Ok(()) } else { Err(Stop::HandBack) }
    }

    fn field_mask(&mut self, wire: &'w [u8]) -> Result<()> {
        let mut wire = Wire::new(wire);
        self.out.byte(b'"')?;
        while !wire.is_empty() {
            let path = well_formed(delimited(&mut wire, 0x0A))?;
            let mut raise = false;
            for &byte in path {
                match byte {
                    b'_' if !raise => raise = true,
                    b'a'..=b'z' if raise => {
                        self.out.byte(byte.to_ascii_uppercase())?;
                        raise = false;
                    }
                    b'a'..=b'z' | b'0'..=b'9' | b'.' if !raise => self.out.byte(byte)?,
                    _ => return Err(Stop::HandBack),
                }
            }
            if raise || path.is_empty() {
                return Err(Stop::HandBack);
            }
            if !wire.is_empty() {
                self.out.byte(b',')?;
            }
        }
        self.out.byte(b'"')
    }
}

/// A length-delimited value with this tag.
#[inline(always)]
fn delimited<'w>(wire: &mut Wire<'w>, tag: u8) -> Option<&'w [u8]> {
    if wire.eat(&[tag]) { wire.delimited() } else { None }
}

fn seconds_and_nanos(wire: &[u8]) -> Result<(i64, i32)> {
    let mut wire = Wire::new(wire);
    let seconds = if wire.eat(&[0x08]) { well_formed(wire.varint())? as i64 } else { 0 };
    let nanos = if wire.eat(&[0x10]) { well_formed(wire.varint())? as i32 } else { 0 };
    if wire.is_empty() { Ok((seconds, nanos)) } else { Err(Stop::HandBack) }
}

#[inline(always)]
fn signed(kind: Kind, wire: &mut Wire<'_>) -> Result<i64> {
    Ok(match kind {
        Kind::Int32 => i64::from(well_formed(wire.varint())? as i32),
        Kind::Int64 => well_formed(wire.varint())? as i64,
        Kind::Sint32 => i64::from(unzigzag(well_formed(wire.varint())? & 0xFFFF_FFFF) as i32),
        Kind::Sint64 => unzigzag(well_formed(wire.varint())?),
        Kind::Sfixed32 => i64::from(i32::from_le_bytes(well_formed(wire.array())?)),
        Kind::Sfixed64 => i64::from_le_bytes(well_formed(wire.array())?),
        _ => return Err(Stop::HandBack),
    })
}

#[inline(always)]
fn unsigned(kind: Kind, wire: &mut Wire<'_>) -> Result<u64> {
    Ok(match kind {
        Kind::Uint32 => u64::from(well_formed(wire.varint())? as u32),
        Kind::Uint64 => well_formed(wire.varint())?,
        Kind::Fixed32 => u64::from(u32::from_le_bytes(well_formed(wire.array())?)),
        Kind::Fixed64 => u64::from_le_bytes(well_formed(wire.array())?),
        _ => return Err(Stop::HandBack),
    })
}

/// Writes a string in quotes, escaping only what must be.
#[inline(always)]
fn write_string(out: &mut Out<'_>, text: &[u8]) -> Result<()> {
    if is_plain(text) { out.between(b'"', text, b'"') } else { write_escaped(out, text) }
}

#[inline(never)]
fn write_escaped(out: &mut Out<'_>, text: &[u8]) -> Result<()> {
    out.byte(b'"')?;
    let mut start = 0;
    loop {
        let end = special(text, start);
        out.short(&text[start..end])?;
        let Some(&byte) = text.get(end) else { break };
        write_escape(out, byte)?;
        start = end + 1;
    }
    out.byte(b'"')
}

#[inline(never)]
fn write_escape(out: &mut Out<'_>, byte: u8) -> Result<()> {
    let short = match byte {
        b'\n' => b'n',
        b'\r' => b'r',
        b'\t' => b't',
        0x08 => b'b',
        0x0C => b'f',
        b'"' | b'\\' => byte,
        _ => {
            let digit = |nibble: u8| b"0123456789abcdef"[usize::from(nibble & 15)];
            return out.array([b'\\', b'u', b'0', b'0', digit(byte >> 4), digit(byte)]);
        }
    };
    out.array([b'\\', short])
}
