//! Messages, field by field.

use super::payload::{delimited, seconds_and_nanos, signed, unsigned, well_formed};
use super::sink::Sink;
use super::walker::{PrintOptions, Walker};
use crate::bytes::wire::{Payload, Wire};
use crate::limits::MAX_DEPTH;
use crate::schema::{Cardinality, DELIMITED, Field, Kind, Message, Schema, Shape};
use crate::stop::{Result, Stop};

/// The depth of a Value in a Struct of the first message's field, below the Struct and its entry.
const VALUE_DEPTH: u32 = 3;

/// Tells `sink` the JSON of the schema's first message.
///
/// `wire` comes from protobuf itself: fields in the order of their numbers, each only once. Other
/// wire format is undecided.
pub fn walk<S: Sink>(schema: &Schema, wire: &[u8], sink: S, options: PrintOptions) -> Result<S> {
    walk_message(schema, 0, wire, 0, sink, options)
}

/// Tells `sink` the JSON of one of the schema's messages, which stands so deep in others.
pub fn walk_message<S: Sink>(
    schema: &Schema,
    index: u32,
    wire: &[u8],
    depth: u32,
    sink: S,
    options: PrintOptions,
) -> Result<S> {
    let message = schema.messages.get(index as usize).ok_or(Stop::Undecided)?;
    let mut walker = Walker::new(schema, sink, options);
    walker.message(message, wire, depth)?;
    Ok(walker.sink)
}

/// Tells `sink` the JSON of one field of the schema's first message; nothing if it is not there.
pub fn walk_field<S: Sink>(
    schema: &Schema,
    wire: &[u8],
    name: &[u8],
    sink: S,
    options: PrintOptions,
) -> Result<S> {
    let root = schema.messages.first().filter(|root| root.shape == Shape::Fields);
    let root = root.ok_or(Stop::Undecided)?;
    let index = *root.by_name.get(name).ok_or(Stop::Undecided)?;
    let field = &root.fields[usize::from(index)];
    let mut walker = Walker::new(schema, sink, options);
    let mut wire = Wire::new(wire);
    let mut is_first = true;
    while !wire.is_empty() {
        let (number, wire_type) = well_formed(wire.tag())?;
        if number == field.number {
            if !std::mem::take(&mut is_first) {
                return Err(Stop::Undecided);
            }
            walker.field(field, wire_type, &mut wire, 0)?;
        } else {
            well_formed(wire.payload(number, wire_type))?;
        }
    }
    Ok(walker.sink)
}

/// Tells `sink` the JSON of a Value of such a Struct.
pub fn walk_value<S: Sink>(schema: &Schema, value: &[u8], sink: S) -> Result<S> {
    let mut walker = Walker::new(schema, sink, PrintOptions::default());
    walker.value(value, VALUE_DEPTH)?;
    Ok(walker.sink)
}

impl<'s, 'w, S: Sink> Walker<'s, 'w, S> {
    fn message(&mut self, message: &'s Message, wire: &'w [u8], depth: u32) -> Result<()> {
        if depth > MAX_DEPTH {
            return Err(Stop::Undecided);
        }
        match message.shape {
            Shape::Fields => self.fields(message, Wire::new(wire), depth),
            Shape::Struct => self.structure(wire, depth),
            Shape::Value => self.value(wire, depth),
            Shape::ListValue => self.list(wire, depth),
            Shape::Timestamp => {
                let (seconds, nanos) = seconds_and_nanos(wire)?;
                self.sink.timestamp(seconds, nanos)
            }
            Shape::Duration => {
                let (seconds, nanos) = seconds_and_nanos(wire)?;
                self.sink.duration(seconds, nanos)
            }
            Shape::FieldMask => self.field_mask(wire),
            Shape::Any => self.empty_any(wire),
            Shape::Wrapper => {
                let field = message.fields.first().ok_or(Stop::Undecided)?;
                let mut wire = Wire::new(wire);
                if wire.is_empty() {
                    return self.default(field);
                }
                if well_formed(wire.tag())? != (field.number, field.kind.wire_type()) {
                    return Err(Stop::Undecided);
                }
                self.single(field, &mut wire, depth)?;
                if wire.is_empty() { Ok(()) } else { Err(Stop::Undecided) }
            }
            Shape::Foreign => Err(Stop::Undecided),
        }
    }

    /// An Any that holds nothing. Only Python knows which types the others may have.
    fn empty_any(&mut self, wire: &[u8]) -> Result<()> {
        if !wire.is_empty() {
            return Err(Stop::Undecided);
        }
        self.sink.begin_object()?;
        self.sink.end_object()
    }

    fn fields(&mut self, message: &'s Message, mut wire: Wire<'w>, depth: u32) -> Result<()> {
        self.sink.begin_object()?;
        let all = wire;
        let defaults_between = self.options.defaults && !self.options.like_json_format;
        let mut is_first = true;
        let mut next = 0;
        while !wire.is_empty() {
            let (number, wire_type) = well_formed(wire.tag())?;
            while let Some(field) = message.fields.get(next)
                && field.number < number
            {
                if defaults_between {
                    self.missing(field, &mut is_first)?;
                }
                next += 1;
            }
            match message.fields.get(next) {
                Some(field) if field.number == number => {
                    next += 1;
                    if self.options.leave_out_defaults && holds_default(field, wire_type, &mut wire)
                    {
                        continue;
                    }
                    self.sink.field(field, self.options.proto_names, is_first)?;
                    is_first = false;
                    self.field(field, wire_type, &mut wire, depth)?;
                }
                _ => {
                    // Unknown fields come last, and have no JSON; but an extension may be known.
                    let known = message.fields.binary_search_by_key(&number, |field| field.number);
                    if known.is_ok() || message.extendable {
                        return Err(Stop::Undecided);
                    }
                    well_formed(wire.payload(number, wire_type))?;
                }
            }
        }
        if defaults_between {
            for field in message.fields.iter().skip(next) {
                self.missing(field, &mut is_first)?;
            }
        } else if self.options.defaults {
            self.all_missing(message, all, is_first)?;
        }
        self.sink.end_object()
    }

    #[inline(always)]
    fn missing(&mut self, field: &'s Field, is_first: &mut bool) -> Result<()> {
        if !field.presence {
            self.sink.field(field, self.options.proto_names, *is_first)?;
            *is_first = false;
            return self.default(field);
        }
        Ok(())
    }

    /// The defaults of all fields that a message does not have, in the order of declaration.
    #[inline(never)]
    fn all_missing(
        &mut self,
        message: &'s Message,
        mut wire: Wire<'w>,
        mut is_first: bool,
    ) -> Result<()> {
        if !message.in_order {
            return Err(Stop::Undecided);
        }
        let mut next = 0;
        while !wire.is_empty() {
            let (number, wire_type) = well_formed(wire.tag())?;
            while let Some(field) = message.fields.get(next)
                && field.number <= number
            {
                if field.number < number {
                    self.missing(field, &mut is_first)?;
                }
                next += 1;
            }
            well_formed(wire.payload(number, wire_type))?;
        }
        for field in message.fields.iter().skip(next) {
            self.missing(field, &mut is_first)?;
        }
        Ok(())
    }

    #[inline(never)]
    fn default(&mut self, field: &Field) -> Result<()> {
        match (field.cardinality, field.kind) {
            (Cardinality::Repeated, _) => {
                self.sink.begin_list()?;
                self.sink.end_list()
            }
            (Cardinality::Map, _) => {
                self.sink.begin_object()?;
                self.sink.end_object()
            }
            (_, Kind::String | Kind::Bytes) => self.sink.quoted(b""),
            (_, Kind::Bool) => self.sink.boolean(false),
            (_, Kind::Int64 | Kind::Uint64 | Kind::Fixed64 | Kind::Sfixed64 | Kind::Sint64) => {
                self.sink.quoted(b"0")
            }
            (_, Kind::Enum) => self.enumeration(field, 0),
            (_, Kind::Message | Kind::Group) => Err(Stop::Undecided),
            (_, Kind::Double | Kind::Float) => self.sink.double(0.0),
            _ => self.sink.integer(0),
        }
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
            return Err(Stop::Undecided);
        }
        match field.cardinality {
            Cardinality::Singular => self.single(field, wire, depth),
            Cardinality::Map => self.map(field, wire, depth),
            Cardinality::Repeated => {
                self.sink.begin_list()?;
                if packed {
                    let mut values = Wire::new(well_formed(wire.delimited())?);
                    while !values.is_empty() {
                        self.scalar(field, &mut values)?;
                        if !values.is_empty() {
                            self.sink.next_element()?;
                        }
                    }
                } else {
                    self.single(field, wire, depth)?;
                    while wire.eat(&field.tag[..field.tag_len.into()]) {
                        self.sink.next_element()?;
                        self.single(field, wire, depth)?;
                    }
                }
                self.sink.end_list()
            }
        }
    }

    /// One value whose tag was read.
    #[inline]
    pub(super) fn single(
        &mut self,
        field: &'s Field,
        wire: &mut Wire<'w>,
        depth: u32,
    ) -> Result<()> {
        match field.kind {
            Kind::Message => {
                let body = well_formed(wire.delimited())?;
                self.message(&self.schema.messages[field.target as usize], body, depth + 1)
            }
            Kind::Group => {
                let Some(Payload::Group(body)) = wire.payload(field.number, 3) else {
                    return Err(Stop::Undecided);
                };
                self.message(&self.schema.messages[field.target as usize], body, depth + 1)
            }
            Kind::String => self.sink.string(well_formed(wire.delimited())?),
            Kind::Bytes => self.sink.base64(well_formed(wire.delimited())?),
            _ => self.scalar(field, wire),
        }
    }

    #[inline(always)]
    fn scalar(&mut self, field: &Field, wire: &mut Wire<'w>) -> Result<()> {
        match field.kind {
            Kind::Double => self.sink.double(f64::from_le_bytes(well_formed(wire.array())?)),
            Kind::Float => self.sink.float(f32::from_le_bytes(well_formed(wire.array())?)),
            Kind::Bool => self.sink.boolean(well_formed(wire.varint())? != 0),
            Kind::Enum => {
                let number = well_formed(wire.varint())? as i32;
                self.enumeration(field, number)
            }
            Kind::Int32 | Kind::Sint32 | Kind::Sfixed32 => {
                self.sink.integer(signed(field.kind, wire)?)
            }
            Kind::Uint32 | Kind::Fixed32 => self.sink.integer(unsigned(field.kind, wire)? as i64),
            Kind::Int64 | Kind::Sint64 | Kind::Sfixed64 => {
                let value = signed(field.kind, wire)?;
                self.sink.quoted(itoa::Buffer::new().format(value).as_bytes())
            }
            Kind::Uint64 | Kind::Fixed64 => {
                let value = unsigned(field.kind, wire)?;
                self.sink.quoted(itoa::Buffer::new().format(value).as_bytes())
            }
            Kind::String | Kind::Bytes | Kind::Message | Kind::Group => Err(Stop::Undecided),
        }
    }

    fn enumeration(&mut self, field: &Field, number: i32) -> Result<()> {
        let target = &self.schema.enums[field.target as usize];
        if target.null_value && !(self.options.like_json_format && self.options.enum_numbers) {
            return if number == 0 { self.sink.null() } else { Err(Stop::Undecided) };
        }
        match target.names.get(number) {
            // A JSON name, which an option of the value gives it, may hold anything.
            Some(name) if !self.options.enum_numbers => self.sink.string(name),
            // An unknown value of a closed enum is an unknown field, which has no JSON.
            None if target.closed => Err(Stop::Undecided),
            _ => self.sink.integer(number.into()),
        }
    }

    fn field_mask(&mut self, wire: &'w [u8]) -> Result<()> {
        let mut wire = Wire::new(wire);
        let mut text = Vec::new();
        while !wire.is_empty() {
            let path = well_formed(delimited(&mut wire, 0x0A))?;
            let (mut raise, mut is_empty) = (false, true);
            for &byte in path {
                match byte {
                    b'.' if is_empty => return Err(Stop::Undecided),
                    b'_' if !raise => raise = true,
                    b'a'..=b'z' if raise => {
                        text.push(byte.to_ascii_uppercase());
                        raise = false;
                    }
                    b'a'..=b'z' | b'0'..=b'9' | b'.' if !raise => text.push(byte),
                    _ => return Err(Stop::Undecided),
                }
                is_empty = byte == b'.';
            }
            if raise || is_empty {
                return Err(Stop::Undecided);
            }
            if !wire.is_empty() {
                text.push(b',');
            }
        }
        self.sink.quoted(&text)
    }
}

/// Passes over the value of a field without presence if it is the default.
fn holds_default(field: &Field, wire_type: u8, wire: &mut Wire<'_>) -> bool {
    if field.presence || field.cardinality != Cardinality::Singular {
        return false;
    }
    let mut ahead = *wire;
    let is_default = match wire_type {
        0 => ahead.varint() == Some(0),
        1 => ahead.array() == Some([0; 8]),
        2 => ahead.delimited().is_some_and(<[u8]>::is_empty),
        5 => ahead.array() == Some([0; 4]),
        _ => false,
    };
    if is_default {
        *wire = ahead;
    }
    is_default
}
