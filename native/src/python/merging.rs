//! Large inputs to messages, piece by piece.

use std::mem::MaybeUninit;

use pyo3::exceptions::PyException;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use super::codec::Codec;
use crate::bytes::out::Out;
use crate::parse::keys::Keys;
use crate::parse::{ParseOptions, parse_in_pieces};
use crate::stop::{Result, Stop};

/// The length of text from which on holding the whole wire format would take much memory.
pub const LARGE: usize = 1 << 21;
/// The least and the largest length of a piece.
pub const PIECE: usize = 1 << 19;
const ROOM: usize = 1 << 20;

/// Merges pieces of the wire format into a message.
pub struct Merger<'c> {
    codec: &'c Codec,
    /// The message; made with the first piece where there is none.
    message: Option<Py<PyAny>>,
    /// Anything other than an `Exception` that protobuf's reader raised.
    interrupt: Option<PyErr>,
}

impl<'c> Merger<'c> {
    pub fn new(codec: &'c Codec, message: Option<&Bound<'_, PyAny>>) -> Self {
        Self { codec, message: message.cloned().map(Bound::unbind), interrupt: None }
    }

    /// Merges a piece; one that protobuf's reader refuses is undecided.
    pub fn take(&mut self, piece: &[u8]) -> Result<()> {
        Python::attach(|py| match self.merge(py, piece) {
            Ok(true) => Ok(()),
            Ok(false) => Err(Stop::Undecided),
            Err(error) => {
                self.interrupt = Some(error);
                Err(Stop::Undecided)
            }
        })
    }

    fn merge(&mut self, py: Python<'_>, piece: &[u8]) -> PyResult<bool> {
        let message = match self.message.take() {
            Some(message) => message,
            None => self.codec.message_class.bind(py).call0()?.unbind(),
        };
        let message = &*self.message.insert(message);
        let merge = self.codec.merge_from_string.bind(py);
        unless_refused(py, merge.call1((message, PyBytes::new(py, piece)))).map(|it| it.is_some())
    }

    /// The message so far, if there is one.
    ///
    /// # Errors
    ///
    /// The interrupt, if there was one.
    pub fn finish(self, py: Python<'_>) -> PyResult<Option<Bound<'_, PyAny>>> {
        match self.interrupt {
            Some(interrupt) => Err(interrupt),
            None => Ok(self.message.map(|message| message.into_bound(py))),
        }
    }
}

/// Reads a text into `message`, or into a new one.
///
/// [`Stop::Full`] means that a value in the text is larger than a piece. After it, as after
/// [`Stop::Undecided`], the message holds a part of the text.
///
/// # Errors
///
/// An interrupt: anything that protobuf's reader raised other than an `Exception`.
pub fn merge<'py>(
    py: Python<'py>,
    codec: &Codec,
    message: Option<&Bound<'py, PyAny>>,
    (text, is_utf8): (&[u8], bool),
    options: ParseOptions,
) -> PyResult<Result<(Bound<'py, PyAny>, Vec<usize>)>> {
    let mut merger = Merger::new(codec, message);
    // Not the memory that each thread keeps: Python may read another text while it merges.
    let mut room = vec![MaybeUninit::uninit(); ROOM];
    let mut keys = Keys::default();
    let merged = py.detach(|| {
        let mut out = Out::new(&mut room);
        let mut take = |piece: &[u8]| merger.take(piece);
        let pieces = (&mut take as _, PIECE);
        let (schema, keys) = (&codec.schema, &mut keys);
        let left_out = parse_in_pieces(schema, text, is_utf8, &mut out, keys, options, pieces)?;
        take(out.written())?;
        Ok(left_out)
    });
    let message = merger.finish(py)?;
    Ok(merged.and_then(|left_out| Ok((message.ok_or(Stop::Undecided)?, left_out))))
}

/// The result of protobuf's reader; None if it refused its input. Interrupts are passed on.
pub fn unless_refused<T>(py: Python<'_>, read: PyResult<T>) -> PyResult<Option<T>> {
    match read {
        Err(error) if error.is_instance_of::<PyException>(py) => Ok(None),
        read => read.map(Some),
    }
}
