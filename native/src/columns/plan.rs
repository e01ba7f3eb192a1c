//! The plan of a message's columns: the column of each field, and the way of its values there.

use arrow_schema::{DataType, Fields, TimeUnit};

use super::column::{Absent, Column};
use crate::schema::{Cardinality, Field, Kind, Message, Schema, Shape};

/// The columns of one message type inside of another.
#[derive(Debug)]
pub struct Plan {
    /// The index of the message in the schema.
    pub message: u32,
    /// In the order of the message's fields.
    pub fields: Box<[FieldPlan]>,
}

/// The column of one field.
#[derive(Debug)]
pub struct FieldPlan {
    pub column: usize,
    /// The column with the name of the member of its oneof that is set.
    pub case: Option<usize>,
    pub take: Take,
}

/// The way of a field's values into their column.
#[derive(Debug)]
pub enum Take {
    Scalar,
    /// The name of an enum's value.
    Enum,
    /// A message as a struct.
    Message(Plan),
    /// A message without fields, of which only its presence is known.
    Empty,
    /// A message as JSON text.
    Json,
    /// A time or duration as its JSON text without the quotes.
    TimeText,
    Timestamp,
    Duration,
    /// The one field of a wrapper.
    Wrapper,
}

/// The plan for the schema's first message, and its empty columns.
///
/// None for a message with something that only Python knows, or columns that are not its own.
pub fn plan_of(schema: &Schema, columns: &DataType) -> Option<(Plan, Column)> {
    let DataType::Struct(fields) = columns else { return None };
    let mut column = Column::new(columns)?;
    let plan = message_plan(schema, 0, fields, &mut column)?;
    Some((plan, column))
}

fn message_plan(
    schema: &Schema,
    index: u32,
    columns: &Fields,
    column: &mut Column,
) -> Option<Plan> {
    let message = schema.messages.get(index as usize)?;
    if !matches!(message.shape, Shape::Fields | Shape::FieldMask) {
        return None;
    }
    let place = |name: &[u8]| columns.iter().position(|column| column.name().as_bytes() == name);
    let mut fields = Vec::with_capacity(message.fields.len());
    for field in &message.fields {
        let own = place(field.proto_name())?;
        let data_type = columns.get(own)?.data_type();
        let take = take_of(schema, field, data_type, column.inner().get_mut(own)?)?;
        let case = field.oneof_name.as_ref();
        let case = case.and_then(|name| place(&[name, &b"_case"[..]].concat()));
        fields.push(FieldPlan { column: own, case, take });
    }
    // Each column is a field's or a oneof's, and none is both.
    let cases = fields.iter().filter_map(|field| field.case);
    let mut known: Vec<_> = cases.collect();
    known.sort_unstable();
    known.dedup();
    known.extend(fields.iter().map(|field| field.column));
    known.sort_unstable();
    known
        .iter()
        .copied()
        .eq(0..columns.len())
        .then(|| Plan { message: index, fields: fields.into() })
}

/// The way of a field's values, whose defaults the column gets to know.
fn take_of(
    schema: &Schema,
    field: &Field,
    data_type: &DataType,
    column: &mut Column,
) -> Option<Take> {
    match (field.cardinality, data_type) {
        (Cardinality::Singular, _) => {
            let (take, default) = single_take(schema, field, data_type, column)?;
            column.absent = if field.presence { Absent::Null } else { default };
            Some(take)
        }
        (Cardinality::Repeated, DataType::List(item)) => {
            column.absent = Absent::Zero;
            let [items] = column.inner() else { return None };
            single_take(schema, field, item.data_type(), items).map(|(take, _)| take)
        }
        (Cardinality::Map, DataType::Map(entries, _)) => {
            column.absent = Absent::Zero;
            let DataType::Struct(pair) = entries.data_type() else { return None };
            let (_, value_field) = entry_fields(schema, field)?;
            let [_, values] = column.inner() else { return None };
            let value_type = pair.get(1)?.data_type();
            single_take(schema, value_field, value_type, values).map(|(take, _)| take)
        }
        _ => None,
    }
}

/// The fields of a map's entry.
pub fn entry_fields<'s>(schema: &'s Schema, field: &Field) -> Option<(&'s Field, &'s Field)> {
    let entry = schema.messages.get(field.target as usize)?;
    let [key, value] = &entry.fields[..] else { return None };
    Some((key, value))
}

/// The way of one value, and the value that stands for none.
fn single_take(
    schema: &Schema,
    field: &Field,
    data_type: &DataType,
    column: &mut Column,
) -> Option<(Take, Absent)> {
    match field.kind {
        Kind::Message | Kind::Group => {
            let message = schema.messages.get(field.target as usize)?;
            message_take(schema, field, message, data_type, column).map(|take| (take, Absent::Null))
        }
        Kind::Enum => {
            let target = schema.enums.get(field.target as usize)?;
            // Columns have the names of the schema, and these tables those of JSON.
            if target.json_names || *data_type != DataType::Utf8 {
                return None;
            }
            let default = target.names.get(0).unwrap_or(b"0");
            Some((Take::Enum, Absent::Text(default.into())))
        }
        kind => (scalar_type(kind)? == *data_type).then_some((Take::Scalar, Absent::Zero)),
    }
}

fn message_take(
    schema: &Schema,
    field: &Field,
    message: &Message,
    data_type: &DataType,
    column: &mut Column,
) -> Option<Take> {
    Some(match (message.shape, data_type) {
        (Shape::Timestamp, DataType::Timestamp(TimeUnit::Nanosecond, Some(_))) => Take::Timestamp,
        (Shape::Duration, DataType::Duration(TimeUnit::Nanosecond)) => Take::Duration,
        (Shape::Timestamp | Shape::Duration, DataType::Utf8) => Take::TimeText,
        (Shape::Wrapper, _) => {
            let value = message.fields.first()?;
            (scalar_type(value.kind)? == *data_type).then_some(Take::Wrapper)?
        }
        (
            Shape::Struct | Shape::Value | Shape::ListValue | Shape::Any | Shape::Fields,
            DataType::Utf8,
        ) => Take::Json,
        (Shape::Fields, DataType::Boolean) if message.fields.is_empty() => Take::Empty,
        (Shape::Fields | Shape::FieldMask, DataType::Struct(fields)) => {
            Take::Message(message_plan(schema, field.target, fields, column)?)
        }
        _ => return None,
    })
}

fn scalar_type(kind: Kind) -> Option<DataType> {
    Some(match kind {
        Kind::Double => DataType::Float64,
        Kind::Float => DataType::Float32,
        Kind::Bool => DataType::Boolean,
        Kind::String => DataType::Utf8,
        Kind::Bytes => DataType::Binary,
        Kind::Int32 | Kind::Sint32 | Kind::Sfixed32 => DataType::Int32,
        Kind::Int64 | Kind::Sint64 | Kind::Sfixed64 => DataType::Int64,
        Kind::Uint32 | Kind::Fixed32 => DataType::UInt32,
        Kind::Uint64 | Kind::Fixed64 => DataType::UInt64,
        Kind::Enum | Kind::Message | Kind::Group => return None,
    })
}
