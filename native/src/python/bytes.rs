//! Python bytes objects that are written in place.

use pyo3::exceptions::PyMemoryError;
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::bytes::out::Out;
use crate::stop::Stop;

unsafe extern "C" {
    // Documented and exported by every CPython, though not part of the stable ABI. A Python without
    // it would not load the core, and pure Python would do the work. The stable ABI has only ways
    // that copy the bytes once more: then an image of 1 MB takes a fifth more CPU time to parse or
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
