//! A column that grows row by row.

use arrow_buffer::{ArrowNativeType, BooleanBufferBuilder, NullBufferBuilder, i256};
use arrow_schema::DataType;

use crate::stop::{Result, Stop};

/// The value of a row that has none.
#[derive(Clone, Debug)]
pub enum Absent {
    Null,
    /// Zero, false, the empty text or the empty list.
    Zero,
    /// The name of an enum's default.
    Text(Box<[u8]>),
}

/// A growing column.
///
/// Columns inside of it may be shorter than it is: rows that have no value for them are added when
/// the next value comes, or at the end. So a row costs only the values that it has.
pub struct Column {
    pub(super) values: Values,
    pub(super) nulls: NullBufferBuilder,
    pub absent: Absent,
}

/// The values by their layout in memory.
pub(super) enum Values {
    Boolean(BooleanBufferBuilder),
    Int32(Vec<i32>),
    Int64(Vec<i64>),
    Uint32(Vec<u32>),
    Uint64(Vec<u64>),
    Float(Vec<f32>),
    Double(Vec<f64>),
    Decimal128(Vec<i128>),
    Decimal256(Vec<i256>),
    /// Strings or bytes: where each ends, and all of them.
    Bytes(Vec<i32>, Vec<u8>),
    /// Where each list ends, and the items of all.
    List(Vec<i32>, Box<Column>),
    /// Where each map ends, and the keys and values of all.
    Map(Vec<i32>, Box<[Column; 2]>),
    Struct(Box<[Column]>),
}

impl Column {
    /// An empty column of a type; None for types that the core does not make.
    pub fn new(data_type: &DataType) -> Option<Self> {
        let values = match data_type {
            DataType::Boolean => Values::Boolean(BooleanBufferBuilder::new(0)),
            DataType::Int32 | DataType::Date32 => Values::Int32(Vec::new()),
            DataType::Int64
            | DataType::Time64(_)
            | DataType::Timestamp(..)
            | DataType::Duration(_) => Values::Int64(Vec::new()),
            DataType::UInt32 => Values::Uint32(Vec::new()),
            DataType::UInt64 => Values::Uint64(Vec::new()),
            DataType::Float32 => Values::Float(Vec::new()),
            DataType::Float64 => Values::Double(Vec::new()),
            DataType::Decimal128(..) => Values::Decimal128(Vec::new()),
            DataType::Decimal256(..) => Values::Decimal256(Vec::new()),
            DataType::Utf8 | DataType::Binary => Values::Bytes(vec![0], Vec::new()),
            DataType::List(item) => Values::List(vec![0], Box::new(Self::new(item.data_type())?)),
            DataType::Map(entries, _) => match entries.data_type() {
                DataType::Struct(fields) => {
                    let [key, value] = &fields[..] else { return None };
                    let pair = [Self::new(key.data_type())?, Self::new(value.data_type())?];
                    Values::Map(vec![0], Box::new(pair))
                }
                _ => return None,
            },
            DataType::Struct(fields) => {
                let members = fields.iter().map(|field| Self::new(field.data_type()));
                Values::Struct(members.collect::<Option<_>>()?)
            }
            _ => return None,
        };
        Some(Self { values, nulls: NullBufferBuilder::new(0), absent: Absent::Null })
    }

    /// A column like this one without its rows, with room for as many.
    pub fn emptied(&self) -> Self {
        fn like<T>(values: &[T]) -> Vec<T> {
            Vec::with_capacity(values.len())
        }
        let ends_like = |ends: &[i32]| {
            let mut empty = like(ends);
            empty.push(0);
            empty
        };
        let values = match &self.values {
            Values::Boolean(values) => Values::Boolean(BooleanBufferBuilder::new(values.len())),
            Values::Int32(values) => Values::Int32(like(values)),
            Values::Int64(values) => Values::Int64(like(values)),
            Values::Uint32(values) => Values::Uint32(like(values)),
            Values::Uint64(values) => Values::Uint64(like(values)),
            Values::Float(values) => Values::Float(like(values)),
            Values::Double(values) => Values::Double(like(values)),
            Values::Decimal128(values) => Values::Decimal128(like(values)),
            Values::Decimal256(values) => Values::Decimal256(like(values)),
            Values::Bytes(ends, values) => Values::Bytes(ends_like(ends), like(values)),
            Values::List(ends, items) => Values::List(ends_like(ends), Box::new(items.emptied())),
            Values::Map(ends, pair) => {
                Values::Map(ends_like(ends), Box::new(pair.each_ref().map(Self::emptied)))
            }
            Values::Struct(members) => Values::Struct(members.iter().map(Self::emptied).collect()),
        };
        Self { values, nulls: NullBufferBuilder::new(self.len()), absent: self.absent.clone() }
    }

    /// The number of rows so far.
    #[inline(always)]
    pub fn len(&self) -> usize {
        self.nulls.len()
    }

    /// Makes room for values, to the number of rows that are expected.
    pub fn reserve(&mut self, rows: usize) {
        match &mut self.values {
            Values::Int32(values) => values.reserve(rows),
            Values::Int64(values) => values.reserve(rows),
            Values::Double(values) => values.reserve(rows),
            Values::Decimal128(values) => values.reserve(rows),
            Values::Bytes(ends, values) => {
                ends.reserve(rows);
                values.reserve(8 * rows);
            }
            _ => {}
        }
    }

    /// Adds rows without a value until `len` are there. More than those is a row with two values.
    #[inline(always)]
    pub fn pad(&mut self, len: usize) -> Result<()> {
        if self.len() == len {
            return Ok(());
        }
        self.add_absent(len)
    }

    #[inline(never)]
    fn add_absent(&mut self, len: usize) -> Result<()> {
        let missing = len.checked_sub(self.len()).ok_or(Stop::Undecided)?;
        match &self.absent {
            Absent::Null => {
                self.nulls.append_n_nulls(missing);
                self.values.extend(len, missing, b"");
            }
            Absent::Zero => {
                self.nulls.append_n_non_nulls(missing);
                self.values.extend(len, missing, b"");
            }
            Absent::Text(text) => {
                self.nulls.append_n_non_nulls(missing);
                self.values.extend(len, missing, text);
            }
        }
        Ok(())
    }

    /// Adds a row with zero, false or the empty text.
    pub fn zero(&mut self) {
        self.nulls.append_non_null();
        let len = self.len();
        self.values.extend(len, 1, b"");
    }

    /// Adds a row that is null.
    pub fn null(&mut self) {
        self.nulls.append_null();
        let len = self.len();
        self.values.extend(len, 1, b"");
    }

    /// Takes back the rows from `len` on.
    pub fn truncate(&mut self, len: usize) {
        if self.len() <= len {
            return;
        }
        self.nulls.truncate(len);
        let end = |ends: &mut Vec<i32>| {
            ends.truncate(len + 1);
            ends.last().map_or(0, |end| end.as_usize())
        };
        match &mut self.values {
            Values::Boolean(values) => values.truncate(len),
            Values::Int32(values) => values.truncate(len),
            Values::Int64(values) => values.truncate(len),
            Values::Uint32(values) => values.truncate(len),
            Values::Uint64(values) => values.truncate(len),
            Values::Float(values) => values.truncate(len),
            Values::Double(values) => values.truncate(len),
            Values::Decimal128(values) => values.truncate(len),
            Values::Decimal256(values) => values.truncate(len),
            Values::Bytes(ends, values) => values.truncate(end(ends)),
            Values::List(ends, items) => items.truncate(end(ends)),
            Values::Map(ends, pair) => {
                let end = end(ends);
                pair.iter_mut().for_each(|column| column.truncate(end));
            }
            Values::Struct(members) => members.iter_mut().for_each(|column| column.truncate(len)),
        }
    }

    /// Takes back what members of a struct have beyond its rows, after a row that is undecided.
    pub fn take_back(&mut self) {
        let len = self.len();
        match &mut self.values {
            Values::Struct(members) => {
                for column in members {
                    column.truncate(len);
                    column.take_back();
                }
            }
            Values::List(ends, items) => {
                let end = ends.last().map_or(0, |end| end.as_usize());
                items.truncate(end);
                items.take_back();
            }
            Values::Map(ends, pair) => {
                let end = ends.last().map_or(0, |end| end.as_usize());
                for column in pair.iter_mut() {
                    column.truncate(end);
                    column.take_back();
                }
            }
            Values::Bytes(ends, values) => {
                values.truncate(ends.last().map_or(0, |end| end.as_usize()));
            }
            _ => {}
        }
    }

    #[inline(always)]
    pub fn boolean(&mut self, value: bool) -> Result<()> {
        let Values::Boolean(values) = &mut self.values else { return Err(Stop::Undecided) };
        values.append(value);
        self.nulls.append_non_null();
        Ok(())
    }

    /// Adds text or bytes. The caller checks that text is UTF-8.
    #[inline(always)]
    pub fn bytes(&mut self, value: &[u8]) -> Result<()> {
        self.write_bytes(|values| {
            values.extend_from_slice(value);
            Ok(())
        })
    }

    /// Adds the text or bytes that `write` appends.
    #[inline(always)]
    pub fn write_bytes(&mut self, write: impl FnOnce(&mut Vec<u8>) -> Result<()>) -> Result<()> {
        let Values::Bytes(ends, values) = &mut self.values else { return Err(Stop::Undecided) };
        write(values)?;
        // A column that is too large for its ends is refused when it is finished.
        ends.push(values.len() as i32);
        self.nulls.append_non_null();
        Ok(())
    }

    /// Adds the list whose items `fill` adds to the column of all items.
    #[inline(always)]
    pub fn list(&mut self, fill: impl FnOnce(&mut Self) -> Result<()>) -> Result<()> {
        let Values::List(ends, items) = &mut self.values else { return Err(Stop::Undecided) };
        fill(items)?;
        ends.push(items.len() as i32);
        self.nulls.append_non_null();
        Ok(())
    }

    /// Adds the map whose keys and values `fill` adds to the two columns of all.
    pub fn map(&mut self, fill: impl FnOnce(&mut [Self; 2]) -> Result<()>) -> Result<()> {
        let Values::Map(ends, pair) = &mut self.values else { return Err(Stop::Undecided) };
        fill(pair)?;
        ends.push(pair[0].len() as i32);
        self.nulls.append_non_null();
        Ok(())
    }

    /// Adds the row whose members `fill` adds; it gets the columns and the number of the row.
    #[inline(always)]
    pub fn structure(&mut self, fill: impl FnOnce(&mut [Self], usize) -> Result<()>) -> Result<()> {
        let row = self.nulls.len();
        let Values::Struct(members) = &mut self.values else { return Err(Stop::Undecided) };
        fill(members, row)?;
        self.nulls.append_non_null();
        Ok(())
    }

    /// The columns inside: of a list its items, of a map its keys and values, of a struct its members.
    pub fn inner(&mut self) -> &mut [Self] {
        match &mut self.values {
            Values::List(_, items) => std::slice::from_mut(items),
            Values::Map(_, pair) => &mut pair[..],
            Values::Struct(members) => members,
            _ => &mut [],
        }
    }
}

impl Values {
    /// Adds `missing` values, up to `len`, which are zero or this text.
    fn extend(&mut self, len: usize, missing: usize, text: &[u8]) {
        match self {
            Self::Boolean(values) => values.append_n(missing, false),
            Self::Int32(values) => values.resize(len, 0),
            Self::Int64(values) => values.resize(len, 0),
            Self::Uint32(values) => values.resize(len, 0),
            Self::Uint64(values) => values.resize(len, 0),
            Self::Float(values) => values.resize(len, 0.0),
            Self::Double(values) => values.resize(len, 0.0),
            Self::Decimal128(values) => values.resize(len, 0),
            Self::Decimal256(values) => values.resize(len, i256::ZERO),
            Self::Bytes(ends, values) => {
                for _ in 0..missing {
                    values.extend_from_slice(text);
                    ends.push(values.len() as i32);
                }
            }
            Self::List(ends, _) | Self::Map(ends, _) => {
                ends.resize(len + 1, ends.last().copied().unwrap_or(0));
            }
            Self::Struct(_) => {}
        }
    }
}

/// A type whose values stand in a column one behind the other.
pub trait Fixed {
    fn push_to(self, column: &mut Column) -> Result<()>;
}

macro_rules! fixed {
    ($($variant:ident $type:ty),*) => {$(
        impl Fixed for $type {
            #[inline(always)]
            fn push_to(self, column: &mut Column) -> Result<()> {
                let Values::$variant(values) = &mut column.values else {
                    return Err(Stop::Undecided);
                };
                values.push(self);
                column.nulls.append_non_null();
                Ok(())
            }
        }
    )*};
}

fixed!(
    Int32 i32, Int64 i64, Uint32 u32, Uint64 u64, Float f32, Double f64, Decimal128 i128,
    Decimal256 i256
);
