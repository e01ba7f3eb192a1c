//! Memory that grows with what is written into it.

use std::mem::MaybeUninit;

use super::out::Out;
use crate::stop::Result;

/// The bytes to begin with.
const FIRST: usize = 4096;

/// The bytes that were written so far, and room for more.
#[derive(Default)]
pub struct Growing {
    buffer: Vec<MaybeUninit<u8>>,
    len: usize,
}

impl Growing {
    /// The output so far.
    pub fn written(&self) -> &[u8] {
        // SAFETY: As in `write`.
        unsafe { self.buffer[..self.len].assume_init_ref() }
    }

    /// Runs `write`, which goes on behind the output so far and writes at most `room` bytes.
    ///
    /// A result other than `Ok` takes back all that it wrote.
    #[inline(always)]
    pub fn write<T>(
        &mut self,
        room: usize,
        write: impl FnOnce(&mut Out<'_>) -> Result<T>,
    ) -> Result<T> {
        if self.buffer.len() - self.len < room {
            self.grow(room);
        }
        // SAFETY: `len` counts bytes that an `Out` wrote, one after the other.
        let mut out = unsafe { Out::resume(&mut self.buffer, self.len) };
        let result = write(&mut out)?;
        self.len = out.len();
        Ok(result)
    }

    #[inline(never)]
    fn grow(&mut self, room: usize) {
        let len = (4 * self.buffer.len()).max(self.len + room).max(FIRST);
        self.buffer.resize(len, MaybeUninit::uninit());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stop::Stop;

    #[test]
    fn everything_written_is_kept() {
        let mut growing = Growing::default();
        let mut expected = Vec::new();
        for len in (0..20_000).step_by(997) {
            let bytes = vec![len as u8; len];
            growing.write(len, |out| out.slice(&bytes)).unwrap();
            expected.extend(bytes);
            assert_eq!(growing.written(), expected);
        }
        // An unfinished write does not count.
        let stopped = growing.write(9, |out| out.byte(1).and(Err::<(), _>(Stop::Undecided)));
        assert_eq!((stopped, growing.written()), (Err(Stop::Undecided), &expected[..]));
    }
}
