//! Python values to JSON text, for reading a message from a dict.

use std::mem::MaybeUninit;

use pyo3::prelude::*;
use pyo3::types::{PyBool, PyBytes, PyDict, PyFloat, PyInt, PyList, PyString, PyTuple};

use super::bytes::copied_bytes;
use super::room::KEEP_LOCK;
use crate::bytes::out::Out;
use crate::limits::MAX_DEPTH;
use crate::print::text::write_string;
use crate::scalars::digits::{write_double, write_integer, write_unsigned};
use crate::stop::{Result, Stop};

/// The JSON text of a Python value, or None where only the pure backend can decide.
pub fn dump<'py>(
    py: Python<'py>,
    value: &Bound<'py, PyAny>,
) -> PyResult<Option<Bound<'py, PyBytes>>> {
    let mut buffer = vec![MaybeUninit::uninit(); KEEP_LOCK];
    loop {
        match copied_bytes(py, &mut buffer, |out| write(value, out, MAX_DEPTH)) {
            Ok(text) => return Ok(Some(text)),
            Err(Stop::Undecided) => return Ok(None),
            Err(Stop::Full) => buffer = vec![MaybeUninit::uninit(); buffer.len() * 4],
        }
    }
}

/// Writes the JSON text of a value. Values of other types than JSON's exact ones are undecided.
fn write(value: &Bound<'_, PyAny>, out: &mut Out<'_>, deepest: u32) -> Result<()> {
    if let Ok(text) = value.cast_exact::<PyString>() {
        return write_text(text, out);
    }
    if value.is_none() {
        return out.array(*b"null");
    }
    if let Ok(value) = value.cast_exact::<PyBool>() {
        return if value.is_true() { out.array(*b"true") } else { out.array(*b"false") };
    }
    if let Ok(value) = value.cast_exact::<PyInt>() {
        if let Ok(value) = value.extract::<i64>() {
            return write_integer(out, value);
        }
        return write_unsigned(out, value.extract::<u64>().map_err(|_| Stop::Undecided)?);
    }
    if let Ok(value) = value.cast_exact::<PyFloat>() {
        let value = value.value();
        return if value.is_finite() { write_double(out, value) } else { Err(Stop::Undecided) };
    }
    let deepest = deepest.checked_sub(1).ok_or(Stop::Undecided)?;
    if let Ok(dict) = value.cast_exact::<PyDict>() {
        let mut separator = b'{';
        for (key, value) in dict {
            out.byte(separator)?;
            write_text(key.cast_exact::<PyString>().map_err(|_| Stop::Undecided)?, out)?;
            out.byte(b':')?;
            write(&value, out, deepest)?;
            separator = b',';
        }
        if separator == b'{' {
            out.byte(b'{')?;
        }
        return out.byte(b'}');
    }
    if let Ok(list) = value.cast_exact::<PyList>() {
        return write_list(list.iter(), out, deepest);
    }
    if let Ok(tuple) = value.cast_exact::<PyTuple>() {
        return write_list(tuple.iter(), out, deepest);
    }
    Err(Stop::Undecided)
}

fn write_list<'py>(
    elements: impl Iterator<Item = Bound<'py, PyAny>>,
    out: &mut Out<'_>,
    deepest: u32,
) -> Result<()> {
    out.byte(b'[')?;
    for (index, element) in elements.enumerate() {
        if index > 0 {
            out.byte(b',')?;
        }
        write(&element, out, deepest)?;
    }
    out.byte(b']')
}

fn write_text(text: &Bound<'_, PyString>, out: &mut Out<'_>) -> Result<()> {
    // A lone surrogate has no UTF-8.
    write_string(out, text.to_str().map_err(|_| Stop::Undecided)?.as_bytes())
}
