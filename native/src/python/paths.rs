//! The paths of what was left out, as Python's tuples.

use pyo3::prelude::*;
use pyo3::types::{PyString, PyTuple};

use crate::parse::paths::{Step, each_path};

/// The paths of places in a text, as tuples of names and indices.
pub fn paths_of<'py>(
    py: Python<'py>,
    text: &[u8],
    places: &[usize],
) -> PyResult<Option<Vec<Bound<'py, PyTuple>>>> {
    let mut paths = Vec::with_capacity(places.len());
    let mut error = None;
    let found = each_path(text, places, &mut |steps| {
        let step = |step: &Step<'_>| match step {
            Step::Key(key) => PyString::from_bytes(py, key).map(Bound::into_any),
            Step::Index(index) => Ok(index.into_pyobject(py)?.into_any()),
        };
        let steps = steps.iter().map(step).collect::<PyResult<Vec<_>>>();
        match steps.and_then(|steps| PyTuple::new(py, steps)) {
            Ok(path) => paths.push(path),
            Err(raised) => error = Some(raised),
        }
        Ok(())
    });
    error.map_or(Ok(found.ok().map(|()| paths)), Err)
}
