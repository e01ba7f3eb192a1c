//! What Python sees.

use std::cell::RefCell;
use std::mem::MaybeUninit;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};

use crate::bytes::{copied_bytes, written_bytes};
use crate::out::Out;
use crate::parse::{ParseOptions, parse};
use crate::print::{PrintOptions, print};
use crate::schema::Schema;
use crate::{Stop, descriptor};

/// Up to here, letting other threads run would cost more than the work does.
const KEEP_LOCK: usize = 4096;
/// Outputs up to this size are first written into memory that each thread keeps.
const SCRATCH: usize = 1 << 20;

thread_local! {
    static KEPT: RefCell<Vec<MaybeUninit<u8>>> = const { RefCell::new(Vec::new()) };
}

/// Transcodes one message type: JSON text to wire format and back.
///
/// Every method gives None for what only the pure backend can decide; that is no error.
#[pyclass(frozen, module = "turnwire_native")]
struct Codec {
    schema: Schema,
    /// How much larger than its input an output was at most, in 1/16: the next one's likely size.
    wire_growth: AtomicU32,
    text_growth: AtomicU32,
}

#[pymethods]
impl Codec {
    #[new]
    #[pyo3(signature = (file_descriptor_set, message_name, /))]
    fn new(file_descriptor_set: &[u8], message_name: &str) -> PyResult<Self> {
        let schema = descriptor::schema(file_descriptor_set, message_name);
        let schema = schema.ok_or_else(|| {
            PyValueError::new_err(format!(
                "the descriptor set does not define all of {message_name}"
            ))
        })?;
        Ok(Self { schema, wire_growth: AtomicU32::new(24), text_growth: AtomicU32::new(24) })
    }

    /// The wire format of the message whose JSON is given.
    #[pyo3(signature = (data, ignore_unknown=false, refuse_lossy=false, /))]
    fn json_to_wire<'py>(
        &self,
        py: Python<'py>,
        data: &Bound<'py, PyAny>,
        ignore_unknown: bool,
        refuse_lossy: bool,
    ) -> PyResult<Option<Bound<'py, PyBytes>>> {
        let options = ParseOptions { ignore_unknown, refuse_lossy };
        let (text, is_utf8) = if let Ok(data) = data.cast::<PyBytes>() {
            (data.as_bytes(), false)
        } else if let Ok(data) = data.cast::<PyString>() {
            match data.to_str() {
                Ok(text) => (text.as_bytes(), true),
                // A lone surrogate.
                Err(_) => return Ok(None),
            }
        } else {
            return Err(PyTypeError::new_err("expected str or bytes"));
        };
        transcode(py, text, &self.wire_growth, |out| {
            if !is_utf8 && simdutf8::basic::from_utf8(text).is_err() {
                return Err(Stop::HandBack);
            }
            parse(&self.schema, text, out, options)
        })
    }

    /// The JSON of the message whose wire format is given.
    #[pyo3(signature = (wire, proto_names=false, enum_numbers=false, defaults=false, /))]
    fn wire_to_json<'py>(
        &self,
        py: Python<'py>,
        wire: &[u8],
        proto_names: bool,
        enum_numbers: bool,
        defaults: bool,
    ) -> PyResult<Option<Bound<'py, PyBytes>>> {
        let options = PrintOptions { proto_names, enum_numbers, defaults };
        transcode(py, wire, &self.text_growth, |out| {
            print(&self.schema, wire, out, options)?;
            simdutf8::basic::from_utf8(out.written()).map(drop).map_err(|_| Stop::HandBack)
        })
    }
}

/// Runs `write` with enough room for its output and gives that as bytes, or None if it hands back.
fn transcode<'py>(
    py: Python<'py>,
    input: &[u8],
    growth: &AtomicU32,
    write: impl Fn(&mut Out<'_>) -> Result<(), Stop> + Sync,
) -> PyResult<Option<Bound<'py, PyBytes>>> {
    // Sixteenths; a third more than ever seen, and room for what a writer asks for at once.
    let sixteenths = growth.load(Relaxed) as usize;
    let mut capacity = input.len() / 16 * (sixteenths + sixteenths / 3 + 1) + 512;
    let run = |out: &mut Out<'_>| {
        if input.len() <= KEEP_LOCK { write(out) } else { py.detach(|| write(out)) }
    };
    loop {
        let written = if capacity <= SCRATCH {
            KEPT.with_borrow_mut(|kept| {
                if kept.len() < capacity {
                    kept.resize(capacity.next_power_of_two(), MaybeUninit::uninit());
                }
                copied_bytes(py, kept, run)
            })
        } else {
            written_bytes(py, capacity, run)?
        };
        match written {
            Ok(bytes) => {
                let seen = (bytes.as_bytes().len() * 16).div_ceil(input.len().max(512)) as u32;
                if seen > growth.load(Relaxed) {
                    growth.store(seen, Relaxed);
                }
                return Ok(Some(bytes));
            }
            Err(Stop::HandBack) => return Ok(None),
            Err(Stop::Full) => capacity *= 4,
        }
    }
}

/// The fast core of Turnwire.
#[pymodule]
mod turnwire_native {
    #[pymodule_export]
    use super::Codec;
    #[pymodule_export]
    #[expect(non_upper_case_globals, reason = "the name that Python gives it")]
    const __version__: &str = env!("CARGO_PKG_VERSION");
}
