//! Python values made from a walk, equal to those that `json.loads` makes from the JSON text.

use std::mem::MaybeUninit;

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyString};

use super::keys::{Keys, new_string};
use crate::bytes::out::Out;
use crate::print::Sink;
use crate::print::text::name_of;
use crate::scalars::base64;
use crate::scalars::digits::{short_double, write_float};
use crate::scalars::time;
use crate::schema::Field;
use crate::stop::{Result, Stop};

/// Builds dicts, lists, str, int, float, bool and None.
pub struct Values<'n, 'py> {
    py: Python<'py>,
    /// The containers that are open, innermost last.
    open: Vec<Container<'py>>,
    /// The elements of the lists that are open, innermost last.
    elements: Vec<Bound<'py, PyAny>>,
    /// The names of the fields by their places.
    names: &'n [Py<PyString>],
    keys: Keys,
    root: Option<Bound<'py, PyAny>>,
    /// Whether every number of floating point becomes a float, also a whole one.
    as_floats: bool,
}

enum Container<'py> {
    /// A dict and the key of the next value.
    Dict(Bound<'py, PyDict>, Option<Bound<'py, PyString>>),
    /// A list by the place of its first element.
    List(usize),
}

/// Room for the text of a number or a time.
const SHORT_TEXT: usize = 64;

/// Turns an error of Python, such as a lack of memory, into a stop; the pure backend meets it too.
fn done<T>(result: PyResult<T>) -> Result<T> {
    result.map_err(|_| Stop::Undecided)
}

impl<'n, 'py> Values<'n, 'py> {
    /// Makes an empty one that calls fields by these names.
    pub fn new(py: Python<'py>, names: &'n [Py<PyString>], as_floats: bool) -> Self {
        Self { keys: Keys::take(), ..Self::without_keys(py, names, as_floats) }
    }

    fn without_keys(py: Python<'py>, names: &'n [Py<PyString>], as_floats: bool) -> Self {
        let (open, elements) = (Vec::new(), Vec::new());
        Self { py, open, elements, names, keys: Keys::default(), root: None, as_floats }
    }

    pub fn finish(self) -> Option<Bound<'py, PyAny>> {
        self.root
    }

    /// Takes the last value, if it is complete; another one may follow.
    #[inline(always)]
    pub fn next(&mut self) -> Result<Bound<'py, PyAny>> {
        self.root.take().ok_or(Stop::Undecided)
    }

    #[inline(always)]
    fn put(&mut self, value: Bound<'py, PyAny>) -> Result<()> {
        match self.open.last_mut() {
            Some(Container::List(_)) => self.elements.push(value),
            Some(Container::Dict(dict, key)) => {
                done(dict.set_item(key.take().ok_or(Stop::Undecided)?, value))?;
            }
            None => self.root = Some(value),
        }
        Ok(())
    }

    #[inline(always)]
    fn put_key(&mut self, name: Bound<'py, PyString>) -> Result<()> {
        if let Some(Container::Dict(_, key)) = self.open.last_mut() {
            *key = Some(name);
        }
        Ok(())
    }

    fn put_text(&mut self, write: impl FnOnce(&mut Out<'_>) -> Result<()>) -> Result<()> {
        let mut buffer = [MaybeUninit::uninit(); SHORT_TEXT];
        let mut out = Out::new(&mut buffer);
        write(&mut out)?;
        self.put(new_string(self.py, out.written())?.into_any())
    }
}

impl Sink for Values<'_, '_> {
    #[inline]
    fn take(&mut self) -> Self {
        let empty = Self::without_keys(self.py, self.names, self.as_floats);
        std::mem::replace(self, empty)
    }

    fn begin_object(&mut self) -> Result<()> {
        self.open.push(Container::Dict(PyDict::new(self.py), None));
        Ok(())
    }

    #[inline]
    fn field(&mut self, field: &Field, _proto_name: bool, _is_first: bool) -> Result<()> {
        let name = self.names.get(field.id).ok_or(Stop::Undecided)?;
        self.put_key(name.bind(self.py).clone())
    }

    #[inline]
    fn key(&mut self, key: &[u8], _is_first: bool) -> Result<()> {
        let key = self.keys.get(self.py, key)?;
        self.put_key(key)
    }

    fn end_object(&mut self) -> Result<()> {
        match self.open.pop() {
            Some(Container::Dict(dict, _)) => self.put(dict.into_any()),
            _ => Err(Stop::Undecided),
        }
    }

    fn begin_list(&mut self) -> Result<()> {
        self.open.push(Container::List(self.elements.len()));
        Ok(())
    }

    fn next_element(&mut self) -> Result<()> {
        Ok(())
    }

    fn end_list(&mut self) -> Result<()> {
        let Some(Container::List(start)) = self.open.pop() else { return Err(Stop::Undecided) };
        let list = done(PyList::new(self.py, self.elements.drain(start..)))?;
        self.put(list.into_any())
    }

    fn null(&mut self) -> Result<()> {
        self.put(self.py.None().into_bound(self.py))
    }

    fn boolean(&mut self, value: bool) -> Result<()> {
        self.put(done(value.into_pyobject(self.py).map_err(PyErr::from))?.to_owned().into_any())
    }

    fn integer(&mut self, value: i64) -> Result<()> {
        self.put(done(value.into_pyobject(self.py).map_err(PyErr::from))?.into_any())
    }

    #[inline]
    fn double(&mut self, value: f64) -> Result<()> {
        let whole = value as i64;
        if !self.as_floats
            && whole as f64 == value
            && whole.unsigned_abs() < 10_000_000_000_000_000
            && !(whole == 0 && value.is_sign_negative())
        {
            return self.integer(whole);
        }
        if !value.is_finite() {
            return self.quoted(name_of(value));
        }
        self.put(done(value.into_pyobject(self.py).map_err(PyErr::from))?.into_any())
    }

    fn float(&mut self, value: f32) -> Result<()> {
        if !value.is_finite() {
            return self.double(value.into());
        }
        if self.as_floats {
            return self.double(short_double(value)?);
        }
        // The double with the float's shortest digits, not the double of equal value.
        let mut buffer = [MaybeUninit::uninit(); SHORT_TEXT];
        let mut out = Out::new(&mut buffer);
        write_float(&mut out, value)?;
        self.double(fast_float2::parse(out.written()).map_err(|_| Stop::Undecided)?)
    }

    #[inline]
    fn string(&mut self, text: &[u8]) -> Result<()> {
        self.put(new_string(self.py, text)?.into_any())
    }

    fn quoted(&mut self, text: &[u8]) -> Result<()> {
        self.string(text)
    }

    fn base64(&mut self, bytes: &[u8]) -> Result<()> {
        let mut buffer = vec![MaybeUninit::uninit(); base64::written_len(bytes)];
        let mut out = Out::new(&mut buffer);
        base64::write(bytes, &mut out)?;
        self.string(out.written())
    }

    fn timestamp(&mut self, seconds: i64, nanos: i32) -> Result<()> {
        self.put_text(|out| time::write_timestamp(out, seconds, nanos))
    }

    fn duration(&mut self, seconds: i64, nanos: i32) -> Result<()> {
        self.put_text(|out| time::write_duration(out, seconds, nanos))
    }
}
