//! Where JSON objects, arrays and strings end, in text that arrives in chunks.
//!
//! Only brackets and quotes are looked at, 64 bytes at a time. Whether what they hold is JSON is for
//! the parser to say.

/// Looks at one chunk after another and remembers how deep inside of a value it is.
#[derive(Debug, Default)]
pub struct Outline {
    depth: usize,
    /// Whether the last chunk ended with a backslash whose character is still to come.
    escaped: bool,
    pub inside: bool,
    pub in_string: bool,
}

/// What stands for an escape: neither a quote nor a bracket.
const FILL: u8 = b'x';
const BLOCK: usize = 64;

/// The marks in one block, one bit for each byte. Quotes and brackets in strings are still there.
#[derive(Clone, Copy)]
struct Marks {
    quotes: u64,
    opens: u64,
    closes: u64,
}

impl Outline {
    /// Takes the next chunk; gives a copy without escapes where it has some.
    ///
    /// An escaped quote ends no string, so both characters of each escape are blotted out.
    pub fn load(&mut self, chunk: &[u8]) -> Option<Vec<u8>> {
        if chunk.is_empty() {
            return None;
        }
        let was_escaped = std::mem::take(&mut self.escaped);
        let start = usize::from(was_escaped);
        let mut next = memchr::memchr(b'\\', &chunk[start..]);
        if !was_escaped && next.is_none() {
            return None;
        }
        let mut outline = chunk.to_vec();
        if was_escaped {
            outline[0] = FILL;
        }
        let mut from = start;
        while let Some(offset) = next {
            let at = from + offset;
            outline[at] = FILL;
            match outline.get_mut(at + 1) {
                Some(byte) => *byte = FILL,
                None => self.escaped = true,
            }
            from = (at + 2).min(outline.len());
            next = memchr::memchr(b'\\', &outline[from..]);
        }
        Some(outline)
    }

    /// Goes on inside of a value, or begins one whose first character stands at `position`.
    ///
    /// Gives where the value ends; None if the chunk ends first.
    pub fn resume(&mut self, outline: &[u8], position: usize) -> Option<usize> {
        self.inside = true;
        for (at, marks) in blocks(outline, position) {
            let in_string = marks.in_string(self.in_string);
            let closes = marks.closes & !in_string;
            let opens = marks.opens & !in_string;
            if (closes.count_ones() as usize) < self.depth {
                // The value cannot end here, so the order of the brackets does not matter.
                self.depth += opens.count_ones() as usize;
                self.depth -= closes.count_ones() as usize;
                self.in_string ^= marks.quotes.count_ones() % 2 == 1;
                continue;
            }
            let mut events = marks.quotes | opens | closes;
            while events != 0 {
                let bit = events & events.wrapping_neg();
                events ^= bit;
                if marks.quotes & bit != 0 {
                    self.in_string = !self.in_string;
                    if self.in_string {
                        continue;
                    }
                } else if opens & bit != 0 {
                    self.depth += 1;
                } else {
                    self.depth = self.depth.saturating_sub(1);
                }
                if self.depth == 0 {
                    self.inside = false;
                    return Some(at + bit.trailing_zeros() as usize + 1);
                }
            }
        }
        None
    }

    /// The objects and arrays that follow one another from `position` on, each with start and end.
    ///
    /// Between them may be anything but quotes and brackets: the caller looks at it. Stops before
    /// the first value that is not complete in this chunk.
    pub fn spans(outline: &[u8], position: usize) -> Vec<(usize, usize)> {
        let mut spans = Vec::new();
        let (mut depth, mut start, mut is_in_string) = (0usize, 0, false);
        for (at, marks) in blocks(outline, position) {
            let in_string = marks.in_string(is_in_string);
            is_in_string ^= marks.quotes.count_ones() % 2 == 1;
            let closes = marks.closes & !in_string;
            let opens = marks.opens & !in_string;
            if (closes.count_ones() as usize) < depth {
                depth += opens.count_ones() as usize;
                depth -= closes.count_ones() as usize;
                continue;
            }
            // A quote only matters outside of values, where it ends the search.
            let mut events = opens | closes | marks.quotes;
            while events != 0 {
                let bit = events & events.wrapping_neg();
                events ^= bit;
                let place = at + bit.trailing_zeros() as usize;
                if opens & bit != 0 {
                    if depth == 0 {
                        start = place;
                    }
                    depth += 1;
                } else if depth == 0 {
                    return spans;
                } else if closes & bit != 0 {
                    depth -= 1;
                    if depth == 0 {
                        spans.push((start, place + 1));
                    }
                }
            }
        }
        spans
    }
}

impl Marks {
    fn of(block: &[u8; BLOCK]) -> Self {
        let mut marks = Self { quotes: 0, opens: 0, closes: 0 };
        for (index, word) in block.as_chunks::<8>().0.iter().enumerate() {
            let word = u64::from_le_bytes(*word);
            // In ASCII one bit is all that tells `[` from `{`, and `]` from `}`.
            let bracket = word | (EACH * 0x20);
            let shift = 8 * index;
            marks.quotes |= equal_bytes(word, b'"') << shift;
            marks.opens |= equal_bytes(bracket, b'{') << shift;
            marks.closes |= equal_bytes(bracket, b'}') << shift;
        }
        marks
    }

    /// Which bytes stand inside of strings, given whether the block begins inside of one.
    fn in_string(self, at_start: bool) -> u64 {
        // Each bit becomes the parity of the quotes up to it.
        let mut parity = self.quotes;
        for shift in [1, 2, 4, 8, 16, 32] {
            parity ^= parity << shift;
        }
        if at_start { !parity } else { parity }
    }
}

const EACH: u64 = 0x0101_0101_0101_0101;

/// One bit for each of the eight bytes: whether it equals `byte`.
fn equal_bytes(word: u64, byte: u8) -> u64 {
    const LOW_BITS: u64 = EACH * 0x7F;

    let differences = word ^ (EACH * u64::from(byte));
    // The high bit of each byte that has any bit set; no carry leaves its byte.
    let different = ((differences & LOW_BITS) + LOW_BITS) | differences;
    let equal = (!different >> 7) & EACH;
    // Gathers the eight bits in the highest byte.
    equal.wrapping_mul(0x0102_0408_1020_4080) >> 56
}

/// The blocks from `position` on, with where each starts. The last one is filled up.
fn blocks(outline: &[u8], position: usize) -> impl Iterator<Item = (usize, Marks)> {
    let rest = outline.get(position..).unwrap_or_default();
    let (whole, last) = rest.as_chunks::<BLOCK>();
    let mut filled = [FILL; BLOCK];
    filled[..last.len()].copy_from_slice(last);
    let whole_len = whole.len();
    let whole = whole
        .iter()
        .enumerate()
        .map(move |(index, block)| (position + index * BLOCK, Marks::of(block)));
    let last = (!last.is_empty()).then(|| (position + whole_len * BLOCK, Marks::of(&filled)));
    whole.chain(last)
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
    fn spans_of_values() {
        let text = br#" {"a":"]}"},[1,[2]] , {} "x" {}"#;
        let found: Vec<_> =
            Outline::spans(text, 0).iter().map(|&(start, end)| &text[start..end]).collect();
        assert_eq!(found, [&br#"{"a":"]}"}"#[..], b"[1,[2]]", b"{}"]);
        assert_eq!(Outline::spans(b"{} ] {}", 0), [(0, 2)]);
        assert_eq!(Outline::spans(b"{}{\"", 0), [(0, 2)]);
    }

    #[test]
    fn any_cut_finds_the_same_end() {
        let text = br#"{"a\\":"\"}]","long text that goes over the end of a block of sixty-four bytes":[{"x":["]"]}]} "#;
        let end = text.len() - 1;
        for cut in 1..end {
            let mut outline = Outline::default();
            let mut ends = Vec::new();
            for chunk in [&text[..cut], &text[cut..]] {
                let copy = outline.load(chunk);
                ends.push(outline.resume(copy.as_deref().unwrap_or(chunk), 0));
            }
            assert_eq!(ends, [None, Some(end - cut)], "{cut}");
            assert!(!outline.inside && !outline.in_string);
        }
    }
}
