//! The cells of rows as typed Python values.

use pyo3::prelude::*;
use pyo3::types::{PyDate, PyString, PyTime};
use pyo3::{IntoPyObject, intern};

use crate::columns::cells::{self, Form};
use crate::print::Scalar;
use crate::scalars::civil::{Clock, Zone};
use crate::scalars::decimal::read_decimal;

/// The number of days that are kept: their objects are found again by the digits of the day.
const KEPT_DAYS: usize = 1024;

/// Makes the values of ordinary cells.
pub struct Typed<'py> {
    py: Python<'py>,
    /// The class of decimals.
    decimal: Option<Bound<'py, PyAny>>,
    /// The method of datetimes that reads ISO 8601, faster than a call with all parts.
    datetime_of: Option<Bound<'py, PyAny>>,
    days: Vec<Option<(i64, Bound<'py, PyDate>)>>,
}

impl<'py> Typed<'py> {
    pub fn new(py: Python<'py>) -> PyResult<Self> {
        Ok(Self { py, decimal: None, datetime_of: None, days: Vec::new() })
    }

    /// The result of a cast for a cell, or None if the cast must be called.
    #[inline(always)]
    pub fn value(&mut self, form: Form, cell: Scalar<'_>) -> Option<Bound<'py, PyAny>> {
        let py = self.py;
        Some(match form {
            Form::Integer => cells::integer(cell)?.into_pyobject(py).ok()?.into_any(),
            Form::Double => cells::double(cell)?.into_pyobject(py).ok()?.into_any(),
            Form::Boolean => boolean(py, cells::boolean(cell)?)?,
            _ => self.other(form, cell)?,
        })
    }

    fn other(&mut self, form: Form, cell: Scalar<'_>) -> Option<Bound<'py, PyAny>> {
        let py = self.py;
        Some(match form {
            Form::Decimal => {
                let text = cells::text(cell)?;
                read_decimal(text)?;
                let text = PyString::from_bytes(py, text).ok()?;
                self.decimal()?.call1((text,)).ok()?
            }
            Form::ExactDouble => cells::exact_double(cell)?.into_pyobject(py).ok()?.into_any(),
            Form::Date => self.day(cell)?,
            Form::YesNo => boolean(py, cells::yes_no(cell)?)?,
            Form::Time => {
                let Clock { hour, minute, second, micros } = cells::time(cell)?;
                PyTime::new(py, hour, minute, second, micros, None).ok()?.into_any()
            }
            Form::Datetime => {
                cells::datetime(cell)?;
                self.datetime(cells::text(cell)?)?
            }
            Form::Instant => {
                let (.., Zone::Utc) = cells::zoned(cell)? else { return None };
                let text = cells::text(cell)?;
                let local = text.strip_suffix(b"Z").or_else(|| text.strip_suffix(b"UTC"));
                let local = local.unwrap_or(text);
                let local = local.strip_suffix(b" ").unwrap_or(local);
                self.datetime(&[local, &b"Z"[..]].concat())?
            }
            Form::Integer | Form::Double | Form::Boolean | Form::Bytes | Form::Text => return None,
        })
    }

    fn datetime(&mut self, text: &[u8]) -> Option<Bound<'py, PyAny>> {
        if self.datetime_of.is_none() {
            let class = self.py.import(intern!(self.py, "datetime")).ok()?;
            let class = class.getattr(intern!(self.py, "datetime")).ok()?;
            self.datetime_of = class.getattr(intern!(self.py, "fromisoformat")).ok();
        }
        let text = PyString::from_bytes(self.py, text).ok()?;
        self.datetime_of.as_ref()?.call1((text,)).ok()
    }

    fn decimal(&mut self) -> Option<&Bound<'py, PyAny>> {
        if self.decimal.is_none() {
            let module = self.py.import(intern!(self.py, "decimal")).ok()?;
            self.decimal = module.getattr(intern!(self.py, "Decimal")).ok();
        }
        self.decimal.as_ref()
    }

    /// A day, which mostly came before.
    fn day(&mut self, cell: Scalar<'_>) -> Option<Bound<'py, PyAny>> {
        let day = cells::date(cell)?;
        let number = day.number();
        if self.days.is_empty() {
            self.days.resize_with(KEPT_DAYS, || None);
        }
        let kept = &mut self.days[number.rem_euclid(KEPT_DAYS as i64) as usize];
        if let Some((other, date)) = kept
            && *other == number
        {
            return Some(date.as_any().clone());
        }
        let date = PyDate::new(self.py, day.year.into(), day.month, day.day).ok()?;
        *kept = Some((number, date.clone()));
        Some(date.into_any())
    }
}

fn boolean<'py>(py: Python<'py>, value: bool) -> Option<Bound<'py, PyAny>> {
    Some(value.into_pyobject(py).ok()?.to_owned().into_any())
}
