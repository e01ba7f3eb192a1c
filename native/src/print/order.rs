//! The order in which entries of maps and Structs are printed.

use std::cmp::Ordering;

/// The largest number of entries whose order is kept apart from them.
pub const FEW: usize = 16;

/// An entry of a map or a Struct.
#[derive(Clone, Copy)]
pub struct Entry<'w> {
    /// The sort key: the start of a text, where equal ones are decided by the text, or a number.
    pub order: u64,
    pub key: &'w [u8],
    pub value: &'w [u8],
}

impl<'w> Entry<'w> {
    #[inline(always)]
    pub fn of_text(key: &'w [u8], value: &'w [u8]) -> Self {
        Self { order: start_of(key), key, value }
    }

    #[inline(always)]
    pub fn compare(&self, other: &Self) -> Ordering {
        self.order.cmp(&other.order).then_with(|| self.key.cmp(other.key))
    }

    #[inline(always)]
    pub fn is_before(&self, other: &Self) -> bool {
        self.order < other.order || (self.order == other.order && self.key < other.key)
    }
}

/// The order of some entries.
#[derive(Clone, Copy, Default)]
pub struct Order {
    /// The number of entries; more than `FEW` are sorted in place.
    pub len: usize,
    pub places: [u8; FEW],
}

impl Order {
    pub fn as_they_are(len: usize) -> Self {
        Self { len, places: std::array::from_fn(|place| place as u8) }
    }

    #[inline(always)]
    pub fn place(&self, index: usize) -> usize {
        self.places.get(index).map_or(index, |place| usize::from(*place))
    }

    /// Whether the entries are in ascending order, without equal ones.
    #[inline(always)]
    pub fn sorts(&self, entries: &[Entry<'_>]) -> bool {
        let at = |index| entries.get(self.place(index));
        (1..self.len).all(|index| match (at(index - 1), at(index)) {
            (Some(one), Some(two)) => one.is_before(two),
            _ => false,
        })
    }
}

/// The first eight bytes as a number of the same order, zeros behind what is shorter.
#[inline(always)]
fn start_of(text: &[u8]) -> u64 {
    if let Some(eight) = text.first_chunk() {
        return u64::from_be_bytes(*eight);
    }
    match (text.first_chunk(), text.last_chunk()) {
        (Some(first), Some(last)) => {
            // The last four bytes may overlap the first ones, which are shifted out.
            let rest = u64::from(u32::from_be_bytes(*last)) << (8 * (8 - text.len()));
            u64::from(u32::from_be_bytes(*first)) << 32 | (rest & 0xFFFF_FFFF)
        }
        _ => {
            let start = text.iter().fold(0, |start, byte| start << 8 | u64::from(*byte));
            // Two shifts, as one by 64 bits is none.
            start << (8 * (7 - text.len())) << 8
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn starts_are_ordered_as_texts() {
        let text = b"\x01\xFFabcdefghij";
        for len in 0..text.len() {
            let mut expected = [0; 8];
            let start = len.min(8);
            expected[..start].copy_from_slice(&text[..start]);
            assert_eq!(start_of(&text[..len]), u64::from_be_bytes(expected));
        }
    }
}
