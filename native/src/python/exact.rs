//! Python values of exactly the types that JSON has.

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyString, PyTuple};
use pyo3::{Borrowed, PyTypeInfo, ffi};

use crate::stop::{Result, Stop};

/// A value as exactly this type.
#[inline(always)]
pub fn exact<'v, 'py, T: PyTypeInfo>(value: &'v Bound<'py, PyAny>) -> Result<&'v Bound<'py, T>> {
    if !T::is_exact_type_of(value) {
        return Err(Stop::Undecided);
    }
    // SAFETY: Its type was just looked at.
    Ok(unsafe { value.cast_unchecked() })
}

/// The UTF-8 of a value that is exactly a str.
#[inline(always)]
pub fn text_of<'v>(value: &'v Bound<'_, PyAny>) -> Result<&'v [u8]> {
    utf8_of(exact(value)?)
}

/// The UTF-8 of a str; a lone surrogate has none.
#[inline(always)]
pub fn utf8_of<'v>(text: &'v Bound<'_, PyString>) -> Result<&'v [u8]> {
    text.to_str().map(str::as_bytes).map_err(|_| Stop::Undecided)
}

/// Calls `each` with the members of a dict, until it stops.
#[inline(always)]
pub fn each_member<'py>(
    dict: &Bound<'py, PyDict>,
    mut each: impl FnMut(&Bound<'py, PyAny>, &Bound<'py, PyAny>) -> Result<()>,
) -> Result<()> {
    let (mut place, mut key, mut value) = (0, std::ptr::null_mut(), std::ptr::null_mut());
    // SAFETY: The dict is borrowed. What it lends is valid until it changes: `each` runs no code of
    // Python but that which makes an error, and then it stops.
    while unsafe { ffi::PyDict_Next(dict.as_ptr(), &mut place, &mut key, &mut value) } != 0 {
        // SAFETY: As above.
        let (key, value) =
            unsafe { (Borrowed::from_ptr(dict.py(), key), Borrowed::from_ptr(dict.py(), value)) };
        each(&key, &value)?;
    }
    Ok(())
}

/// Calls `each` with the elements of a list or a tuple, until it stops.
#[inline(always)]
pub fn each_element<'py>(
    value: &Bound<'py, PyAny>,
    mut each: impl FnMut(&Bound<'py, PyAny>) -> Result<()>,
) -> Result<()> {
    if let Ok(list) = exact::<PyList>(value) {
        list.iter().try_for_each(|element| each(&element))
    } else {
        exact::<PyTuple>(value)?.iter_borrowed().try_for_each(|element| each(&element))
    }
}
