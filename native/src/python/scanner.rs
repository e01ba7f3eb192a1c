//! The framer's scanner, as Python sees it.

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList};

use crate::framing::elements;
use crate::framing::outline::Outline;

/// Looks at one chunk after another and remembers how deep inside of a value it is.
#[pyclass(module = "turnwire_native")]
#[derive(Default)]
pub struct Scanner {
    outline: Outline,
    chunk: Option<Py<PyBytes>>,
    /// Whether a value has begun and not ended.
    #[pyo3(get)]
    inside: bool,
}

impl Scanner {
    fn text<'a>(&'a self, py: Python<'a>) -> &'a [u8] {
        self.chunk.as_ref().map(|chunk| chunk.as_bytes(py)).unwrap_or_default()
    }
}

#[pymethods]
impl Scanner {
    #[new]
    fn new() -> Self {
        Self::default()
    }

    /// Whether it stands inside a string.
    #[getter]
    fn in_string(&self) -> bool {
        self.outline.in_string()
    }

    #[pyo3(signature = (chunk, /))]
    fn load(&mut self, chunk: Py<PyBytes>) {
        self.chunk = Some(chunk);
    }

    /// The end of the value, or -1 if the chunk ends first.
    #[pyo3(signature = (position, /))]
    fn resume(&mut self, py: Python<'_>, position: usize) -> isize {
        let text = self.chunk.as_ref().map(|chunk| chunk.as_bytes(py)).unwrap_or_default();
        let end = self.outline.resume(text, position);
        self.inside = end.is_none();
        end.map_or(-1, |end| end.try_into().unwrap_or(-1))
    }

    #[pyo3(signature = (position, separator, limit, out, /))]
    fn take_values(
        &self,
        position: usize,
        separator: &[u8],
        limit: usize,
        out: &Bound<'_, PyList>,
    ) -> PyResult<usize> {
        elements::take_values(self.text(out.py()), position, separator, limit, appends_to(out))
    }

    #[pyo3(signature = (position, limit, out, /))]
    fn take_object_lines(
        &self,
        position: usize,
        limit: usize,
        out: &Bound<'_, PyList>,
    ) -> PyResult<usize> {
        elements::take_object_lines(self.text(out.py()), position, limit, appends_to(out))
    }
}

#[pyfunction]
#[pyo3(signature = (chunk, position, limit, out, /))]
pub fn take_lines(
    chunk: &[u8],
    position: usize,
    limit: usize,
    out: &Bound<'_, PyList>,
) -> PyResult<usize> {
    elements::take_lines(chunk, position, limit, appends_to(out))
}

#[pyfunction]
#[pyo3(signature = (chunk, position, limit, out, /))]
pub fn take_events(
    chunk: &[u8],
    position: usize,
    limit: usize,
    out: &Bound<'_, PyList>,
) -> PyResult<usize> {
    elements::take_events(chunk, position, limit, appends_to(out))
}

fn appends_to(out: &Bound<'_, PyList>) -> impl FnMut(&[u8]) -> PyResult<()> {
    |element| out.append(PyBytes::new(out.py(), element))
}
