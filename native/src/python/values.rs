//! Python values made from a walk, equal to those that `json.loads` makes from the JSON text.

use std::mem::MaybeUninit;

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyString};

use crate::bytes::out::Out;
use crate::print::Sink;
use crate::print::text::name_of;
use crate::scalars::base64;
use crate::scalars::digits::{short_double, write_float};
use crate::scalars::time;
use crate::schema::Field;
use crate::stop::{Result, Stop};

/// Builds dicts, lists, str, int, float, bool and None.
pub struct Values<'py> {
    py: Python<'py>,
    /// The containers that are open, innermost last.
    open: Vec<Container<'py>>,
    /// The elements of the lists that are open, innermost last.
    elements: Vec<Bound<'py, PyAny>>,
    keys: KeyCache<'py>,
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

/// Key objects by their text: rows repeat keys, and the same object compares quickly.
struct KeyCache<'py>(Vec<Option<CachedKey<'py>>>);

type CachedKey<'py> = (Box<[u8]>, Bound<'py, PyString>);

const CACHED_KEYS: usize = 256;
const SMALL: usize = 2048;
const LONGEST_CACHED_KEY: usize = 64;
/// Room for the text of a number or a time.
const SHORT_TEXT: usize = 64;

impl<'py> KeyCache<'py> {
    fn get(&mut self, py: Python<'py>, key: &[u8]) -> Result<Bound<'py, PyString>> {
        if key.len() > LONGEST_CACHED_KEY || self.0.is_empty() {
            return new_string(py, key);
        }
        let ends = (key.first_chunk::<4>(), key.last_chunk::<4>());
        let hash = match ends {
            (Some(first), Some(last)) => {
                u32::from_le_bytes(*first) ^ u32::from_le_bytes(*last).rotate_left(7)
            }
            _ => key.iter().fold(0, |hash, byte| hash << 8 | u32::from(*byte)),
        };
        let hash = (hash ^ key.len() as u32).wrapping_mul(0x9E37_79B1) >> 24;
        let place = &mut self.0[hash as usize % CACHED_KEYS];
        if let Some((text, object)) = place
            && **text == *key
        {
            return Ok(object.clone());
        }
        let object = new_string(py, key)?;
        *place = Some((key.into(), object.clone()));
        Ok(object)
    }
}

fn new_string<'py>(py: Python<'py>, text: &[u8]) -> Result<Bound<'py, PyString>> {
    PyString::from_bytes(py, text).map_err(|_| Stop::Undecided)
}

/// Turns an error of Python, such as a lack of memory, into a stop; the pure backend meets it too.
fn done<T>(result: PyResult<T>) -> Result<T> {
    result.map_err(|_| Stop::Undecided)
}

impl<'py> Values<'py> {
    /// Makes an empty one for a message of `len` bytes: in a small message few keys repeat.
    pub fn new(py: Python<'py>, len: usize, as_floats: bool) -> Self {
        let cached = if len > SMALL { CACHED_KEYS } else { 0 };
        let keys = KeyCache(std::iter::repeat_with(|| None).take(cached).collect());
        Self { py, open: Vec::new(), elements: Vec::new(), keys, root: None, as_floats }
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

    fn put_key(&mut self, text: &[u8]) -> Result<()> {
        let text = self.keys.get(self.py, text)?;
        if let Some(Container::Dict(_, key)) = self.open.last_mut() {
            *key = Some(text);
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

impl Sink for Values<'_> {
    #[inline]
    fn take(&mut self) -> Self {
        let py = self.py;
        let as_floats = self.as_floats;
        std::mem::replace(self, Self::new(py, 0, as_floats))
    }

    fn begin_object(&mut self) -> Result<()> {
        self.open.push(Container::Dict(PyDict::new(self.py), None));
        Ok(())
    }

    fn field(&mut self, field: &Field, proto_name: bool, _is_first: bool) -> Result<()> {
        let key = if proto_name { &field.proto_key } else { &field.json_key };
        self.put_key(&key[2..key.len() - 2])
    }

    fn key(&mut self, key: &[u8], _is_first: bool) -> Result<()> {
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
