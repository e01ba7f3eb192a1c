//! The ends of JSON objects, arrays and strings in text that arrives in pieces.
//!
//! Only brackets, quotes and backslashes are looked at, 64 bytes at a time. The parser decides
//! whether the text between them is JSON.

use super::marks::{BLOCK, Marks};

/// The position inside a value, after the text that was looked at so far.
#[derive(Debug, Default)]
pub struct Outline {
    /// The number of open brackets.
    depth: usize,
    /// All bits inside a string, else none.
    in_string: u64,
    /// Whether the text so far ends with a backslash that escapes the next character.
    escaped: bool,
}

impl Outline {
    /// Whether a string has begun and not ended.
    pub fn in_string(&self) -> bool {
        self.in_string != 0
    }

    /// Continues a value, or begins one whose bracket or quote stands at `position`.
    ///
    /// Returns where the value ends; None if the text ends first.
    #[inline]
    pub fn resume(&mut self, text: &[u8], mut position: usize) -> Option<usize> {
        if self.depth == 0 && !self.in_string() {
            match text.get(position)? {
                b'"' => self.in_string = u64::MAX,
                _ => self.depth = 1,
            }
            position += 1;
        }
        let end = if self.depth == 0 {
            self.end_of_string(text, position)
        } else {
            self.end_of_brackets(text, position)
        }?;
        *self = Self::default();
        Some(end)
    }

    #[inline]
    fn end_of_brackets(&mut self, text: &[u8], mut position: usize) -> Option<usize> {
        let mut filled = [0; BLOCK];
        while position < text.len() {
            let (block, len) = block(text, position, &mut filled);
            let marks = Marks::of(block);
            let escaped = self.escapes(marks.backslashes, len);
            let in_string = parity(marks.quotes & !escaped) ^ self.in_string;
            // The highest bit, in all places.
            self.in_string = ((in_string as i64) >> 63) as u64;
            // An escape outside a string is not JSON; it escapes its character all the same.
            let opens = marks.opens & !in_string & !escaped;
            let mut closes = marks.closes & !in_string & !escaped;
            let open_count = opens.count_ones() as usize;
            let close_count = closes.count_ones() as usize;
            if close_count >= self.depth {
                // The value may end here, so the order of the brackets matters.
                let mut brackets = opens | closes;
                let mut depth = self.depth;
                while closes != 0 {
                    let bit = brackets & brackets.wrapping_neg();
                    brackets ^= bit;
                    if closes & bit == 0 {
                        depth += 1;
                        continue;
                    }
                    closes ^= bit;
                    depth -= 1;
                    if depth == 0 {
                        return Some(position + bit.trailing_zeros() as usize + 1);
                    }
                }
            }
            self.depth = self.depth + open_count - close_count;
            position += len;
        }
        None
    }

    fn end_of_string(&mut self, text: &[u8], mut position: usize) -> Option<usize> {
        let mut filled = [0; BLOCK];
        while position < text.len() {
            let (block, len) = block(text, position, &mut filled);
            let marks = Marks::of(block);
            let quotes = marks.quotes & !self.escapes(marks.backslashes, len);
            if quotes != 0 {
                return Some(position + quotes.trailing_zeros() as usize + 1);
            }
            position += len;
        }
        None
    }

    /// The bytes of a block of `len` that a backslash before them escapes.
    #[inline]
    fn escapes(&mut self, backslashes: u64, len: usize) -> u64 {
        let mut escaped = u64::from(std::mem::take(&mut self.escaped));
        let mut rest = backslashes & !escaped;
        while rest != 0 {
            let bit = rest & rest.wrapping_neg();
            escaped |= bit << 1;
            self.escaped = bit == 1 << (len - 1);
            rest &= !(bit | bit << 1);
        }
        escaped
    }
}

/// Turns each bit into the parity of the bits up to it: for quotes, the bytes inside strings.
#[inline]
fn parity(mut bits: u64) -> u64 {
    for shift in [1, 2, 4, 8, 16, 32] {
        bits ^= bits << shift;
    }
    bits
}

/// The block at `position` and the length of text in it: the last block is filled with zeros.
#[inline]
fn block<'a>(
    text: &'a [u8],
    position: usize,
    filled: &'a mut [u8; BLOCK],
) -> (&'a [u8; BLOCK], usize) {
    let rest = text.get(position..).unwrap_or_default();
    match rest.first_chunk() {
        Some(block) => (block, BLOCK),
        None => {
            filled[..rest.len()].copy_from_slice(rest);
            (filled, rest.len())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_of_values() {
        for value in [
            &br#"{"a":"]}"}"#[..],
            b"[1,[2]]",
            b"{}",
            br#""a\"b""#,
            br#""\\""#,
            br#"["\\\"]"]"#,
            br#"[{"a text that goes over the end of a block of sixty-four bytes, with \" and ]":[]}]"#,
        ] {
            let text = [value, b"]}\"[{"].concat();
            assert_eq!(Outline::default().resume(&text, 0), Some(value.len()));
            assert_eq!(Outline::default().resume(&text[..value.len() - 1], 0), None);
        }
    }

    #[test]
    fn any_cut_finds_the_same_end() {
        let text = br#"{"a\\":"\"}]","long text that goes over the end of a block of sixty-four bytes":[{"x":["]"]}]} "#;
        let end = text.len() - 1;
        for cut in 1..end {
            let mut outline = Outline::default();
            let ends = [&text[..cut], &text[cut..]].map(|piece| outline.resume(piece, 0));
            assert_eq!(ends, [None, Some(end - cut)], "{cut}");
            assert!(!outline.in_string());
        }
    }

    #[test]
    fn backslashes_in_a_row_at_every_place() {
        for before in 0..130 {
            for count in 0..70 {
                let mut text = vec![b'['; 1];
                text.push(b'"');
                text.extend(vec![b'x'; before]);
                text.extend(vec![b'\\'; count]);
                text.extend(b"\"]\"]");
                let end = if count % 2 == 0 { text.len() - 2 } else { text.len() };
                assert_eq!(Outline::default().resume(&text, 0), Some(end), "{before} {count}");
            }
        }
    }
}
