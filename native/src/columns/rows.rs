//! The Structs of a field to columns.

use std::mem::MaybeUninit;

use arrow_buffer::i256;
use arrow_data::ArrayData;
use arrow_schema::{DataType, TimeUnit};

use super::cells::{self, Form};
use super::column::{Column, Fixed};
use super::finished::finished;
use super::messages::valid;
use super::places::Places;
use crate::bytes::out::Out;
use crate::bytes::wire::Wire;
use crate::limits::MAX_DEPTH;
use crate::parse::{ParseOptions, Reader};
use crate::print::payload::{delimited, well_formed};
use crate::print::{Scalar, each_entry, each_struct};
use crate::scalars::base64;
use crate::scalars::civil;
use crate::schema::Schema;
use crate::stop::{Result, Stop};

/// The shape of a column's cells.
pub enum Cells {
    Form(Form),
    /// Text as it is; anything else is left to Python.
    Any,
    /// The text of a JSON value, as it is; anything else is left to Python.
    Json,
    List(Box<Cells>),
    Record(Vec<(String, Cells)>),
    /// Cells of which only Python knows the values.
    Python,
}

/// A column to be made of the members with a name.
pub struct Request {
    pub name: String,
    pub cells: Cells,
    pub data_type: DataType,
}

/// The columns of the Structs in the field `name`; None for each with a cell that is undecided.
///
/// With `strict`, members without a column are undecided, and so is all.
pub fn columns_of_rows(
    schema: &Schema,
    wire: &[u8],
    name: &str,
    requests: &[Request],
    strict: bool,
) -> Result<Vec<Option<ArrayData>>> {
    let mut columns = requests
        .iter()
        .map(|request| {
            let filler = Filler::new(&request.cells, &request.data_type)?;
            let mut column = Column::new(&request.data_type)?;
            // A row takes some ten bytes for each cell.
            column.reserve(wire.len() / (24 * requests.len().max(1)));
            Some((filler, column))
        })
        .collect::<Vec<_>>();
    let names = requests.iter().map(|request| request.name.as_bytes().into()).collect();
    let mut places = Places::new(names).ok_or(Stop::Undecided)?;
    let mut row = 0;
    each_struct(schema, wire, name.as_bytes(), |structure| {
        let mut index = 0;
        each_entry(structure, |key, value| {
            let place = places.find(index, key);
            index += 1;
            let scalar = Scalar::read(value)?;
            let Some(place) = place else {
                // It must be valid too, though it is left out.
                return match scalar {
                    Some(Scalar::Text(text)) if !strict => valid(key).and_then(|()| valid(text)),
                    Some(_) if !strict => valid(key),
                    _ => Err(Stop::Undecided),
                };
            };
            if let Some((filler, column)) = &mut columns[place] {
                column.pad(row)?;
                if filler.fill(scalar, value, column, 0).is_err() {
                    columns[place] = None;
                }
            }
            Ok(())
        })?;
        row += 1;
        Ok(())
    })?;
    let finished = columns.into_iter().zip(requests).map(|(column, request)| {
        column.and_then(|(_, column)| finished(column, row, &request.data_type))
    });
    Ok(finished.collect())
}

/// The way of a cell into its column.
enum Filler {
    Integer,
    Double,
    ExactDouble,
    Boolean,
    YesNo,
    Decimal128(i32),
    Decimal256(i32),
    Date,
    Time,
    Datetime,
    Instant,
    Bytes,
    Text,
    Json(Box<JsonText>),
    List(Box<Filler>),
    Record(Places, Vec<Filler>),
}

impl Filler {
    fn new(cells: &Cells, data_type: &DataType) -> Option<Self> {
        use DataType as T;
        const MICROS: TimeUnit = TimeUnit::Microsecond;
        Some(match (cells, data_type) {
            (Cells::Form(Form::Integer), T::Int64) => Self::Integer,
            (Cells::Form(Form::Double), T::Float64) => Self::Double,
            (Cells::Form(Form::ExactDouble), T::Float64) => Self::ExactDouble,
            (Cells::Form(Form::Boolean), T::Boolean) => Self::Boolean,
            (Cells::Form(Form::YesNo), T::Boolean) => Self::YesNo,
            (Cells::Form(Form::Decimal), T::Decimal128(38, scale)) => {
                Self::Decimal128((*scale).into())
            }
            (Cells::Form(Form::Decimal), T::Decimal256(76, scale)) => {
                Self::Decimal256((*scale).into())
            }
            (Cells::Form(Form::Date), T::Date32) => Self::Date,
            (Cells::Form(Form::Time), T::Time64(MICROS)) => Self::Time,
            (Cells::Form(Form::Datetime), T::Timestamp(MICROS, None)) => Self::Datetime,
            (Cells::Form(Form::Instant), T::Timestamp(MICROS, Some(_))) => Self::Instant,
            (Cells::Form(Form::Bytes), T::Binary) => Self::Bytes,
            (Cells::Form(Form::Text) | Cells::Any, T::Utf8) => Self::Text,
            (Cells::Json, T::Utf8) => Self::Json(Box::default()),
            (Cells::List(items), T::List(item)) => {
                Self::List(Box::new(Self::new(items, item.data_type())?))
            }
            (Cells::Record(members), T::Struct(fields)) if members.len() == fields.len() => {
                let names = members.iter().map(|(name, _)| name.as_bytes().into()).collect();
                let fillers = members.iter().zip(fields).map(|((name, cells), field)| {
                    (name == field.name()).then_some(())?;
                    Self::new(cells, field.data_type())
                });
                let members = fillers.collect::<Option<_>>()?;
                Self::Record(Places::new(names)?, members)
            }
            _ => return None,
        })
    }

    /// Adds a cell, which was read if it is a scalar.
    #[inline(always)]
    fn fill(
        &mut self,
        scalar: Option<Scalar<'_>>,
        wire: &[u8],
        column: &mut Column,
        depth: u32,
    ) -> Result<()> {
        match scalar {
            Some(Scalar::Null) => {
                column.null();
                Ok(())
            }
            Some(scalar) => self.fill_scalar(scalar, column),
            None => self.fill_nested(wire, column, depth),
        }
    }

    #[inline(always)]
    fn fill_scalar(&mut self, cell: Scalar<'_>, column: &mut Column) -> Result<()> {
        match self {
            Self::Text => {
                let text = well_formed(cells::text(cell))?;
                valid(text)?;
                column.bytes(text)
            }
            Self::Integer => well_formed(cells::integer(cell))?.push_to(column),
            Self::Double => well_formed(cells::double(cell))?.push_to(column),
            Self::Date => (well_formed(cells::date(cell))?.number() as i32).push_to(column),
            Self::Decimal128(scale) => {
                let number = well_formed(cells::decimal(cell))?;
                well_formed(number.scaled(*scale))?.push_to(column)
            }
            Self::ExactDouble => well_formed(cells::exact_double(cell))?.push_to(column),
            Self::Boolean => column.boolean(well_formed(cells::boolean(cell))?),
            Self::YesNo => column.boolean(well_formed(cells::yes_no(cell))?),
            Self::Decimal256(scale) => decimal256(cell, *scale)?.push_to(column),
            Self::Time => well_formed(cells::time(cell))?.of_day().push_to(column),
            Self::Datetime => {
                let (day, clock) = well_formed(cells::datetime(cell))?;
                civil::local_micros(day, clock).push_to(column)
            }
            Self::Instant => well_formed(cells::instant(cell))?.push_to(column),
            Self::Json(json) => {
                let text = well_formed(cells::text(cell))?;
                json.check(text)?;
                column.bytes(text)
            }
            Self::Bytes => bytes(well_formed(cells::text(cell))?, column),
            Self::List(_) | Self::Record(..) => Err(Stop::Undecided),
        }
    }

    #[inline(never)]
    fn fill_nested(&mut self, wire: &[u8], column: &mut Column, depth: u32) -> Result<()> {
        let (&tag, rest) = well_formed(wire.split_first())?;
        let mut wire = Wire::new(rest);
        let body = well_formed(wire.delimited())?;
        // A level of cells takes up to four of the messages that protobuf reads.
        if !wire.is_empty() || depth > MAX_DEPTH / 4 {
            return Err(Stop::Undecided);
        }
        match (self, tag) {
            (Self::Record(places, members), 0x2A) => column.structure(|columns, row| {
                let mut index = 0;
                each_entry(body, |key, value| {
                    let place = places.find(index, key);
                    index += 1;
                    // Only Python looks at a member that has no column.
                    let place = place.ok_or(Stop::Undecided)?;
                    let own = &mut columns[place];
                    own.pad(row)?;
                    members[place].fill(Scalar::read(value)?, value, own, depth + 1)
                })
            }),
            (Self::List(filler), 0x32) => column.list(|items| {
                let mut values = Wire::new(body);
                while !values.is_empty() {
                    let value = well_formed(delimited(&mut values, 0x0A))?;
                    filler.fill(Scalar::read(value)?, value, items, depth + 1)?;
                }
                Ok(())
            }),
            _ => Err(Stop::Undecided),
        }
    }
}

/// Checks that texts are JSON values.
struct JsonText {
    value: Schema,
    reader: Reader,
}

impl Default for JsonText {
    fn default() -> Self {
        Self { value: Schema::of_value(), reader: Reader::default() }
    }
}

impl JsonText {
    fn check(&mut self, text: &[u8]) -> Result<()> {
        self.reader.read(&self.value, text, ParseOptions::default(), |_| Ok(()))
    }
}

fn decimal256(cell: Scalar<'_>, scale: i32) -> Result<i256> {
    let number = well_formed(cells::decimal(cell))?;
    // Of the digits behind the point, 38 are kept: as many as 128 bits can hold.
    let whole = well_formed(number.scaled((-number.exponent).clamp(0, scale)))?;
    let power = scale - (-number.exponent).clamp(0, scale);
    let ten = well_formed(10i128.checked_pow(power.unsigned_abs()))?;
    let value = well_formed(i256::from_i128(whole).checked_mul(i256::from_i128(ten)))?;
    let limit = i256::from_i128(10i128.pow(38)).wrapping_mul(i256::from_i128(10i128.pow(38)));
    if value.wrapping_abs() < limit { Ok(value) } else { Err(Stop::Undecided) }
}

fn bytes(text: &[u8], column: &mut Column) -> Result<()> {
    // Python decodes the standard alphabet, with its padding.
    if !text.len().is_multiple_of(4) || text.iter().any(|byte| matches!(byte, b'-' | b'_')) {
        return Err(Stop::Undecided);
    }
    let mut room = vec![MaybeUninit::uninit(); base64::max_len(text)];
    let mut out = Out::new(&mut room);
    base64::read(text, &mut out)?;
    column.bytes(out.written())
}
