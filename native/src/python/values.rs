//! Python values made from a walk, equal to those that `json.loads` makes from the JSON text.

use std::mem::MaybeUninit;

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyString};

use super::bytes::written_ascii;
use super::keys::{Keys, new_string};
use super::repeated::{Texts, WIDE, WideDicts};
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
    open: Vec<Container>,
    /// The elements, or the keys and values, of the containers that are open, innermost last.
    parts: Vec<Bound<'py, PyAny>>,
    /// The names of the fields by their places.
    names: &'n [Py<PyString>],
    /// Behind a pointer, since the sink is moved again and again. None while it is taken.
    kept: Option<Box<Kept<'py>>>,
    root: Option<Bound<'py, PyAny>>,
    /// Whether every number of floating point becomes a float, also a whole one.
    as_floats: bool,
}

/// The objects that are used again.
struct Kept<'py> {
    keys: Keys,
    texts: Texts<'py>,
    dicts: WideDicts<'py>,
}

/// The place of a container's first part.
enum Container {
    Dict(usize),
    List(usize),
}

/// The containers and the parts for which there is room from the start: enough for most messages.
const OPEN: usize = 16;
const PARTS: usize = 64;

/// Room for the text of a number or a time.
const SHORT_TEXT: usize = 64;

/// Turns an error of Python, such as a lack of memory, into a stop; the pure backend meets it too.
fn done<T>(result: PyResult<T>) -> Result<T> {
    result.map_err(|_| Stop::Undecided)
}

impl<'n, 'py> Values<'n, 'py> {
    /// Makes an empty one that calls fields by these names, for a message of a length.
    pub fn new(
        py: Python<'py>,
        names: &'n [Py<PyString>],
        as_floats: bool,
        message_len: usize,
    ) -> Self {
        let (keys, texts) = (Keys::take(), Texts::new(message_len));
        let kept = Some(Box::new(Kept { keys, texts, dicts: WideDicts::default() }));
        let (open, parts) = (Vec::with_capacity(OPEN), Vec::with_capacity(PARTS));
        Self { py, open, parts, names, kept, root: None, as_floats }
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
        if self.open.is_empty() {
            self.root = Some(value);
        } else {
            self.parts.push(value);
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
        let (open, parts) = (Vec::new(), Vec::new());
        let empty = Self { open, parts, kept: None, root: None, ..*self };
        std::mem::replace(self, empty)
    }

    #[inline]
    fn begin_object(&mut self) -> Result<()> {
        self.open.push(Container::Dict(self.parts.len()));
        Ok(())
    }

    #[inline]
    fn field(&mut self, field: &Field, _proto_name: bool, _is_first: bool) -> Result<()> {
        let name = self.names.get(field.id).ok_or(Stop::Undecided)?;
        self.parts.push(name.bind(self.py).as_any().clone());
        Ok(())
    }

    #[inline]
    fn key(&mut self, key: &[u8], _is_first: bool) -> Result<()> {
        let kept = self.kept.as_mut().ok_or(Stop::Undecided)?;
        self.parts.push(kept.keys.get(self.py, key)?.into_any());
        Ok(())
    }

    fn end_object(&mut self) -> Result<()> {
        let Some(Container::Dict(start)) = self.open.pop() else { return Err(Stop::Undecided) };
        let members = self.parts.get(start..).unwrap_or_default().as_chunks::<2>().0;
        let dict = if members.len() >= WIDE {
            let kept = self.kept.as_mut().ok_or(Stop::Undecided)?;
            kept.dicts.dict(self.py, members)?
        } else {
            PyDict::new(self.py)
        };
        for [key, value] in members {
            done(dict.set_item(key, value))?;
        }
        self.parts.truncate(start);
        self.put(dict.into_any())
    }

    #[inline]
    fn begin_list(&mut self) -> Result<()> {
        self.open.push(Container::List(self.parts.len()));
        Ok(())
    }

    fn next_element(&mut self) -> Result<()> {
        Ok(())
    }

    fn end_list(&mut self) -> Result<()> {
        let Some(Container::List(start)) = self.open.pop() else { return Err(Stop::Undecided) };
        let list = done(PyList::new(self.py, self.parts.drain(start..)))?;
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
        let kept = self.kept.as_mut().ok_or(Stop::Undecided)?;
        let text = kept.texts.get(self.py, text)?;
        self.put(text.into_any())
    }

    fn quoted(&mut self, text: &[u8]) -> Result<()> {
        self.string(text)
    }

    fn base64(&mut self, bytes: &[u8]) -> Result<()> {
        let write = |out: &mut Out<'_>| base64::write(bytes, out);
        let text = done(written_ascii(self.py, base64::written_len(bytes), write))??;
        self.put(text.into_any())
    }

    fn timestamp(&mut self, seconds: i64, nanos: i32) -> Result<()> {
        self.put_text(|out| time::write_timestamp(out, seconds, nanos))
    }

    fn duration(&mut self, seconds: i64, nanos: i32) -> Result<()> {
        self.put_text(|out| time::write_duration(out, seconds, nanos))
    }
}
