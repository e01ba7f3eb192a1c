//! The places of quotes, backslashes and brackets in 64 bytes.

pub const BLOCK: usize = 64;

/// One bit for each byte, the first byte's lowest. Those in strings are there too.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Marks {
    pub quotes: u64,
    pub backslashes: u64,
    pub opens: u64,
    pub closes: u64,
}

/// In ASCII this bit is all that tells `[` from `{`, and `]` from `}`.
const BRACE: u8 = 0x20;

impl Marks {
    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    pub fn of(block: &[u8; BLOCK]) -> Self {
        use std::arch::x86_64::{
            __m128i, _mm_cmpeq_epi8, _mm_movemask_epi8, _mm_or_si128, _mm_set_epi64x, _mm_set1_epi8,
        };

        let mut marks = Self::default();
        for (index, bytes) in block.as_chunks::<16>().0.iter().enumerate() {
            let word = u128::from_le_bytes(*bytes);
            // SAFETY: Every x86-64 processor has SSE2.
            let [quotes, backslashes, opens, closes] = unsafe {
                let bytes = _mm_set_epi64x((word >> 64) as i64, word as i64);
                let braces = _mm_or_si128(bytes, _mm_set1_epi8(BRACE as i8));
                let equal = |bytes: __m128i, byte: u8| {
                    let equal = _mm_cmpeq_epi8(bytes, _mm_set1_epi8(byte as i8));
                    u64::from(_mm_movemask_epi8(equal) as u16)
                };
                [equal(bytes, b'"'), equal(bytes, b'\\'), equal(braces, b'{'), equal(braces, b'}')]
            };
            let shift = 16 * index;
            marks.quotes |= quotes << shift;
            marks.backslashes |= backslashes << shift;
            marks.opens |= opens << shift;
            marks.closes |= closes << shift;
        }
        marks
    }

    #[cfg(not(target_arch = "x86_64"))]
    #[inline(always)]
    pub fn of(block: &[u8; BLOCK]) -> Self {
        Self::of_words(block)
    }

    /// The same with eight bytes at a time, for every processor.
    #[cfg(any(test, not(target_arch = "x86_64")))]
    #[inline(always)]
    fn of_words(block: &[u8; BLOCK]) -> Self {
        let mut marks = Self::default();
        for (index, word) in block.as_chunks::<8>().0.iter().enumerate() {
            let word = u64::from_le_bytes(*word);
            let brace = word | (EACH * u64::from(BRACE));
            let shift = 8 * index;
            marks.quotes |= equal_bytes(word, b'"') << shift;
            marks.backslashes |= equal_bytes(word, b'\\') << shift;
            marks.opens |= equal_bytes(brace, b'{') << shift;
            marks.closes |= equal_bytes(brace, b'}') << shift;
        }
        marks
    }
}

#[cfg(any(test, not(target_arch = "x86_64")))]
const EACH: u64 = 0x0101_0101_0101_0101;

/// One bit for each of the eight bytes: whether it equals `byte`.
#[cfg(any(test, not(target_arch = "x86_64")))]
#[inline(always)]
fn equal_bytes(word: u64, byte: u8) -> u64 {
    const LOW_BITS: u64 = EACH * 0x7F;

    let differences = word ^ (EACH * u64::from(byte));
    // The high bit of each byte that has any bit set; no carry leaves its byte.
    let different = ((differences & LOW_BITS) + LOW_BITS) | differences;
    let equal = (!different >> 7) & EACH;
    // Gathers the eight bits in the highest byte.
    equal.wrapping_mul(0x0102_0408_1020_4080) >> 56
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_bytes_are_exact() {
        for byte in 0..=255u8 {
            for other in 0..=255u8 {
                let word = u64::from_le_bytes([other, byte, other, other, 0, byte, 0xFF, other]);
                let expected: u64 =
                    (0..8).filter(|bit| word.to_le_bytes()[*bit] == byte).map(|bit| 1 << bit).sum();
                assert_eq!(equal_bytes(word, byte), expected);
            }
        }
    }

    #[test]
    fn every_byte_is_marked_at_every_place() {
        for byte in 0..=255u8 {
            for place in 0..BLOCK {
                let mut block = [byte.wrapping_add(place as u8 + 1); BLOCK];
                block[place] = byte;
                let bits = |wanted: &[u8]| {
                    (0..BLOCK).filter(|at| wanted.contains(&block[*at])).map(|at| 1 << at).sum()
                };
                let expected = Marks {
                    quotes: bits(b"\""),
                    backslashes: bits(b"\\"),
                    opens: bits(b"[{"),
                    closes: bits(b"]}"),
                };
                assert_eq!(Marks::of(&block), expected);
                assert_eq!(Marks::of_words(&block), expected);
            }
        }
    }
}
