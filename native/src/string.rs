//! JSON strings: where they end, what they mean, and whether they need escapes.

use std::borrow::Cow;

use crate::Stop;

type Result<T> = std::result::Result<T, Stop>;

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
        if self.escaped { Err(Stop::HandBack) } else { Ok(self.raw) }
    }

    /// The string that is meant.
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

/// The place of the first quote, backslash or control character at or after `at`.
///
/// Gives the end of the text where there is none.
#[inline(always)]
pub fn special(text: &[u8], mut at: usize) -> usize {
    let Some(rest) = text.get(at..) else { return text.len() };
    for chunk in rest.as_chunks::<16>().0 {
        if let Some(offset) = first_special(chunk) {
            return at + offset;
        }
        at += 16;
    }
    while let Some(&byte) = text.get(at) {
        if byte < 0x20 || byte == b'"' || byte == b'\\' {
            break;
        }
        at += 1;
    }
    at
}

/// The place of the first quote, backslash or control character in sixteen bytes.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
pub fn first_special(chunk: &[u8; 16]) -> Option<usize> {
    let marks = specials(chunk);
    (marks != 0).then(|| marks.trailing_zeros() as usize)
}

/// One bit for each quote, backslash and control character in sixteen bytes.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn specials(chunk: &[u8; 16]) -> u32 {
    use std::arch::x86_64::{
        _mm_cmpeq_epi8, _mm_min_epu8, _mm_movemask_epi8, _mm_or_si128, _mm_set_epi64x,
        _mm_set1_epi8,
    };

    let word = u128::from_le_bytes(*chunk);
    // SAFETY: Every x86-64 processor has SSE2.
    unsafe {
        let bytes = _mm_set_epi64x((word >> 64) as i64, word as i64);
        let quotes = _mm_cmpeq_epi8(bytes, _mm_set1_epi8(0x22));
        let backslashes = _mm_cmpeq_epi8(bytes, _mm_set1_epi8(0x5C));
        let controls = _mm_cmpeq_epi8(_mm_min_epu8(bytes, _mm_set1_epi8(0x1F)), bytes);
        _mm_movemask_epi8(_mm_or_si128(_mm_or_si128(quotes, backslashes), controls)) as u32
    }
}

/// The place of the first quote, backslash or control character in sixteen bytes.
#[cfg(not(target_arch = "x86_64"))]
#[inline(always)]
pub fn first_special(chunk: &[u8; 16]) -> Option<usize> {
    const LOW: u64 = 0x0101_0101_0101_0101;
    const HIGH: u64 = 0x8080_8080_8080_8080;

    let below = |word: u64, limit: u64| word.wrapping_sub(LOW * limit) & !word & HIGH;
    let marks = |word: u64| {
        below(word, 0x20) | below(word ^ (LOW * 0x22), 1) | below(word ^ (LOW * 0x5C), 1)
    };
    let word = u128::from_le_bytes(*chunk);
    // The lowest mark is exact: a borrow can only come from below it.
    match (marks(word as u64), marks((word >> 64) as u64)) {
        (0, 0) => None,
        (0, high) => Some(8 + (high.trailing_zeros() / 8) as usize),
        (low, _) => Some((low.trailing_zeros() / 8) as usize),
    }
}

/// The place of the first quote, backslash or control character in 32 bytes.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
pub fn first_special_of_32(chunk: &[u8; 32]) -> Option<usize> {
    let ([low, high], _) = chunk.as_chunks::<16>() else { return None };
    let marks = specials(low) | specials(high) << 16;
    (marks != 0).then(|| marks.trailing_zeros() as usize)
}

/// The place of the first quote, backslash or control character in 32 bytes.
#[cfg(not(target_arch = "x86_64"))]
#[inline(always)]
pub fn first_special_of_32(chunk: &[u8; 32]) -> Option<usize> {
    let ([low, high], _) = chunk.as_chunks::<16>() else { return None };
    first_special(low).or_else(|| first_special(high).map(|place| place + 16))
}

/// Whether a short string has neither quotes nor backslashes nor control characters.
#[inline(always)]
fn is_plain_short(text: &[u8]) -> bool {
    let both = |first: u64, last: u64| u128::from(first) | u128::from(last) << 64;
    let bytes = if let (Some(first), Some(last)) = (text.first_chunk(), text.last_chunk()) {
        both(u64::from_le_bytes(*first), u64::from_le_bytes(*last))
    } else if let (Some(first), Some(last)) = (text.first_chunk(), text.last_chunk()) {
        let [first, last] = [first, last].map(|bytes| u64::from(u32::from_le_bytes(*bytes)));
        both(first | first << 32, last | last << 32)
    } else {
        return special(text, 0) == text.len();
    };
    first_special(&bytes.to_le_bytes()).is_none()
}

/// Whether a string can stand between quotes as it is.
#[inline(always)]
pub fn is_plain(text: &[u8]) -> bool {
    match text.last_chunk::<16>() {
        // The last bytes are looked at twice rather than one by one.
        Some(last) => text
            .as_chunks::<16>()
            .0
            .iter()
            .chain([last])
            .all(|chunk| first_special(chunk).is_none()),
        None => is_plain_short(text),
    }
}

/// Whether `text` starts with `prefix`, without the call that comparing slices makes.
#[inline(always)]
pub fn starts_with(text: &[u8], prefix: &[u8]) -> bool {
    let Some(text) = text.get(..prefix.len()) else { return false };
    let (words, rest) = text.as_chunks::<8>();
    let (wanted_words, wanted_rest) = prefix.as_chunks::<8>();
    match (text.last_chunk::<8>(), prefix.last_chunk::<8>()) {
        (Some(last), Some(wanted_last)) => {
            last == wanted_last
                && words.iter().zip(wanted_words).all(|(word, wanted)| word == wanted)
        }
        _ => rest.iter().zip(wanted_rest).all(|(byte, wanted)| byte == wanted),
    }
}

/// Up to eight bytes as a little-endian number, and the mask of those that there are.
pub fn head_of(bytes: &[u8]) -> (u64, u64) {
    let mut head = ([0; 8], [0; 8]);
    for (index, byte) in bytes.iter().take(8).enumerate() {
        head.0[index] = *byte;
        head.1[index] = 0xFF;
    }
    (u64::from_le_bytes(head.0), u64::from_le_bytes(head.1))
}

/// Hands over the pieces of the string that the escaped text means.
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
            _ => return Err(Stop::HandBack),
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
    let second = raw[4..].strip_prefix(b"\\u").ok_or(Stop::HandBack).and_then(unit)?;
    if first >= 0xDC00 || !(0xDC00..0xE000).contains(&second) {
        return Err(Stop::HandBack);
    }
    let code = 0x10000 + ((first - 0xD800) << 10) + (second - 0xDC00);
    Ok((char::from_u32(code).ok_or(Stop::HandBack)?, 10))
}

fn unit(raw: &[u8]) -> Result<u32> {
    let digits = raw.first_chunk::<4>().ok_or(Stop::HandBack)?;
    digits.iter().try_fold(0, |unit, &digit| {
        Ok(unit * 16 + char::from(digit).to_digit(16).ok_or(Stop::HandBack)?)
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

    #[test]
    fn the_first_special_byte_is_found_everywhere() {
        for special_byte in [b'"', b'\\', 0, 0x1F, b'\n'] {
            for before in [b'a', 0x20, 0x21, 0x23, 0x5B, 0x5D, 0x7F, 0x80, 0xFF, 0xA2, 0xDC] {
                for len in 0..40 {
                    let mut text = vec![before; len];
                    text.push(special_byte);
                    text.extend([b'"'; 9]);
                    assert_eq!(special(&text, 0), len);
                }
            }
        }
        assert_eq!(special(b"abc", 0), 3);
        assert_eq!(special(b"abc", 9), 3);
    }
}
