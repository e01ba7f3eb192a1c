//! The cells of rows as typed Python values.

use pyo3::prelude::*;
use pyo3::types::{PyDate, PyDict, PyString, PyTime};
use pyo3::{IntoPyObject, ffi, intern};

use crate::columns::cells::{self, Form};
use crate::print::Scalar;
use crate::scalars::civil::{self, Clock, Zone};
use crate::scalars::decimal::{Decimal, read_decimal};

/// Makes the values of ordinary cells.
pub struct Typed<'py> {
    py: Python<'py>,
    decimals: Decimals<'py>,
    /// The method of datetimes that reads ISO 8601, faster than a call with all parts.
    datetime_of: Option<Bound<'py, PyAny>>,
    days: Kept<'py, i64>,
    /// By their microseconds, and whether they are in UTC.
    datetimes: Kept<'py, (i64, bool)>,
}

impl<'py> Typed<'py> {
    pub fn new(py: Python<'py>) -> Self {
        Self {
            py,
            decimals: Decimals::new(py),
            datetime_of: None,
            days: Kept::default(),
            datetimes: Kept::default(),
        }
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
                self.decimals.get(read_decimal(text)?, text)?
            }
            Form::ExactDouble => cells::exact_double(cell)?.into_pyobject(py).ok()?.into_any(),
            Form::Date => self.day(cell)?,
            Form::YesNo => boolean(py, cells::yes_no(cell)?)?,
            Form::Time => {
                let Clock { hour, minute, second, micros } = cells::time(cell)?;
                PyTime::new(py, hour, minute, second, micros, None).ok()?.into_any()
            }
            Form::Datetime => {
                let (day, clock) = cells::datetime(cell)?;
                let text = cells::text(cell)?;
                self.datetime((civil::local_micros(day, clock), false), text)?
            }
            Form::Instant => {
                let (day, clock, Zone::Utc) = cells::zoned(cell)? else { return None };
                let text = cells::text(cell)?;
                let key = (civil::local_micros(day, clock), true);
                self.datetime(key, text)?
            }
            Form::Integer | Form::Double | Form::Boolean | Form::Bytes | Form::Text => return None,
        })
    }

    /// A datetime by its key and its text, which is ISO 8601 but for the name of the zone.
    fn datetime(&mut self, key: (i64, bool), text: &[u8]) -> Option<Bound<'py, PyAny>> {
        let (hash, py, datetime_of) = (key.0, self.py, &mut self.datetime_of);
        self.datetimes.get_or_make(hash, key, || {
            if datetime_of.is_none() {
                let class = py.import(intern!(py, "datetime")).ok()?;
                let class = class.getattr(intern!(py, "datetime")).ok()?;
                *datetime_of = class.getattr(intern!(py, "fromisoformat")).ok();
            }
            let text = match key {
                (_, false) => PyString::from_bytes(py, text),
                (_, true) => {
                    let local = text.strip_suffix(b"Z").or_else(|| text.strip_suffix(b"UTC"));
                    let local = local.unwrap_or(text).trim_ascii_end();
                    PyString::from_bytes(py, &[local, &b"Z"[..]].concat())
                }
            };
            call(datetime_of.as_ref()?, text.ok()?)
        })
    }

    fn day(&mut self, cell: Scalar<'_>) -> Option<Bound<'py, PyAny>> {
        let day = cells::date(cell)?;
        let (py, number) = (self.py, day.number());
        self.days.get_or_make(number, number, || {
            let date = PyDate::new(py, day.year.into(), day.month, day.day).ok()?;
            Some(date.into_any())
        })
    }
}

/// Makes decimals of Python.
pub struct Decimals<'py> {
    py: Python<'py>,
    /// The method of an exact context that reads a text, faster than the class.
    decimal_of: Option<Bound<'py, PyAny>>,
    kept: Kept<'py, Decimal>,
}

impl<'py> Decimals<'py> {
    pub fn new(py: Python<'py>) -> Self {
        Self { py, decimal_of: None, kept: Kept::default() }
    }

    /// The decimal of a number and its text.
    pub fn get(&mut self, number: Decimal, text: &[u8]) -> Option<Bound<'py, PyAny>> {
        let (py, decimal_of) = (self.py, &mut self.decimal_of);
        self.kept.get_or_make(number.digits as i64, number, || {
            if decimal_of.is_none() {
                *decimal_of = exact_decimal(py).ok();
            }
            call(decimal_of.as_ref()?, PyString::from_bytes(py, text).ok()?)
        })
    }
}

/// The method that makes a decimal of a text, whatever the context of the program rounds.
fn exact_decimal(py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
    let module = py.import(intern!(py, "decimal"))?;
    let options = PyDict::new(py);
    for (option, limit) in [("prec", "MAX_PREC"), ("Emax", "MAX_EMAX"), ("Emin", "MIN_EMIN")] {
        options.set_item(option, module.getattr(limit)?)?;
    }
    let context = module.call_method(intern!(py, "Context"), (), Some(&options))?;
    context.getattr(intern!(py, "create_decimal"))
}

/// Objects that are found again: in tables, many cells of a column are the same.
struct Kept<'py, K> {
    objects: Vec<Option<(K, Bound<'py, PyAny>)>>,
    /// The number of objects that were made since the room last grew.
    made: usize,
}

/// The binary logarithm of the number of objects that are kept at most.
const MAX_KEPT_BITS: u32 = 12;

impl<K> Default for Kept<'_, K> {
    fn default() -> Self {
        Self { objects: Vec::new(), made: 0 }
    }
}

impl<'py, K: Copy + PartialEq> Kept<'py, K> {
    #[inline(always)]
    fn get_or_make(
        &mut self,
        hash: i64,
        key: K,
        make: impl FnOnce() -> Option<Bound<'py, PyAny>>,
    ) -> Option<Bound<'py, PyAny>> {
        if self.made == self.objects.len() {
            self.grow();
        }
        // The upper bits depend on all bits of the hash.
        let hash = (hash as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> (64 - MAX_KEPT_BITS);
        let place = hash as usize & (self.objects.len() - 1);
        let kept = &mut self.objects[place];
        if let Some((other, object)) = kept
            && *other == key
        {
            return Some(object.clone());
        }
        let object = make()?;
        *kept = Some((key, object.clone()));
        self.made += 1;
        Some(object)
    }

    /// Makes more room, which begins empty: a small table has no use for much.
    #[inline(never)]
    fn grow(&mut self) {
        let room = (4 * self.objects.len()).clamp(64, 1 << MAX_KEPT_BITS);
        if room > self.objects.len() {
            self.objects.clear();
            self.objects.resize_with(room, || None);
        }
        self.made = 0;
    }
}

/// Calls a function with one argument, for which `call1` would make a tuple.
fn call<'py>(
    function: &Bound<'py, PyAny>,
    argument: Bound<'py, PyString>,
) -> Option<Bound<'py, PyAny>> {
    let end = std::ptr::null_mut::<ffi::PyObject>();
    // SAFETY: The arguments are objects, and a null pointer ends them. The result is a new
    // reference, or null with an exception set.
    unsafe {
        let made = ffi::PyObject_CallFunctionObjArgs(function.as_ptr(), argument.as_ptr(), end);
        Bound::from_owned_ptr_or_err(function.py(), made).ok()
    }
}

fn boolean<'py>(py: Python<'py>, value: bool) -> Option<Bound<'py, PyAny>> {
    Some(value.into_pyobject(py).ok()?.to_owned().into_any())
}
