//! Finds a field by the name that comes next in a JSON text: by a guess, or else by a hash.

use std::collections::HashSet;

use crate::bytes::search::head_of;

/// The names of one message's fields, in both spellings, as they stand in a JSON text.
///
/// The first eight bytes of a name, or all of a shorter one, say in which slot it is. Names that
/// share a slot, few as they are, are tried one after the other.
#[derive(Debug, Default)]
pub struct FieldNames {
    names: Box<[Name]>,
    /// The first name of each slot.
    slots: Box<[u16]>,
    multiplier: u64,
}

/// A name that was found.
pub struct Found {
    pub field: usize,
    /// The length of the name with its quotes and its colon.
    pub len: usize,
    /// The name to try first after this one.
    pub next: usize,
}

/// One name of a field.
#[derive(Debug)]
struct Name {
    /// The name with its quotes and its colon, and which bytes it has.
    text: [u64; 4],
    mask: [u64; 4],
    len: u16,
    field: u16,
    /// The next name of the same slot.
    next: u16,
}

/// The number of bytes that are compared together: a short name with its quotes and what follows.
pub const WINDOW: usize = 40;

const _: () = assert!(MAX_LEN == 4 * size_of::<u64>() && MAX_LEN <= WINDOW);
/// The number of names after the last one that are tried before a look-up.
const GUESSES: usize = 4;
/// The index that stands for a missing name.
const NONE: u16 = u16::MAX;
/// The largest length of a name with its quotes and its colon.
const MAX_LEN: usize = 32;
/// The number of multipliers that are tried for one that spreads the names well.
const TRIES: u64 = 32;

impl FieldNames {
    /// The table of some names and the indices of their fields. Long names are left out.
    pub fn new(named: &[(&[u8], u16)]) -> Self {
        let mut names: Vec<_> =
            named.iter().filter_map(|(name, field)| Name::new(name, *field)).collect();
        let size = (4 * names.len()).max(1);
        let collisions = |multiplier: &u64| {
            let slots: HashSet<_> =
                names.iter().map(|name| slot_of(name.head(), *multiplier, size)).collect();
            names.len() - slots.len()
        };
        let multipliers =
            (0..TRIES).map(|index| 0x9E37_79B9_7F4A_7C15u64.wrapping_mul(2 * index + 1));
        let multiplier = multipliers.min_by_key(collisions).unwrap_or(1);
        let mut slots = vec![NONE; size].into_boxed_slice();
        for (index, name) in names.iter_mut().enumerate() {
            if let Some(slot) = slots.get_mut(slot_of(name.head(), multiplier, size)) {
                name.next = std::mem::replace(slot, index as u16);
            }
        }
        Self { names: names.into(), slots, multiplier }
    }

    /// The name that begins the window. Tried first are those that stand at `after`.
    ///
    /// A guess is only checked, so the processor goes on as if it were right.
    #[inline(always)]
    pub fn find(&self, window: &[u8; WINDOW], after: usize) -> Option<Found> {
        for (offset, name) in self.names.get(after..)?.iter().take(GUESSES).enumerate() {
            if name.begins(window) {
                return Some(name.found(after + offset));
            }
        }
        let [_, a, b, c, d, e, f, g, h, ..] = *window;
        let head = before_quote(u64::from_le_bytes([a, b, c, d, e, f, g, h]));
        let slot = slot_of(head, self.multiplier, self.slots.len());
        let mut place = usize::from(*self.slots.get(slot)?);
        loop {
            let name = self.names.get(place)?;
            if name.begins(window) {
                return Some(name.found(place));
            }
            place = name.next.into();
        }
    }
}

impl Name {
    /// None for one that is too long for the table.
    fn new(name: &[u8], field: u16) -> Option<Self> {
        let quoted = [b"\"", name, b"\":"].concat();
        if quoted.len() > MAX_LEN {
            return None;
        }
        let words = [0, 8, 16, 24].map(|at| head_of(quoted.get(at..).unwrap_or_default()));
        Some(Self {
            text: words.map(|(text, _)| text),
            mask: words.map(|(_, mask)| mask),
            len: quoted.len() as u16,
            field,
            next: NONE,
        })
    }

    #[inline(always)]
    fn begins(&self, window: &[u8; WINDOW]) -> bool {
        let mut difference = 0;
        for ((word, text), mask) in window.as_chunks::<8>().0.iter().zip(self.text).zip(self.mask) {
            difference |= (u64::from_le_bytes(*word) ^ text) & mask;
        }
        difference == 0
    }

    #[inline(always)]
    fn found(&self, place: usize) -> Found {
        Found { field: self.field.into(), len: self.len.into(), next: place + 1 }
    }

    /// Up to eight bytes of the name itself.
    fn head(&self) -> u64 {
        let [first, second, ..] = self.text;
        before_quote(first >> 8 | second << 56)
    }
}

#[inline(always)]
fn slot_of(head: u64, multiplier: u64, size: usize) -> usize {
    // Only the highest bits of the product depend on all of the head.
    (((head.wrapping_mul(multiplier) >> 32) * size as u64) >> 32) as usize
}

/// Eight bytes without the first quote among them and whatever follows it.
#[inline(always)]
fn before_quote(eight: u64) -> u64 {
    const EACH: u64 = 0x0101_0101_0101_0101;

    let differences = eight ^ (EACH * u64::from(b'"'));
    // The lowest bit that is set marks the first quote; a borrow only comes from below it.
    let quotes = differences.wrapping_sub(EACH) & !differences & (EACH << 7);
    let lowest = quotes & quotes.wrapping_neg();
    // Without a quote nothing is taken away.
    eight & (lowest >> 7).wrapping_sub(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(names: &[&str], text: &str) -> Option<(usize, usize)> {
        let named: Vec<_> =
            names.iter().enumerate().map(|(index, name)| (name.as_bytes(), index as u16)).collect();
        let mut window = [b'x'; WINDOW];
        window[..text.len()].copy_from_slice(text.as_bytes());
        let found = FieldNames::new(&named).find(&window, 0)?;
        Some((found.field, found.len))
    }

    #[test]
    fn each_name_is_found_and_no_other() {
        let long = "a".repeat(29);
        let longer = "a".repeat(30);
        let names = [
            "a",
            "ab",
            "b",
            "id",
            "toolCall",
            "toolCalls",
            "toolCallResponse",
            "toolResponse",
            "seven77",
            "eight888",
            &long,
            &longer,
            "",
        ];
        for (index, name) in names.iter().enumerate() {
            let expected = (name.len() <= 29).then_some((index, name.len() + 3));
            assert_eq!(found(&names, &format!("\"{name}\":1")), expected, "{name}");
        }
        for other in ["c", "A", "i", "idd", "toolCal", "toolCallX", "toolCallResponses", "seven778"]
        {
            assert_eq!(found(&names, &format!("\"{other}\":1")), None, "{other}");
        }
        assert_eq!(found(&names, "\"id\" :1"), None);
        assert_eq!(found(&names, "\"id"), None);
        assert_eq!(found(&[], "\"id\":1"), None);
    }

    #[test]
    fn many_names() {
        let names: Vec<String> = (0..400).map(|number| format!("field{number}")).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        for (index, name) in names.iter().enumerate().step_by(37) {
            assert_eq!(found(&names, &format!("\"{name}\":")), Some((index, name.len() + 3)));
        }
        assert_eq!(found(&names, "\"field400\":"), None);
    }

    #[test]
    fn what_follows_the_quote_is_taken_away() {
        assert_eq!(before_quote(u64::from_le_bytes(*b"ab\"cd\"ef")), head_of(b"ab").0);
        assert_eq!(before_quote(u64::from_le_bytes(*b"\"#\"#\"#\"#")), 0);
        assert_eq!(before_quote(u64::from_le_bytes(*b"abcdefg\"")), head_of(b"abcdefg").0);
        assert_eq!(
            before_quote(u64::from_le_bytes(*b"abcd#!\0\xFF")),
            u64::from_le_bytes(*b"abcd#!\0\xFF")
        );
    }
}
