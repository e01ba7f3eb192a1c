//! Messages to columns.

use arrow_data::ArrayData;
use arrow_schema::DataType;

use super::column::{Column, Fixed};
use super::finished::finished;
use super::plan::{FieldPlan, Plan, Take, entry_fields, plan_of};
use crate::bytes::out::append;
use crate::bytes::wire::{Payload, Wire};
use crate::limits::MAX_DEPTH;
use crate::print::layout::Compact;
use crate::print::payload::{seconds_and_nanos, signed, unsigned, well_formed};
use crate::print::text::Text;
use crate::print::{Entry, PrintOptions, map_entries, signed_key, walk_message};
use crate::scalars::time;
use crate::schema::{Cardinality, DELIMITED, Field, Kind, Schema, Shape};
use crate::stop::{Result, Stop};

const NANOS: i64 = 1_000_000_000;

/// A growing table of messages.
pub struct Messages {
    plan: Plan,
    data_type: DataType,
    /// A struct of all columns.
    columns: Column,
    /// Whether a time that its column cannot hold is null; else it is undecided.
    null_misfits: bool,
}

impl Messages {
    /// An empty table with columns of this struct; None if only Python knows how they are filled.
    pub fn new(schema: &Schema, data_type: DataType, null_misfits: bool) -> Option<Self> {
        let (plan, columns) = plan_of(schema, &data_type)?;
        Some(Self { plan, data_type, columns, null_misfits })
    }

    /// The number of messages.
    pub fn len(&self) -> usize {
        self.columns.len()
    }

    /// Adds a message by its wire format; nothing where it is undecided.
    pub fn add(&mut self, schema: &Schema, wire: &[u8]) -> Result<()> {
        let filler = Filler { schema, null_misfits: self.null_misfits };
        let added = filler.message(&self.plan, &mut self.columns, wire, 0);
        if added.is_err() {
            self.columns.take_back();
        }
        added
    }

    /// Adds a row that is null.
    pub fn null(&mut self) {
        self.columns.null();
    }

    /// Takes all rows as a struct array, which leaves an empty table.
    pub fn take(&mut self) -> Option<ArrayData> {
        let empty = self.columns.emptied();
        let columns = std::mem::replace(&mut self.columns, empty);
        let len = columns.len();
        finished(columns, len, &self.data_type)
    }
}

/// A walk over one message.
struct Filler<'s> {
    schema: &'s Schema,
    null_misfits: bool,
}

impl<'s> Filler<'s> {
    /// Adds the row of a message. Its fields may stand in any order, but each only once.
    fn message(&self, plan: &Plan, column: &mut Column, wire: &[u8], depth: u32) -> Result<()> {
        if depth > MAX_DEPTH {
            return Err(Stop::Undecided);
        }
        let message = &self.schema.messages[plan.message as usize];
        column.structure(|columns, row| {
            let mut wire = Wire::new(wire);
            let mut next = 0;
            while !wire.is_empty() {
                let (number, wire_type) = well_formed(wire.tag())?;
                let mut place = next;
                if message.fields.get(place).is_none_or(|field| field.number != number) {
                    let found = message.fields.binary_search_by_key(&number, |field| field.number);
                    let Ok(found) = found else {
                        // An extension may be known.
                        if message.extendable {
                            return Err(Stop::Undecided);
                        }
                        well_formed(wire.payload(number, wire_type))?;
                        continue;
                    };
                    place = found;
                }
                next = place + 1;
                let (field, plan) = (&message.fields[place], &plan.fields[place]);
                let own = columns.get_mut(plan.column).ok_or(Stop::Undecided)?;
                own.pad(row)?;
                self.field(plan, field, own, wire_type, &mut wire, depth)?;
                if let Some(case) = plan.case {
                    let case = columns.get_mut(case).ok_or(Stop::Undecided)?;
                    // A second member of the oneof finds the row taken.
                    case.pad(row)?;
                    case.bytes(field.proto_name())?;
                }
            }
            Ok(())
        })
    }

    fn field(
        &self,
        plan: &FieldPlan,
        field: &'s Field,
        column: &mut Column,
        wire_type: u8,
        wire: &mut Wire<'_>,
        depth: u32,
    ) -> Result<()> {
        let packed = wire_type == DELIMITED && field.kind.packs();
        if wire_type != field.kind.wire_type()
            && !(packed && field.cardinality == Cardinality::Repeated)
        {
            return Err(Stop::Undecided);
        }
        match field.cardinality {
            Cardinality::Singular => self.single(&plan.take, field, column, wire, depth),
            Cardinality::Map => self.map(&plan.take, field, column, wire, depth),
            Cardinality::Repeated => column.list(|items| {
                if packed {
                    let mut values = Wire::new(well_formed(wire.delimited())?);
                    while !values.is_empty() {
                        self.single(&plan.take, field, items, &mut values, depth)?;
                    }
                } else {
                    self.single(&plan.take, field, items, wire, depth)?;
                    while wire.eat(&field.tag[..field.tag_len.into()]) {
                        self.single(&plan.take, field, items, wire, depth)?;
                    }
                }
                Ok(())
            }),
        }
    }

    fn map(
        &self,
        take: &Take,
        field: &'s Field,
        column: &mut Column,
        wire: &mut Wire<'_>,
        depth: u32,
    ) -> Result<()> {
        let pair = entry_fields(self.schema, field).ok_or(Stop::Undecided)?;
        let (key_field, value_field) = pair;
        let mut entries = Vec::new();
        map_entries(field, pair, wire, |entry| entries.push(entry))?;
        entries.sort_unstable_by(Entry::compare);
        // Two entries with one key are undecided.
        if !entries.is_sorted_by(Entry::is_before) {
            return Err(Stop::Undecided);
        }
        column.map(|[keys, values]| {
            for entry in entries {
                match key_field.kind {
                    Kind::String => utf8(keys, entry.key)?,
                    Kind::Bool => keys.boolean(entry.order != 0)?,
                    Kind::Uint32 | Kind::Fixed32 => (entry.order as u32).push_to(keys)?,
                    Kind::Uint64 | Kind::Fixed64 => entry.order.push_to(keys)?,
                    Kind::Int32 | Kind::Sint32 | Kind::Sfixed32 => {
                        (signed_key(entry.order) as i32).push_to(keys)?;
                    }
                    _ => signed_key(entry.order).push_to(keys)?,
                }
                let mut value = Wire::new(entry.value);
                self.single(take, value_field, values, &mut value, depth + 1)?;
                if !value.is_empty() {
                    return Err(Stop::Undecided);
                }
            }
            Ok(())
        })
    }

    /// Adds one value whose tag was read.
    #[inline]
    fn single(
        &self,
        take: &Take,
        field: &'s Field,
        column: &mut Column,
        wire: &mut Wire<'_>,
        depth: u32,
    ) -> Result<()> {
        match take {
            Take::Scalar => scalar(field.kind, column, wire),
            Take::Enum => self.enumeration(field, column, wire),
            _ => {
                let body = match field.kind {
                    Kind::Message => well_formed(wire.delimited())?,
                    _ => match wire.payload(field.number, 3) {
                        Some(Payload::Group(body)) => body,
                        _ => return Err(Stop::Undecided),
                    },
                };
                self.body(take, field, column, body, depth + 1)
            }
        }
    }

    /// Adds one message.
    fn body(
        &self,
        take: &Take,
        field: &Field,
        column: &mut Column,
        body: &[u8],
        depth: u32,
    ) -> Result<()> {
        match take {
            Take::Message(plan) => self.message(plan, column, body, depth),
            Take::Json => self.json(field.target, column, body, depth),
            Take::Timestamp | Take::Duration => {
                let (seconds, nanos) = seconds_and_nanos(body)?;
                match in_nanos(seconds, nanos, matches!(take, Take::Timestamp)) {
                    Some(total) => total.push_to(column),
                    None if self.null_misfits => {
                        column.null();
                        Ok(())
                    }
                    None => Err(Stop::Undecided),
                }
            }
            Take::TimeText => {
                let (seconds, nanos) = seconds_and_nanos(body)?;
                let shape = self.schema.messages[field.target as usize].shape;
                column.write_bytes(|values| {
                    append(values, 64, |out| match shape {
                        Shape::Timestamp => time::write_timestamp(out, seconds, nanos),
                        _ => time::write_duration(out, seconds, nanos),
                    })
                })
            }
            Take::Wrapper => {
                let message = &self.schema.messages[field.target as usize];
                let value = message.fields.first().ok_or(Stop::Undecided)?;
                let mut wire = Wire::new(body);
                if wire.is_empty() {
                    column.zero();
                    return Ok(());
                }
                if well_formed(wire.tag())? != (value.number, value.kind.wire_type()) {
                    return Err(Stop::Undecided);
                }
                scalar(value.kind, column, &mut wire)?;
                if wire.is_empty() { Ok(()) } else { Err(Stop::Undecided) }
            }
            Take::Empty if body.is_empty() => column.boolean(true),
            Take::Empty | Take::Scalar | Take::Enum => Err(Stop::Undecided),
        }
    }

    /// Adds the JSON text of a message.
    fn json(&self, message: u32, column: &mut Column, wire: &[u8], depth: u32) -> Result<()> {
        column.write_bytes(|values| {
            let start = values.len();
            append(values, wire.len() + wire.len() / 2 + 64, |out| {
                let text = Text { out: std::mem::take(out), layout: Compact };
                let options = PrintOptions::default();
                *out = walk_message(self.schema, message, wire, depth, text, options)?.out;
                Ok(())
            })?;
            valid(values.get(start..).unwrap_or_default())
        })
    }

    #[inline(always)]
    fn enumeration(&self, field: &Field, column: &mut Column, wire: &mut Wire<'_>) -> Result<()> {
        let number = well_formed(wire.varint())? as i32;
        let target = &self.schema.enums[field.target as usize];
        match target.names.get(number) {
            Some(name) => column.bytes(name),
            // An unknown value of a closed enum is an unknown field.
            None if target.closed => Err(Stop::Undecided),
            None => column.bytes(itoa::Buffer::new().format(number).as_bytes()),
        }
    }
}

#[inline(always)]
fn scalar(kind: Kind, column: &mut Column, wire: &mut Wire<'_>) -> Result<()> {
    match kind {
        Kind::String => utf8(column, well_formed(wire.delimited())?),
        Kind::Bytes => column.bytes(well_formed(wire.delimited())?),
        Kind::Bool => column.boolean(well_formed(wire.varint())? != 0),
        Kind::Double => f64::from_le_bytes(well_formed(wire.array())?).push_to(column),
        Kind::Float => f32::from_le_bytes(well_formed(wire.array())?).push_to(column),
        Kind::Int32 | Kind::Sint32 | Kind::Sfixed32 => (signed(kind, wire)? as i32).push_to(column),
        Kind::Int64 | Kind::Sint64 | Kind::Sfixed64 => signed(kind, wire)?.push_to(column),
        Kind::Uint32 | Kind::Fixed32 => (unsigned(kind, wire)? as u32).push_to(column),
        Kind::Uint64 | Kind::Fixed64 => unsigned(kind, wire)?.push_to(column),
        Kind::Enum | Kind::Message | Kind::Group => Err(Stop::Undecided),
    }
}

#[inline(always)]
fn utf8(column: &mut Column, text: &[u8]) -> Result<()> {
    valid(text)?;
    column.bytes(text)
}

/// Stops at text that is not UTF-8.
#[inline(always)]
pub fn valid(text: &[u8]) -> Result<()> {
    // Most texts are short and ASCII.
    if text.is_ascii() {
        return Ok(());
    }
    simdutf8::basic::from_utf8(text).map(drop).map_err(|_| Stop::Undecided)
}

/// A time or a duration in nanoseconds; None where that has more than 64 bits, or where the parts
/// would not come back as they are. The least number of 64 bits is "not a time" to numpy.
fn in_nanos(seconds: i64, nanos: i32, is_timestamp: bool) -> Option<i64> {
    let nanos = i64::from(nanos);
    let lower = if seconds <= 0 && !is_timestamp { -NANOS } else { -1 };
    let upper = if seconds < 0 && !is_timestamp { 1 } else { NANOS };
    if !(lower < nanos && nanos < upper) {
        return None;
    }
    let total = i128::from(seconds) * i128::from(NANOS) + i128::from(nanos);
    i64::try_from(total).ok().filter(|total| *total != i64::MIN)
}
