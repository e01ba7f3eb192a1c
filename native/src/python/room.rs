//! Room for outputs: how much is asked for, and where it is.

use std::cell::RefCell;
use std::mem::MaybeUninit;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use pyo3::exceptions::PyMemoryError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use super::bytes::{copied_bytes, written_bytes};
use crate::bytes::out::Out;
use crate::parse::keys::Keys;
use crate::stop::{Result, Stop};

/// The largest input for which letting other threads run would cost more than the work.
pub const KEEP_LOCK: usize = 4096;
/// Outputs up to this size are first written into memory that each thread keeps.
const SCRATCH: usize = 1 << 14;

/// The largest growth that is remembered, in sixteenths: one odd message must not make every later
/// one ask for far more memory than it needs.
const MAX_GROWTH: u32 = 4 * 16;
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

/// Runs `write` with enough room for its output and returns that as bytes; None if it is undecided.
pub fn transcode<'py>(
    py: Python<'py>,
    input: &[u8],
    growth: &AtomicU32,
    mut write: impl FnMut(&mut Out<'_>, &mut Keys) -> Result<()> + Send,
) -> PyResult<Option<Bound<'py, PyBytes>>> {
    // A third more than the largest growth seen, and room for what a writer asks for at once.
    let sixteenths = growth.load(Relaxed) as usize;
    let mut capacity = input.len() / 16 * (sixteenths + sixteenths / 3 + 1) + 512;
    loop {
        let written = match filled(py, input.len(), capacity, &mut write) {
            // The pure backend may do with less memory.
            Err(error) if error.is_instance_of::<PyMemoryError>(py) => return Ok(None),
            written => written?,
        };
        match written {
            Ok(bytes) => {
                let seen = (bytes.as_bytes().len() * 16).div_ceil(input.len().max(512)) as u32;
                let seen = seen.min(MAX_GROWTH);
                if seen > growth.load(Relaxed) {
                    growth.store(seen, Relaxed);
                }
                return Ok(Some(bytes));
            }
            Err(Stop::Undecided) => return Ok(None),
            Err(Stop::Full) => capacity *= if capacity < LARGE_OUTPUT { 4 } else { 2 },
        }
    }
}

/// Runs `write` with room for `capacity` bytes and returns its output as bytes.
pub fn filled<'py>(
    py: Python<'py>,
    input_len: usize,
    capacity: usize,
    write: impl FnOnce(&mut Out<'_>, &mut Keys) -> Result<()> + Send,
) -> PyResult<Result<Bound<'py, PyBytes>>> {
    KEPT.with_borrow_mut(|Kept { buffer, keys }| {
        let run = |out: &mut Out<'_>| unlocked(py, input_len, || write(out, keys));
        if capacity > SCRATCH {
            return written_bytes(py, capacity, run);
        }
        if buffer.len() < capacity {
            buffer.resize(capacity.next_power_of_two(), MaybeUninit::uninit());
        }
        Ok(copied_bytes(py, buffer, run))
    })
}

/// Does some work and lets other threads run meanwhile if the input is large.
#[inline(always)]
pub fn unlocked<T: Send>(py: Python<'_>, input_len: usize, work: impl FnOnce() -> T + Send) -> T {
    if input_len <= KEEP_LOCK { work() } else { py.detach(work) }
}
