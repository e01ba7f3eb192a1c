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

/// From here on, the wire format of the whole would be memory worth sparing.
pub const LARGE: usize = 1 << 21;
/// How much is written between two pieces, at least and at most.
const PIECE: usize = 1 << 19;
const ROOM: usize = 1 << 20;

/// Reads a text into `message`, which is new.
///
/// `merge` is protobuf's own reader of a piece; what it refuses is handed back. [`Stop::Full`] says
/// that something in the text is larger than a piece. The message is of no use after either.
///
/// # Errors
///
/// What was raised meanwhile and is no `Exception`: an interrupt.
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
    // Not the memory that each thread keeps: while Python merges, it may read another text.
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

/// What a reader of protobuf's gives; None if it refused its input, which is no interrupt.
pub fn unless_refused<T>(py: Python<'_>, read: PyResult<T>) -> PyResult<Option<T>> {
    match read {
        Err(error) if error.is_instance_of::<PyException>(py) => Ok(None),
        read => read.map(Some),
    }
}
