//! Python bytes and strings that are written in place.

use std::mem::MaybeUninit;
use std::sync::OnceLock;

use pyo3::exceptions::PyMemoryError;
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};

use crate::bytes::out::Out;
use crate::stop::Stop;

unsafe extern "C" {
    // Documented and exported by every CPython, though not part of the stable ABI. A Python without
    // it would not load the core, and pure Python would do the work. The stable ABI has only ways
    // that copy the bytes a second time: then an image of 1 MB takes a fifth more CPU time to parse or
    // print (rows and small messages take the same), and memory for its bytes twice.
    fn _PyBytes_Resize(bytes: *mut *mut ffi::PyObject, len: ffi::Py_ssize_t) -> std::ffi::c_int;
}

/// A bytes object that `write` fills in place.
///
/// The outer error is a lack of memory, the inner one is that of `write`.
pub fn written_bytes<'py>(
    py: Python<'py>,
    capacity: usize,
    write: impl FnOnce(&mut Out<'_>) -> Result<(), Stop>,
) -> PyResult<Result<Bound<'py, PyBytes>, Stop>> {
    let size = ffi::Py_ssize_t::try_from(capacity).map_err(|_| PyMemoryError::new_err(()))?;
    // SAFETY: A null pointer asks for an object whose bytes are not initialised. The result is a
    // new reference, or null with an exception set.
    let bytes = unsafe {
        Bound::from_owned_ptr_or_err(py, ffi::PyBytes_FromStringAndSize(std::ptr::null(), size))?
    };
    // SAFETY: The object has `capacity` bytes (and its own NUL behind them). It is new, so nobody
    // else knows it, and the slice ends before it is given away.
    let buffer = unsafe {
        std::slice::from_raw_parts_mut(ffi::PyBytes_AsString(bytes.as_ptr()).cast(), capacity)
    };
    let mut out = Out::new(buffer);
    if let Err(stop) = write(&mut out) {
        return Ok(Err(stop));
    }
    let len = out.len();
    let mut pointer = bytes.into_ptr();
    // SAFETY: `pointer` is the only reference to a bytes object, as resizing demands. It takes
    // that reference and gives a new one, or null with an exception set. The `len` bytes that stay
    // were initialised by the `Out`, which has no room beyond `capacity`, a Py_ssize_t.
    let bytes = unsafe {
        _PyBytes_Resize(&raw mut pointer, len as ffi::Py_ssize_t);
        Bound::from_owned_ptr_or_err(py, pointer)?.cast_into_unchecked()
    };
    Ok(Ok(bytes))
}

/// A str that `write` fills in place with exactly `len` bytes, all of them ASCII.
///
/// The outer error is a lack of memory, the inner one is that of `write`.
pub fn written_ascii<'py>(
    py: Python<'py>,
    len: usize,
    write: impl FnOnce(&mut Out<'_>) -> Result<(), Stop>,
) -> PyResult<Result<Bound<'py, PyString>, Stop>> {
    static IN_PLACE: OnceLock<bool> = OnceLock::new();
    if len > MIN_IN_PLACE && *IN_PLACE.get_or_init(|| fills_in_place(py)) {
        return filled_ascii(py, len, write);
    }
    let mut buffer = vec![MaybeUninit::uninit(); len];
    let mut out = Out::new(&mut buffer);
    match write(&mut out) {
        Ok(()) => PyString::from_bytes(py, out.written()).map(Ok),
        Err(stop) => Ok(Err(stop)),
    }
}

/// The length from which on a copy takes longer than what avoids it.
const MIN_IN_PLACE: usize = 1024;

/// Whether this Python lends the characters of a new str themselves, not a copy of them.
fn fills_in_place(py: Python<'_>) -> bool {
    let filled = filled_ascii(py, MIN_IN_PLACE, |out| out.slice(&[b'!'; MIN_IN_PLACE]));
    let Ok(Ok(text)) = filled else { return false };
    text.get_item(0).and_then(|first| first.eq("!")).unwrap_or(false)
}

fn filled_ascii<'py>(
    py: Python<'py>,
    len: usize,
    write: impl FnOnce(&mut Out<'_>) -> Result<(), Stop>,
) -> PyResult<Result<Bound<'py, PyString>, Stop>> {
    let size = ffi::Py_ssize_t::try_from(len).map_err(|_| PyMemoryError::new_err(()))?;
    // Two characters, since Python shares the strings of fewer.
    let mut pointer = PyString::new(py, "??").into_ptr();
    // SAFETY: `pointer` is the only reference to a str. Resizing takes it and gives a new one of
    // `size` ASCII characters, which are not initialised; or it fails and leaves the reference.
    let text: Bound<'py, PyString> = unsafe {
        let failed = ffi::PyUnicode_Resize(&raw mut pointer, size) != 0;
        let text = Bound::from_owned_ptr(py, pointer).cast_into_unchecked();
        if failed {
            return Err(PyErr::fetch(py));
        }
        text
    };
    let mut lent = 0;
    // SAFETY: It is a str. The UTF-8 of one that is ASCII are its characters themselves.
    let characters = unsafe { ffi::PyUnicode_AsUTF8AndSize(text.as_ptr(), &raw mut lent) };
    if characters.is_null() || lent != size {
        return Ok(Err(Stop::Undecided));
    }
    // SAFETY: There are `len` of them. The str is new, so nobody else knows it, and the slice ends
    // before it is given away.
    let buffer = unsafe { std::slice::from_raw_parts_mut(characters.cast_mut().cast(), len) };
    let mut out = Out::new(buffer);
    Ok(write(&mut out).and_then(|()| {
        debug_assert!(out.written().is_ascii());
        // Only then all of them are initialised.
        if out.len() == len { Ok(text) } else { Err(Stop::Undecided) }
    }))
}
