//! Room for outputs: how much is asked for, and where it is.

use std::cell::RefCell;
use std::mem::MaybeUninit;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use pyo3::exceptions::PyMemoryError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};

use super::bytes::written_bytes;
use crate::bytes::out::Out;
use crate::parse::keys::Keys;
use crate::stop::{Result, Stop};

/// The largest input for which letting other threads run would cost more than the work.
const KEEP_LOCK: usize = 4096;
/// Outputs up to this size are first written into memory that each thread keeps.
const SCRATCH: usize = 1 << 14;

/// From this capacity on, more room is asked for in smaller steps.
const LARGE_OUTPUT: usize = 1 << 20;

/// The memory that each thread keeps from one call to the next.
#[derive(Default)]
struct Kept {
    buffer: Vec<MaybeUninit<u8>>,
    keys: Keys,
}

thread_local! {
    static KEPT: RefCell<Kept> = RefCell::default();
}

/// The largest growth from an input to its output so far, in sixteenths.
pub struct Growth(AtomicU32);

impl Default for Growth {
    fn default() -> Self {
        Self(AtomicU32::new(24))
    }
}

impl Growth {
    /// The largest one that is remembered: one odd message must not make every later one ask for far
    /// more memory than it needs.
    const MAX: u32 = 4 * 16;

    /// The room to ask for: a third more than the largest growth seen, and what a writer asks for at
    /// once.
    fn room(&self, input_len: usize) -> usize {
        let sixteenths = self.0.load(Relaxed) as usize;
        input_len / 16 * (sixteenths + sixteenths / 3 + 1) + 512
    }

    fn note(&self, input_len: usize, output_len: usize) {
        let seen = (output_len * 16).div_ceil(input_len.max(512)) as u32;
        let seen = seen.min(Self::MAX);
        if seen > self.0.load(Relaxed) {
            self.0.store(seen, Relaxed);
        }
    }
}

/// An object of Python that is made from bytes.
pub trait Output<'py>: Sized {
    /// Makes one from bytes that were written elsewhere.
    fn copied(py: Python<'py>, bytes: &[u8]) -> Result<Self>;
    /// Makes one from bytes that Python holds.
    fn of(bytes: Bound<'py, PyBytes>) -> Result<Self>;
}

impl<'py> Output<'py> for Bound<'py, PyBytes> {
    fn copied(py: Python<'py>, bytes: &[u8]) -> Result<Self> {
        Ok(PyBytes::new(py, bytes))
    }

    fn of(bytes: Bound<'py, PyBytes>) -> Result<Self> {
        Ok(bytes)
    }
}

impl<'py> Output<'py> for Bound<'py, PyString> {
    fn copied(py: Python<'py>, bytes: &[u8]) -> Result<Self> {
        PyString::from_bytes(py, bytes).map_err(|_| Stop::Undecided)
    }

    fn of(bytes: Bound<'py, PyBytes>) -> Result<Self> {
        Self::copied(bytes.py(), bytes.as_bytes())
    }
}

/// Runs `write` with enough room and returns its output; None if it is undecided.
pub fn transcode<'py, T: Output<'py>>(
    py: Python<'py>,
    input: &[u8],
    growth: &Growth,
    mut write: impl FnMut(&mut Out<'_>, &mut Keys) -> Result<()> + Send,
) -> PyResult<Option<T>> {
    let mut capacity = growth.room(input.len());
    loop {
        let mut len = 0;
        let run = |out: &mut Out<'_>, keys: &mut Keys| {
            unlocked(py, input.len(), || write(out, keys))?;
            len = out.len();
            Ok(())
        };
        let written = match filled(py, capacity, run) {
            // The pure backend may do with less memory.
            Err(error) if error.is_instance_of::<PyMemoryError>(py) => return Ok(None),
            written => written?,
        };
        match written {
            Ok(output) => {
                growth.note(input.len(), len);
                return Ok(Some(output));
            }
            Err(Stop::Undecided) => return Ok(None),
            Err(Stop::Full) => capacity *= if capacity < LARGE_OUTPUT { 4 } else { 2 },
        }
    }
}

/// Runs `write` with room for `capacity` bytes and returns its output.
fn filled<'py, T: Output<'py>>(
    py: Python<'py>,
    capacity: usize,
    write: impl FnOnce(&mut Out<'_>, &mut Keys) -> Result<()>,
) -> PyResult<Result<T>> {
    KEPT.with_borrow_mut(|Kept { buffer, keys }| {
        if capacity > SCRATCH {
            return Ok(written_bytes(py, capacity, |out| write(out, keys))?.and_then(T::of));
        }
        if buffer.len() < capacity {
            buffer.resize(capacity.next_power_of_two(), MaybeUninit::uninit());
        }
        let mut out = Out::new(buffer);
        Ok(write(&mut out, keys).and_then(|()| T::copied(py, out.written())))
    })
}

/// Does some work and lets other threads run meanwhile if the input is large.
#[inline(always)]
pub fn unlocked<T: Send>(py: Python<'_>, input_len: usize, work: impl FnOnce() -> T + Send) -> T {
    if input_len <= KEEP_LOCK { work() } else { py.detach(work) }
}
