//! Large JSON texts to messages, piece by piece.

use std::mem::MaybeUninit;

use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::Stop;
use crate::keys::Keys;
use crate::out::Out;
use crate::parse::{ParseOptions, parse_in_pieces};
use crate::schema::Schema;

/// From here on, the wire format of the whole would be memory worth sparing.
pub const LARGE: usize = 1 << 21;
/// How much is written between two pieces, at least and at most.
const PIECE: usize = 1 << 19;
const ROOM: usize = 1 << 20;

/// Reads a text into `message`, which is new.
///
/// `merge` is protobuf's own reader of a piece; what it refuses is handed back. [`Stop::Full`] says
/// that something in the text is larger than a piece. The message is of no use after either.
pub fn merge(
    py: Python<'_>,
    (message, merge): (&Bound<'_, PyAny>, &Py<PyAny>),
    schema: &Schema,
    (text, is_utf8): (&[u8], bool),
    options: ParseOptions<'_>,
) -> Result<(), Stop> {
    let message = message.as_unbound();
    let mut take = |piece: &[u8]| {
        Python::attach(|py| {
            let merged = merge.bind(py).call1((message, PyBytes::new(py, piece)));
            merged.map(drop).map_err(|_| Stop::HandBack)
        })
    };
    // Not the memory that each thread keeps: while Python merges, it may read another text.
    let mut room = vec![MaybeUninit::uninit(); ROOM];
    let mut keys = Keys::default();
    py.detach(|| {
        let mut out = Out::new(&mut room);
        let pieces = (&mut take as _, PIECE);
        parse_in_pieces(schema, text, is_utf8, &mut out, &mut keys, options, pieces)?;
        take(out.written())
    })
}
