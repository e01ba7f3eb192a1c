//! A writer into memory of the caller, uninitialised at first.

use std::mem::MaybeUninit;

use crate::bytes::search::first_special_of_32;
use crate::stop::{Result, Stop};

/// Writes bytes front to back and stops with [`Stop::Full`] when the room is used up.
///
/// The caller then starts again with more room. That is rare (the codec remembers the sizes of its
/// outputs), and it keeps the hot path free of reallocation, so that the output can be the
/// memory of a Python object while the interpreter's lock is released.
#[derive(Default)]
pub struct Out<'b> {
    buffer: &'b mut [MaybeUninit<u8>],
    len: usize,
}

/// The place where the length of a length-delimited field is filled in.
#[derive(Clone, Copy)]
pub struct Mark {
    body: usize,
    reserved: u8,
}

/// Appends what `write` writes to `bytes`; it starts again with more room until that is enough.
pub fn append(
    bytes: &mut Vec<u8>,
    room: usize,
    mut write: impl FnMut(&mut Out<'_>) -> Result<()>,
) -> Result<()> {
    let mut room = room;
    loop {
        bytes.reserve(room);
        let mut out = Out::new(bytes.spare_capacity_mut());
        match write(&mut out) {
            Ok(()) => {
                let len = out.len();
                // SAFETY: The `Out` wrote `len` bytes of the spare capacity.
                unsafe { bytes.set_len(bytes.len() + len) };
                return Ok(());
            }
            Err(Stop::Full) => room = 2 * bytes.spare_capacity_mut().len(),
            Err(stop) => return Err(stop),
        }
    }
}

impl<'b> Out<'b> {
    pub fn new(buffer: &'b mut [MaybeUninit<u8>]) -> Self {
        Self { buffer, len: 0 }
    }

    /// Goes on behind the first `len` bytes of a buffer.
    ///
    /// # Safety
    ///
    /// Those bytes are initialised.
    #[inline(always)]
    pub unsafe fn resume(buffer: &'b mut [MaybeUninit<u8>], len: usize) -> Self {
        Self { buffer, len }
    }

    #[inline(always)]
    pub fn len(&self) -> usize {
        self.len
    }

    /// The output so far.
    pub fn written(&self) -> &[u8] {
        // SAFETY: `len` grows only past bytes that were written, and this module alone sets it.
        unsafe { self.buffer[..self.len].assume_init_ref() }
    }

    #[inline(always)]
    pub fn byte(&mut self, byte: u8) -> Result<()> {
        self.buffer.get_mut(self.len).ok_or(Stop::Full)?.write(byte);
        self.len += 1;
        Ok(())
    }

    /// Writes bytes whose number the compiler knows: one check, no call.
    #[inline(always)]
    pub fn array<const N: usize>(&mut self, bytes: [u8; N]) -> Result<()> {
        self.prefix(bytes, N)
    }

    /// Writes the first `len` of `bytes`; all of them must have room.
    #[inline(always)]
    pub fn prefix<const N: usize>(&mut self, bytes: [u8; N], len: usize) -> Result<()> {
        let room = self.buffer.get_mut(self.len..).and_then(|rest| rest.first_chunk_mut::<N>());
        *room.ok_or(Stop::Full)? = bytes.map(MaybeUninit::new);
        self.len += len.min(N);
        Ok(())
    }

    #[inline(always)]
    pub fn slice(&mut self, bytes: &[u8]) -> Result<()> {
        let end = self.len + bytes.len();
        let room = self.buffer.get_mut(self.len..end).ok_or(Stop::Full)?;
        room.write_copy_of_slice(bytes);
        self.len = end;
        Ok(())
    }

    /// Writes the first `len` bytes of `bytes`, which best has sixteen more.
    #[inline(always)]
    pub fn start_of(&mut self, bytes: &[u8], len: usize) -> Result<()> {
        let blocks = len / 16 + 1;
        if len < 128
            && let Some(blocks) = bytes.as_chunks::<16>().0.get(..blocks)
            && let Some(room) = self.buffer.get_mut(self.len..)
            && let Some(room) = room.as_chunks_mut::<16>().0.get_mut(..blocks.len())
        {
            // A few fixed moves are quicker than a call; what is too much is written over.
            for (place, block) in room.iter_mut().zip(blocks) {
                *place = block.map(MaybeUninit::new);
            }
            self.len += len;
            return Ok(());
        }
        self.slice(bytes.get(..len).unwrap_or(bytes))
    }

    /// Writes `head` and the string that `text` begins with, up to the quote that ends it.
    ///
    /// Gives the length of the string, or None with nothing written: it is long, has escapes, or
    /// there is not room enough for whole blocks of it.
    #[inline(always)]
    pub fn quoted<const N: usize>(&mut self, head: [u8; N], text: &[u8]) -> Option<usize> {
        let (start, room) = self.buffer.get_mut(self.len..)?.split_first_chunk_mut::<N>()?;
        let len = copy_quoted(room, text)?;
        *start = head.map(MaybeUninit::new);
        self.len += N + len;
        Some(len)
    }

    /// Writes a Struct's entry whose value, with its tag, takes `N` bytes.
    ///
    /// The key is the first bytes of `key`. None, with nothing written, if the room is too small.
    #[inline(always)]
    pub fn entry<const N: usize>(
        &mut self,
        key: &[u8; 32],
        key_len: usize,
        value: [u8; N],
    ) -> Option<()> {
        // Nothing is written past the key's bytes.
        key.get(..key_len)?;
        let (head, room) = self.buffer.get_mut(self.len..)?.split_first_chunk_mut::<4>()?;
        room.first_chunk_mut::<32>()?.write_copy_of_slice(key);
        *room.get_mut(key_len..)?.first_chunk_mut()? = value.map(MaybeUninit::new);
        let len = 2 + key_len + N;
        *head = [0x0A, len as u8, 0x0A, key_len as u8].map(MaybeUninit::new);
        self.len += 4 + key_len + N;
        Some(())
    }

    /// Writes the Struct's entry whose value is the string that `text` begins with.
    ///
    /// Gives the length of the string, or None with nothing written, as [`Out::quoted`] does.
    #[inline(always)]
    pub fn string_entry(&mut self, key: &[u8; 32], key_len: usize, text: &[u8]) -> Option<usize> {
        // Nothing is written past the key's bytes.
        key.get(..key_len)?;
        let (head, room) = self.buffer.get_mut(self.len..)?.split_first_chunk_mut::<4>()?;
        room.first_chunk_mut::<32>()?.write_copy_of_slice(key);
        let (value_head, room) = room.get_mut(key_len..)?.split_first_chunk_mut::<4>()?;
        let len = copy_quoted(room, text)?;
        if key_len + len >= 0x80 - 6 {
            return None;
        }
        *head = [0x0A, (key_len + len + 6) as u8, 0x0A, key_len as u8].map(MaybeUninit::new);
        *value_head = [0x12, len as u8 + 2, 0x1A, len as u8].map(MaybeUninit::new);
        self.len += 8 + key_len + len;
        Some(len)
    }

    /// Writes over a byte that was written before.
    #[inline(always)]
    pub fn set(&mut self, place: usize, byte: u8) {
        if let Some(written) = self.buffer.get_mut(..self.len).and_then(|all| all.get_mut(place)) {
            written.write(byte);
        }
    }

    /// Writes bytes that are mostly few, without the call that copying makes.
    #[inline(always)]
    pub fn short(&mut self, bytes: &[u8]) -> Result<()> {
        let end = self.len + bytes.len();
        copy_short(self.buffer.get_mut(self.len..end).ok_or(Stop::Full)?, bytes);
        self.len = end;
        Ok(())
    }

    /// Writes bytes that are mostly few between two others.
    #[inline(always)]
    pub fn between(&mut self, before: u8, bytes: &[u8], after: u8) -> Result<()> {
        let end = self.len + bytes.len() + 2;
        match self.buffer.get_mut(self.len..end).ok_or(Stop::Full)? {
            [first, room @ .., last] => {
                first.write(before);
                copy_short(room, bytes);
                last.write(after);
            }
            _ => return Err(Stop::Full),
        }
        self.len = end;
        Ok(())
    }

    /// The next `len` bytes of room, zeroed, for `fill`, which returns how many it wrote.
    #[inline(always)]
    pub fn fill(
        &mut self,
        len: usize,
        fill: impl FnOnce(&mut [u8]) -> Option<usize>,
    ) -> Result<Option<usize>> {
        let room = self.buffer.get_mut(self.len..self.len + len).ok_or(Stop::Full)?;
        room.fill(MaybeUninit::new(0));
        // SAFETY: Every byte of the room was written in the line above.
        let written = fill(unsafe { room.assume_init_mut() });
        self.len += written.unwrap_or(0).min(len);
        Ok(written)
    }

    #[inline(always)]
    pub fn varint(&mut self, value: u64) -> Result<()> {
        if value < 0x80 {
            return self.byte(value as u8);
        }
        let mut bytes = [0; 10];
        let len = encode_varint(value, &mut bytes);
        self.slice(&bytes[..len])
    }

    /// Begins a length-delimited value whose length gets `reserved` bytes, 1 to 5.
    #[inline(always)]
    pub fn open(&mut self, reserved: u8) -> Result<Mark> {
        // Zeros, so that all bytes below `len` are always initialised.
        self.prefix([0; 5], reserved.into())?;
        Ok(Mark { body: self.len, reserved })
    }

    /// Removes the output beyond `len` bytes.
    pub fn truncate(&mut self, len: usize) {
        self.len = self.len.min(len);
    }

    /// Ends the value: fills in its length, and moves the body if the length needs more bytes.
    ///
    /// A shorter length is written with more bytes than it needs. Every parser reads that,
    /// and almost no body is moved.
    #[inline(always)]
    pub fn close(&mut self, mark: Mark) -> Result<()> {
        let len = self.len - mark.body;
        let start = mark.body - usize::from(mark.reserved);
        match mark.reserved {
            1 if len < 1 << 7 => {
                self.buffer[start].write(len as u8);
                Ok(())
            }
            2 if len < 1 << 14 => {
                self.buffer[start].write(len as u8 | 0x80);
                self.buffer[start + 1].write((len >> 7) as u8);
                Ok(())
            }
            _ => self.close_long(mark, start, len),
        }
    }

    #[inline(never)]
    fn close_long(&mut self, mark: Mark, start: usize, len: usize) -> Result<()> {
        let needed = varint_len(len as u64);
        let reserved = mark.reserved.max(needed);
        let body = start + usize::from(reserved);
        if reserved > mark.reserved {
            if body + len > self.buffer.len() {
                return Err(Stop::Full);
            }
            self.buffer.copy_within(mark.body..self.len, body);
            self.len = body + len;
        }
        let (last, others) = self.buffer[start..body].split_last_mut().ok_or(Stop::Full)?;
        let mut rest = len;
        for place in others {
            place.write(rest as u8 | 0x80);
            rest >>= 7;
        }
        last.write(rest as u8);
        Ok(())
    }
}

/// Copies what comes before the quote that ends a string, in whole blocks, and gives its length.
///
/// None if the string is long, has escapes or stands near the end of the text.
#[inline(always)]
fn copy_quoted(mut room: &mut [MaybeUninit<u8>], mut text: &[u8]) -> Option<usize> {
    let mut before = 0;
    while before < 0x80 {
        let (block, rest) = text.split_first_chunk::<32>()?;
        let (place, beyond) = room.split_first_chunk_mut::<32>()?;
        // Looked through and copied at once: what lies beyond the quote is written over.
        place.write_copy_of_slice(block);
        if let Some(offset) = first_special_of_32(block) {
            return (block.get(offset) == Some(&b'"')).then_some(before + offset);
        }
        before += 32;
        (room, text) = (beyond, rest);
    }
    None
}

/// Copies all of `bytes` into room of the same size.
#[inline(always)]
fn copy_short(room: &mut [MaybeUninit<u8>], bytes: &[u8]) {
    /// Copies the first and the last `N` bytes, which may overlap.
    #[inline(always)]
    fn copy_ends<const N: usize>(room: &mut [MaybeUninit<u8>], bytes: &[u8]) -> bool {
        let (Some(first), Some(last)) = (bytes.first_chunk::<N>(), bytes.last_chunk::<N>()) else {
            return false;
        };
        let Some(place) = room.first_chunk_mut::<N>() else { return false };
        *place = first.map(MaybeUninit::new);
        let Some(place) = room.last_chunk_mut::<N>() else { return false };
        *place = last.map(MaybeUninit::new);
        true
    }

    if bytes.len() > 32 {
        room.write_copy_of_slice(bytes);
    } else if !copy_ends::<16>(room, bytes)
        && !copy_ends::<8>(room, bytes)
        && !copy_ends::<4>(room, bytes)
    {
        for (place, byte) in room.iter_mut().zip(bytes) {
            place.write(*byte);
        }
    }
}

/// The number of bytes that `value` takes as a varint.
#[inline(always)]
pub fn varint_len(value: u64) -> u8 {
    ((70 - (value | 1).leading_zeros()) / 7) as u8
}

/// Writes `value` as a varint and returns its length.
#[inline(always)]
pub fn encode_varint(mut value: u64, bytes: &mut [u8; 10]) -> usize {
    for (index, byte) in bytes.iter_mut().enumerate() {
        if value < 0x80 {
            *byte = value as u8;
            return index + 1;
        }
        *byte = value as u8 | 0x80;
        value >>= 7;
    }
    10
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bytes::wire::Wire;

    #[test]
    fn varint_lengths() {
        for shift in 0..64 {
            for value in [1u64 << shift, (1u64 << shift) - 1, u64::MAX >> shift] {
                assert_eq!(encode_varint(value, &mut [0; 10]), usize::from(varint_len(value)));
            }
        }
    }

    #[test]
    fn a_length_that_does_not_fit_moves_the_body() {
        for reserved in 1..=5 {
            for len in [0usize, 1, 127, 128, 300, 16_383, 16_384, 20_000] {
                let mut buffer = vec![MaybeUninit::uninit(); 30_000];
                let mut out = Out::new(&mut buffer);
                let mark = out.open(reserved).unwrap();
                out.slice(&vec![7; len]).unwrap();
                out.close(mark).unwrap();
                let mut wire = Wire::new(out.written());
                assert_eq!(wire.delimited(), Some(&vec![7; len][..]));
                assert!(wire.is_empty());
            }
        }
    }
}
