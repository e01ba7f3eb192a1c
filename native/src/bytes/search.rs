//! Searching and comparing short runs of bytes, eight to 32 at a time.

/// The place of the first quote, backslash or control character at or after `at`.
///
/// Gives the end of the text where there is none.
#[inline(always)]
pub fn special(text: &[u8], at: usize) -> usize {
    to_escape::<false>(text, at)
}

/// The place of the first character at or after `at` that is escaped in a JSON string.
///
/// Those are quotes, backslashes and control characters; for ASCII text, DEL and all beyond it too.
/// Gives the end of the text where there is none.
#[inline(always)]
pub fn to_escape<const ASCII: bool>(text: &[u8], mut at: usize) -> usize {
    let Some(rest) = text.get(at..) else { return text.len() };
    for chunk in rest.as_chunks::<16>().0 {
        if let Some(offset) = first_to_escape::<ASCII>(chunk) {
            return at + offset;
        }
        at += 16;
    }
    while let Some(&byte) = text.get(at) {
        if byte < 0x20 || byte == b'"' || byte == b'\\' || (ASCII && byte >= 0x7F) {
            break;
        }
        at += 1;
    }
    at
}

/// The place of the first character in sixteen bytes that is escaped, as for [`to_escape`].
#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn first_to_escape<const ASCII: bool>(chunk: &[u8; 16]) -> Option<usize> {
    let marks = marks::<ASCII>(chunk);
    (marks != 0).then(|| marks.trailing_zeros() as usize)
}

/// One bit for each character in sixteen bytes that is escaped, as for [`to_escape`].
#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn marks<const ASCII: bool>(chunk: &[u8; 16]) -> u32 {
    use std::arch::x86_64::{
        _mm_cmpeq_epi8, _mm_max_epu8, _mm_min_epu8, _mm_movemask_epi8, _mm_or_si128,
        _mm_set_epi64x, _mm_set1_epi8,
    };

    let word = u128::from_le_bytes(*chunk);
    // SAFETY: Every x86-64 processor has SSE2.
    unsafe {
        let bytes = _mm_set_epi64x((word >> 64) as i64, word as i64);
        let quotes = _mm_cmpeq_epi8(bytes, _mm_set1_epi8(0x22));
        let backslashes = _mm_cmpeq_epi8(bytes, _mm_set1_epi8(0x5C));
        let controls = _mm_cmpeq_epi8(_mm_min_epu8(bytes, _mm_set1_epi8(0x1F)), bytes);
        let mut found = _mm_or_si128(_mm_or_si128(quotes, backslashes), controls);
        if ASCII {
            let beyond = _mm_cmpeq_epi8(_mm_max_epu8(bytes, _mm_set1_epi8(0x7F)), bytes);
            found = _mm_or_si128(found, beyond);
        }
        _mm_movemask_epi8(found) as u32
    }
}

/// The place of the first character in sixteen bytes that is escaped, as for [`to_escape`].
#[cfg(not(target_arch = "x86_64"))]
#[inline(always)]
fn first_to_escape<const ASCII: bool>(chunk: &[u8; 16]) -> Option<usize> {
    const LOW: u64 = 0x0101_0101_0101_0101;
    const HIGH: u64 = 0x8080_8080_8080_8080;

    let below = |word: u64, limit: u64| word.wrapping_sub(LOW * limit) & !word & HIGH;
    let marks = |word: u64| {
        let special =
            below(word, 0x20) | below(word ^ (LOW * 0x22), 1) | below(word ^ (LOW * 0x5C), 1);
        if ASCII { special | word & HIGH | below(word ^ (LOW * 0x7F), 1) } else { special }
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
    let marks = marks::<false>(low) | marks::<false>(high) << 16;
    (marks != 0).then(|| marks.trailing_zeros() as usize)
}

/// The place of the first quote, backslash or control character in 32 bytes.
#[cfg(not(target_arch = "x86_64"))]
#[inline(always)]
pub fn first_special_of_32(chunk: &[u8; 32]) -> Option<usize> {
    let ([low, high], _) = chunk.as_chunks::<16>() else { return None };
    first_to_escape::<false>(low).or_else(|| first_to_escape::<false>(high).map(|place| place + 16))
}

/// Whether nothing in a short string is escaped, as for [`to_escape`].
#[inline(always)]
fn is_plain_short<const ASCII: bool>(text: &[u8]) -> bool {
    let both = |first: u64, last: u64| u128::from(first) | u128::from(last) << 64;
    let bytes = if let (Some(first), Some(last)) = (text.first_chunk(), text.last_chunk()) {
        both(u64::from_le_bytes(*first), u64::from_le_bytes(*last))
    } else if let (Some(first), Some(last)) = (text.first_chunk(), text.last_chunk()) {
        let [first, last] = [first, last].map(|bytes| u64::from(u32::from_le_bytes(*bytes)));
        both(first | first << 32, last | last << 32)
    } else {
        return to_escape::<ASCII>(text, 0) == text.len();
    };
    first_to_escape::<ASCII>(&bytes.to_le_bytes()).is_none()
}

/// Whether a string can stand between quotes as it is, as for [`to_escape`].
#[inline(always)]
pub fn is_plain<const ASCII: bool>(text: &[u8]) -> bool {
    match text.last_chunk::<16>() {
        // The last bytes are looked at twice rather than one by one.
        Some(last) => text
            .as_chunks::<16>()
            .0
            .iter()
            .chain([last])
            .all(|chunk| first_to_escape::<ASCII>(chunk).is_none()),
        None => is_plain_short::<ASCII>(text),
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

#[cfg(test)]
mod tests {
    use super::*;

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
        assert_eq!(special(b"a\x7F\xFF", 0), 3);
        assert_eq!(special(b"abc", 9), 3);
    }

    #[test]
    fn text_for_ascii_ends_before_del_and_all_beyond() {
        for beyond in [0x7F, 0x80, 0xC3, 0xFF, b'"', b'\n'] {
            for before in [b'a', 0x20, 0x7E] {
                for len in 0..40 {
                    let mut text = vec![before; len];
                    assert!(is_plain::<true>(&text));
                    text.push(beyond);
                    assert!(!is_plain::<true>(&text));
                    text.extend([b'a'; 19]);
                    assert_eq!(to_escape::<true>(&text, 0), len);
                    assert!(!is_plain::<true>(&text));
                }
            }
        }
    }
}
