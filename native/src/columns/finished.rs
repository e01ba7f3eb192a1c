//! Columns that are complete, as Arrow data.

use arrow_buffer::{Buffer, NullBuffer};
use arrow_data::ArrayData;
use arrow_schema::{DataType, Field};

use super::column::{Column, Values};

/// A column as Arrow data of a type, padded to `len` rows; the members of a struct are null where
/// that is. None beyond what the format can hold.
pub fn finished(column: Column, len: usize, data_type: &DataType) -> Option<ArrayData> {
    finished_below(column, len, data_type, None)
}

fn finished_below(
    mut column: Column,
    len: usize,
    data_type: &DataType,
    above: Option<&NullBuffer>,
) -> Option<ArrayData> {
    column.pad(len).ok()?;
    let nulls = NullBuffer::union(column.nulls.build().as_ref(), above);
    let nulls = nulls.filter(|nulls| nulls.null_count() > 0);
    let mut children = Vec::new();
    let mut buffers = Vec::new();
    match column.values {
        Values::Boolean(values) => buffers.push(values.build().into_inner()),
        Values::Int32(values) => buffers.push(Buffer::from_vec(values)),
        Values::Int64(values) => buffers.push(Buffer::from_vec(values)),
        Values::Uint32(values) => buffers.push(Buffer::from_vec(values)),
        Values::Uint64(values) => buffers.push(Buffer::from_vec(values)),
        Values::Float(values) => buffers.push(Buffer::from_vec(values)),
        Values::Double(values) => buffers.push(Buffer::from_vec(values)),
        Values::Decimal128(values) => buffers.push(Buffer::from_vec(values)),
        Values::Decimal256(values) => buffers.push(Buffer::from_vec(values)),
        Values::Bytes(ends, values) => {
            i32::try_from(values.len()).ok()?;
            buffers.extend([Buffer::from_vec(ends), Buffer::from_vec(values)]);
        }
        Values::List(ends, items) => {
            let DataType::List(item) = data_type else { return None };
            i32::try_from(items.len()).ok()?;
            buffers.push(Buffer::from_vec(ends));
            let count = items.len();
            children.push(finished(*items, count, item.data_type())?);
        }
        Values::Map(ends, pair) => {
            let DataType::Map(entries, _) = data_type else { return None };
            i32::try_from(pair[0].len()).ok()?;
            buffers.push(Buffer::from_vec(ends));
            children.push(finished_entries(*pair, entries)?);
        }
        Values::Struct(members) => {
            let DataType::Struct(fields) = data_type else { return None };
            for (column, field) in members.into_iter().zip(fields) {
                children.push(finished_below(column, len, field.data_type(), nulls.as_ref())?);
            }
        }
    }
    let data = ArrayData::builder(data_type.clone()).len(len).nulls(nulls);
    // SAFETY: `Column::new` chose the values for this type, and every method of a column adds one to
    // them and one to the nulls; the ends grow with the bytes and items, whose number fits into an
    // i32. Text is checked by all callers.
    Some(unsafe { data.buffers(buffers).child_data(children).build_unchecked() })
}

fn finished_entries([keys, values]: [Column; 2], entries: &Field) -> Option<ArrayData> {
    let DataType::Struct(fields) = entries.data_type() else { return None };
    let [key, value] = &fields[..] else { return None };
    let len = keys.len();
    let pair =
        vec![finished(keys, len, key.data_type())?, finished(values, len, value.data_type())?];
    let data = ArrayData::builder(entries.data_type().clone()).len(len).child_data(pair);
    // SAFETY: Both columns have `len` rows and the types of the two fields.
    Some(unsafe { data.build_unchecked() })
}
