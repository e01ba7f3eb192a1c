//! Python values to JSON text, for reading a message from a dict.

use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt, PyString};

use super::exact::{each_element, each_member, exact, utf8_of};
use crate::bytes::growing::Growing;
use crate::bytes::search::is_plain;
use crate::limits::MAX_DEPTH;
use crate::print::escape::write_string;
use crate::scalars::digits::{write_double, write_integer, write_unsigned};
use crate::stop::{Result, Stop};

/// The most bytes of a scalar other than a string.
const SCALAR: usize = 32;
/// The most bytes that a byte of a string becomes.
const ESCAPED: usize = 6;
/// Below 2^53, the shortest digits of a whole double are its value.
const MAX_SHORTEST: f64 = 9_007_199_254_740_992.0;
/// 2^63.
const MAX_INTEGER: f64 = 9_223_372_036_854_775_808.0;

/// The JSON text of a Python value, or None where only the pure backend can decide.
pub fn dump(value: &Bound<'_, PyAny>) -> Option<Growing> {
    let mut dump = Dump(Growing::default());
    dump.value(value, MAX_DEPTH).ok()?;
    Some(dump.0)
}

struct Dump(Growing);

impl Dump {
    #[inline(always)]
    fn byte(&mut self, byte: u8) -> Result<()> {
        self.0.write(1, |out| out.byte(byte))
    }

    /// Writes the text of a value. Values of other types than JSON's exact ones are undecided.
    fn value(&mut self, value: &Bound<'_, PyAny>, deepest: u32) -> Result<()> {
        if let Ok(text) = exact::<PyString>(value) {
            return self.string(text);
        }
        if let Ok(value) = exact::<PyFloat>(value) {
            let value = value.value();
            if !value.is_finite() {
                return Err(Stop::Undecided);
            }
            return self.0.write(SCALAR, |out| {
                // The shortest digits of a large whole number are another integer.
                if value.abs() >= MAX_SHORTEST && value.abs() < MAX_INTEGER {
                    write_integer(out, value as i64)
                } else if (MAX_INTEGER..2.0 * MAX_INTEGER).contains(&value) {
                    write_unsigned(out, value as u64)
                } else {
                    write_double(out, value)
                }
            });
        }
        if let Ok(value) = exact::<PyInt>(value) {
            if let Ok(value) = value.extract::<i64>() {
                return self.0.write(SCALAR, |out| write_integer(out, value));
            }
            let value = value.extract::<u64>().map_err(|_| Stop::Undecided)?;
            return self.0.write(SCALAR, |out| write_unsigned(out, value));
        }
        if let Ok(value) = exact::<PyBool>(value) {
            let text: &[u8] = if value.is_true() { b"true" } else { b"false" };
            return self.0.write(SCALAR, |out| out.short(text));
        }
        if value.is_none() {
            return self.0.write(SCALAR, |out| out.array(*b"null"));
        }
        let deepest = deepest.checked_sub(1).ok_or(Stop::Undecided)?;
        if let Ok(dict) = exact::<PyDict>(value) {
            return self.object(dict, deepest);
        }
        self.list(value, deepest)
    }

    fn object(&mut self, dict: &Bound<'_, PyDict>, deepest: u32) -> Result<()> {
        let mut separator = b'{';
        each_member(dict, |key, value| {
            self.byte(std::mem::replace(&mut separator, b','))?;
            self.string(exact(key)?)?;
            self.byte(b':')?;
            self.value(value, deepest)
        })?;
        if separator == b'{' {
            self.byte(b'{')?;
        }
        self.byte(b'}')
    }

    fn list(&mut self, elements: &Bound<'_, PyAny>, deepest: u32) -> Result<()> {
        let mut separator = b'[';
        each_element(elements, |element| {
            self.byte(std::mem::replace(&mut separator, b','))?;
            self.value(element, deepest)
        })?;
        if separator == b'[' {
            self.byte(b'[')?;
        }
        self.byte(b']')
    }

    fn string(&mut self, text: &Bound<'_, PyString>) -> Result<()> {
        let text = utf8_of(text)?;
        if is_plain::<false>(text) {
            return self.0.write(text.len() + 2, |out| out.between(b'"', text, b'"'));
        }
        self.0.write(ESCAPED * text.len() + 2, |out| write_string::<false>(out, text))
    }
}
