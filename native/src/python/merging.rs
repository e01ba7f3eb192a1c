//! Large JSON texts to messages, piece by piece.

use std::mem::MaybeUninit;

use pyo3::exceptions::PyException;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::bytes::out::Out;
use crate::parse::keys::Keys;
use crate::parse::{ParseOptions, parse_in_pieces};
use crate::schema::Schema;
use crate::stop::{Result, Stop};

/// The length of text from which on holding the whole wire format would take much memory.
pub const LARGE: usize = 1 << 21;
/// The least and the largest length of a piece.
const PIECE: usize = 1 << 19;
const ROOM: usize = 1 << 20;

/// Reads a text into `message`, which is new.
///
/// `merge` is protobuf's own reader of a piece; texts that it refuses are undecided. [`Stop::Full`]
/// means that a value in the text is larger than a piece. After either, the message is discarded.
///
/// # Errors
///
/// An interrupt: anything that `merge` raised other than an `Exception`.
pub fn merge(
    py: Python<'_>,
    (message, merge): (&Bound<'_, PyAny>, &Py<PyAny>),
    schema: &Schema,
    (text, is_utf8): (&[u8], bool),
    options: ParseOptions,
) -> PyResult<Result<Vec<usize>>> {
    let message = message.as_unbound();
    let mut interrupt = None;
    let mut take = |piece: &[u8]| {
        Python::attach(|py| {
            let merged = merge.bind(py).call1((message, PyBytes::new(py, piece)));
            match unless_refused(py, merged) {
                Ok(Some(_)) => return Ok(()),
                Ok(None) => {}
                Err(error) => interrupt = Some(error),
            }
            Err(Stop::Undecided)
        })
    };
    // Not the memory that each thread keeps: Python may read another text while it merges.
    let mut room = vec![MaybeUninit::uninit(); ROOM];
    let mut keys = Keys::default();
    let merged = py.detach(|| {
        let mut out = Out::new(&mut room);
        let pieces = (&mut take as _, PIECE);
        let left_out =
            parse_in_pieces(schema, text, is_utf8, &mut out, &mut keys, options, pieces)?;
        take(out.written())?;
        Ok(left_out)
    });
    interrupt.map_or(Ok(merged), Err)
}

/// The result of protobuf's reader; None if it refused its input. Interrupts are passed on.
pub fn unless_refused<T>(py: Python<'_>, read: PyResult<T>) -> PyResult<Option<T>> {
    match read {
        Err(error) if error.is_instance_of::<PyException>(py) => Ok(None),
        read => read.map(Some),
    }
}
