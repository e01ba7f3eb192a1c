//! Python's collector of garbage.

use pyo3::ffi;
use pyo3::prelude::*;

/// Keeps the collector from running for as long as it lives.
///
/// Containers that are being made are not garbage, and the more of them there are, the more often it
/// would look at all of them. Nothing else may run meanwhile, so nobody notices.
pub struct Rest {
    was_on: bool,
}

impl Rest {
    pub fn new(_: Python<'_>) -> Self {
        // SAFETY: The thread is attached to Python, as the token shows.
        Self { was_on: unsafe { ffi::PyGC_Disable() } == 1 }
    }
}

impl Drop for Rest {
    fn drop(&mut self) {
        if self.was_on {
            // SAFETY: Whoever made it is attached, and does not detach before it ends.
            unsafe { ffi::PyGC_Enable() };
        }
    }
}
