//! Reports what was left out: its paths, as Python's tuples.

use pyo3::prelude::*;
use pyo3::types::{PyString, PyTuple};

use crate::parse::paths::{Step, each_path};
use crate::stop::Stop;

/// More paths than these are passed on one by one, and not collected before.
const MAX_COLLECTED: usize = 1_000;

/// Calls `tell` with the path of each place in a text, a tuple of names and indices.
///
/// None: the text has no such places, and nothing was called.
pub fn tell_paths(
    py: Python<'_>,
    text: &[u8],
    places: &[usize],
    tell: &Bound<'_, PyAny>,
) -> PyResult<Option<()>> {
    if places.len() <= MAX_COLLECTED {
        let mut paths = Vec::with_capacity(places.len());
        let found = each(py, text, places, |path| {
            paths.push(path);
            Ok(())
        })?;
        for path in paths.iter().filter(|_| found) {
            tell.call1((path,))?;
        }
        return Ok(found.then_some(()));
    }
    if each_path(text, places, &mut |_| Ok(())).is_err() {
        return Ok(None);
    }
    let found = each(py, text, places, |path| tell.call1((path,)).map(drop))?;
    Ok(found.then_some(()))
}

/// Passes each path to `take` until it fails; returns whether all places were found.
fn each<'py>(
    py: Python<'py>,
    text: &[u8],
    places: &[usize],
    mut take: impl FnMut(Bound<'py, PyTuple>) -> PyResult<()>,
) -> PyResult<bool> {
    let mut failed = Ok(());
    let found = each_path(text, places, &mut |steps| {
        let step = |step: &Step<'_>| match step {
            Step::Key(key) => PyString::from_bytes(py, key).map(Bound::into_any),
            Step::Index(index) => Ok(index.into_pyobject(py)?.into_any()),
        };
        let steps = steps.iter().map(step).collect::<PyResult<Vec<_>>>();
        failed = steps.and_then(|steps| take(PyTuple::new(py, steps)?));
        if failed.is_ok() { Ok(()) } else { Err(Stop::Undecided) }
    });
    failed.map(|()| found.is_ok())
}
