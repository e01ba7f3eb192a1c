//! JSON strings: their ends and their escapes.

use std::borrow::Cow;

use crate::bytes::search::special;
use crate::stop::{Result, Stop};

/// A JSON string as it stands between its quotes.
#[derive(Clone, Copy)]
pub struct Quoted<'j> {
    pub raw: &'j [u8],
    /// The text from where the string begins, beyond its end.
    pub ahead: &'j [u8],
    pub escaped: bool,
}

impl<'j> Quoted<'j> {
    /// The bytes of the string, if it has no escapes.
    #[inline(always)]
    pub fn plain(self) -> Result<&'j [u8]> {
        if self.escaped { Err(Stop::Undecided) } else { Ok(self.raw) }
    }

    /// The string without escapes.
    #[inline(always)]
    pub fn decoded(self) -> Result<Cow<'j, [u8]>> {
        if !self.escaped {
            return Ok(Cow::Borrowed(self.raw));
        }
        let mut decoded = Vec::with_capacity(self.raw.len());
        unescape(self.raw, |bytes| {
            decoded.extend_from_slice(bytes);
            Ok(())
        })?;
        Ok(Cow::Owned(decoded))
    }
}

/// The place of the quote that ends a string, from its first special byte on.
#[inline(never)]
pub fn end_of_escaped(text: &[u8], mut at: usize) -> Option<usize> {
    loop {
        match text.get(at)? {
            b'"' => return Some(at),
            b'\\' => at = special(text, at + 2),
            _ => return None,
        }
    }
}

/// Passes the string that an escaped text stands for to `piece`, piece by piece.
pub fn unescape(raw: &[u8], mut piece: impl FnMut(&[u8]) -> Result<()>) -> Result<()> {
    let mut start = 0;
    while let Some(offset) = memchr::memchr(b'\\', &raw[start..]) {
        let escape = start + offset;
        piece(&raw[start..escape])?;
        start = escape + 2;
        let simple = match raw.get(escape + 1) {
            Some(byte @ (b'"' | b'\\' | b'/')) => *byte,
            Some(b'b') => 0x08,
            Some(b'f') => 0x0C,
            Some(b'n') => b'\n',
            Some(b'r') => b'\r',
            Some(b't') => b'\t',
            Some(b'u') => {
                let (character, len) = code_point(&raw[escape + 2..])?;
                start += len;
                piece(character.encode_utf8(&mut [0; 4]).as_bytes())?;
                continue;
            }
            _ => return Err(Stop::Undecided),
        };
        piece(&[simple])?;
    }
    piece(&raw[start..])
}

/// Reads what follows `\u`: one unit, or a pair of surrogates.
fn code_point(raw: &[u8]) -> Result<(char, usize)> {
    let first = unit(raw)?;
    if let Some(character) = char::from_u32(first) {
        return Ok((character, 4));
    }
    let second = raw[4..].strip_prefix(b"\\u").ok_or(Stop::Undecided).and_then(unit)?;
    if first >= 0xDC00 || !(0xDC00..0xE000).contains(&second) {
        return Err(Stop::Undecided);
    }
    let code = 0x10000 + ((first - 0xD800) << 10) + (second - 0xDC00);
    Ok((char::from_u32(code).ok_or(Stop::Undecided)?, 10))
}

fn unit(raw: &[u8]) -> Result<u32> {
    let digits = raw.first_chunk::<4>().ok_or(Stop::Undecided)?;
    digits.iter().try_fold(0, |unit, &digit| {
        Ok(unit * 16 + char::from(digit).to_digit(16).ok_or(Stop::Undecided)?)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unescaped(raw: &str) -> Option<String> {
        let mut all = Vec::new();
        unescape(raw.as_bytes(), |piece| {
            all.extend_from_slice(piece);
            Ok(())
        })
        .ok()?;
        String::from_utf8(all).ok()
    }

    #[test]
    fn escapes() {
        assert_eq!(unescaped(r#"a\n\"\\\/\u00e9\ud83d\ude00z"#).as_deref(), Some("a\n\"\\/é😀z"));
        for bad in [
            r"\ud83d",
            r"\ude00\ud83d",
            r"\ud83d\u0041",
            r"\ud83dabcdef",
            r"\x",
            r"\u12",
            r"\u+123",
            "\\",
        ] {
            assert_eq!(unescaped(bad), None, "{bad}");
        }
    }
}
