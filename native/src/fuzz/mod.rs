//! Searches for inputs that break the promises of the core.
//!
//! Each test runs one property with ever new random bytes for as long as `ARBTEST_BUDGET_MS` says,
//! and names the seed of a failure; `ARBTEST_SEED` repeats it.

use std::mem::MaybeUninit;

use crate::bytes::out::Out;
use crate::stop::Stop;

mod descriptors;
mod names;
mod normal;
mod scalars;
mod scanning;
mod texts;
mod transcoding;

/// The output of `write`, with more room whenever there is too little; None if it is undecided.
fn written(
    mut room: usize,
    mut write: impl FnMut(&mut Out<'_>) -> Result<(), Stop>,
) -> Option<Vec<u8>> {
    loop {
        let mut buffer = vec![MaybeUninit::uninit(); room];
        let mut out = Out::new(&mut buffer);
        match write(&mut out) {
            Ok(()) => return Some(out.written().to_vec()),
            Err(Stop::Undecided) => return None,
            Err(Stop::Full) => room = room * 4 + 1,
        }
        assert!(room < 1 << 30, "it always asks for more room");
    }
}

/// Whether bytes are one JSON value for another reader.
fn is_json(text: &[u8]) -> bool {
    serde_json::from_slice::<Box<serde_json::value::RawValue>>(text).is_ok()
}
