//! The framer's scanner, as Python sees it.

use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::outline::Outline;

/// Looks at one chunk after another and remembers how deep inside of a value it is.
#[pyclass(module = "turnwire_native")]
#[derive(Default)]
pub struct Scanner {
    outline: Outline,
    chunk: Option<Py<PyBytes>>,
    /// The chunk without its escapes, if it has some.
    copy: Option<Vec<u8>>,
}

impl Scanner {
    /// The outline's state, and the text of the chunk.
    fn parts<'a>(&'a mut self, py: Python<'a>) -> (&'a mut Outline, &'a [u8]) {
        let chunk = self.chunk.as_ref().map(|chunk| chunk.as_bytes(py));
        (&mut self.outline, self.copy.as_deref().or(chunk).unwrap_or_default())
    }
}

#[pymethods]
impl Scanner {
    #[new]
    fn new() -> Self {
        Self::default()
    }

    /// Whether a value has begun and not ended.
    #[getter]
    fn inside(&self) -> bool {
        self.outline.inside
    }

    /// Whether it stands inside of a string.
    #[getter]
    fn in_string(&self) -> bool {
        self.outline.in_string
    }

    #[pyo3(signature = (chunk, /))]
    fn load(&mut self, chunk: Bound<'_, PyBytes>) {
        self.copy = self.outline.load(chunk.as_bytes());
        self.chunk = Some(chunk.unbind());
    }

    #[pyo3(signature = (position, /))]
    fn spans(&mut self, py: Python<'_>, position: usize) -> Vec<(usize, usize)> {
        let (_, text) = self.parts(py);
        Outline::spans(text, position)
    }

    /// The end of the value, or -1 if the chunk ends first.
    #[pyo3(signature = (position, /))]
    fn resume(&mut self, py: Python<'_>, position: usize) -> isize {
        let (outline, text) = self.parts(py);
        outline.resume(text, position).map_or(-1, |end| end.try_into().unwrap_or(-1))
    }
}
