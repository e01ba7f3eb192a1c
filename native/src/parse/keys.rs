//! Finds a key that comes twice in one object.

use std::borrow::Cow;
use std::collections::HashSet;

use crate::bytes::search::{head_of, starts_with};
use crate::scalars::string::Quoted;

/// The keys of the objects that are open, innermost last, by where they stand in the text.
///
/// Rows have the same keys in the same order. So the keys of an object, which are known to differ,
/// are remembered by the first of them; as long as another object repeats them, nothing needs to be
/// compared.
///
/// Nothing here borrows from the text, so that the memory can be kept from one text to the next.
#[derive(Default)]
pub struct Keys {
    open: Vec<Key>,
    remembered: [Vec<Key>; REMEMBERED],
    is_clear: bool,
    /// Whether the text is long enough for similar objects to come again.
    remembers: bool,
    /// One bit for each remembered object that an open one repeats: it must not change meanwhile.
    in_use: u16,
}

const REMEMBERED: usize = 16;
const SHORT: usize = 2048;

/// A key without escapes.
#[derive(Clone, Copy)]
pub struct Key {
    /// Where its opening quote stands.
    start: u32,
    len: u32,
    /// The length of the key with its quotes, its colon and all blanks before the value.
    whole_len: u32,
    /// The first bytes from the opening quote on, by which two keys mostly differ.
    head: u64,
    /// The bits of eight bytes in which the whole key must agree with `head`.
    head_mask: u64,
}

impl Key {
    #[inline(always)]
    fn new(start: u32, len: usize, whole_len: usize, head: u64) -> Self {
        let head_mask = mask(whole_len);
        Self { start, len: len as u32, whole_len: whole_len as u32, head, head_mask }
    }

    /// The length of the key between its quotes.
    #[inline(always)]
    pub fn text_len(self) -> usize {
        self.len as usize
    }

    #[inline(always)]
    pub fn text(self, text: &[u8]) -> &[u8] {
        text.get(self.start as usize + 1..)
            .and_then(|text| text.get(..self.len as usize))
            .unwrap_or_default()
    }

    /// The length of the whole key if `rest` starts with it.
    #[inline(always)]
    pub fn starts(self, text: &[u8], rest: &[u8], next_eight: u64) -> Option<usize> {
        let len = self.whole_len as usize;
        if (next_eight ^ self.head) & self.head_mask != 0 {
            return None;
        }
        if len > 8 {
            let whole = text.get(self.start as usize..)?.get(..len)?;
            return starts_with(rest, whole).then_some(len);
        }
        (rest.len() >= len).then_some(len)
    }
}

/// The bits of the first `len` bytes of eight.
#[inline(always)]
fn mask(len: usize) -> u64 {
    u64::MAX >> (64 - 8 * len.clamp(1, 8))
}

/// The bit of a key, by its first bytes.
#[inline(always)]
fn bit_of(head: u64, len: usize) -> u64 {
    let hash = (head & mask(len + 2)).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 58;
    1 << (hash ^ (len as u64 & 63))
}

/// One object whose keys are being read.
pub struct Object<'j> {
    start: usize,
    /// The remembered object that this one repeats.
    place: usize,
    /// Whether this is the outermost of those that share the remembered object.
    is_owner: bool,
    /// The number of keys that were repeated; None after the first other one.
    repeated: Option<usize>,
    /// One bit for each key: a key whose bit is not set is new.
    bits: u64,
    /// All keys, if they are many or one of them has escapes.
    hashed: Option<HashSet<Cow<'j, [u8]>>>,
}

/// The largest number of keys that are compared with each other; more are hashed.
const FEW: usize = 24;

impl Keys {
    /// Forgets all keys before another text of `len` bytes.
    pub fn clear(&mut self, len: usize) {
        self.remembers = len > SHORT;
        self.open.clear();
        self.in_use = 0;
        if !std::mem::replace(&mut self.is_clear, true) {
            self.remembered.iter_mut().for_each(Vec::clear);
        }
    }

    /// Begins an object, whose first key begins with these eight bytes.
    #[inline(always)]
    pub fn open<'j>(&mut self, eight: u64) -> Object<'j> {
        let place = (eight.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 60) as usize % REMEMBERED;
        let in_use = self.in_use;
        self.in_use |= 1 << place;
        Object {
            start: self.open.len(),
            place,
            is_owner: in_use != self.in_use,
            repeated: Some(0),
            bits: 0,
            hashed: None,
        }
    }

    /// The key that the remembered object has at this place.
    #[inline(always)]
    pub fn expected(&self, object: &Object<'_>) -> Option<Key> {
        self.remembered[object.place].get(object.repeated?).copied()
    }

    /// Takes the key that was expected.
    #[inline(always)]
    pub fn take_expected(&self, object: &mut Object<'_>) {
        object.repeated = object.repeated.map(|count| count + 1);
    }

    /// Takes a key without escapes if it is certain at once that the object does not have it.
    ///
    /// It is the first `len` bytes of `key`, and its opening quote stands at `start`.
    #[inline(always)]
    pub fn take_new(
        &mut self,
        object: &mut Object<'_>,
        key: &[u8; 32],
        len: usize,
        start: usize,
    ) -> bool {
        let Ok(start) = u32::try_from(start) else { return false };
        let [a, b, c, d, e, f, g, h, ..] = *key;
        let head = u64::from_le_bytes([a, b, c, d, e, f, g, h]) << 8 | u64::from(b'"');
        let bit = bit_of(head, len);
        let taken = self.open.len() - object.start;
        if object.repeated.is_some_and(|count| count > 0) || object.bits & bit != 0 || taken >= FEW
        {
            return false;
        }
        object.repeated = None;
        object.bits |= bit;
        self.open.push(Key::new(start, len, len + 3, head));
        true
    }

    /// Takes another key, whose opening quote and whose value stand at two places of the text.
    ///
    /// Returns false if the object has it already.
    #[inline]
    pub fn take<'j>(
        &mut self,
        object: &mut Object<'j>,
        text: &'j [u8],
        key: Quoted<'j>,
        (start, end): (usize, usize),
    ) -> bool {
        if let Some(count) = object.repeated.take()
            && count > 0
        {
            let Some(keys) = self.remembered[object.place].get(..count) else { return false };
            self.open.extend_from_slice(keys);
            for key in keys {
                object.bits |= bit_of(key.head, key.text_len());
            }
        }
        let taken = self.open.get(object.start..).unwrap_or_default();
        let (Ok(start_u32), Ok(_)) = (u32::try_from(start), u32::try_from(end - start)) else {
            return false;
        };
        if taken.len() >= FEW || key.escaped || object.hashed.is_some() {
            return take_hashed(taken, object, text, key);
        }
        let whole = text.get(start..).unwrap_or_default();
        let head = match whole.first_chunk() {
            Some(eight) => u64::from_le_bytes(*eight),
            None => head_of(whole).0,
        };
        object.bits |= bit_of(head, key.raw.len());
        let new = Key::new(start_u32, key.raw.len(), end - start, head);
        let quoted = mask(key.raw.len() + 2);
        let is_new = !taken.iter().any(|other| {
            (other.head ^ head) & quoted == 0
                && other.len == new.len
                && starts_with(other.text(text), key.raw)
        });
        self.open.push(new);
        is_new
    }

    #[inline(always)]
    pub fn close(&mut self, object: &Object<'_>) {
        if object.repeated.is_none() {
            if self.remembers {
                self.remember(object);
            }
            self.open.truncate(object.start);
        }
        if object.is_owner {
            self.in_use &= !(1 << object.place);
        }
    }

    #[inline(never)]
    fn remember(&mut self, object: &Object<'_>) {
        if object.hashed.is_none() && object.is_owner {
            let keys = &mut self.remembered[object.place];
            keys.clear();
            keys.extend_from_slice(&self.open[object.start..]);
            self.is_clear = false;
        }
    }
}

#[inline(never)]
fn take_hashed<'j>(
    taken: &[Key],
    object: &mut Object<'j>,
    text: &'j [u8],
    key: Quoted<'j>,
) -> bool {
    // From now on no key is certain to be new before it is looked up.
    object.bits = u64::MAX;
    let all = || taken.iter().map(|key| Cow::Borrowed(key.text(text))).collect();
    let hashed = object.hashed.get_or_insert_with(all);
    key.decoded().is_ok_and(|key| hashed.insert(key))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether the second object of a text has a key twice.
    fn repeats(objects: [&[&str]; 2]) -> bool {
        let mut repeated = false;
        let text: String = objects.concat().iter().map(|key| format!("\"{key}\":")).collect();
        let text = text.as_bytes();
        let (mut keys, mut at) = (Keys::default(), 0);
        keys.clear(usize::MAX);
        for object in objects {
            repeated = false;
            let mut open = keys.open(head_of(&text[at..]).0);
            for key in object {
                let ahead = &text[at + 1..];
                let end = at + key.len() + 3;
                let eight = head_of(&text[at..]).0;
                let expected = keys.expected(&open);
                if expected.and_then(|key| key.starts(text, &text[at..], eight)).is_some() {
                    keys.take_expected(&mut open);
                } else {
                    let raw = &ahead[..key.len()];
                    let key = Quoted { raw, ahead, escaped: key.contains('\\') };
                    repeated |= !keys.take(&mut open, text, key, (at, end));
                }
                at = end;
            }
            keys.close(&open);
        }
        repeated
    }

    #[test]
    fn repeated_keys_are_found() {
        for (object, expected) in [
            (&["a", "b", "c"][..], false),
            (&["a", "b"], false),
            (&["a", "b", "a"], true),
            (&["a", "b", "c", "c"], true),
            (&["long key with an end 1", "long key with an end 2"], false),
            (&["long key with an end 1", "long key with an end 1"], true),
            (&["ab", "\\u0061b"], true),
            (&["\\u0061b", "ab"], true),
            (&["\\u0061b", "c", "b", "c"], true),
            (&["", "a", "a\0"], false),
        ] {
            assert_eq!(repeats([&["a", "b", "c"], object]), expected, "{object:?}");
            assert_eq!(repeats([&[], object]), expected, "{object:?}");
        }
    }

    #[test]
    fn many_keys() {
        let many: Vec<String> = (0..100).map(|number| number.to_string()).collect();
        let many: Vec<&str> = many.iter().map(String::as_str).collect();
        assert!(!repeats([&many, &many]));
        for first in [0, 5, 50, 98] {
            let again: Vec<_> = many.iter().copied().chain([many[first]]).collect();
            assert!(repeats([&many, &again]));
        }
    }
}
