//! Reading JSON text: the grammar's small parts.
//!
//! The text is checked for UTF-8 elsewhere. Any text but the expected JSON stops the reading with
//! [`Stop::Undecided`]: the pure backend reports the error and its place.

use super::keys::Key;
use crate::bytes::search::{first_special_of_32, head_of, special, starts_with};
use crate::scalars::number::{Number, read_number};
use crate::scalars::string::{Quoted, end_of_escaped};
use crate::schema::names::WINDOW;
use crate::stop::{Result, Stop};

/// A place in a JSON text.
#[derive(Clone, Copy)]
pub struct Scan<'j> {
    text: &'j [u8],
    at: usize,
}

impl<'j> Scan<'j> {
    pub fn new(text: &'j [u8]) -> Self {
        Self { text, at: 0 }
    }

    #[inline(always)]
    fn here(&self) -> u8 {
        // A NUL is in no JSON text outside of strings, so it can stand for the end.
        self.text.get(self.at).copied().unwrap_or(0)
    }

    /// The whole text, and the place in it.
    #[inline(always)]
    pub fn place(&self) -> (&'j [u8], usize) {
        (self.text, self.at)
    }

    /// The length of the rest of the text.
    #[inline(always)]
    pub fn remaining(&self) -> usize {
        self.text.len().saturating_sub(self.at)
    }

    /// Skips blanks and returns the byte after them without consuming it.
    #[inline(always)]
    pub fn peek(&mut self) -> u8 {
        let byte = self.here();
        if byte > b' ' {
            return byte;
        }
        self.at = after_blanks(self.text, self.at);
        self.here()
    }

    #[inline(always)]
    pub fn expect(&mut self, byte: u8) -> Result<()> {
        if self.peek() != byte {
            return Err(Stop::Undecided);
        }
        self.at += 1;
        Ok(())
    }

    /// Consumes `byte` if it comes next.
    #[inline(always)]
    pub fn eat(&mut self, byte: u8) -> bool {
        if self.peek() != byte {
            return false;
        }
        self.at += 1;
        true
    }

    /// The next eight bytes, as a little-endian number; zeros follow the end of the text.
    #[inline(always)]
    pub fn next_eight(&self) -> u64 {
        let rest = self.text.get(self.at..).unwrap_or_default();
        match rest.first_chunk() {
            Some(bytes) => u64::from_le_bytes(*bytes),
            None => head_of(rest).0,
        }
    }

    /// The next bytes, if there are as many.
    #[inline(always)]
    pub fn window(&self) -> Option<&'j [u8; WINDOW]> {
        self.text.get(self.at..)?.first_chunk()
    }

    /// The key of up to 32 bytes that comes next, with its colon and no blanks; not consumed.
    ///
    /// Returns the text after its opening quote, and its length.
    #[inline(always)]
    pub fn short_key(&self) -> Option<(&'j [u8; 32], usize)> {
        let (quote, ahead) = self.window()?.split_first()?;
        let key = ahead.first_chunk()?;
        let len = first_special_of_32(key)?;
        let is_key = *quote == b'"'
            && ahead.get(len) == Some(&b'"')
            && ahead.get(len + 1) == Some(&b':')
            && ahead.get(len + 2).is_some_and(|byte| *byte > b' ');
        is_key.then_some((key, len))
    }

    /// Consumes this key, its colon and the blanks around that if they come next and it is short.
    #[inline(always)]
    pub fn expected_key(&mut self, key: Key) -> Option<(&'j [u8; 32], usize)> {
        let rest = self.text.get(self.at..)?;
        let len = key.starts(self.text, rest, self.next_eight())?;
        let block = rest.get(1..)?.first_chunk()?;
        if key.text_len() > block.len() {
            return None;
        }
        self.at += len;
        Some((block, key.text_len()))
    }

    /// Consumes this many bytes.
    #[inline(always)]
    pub fn advance(&mut self, len: usize) {
        self.at += len;
    }

    /// Consumes these bytes if they come next, without skipping blanks.
    #[inline(always)]
    pub fn eat_exactly(&mut self, bytes: &[u8]) -> bool {
        if !self.text.get(self.at..).is_some_and(|rest| starts_with(rest, bytes)) {
            return false;
        }
        self.at += bytes.len();
        true
    }

    /// Consumes this key, its colon and the blanks around that if they come next.
    #[inline(always)]
    pub fn eat_key(&mut self, key: Key) -> Option<Quoted<'j>> {
        let rest = self.text.get(self.at..).unwrap_or_default();
        self.at += key.starts(self.text, rest, self.next_eight())?;
        let ahead = rest.get(1..)?;
        Some(Quoted { raw: ahead.get(..key.text_len())?, ahead, escaped: false })
    }

    /// Reads the comma or the end after an item, and returns whether another item follows.
    #[inline(always)]
    pub fn another(&mut self, end: u8) -> Result<bool> {
        let byte = self.peek();
        self.at += 1;
        match byte {
            b',' => Ok(true),
            byte if byte == end => Ok(false),
            _ => Err(Stop::Undecided),
        }
    }

    #[inline(always)]
    pub fn word(&mut self, word: &[u8]) -> Result<()> {
        if self.eat_exactly(word) { Ok(()) } else { Err(Stop::Undecided) }
    }

    /// The text after the next quote, if that opens a string longer than `len` bytes.
    pub fn longer_than(&mut self, len: usize) -> Option<&'j [u8]> {
        let text = self.after_quote()?;
        memchr::memchr(b'"', text.get(..len)?).is_none().then_some(text)
    }

    /// The text after the next quote, if a quote comes next.
    #[inline(always)]
    pub fn after_quote(&mut self) -> Option<&'j [u8]> {
        if self.peek() == b'"' { self.text.get(self.at + 1..) } else { None }
    }

    /// Reads the next string, which is probably long and without escapes.
    pub fn long_string(&mut self) -> Result<Quoted<'j>> {
        self.expect(b'"')?;
        let rest = self.text.get(self.at..).unwrap_or_default();
        let end = memchr::memchr2(b'"', b'\\', rest).ok_or(Stop::Undecided)?;
        if rest[end] == b'"' {
            self.at += end + 1;
            // No search for control characters: they are not valid in base64 and times either.
            return Ok(Quoted { raw: &rest[..end], ahead: rest, escaped: false });
        }
        self.at -= 1;
        self.string()
    }

    /// Reads the next string.
    #[inline(always)]
    pub fn string(&mut self) -> Result<Quoted<'j>> {
        self.expect(b'"')?;
        let ahead = self.text.get(self.at..).unwrap_or_default();
        let mut len = special(ahead, 0);
        let escaped = ahead.get(len) != Some(&b'"');
        if escaped {
            len = end_of_escaped(ahead, len).ok_or(Stop::Undecided)?;
        }
        self.at += len + 1;
        Ok(Quoted { raw: ahead.get(..len).unwrap_or_default(), ahead, escaped })
    }

    #[inline(always)]
    pub fn number(&mut self) -> Result<Number<'j>> {
        let (number, len) = read_number(self.text.get(self.at..).unwrap_or_default())?;
        self.at += len;
        Ok(number)
    }

    /// Checks that only blanks follow.
    pub fn end(&mut self) -> Result<()> {
        self.peek();
        if self.at == self.text.len() { Ok(()) } else { Err(Stop::Undecided) }
    }
}

/// The place of the first byte at or after `at` that is not blank.
#[inline(never)]
fn after_blanks(text: &[u8], mut at: usize) -> usize {
    // Indented text: runs of spaces are long.
    loop {
        match text.get(at) {
            Some(b' ') => match text.get(at..).and_then(<[u8]>::first_chunk::<8>) {
                Some(b"        ") => at += 8,
                _ => at += 1,
            },
            Some(b'\n' | b'\r' | b'\t') => at += 1,
            _ => return at,
        }
    }
}
