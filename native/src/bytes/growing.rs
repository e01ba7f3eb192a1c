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
        // SAFETY: `len` counts bytes that an `Out` wrote, one after the other.
        unsafe { self.buffer[..self.len].assume_init_ref() }
    }

    /// Runs `write`, which writes at most `room` bytes.
    #[inline(always)]
    pub fn write(
        &mut self,
        room: usize,
        write: impl FnOnce(&mut Out<'_>) -> Result<()>,
    ) -> Result<()> {
        if self.buffer.len() - self.len < room {
            self.grow(room);
        }
        let mut out = Out::new(&mut self.buffer[self.len..]);
        write(&mut out)?;
        self.len += out.len();
        Ok(())
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
        let stopped = growing.write(9, |out| out.byte(1).and(Err(Stop::Undecided)));
        assert_eq!((stopped, growing.written()), (Err(Stop::Undecided), &expected[..]));
    }
}
