//! Finds a key that comes twice in one object.

use std::borrow::Cow;
use std::collections::HashSet;

use crate::scan::{Quoted, starts_with};

/// The keys of the objects that are open, innermost last, by where they stand in the text.
///
/// Rows have the same keys in the same order. So each level remembers the keys of its last object,
/// which are known to differ; as long as an object repeats them, nothing needs to be compared.
///
/// Nothing here borrows from the text, so that the memory can be kept from one text to the next.
#[derive(Default)]
pub struct Keys {
    open: Vec<Key>,
    last: Vec<Vec<Key>>,
    level: usize,
}

/// A key without escapes.
#[derive(Clone, Copy)]
struct Key {
    start: u32,
    len: u32,
    /// Its first bytes, by which two keys mostly differ.
    head: u64,
}

impl Key {
    #[inline(always)]
    fn text(self, text: &[u8]) -> &[u8] {
        text.get(self.start as usize..)
            .and_then(|text| text.get(..self.len as usize))
            .unwrap_or_default()
    }
}

/// One object whose keys are being read.
pub struct Object<'j> {
    start: usize,
    /// How many keys were as in the last object; None after the first that was not.
    as_before: Option<usize>,
    /// All keys, if they are many or one of them has escapes.
    hashed: Option<Box<HashSet<Cow<'j, [u8]>>>>,
}

/// Up to here keys are compared with each other, beyond they are hashed.
const FEW: usize = 24;

impl Keys {
    /// Forgets all keys, before another text.
    pub fn clear(&mut self) {
        self.open.clear();
        self.last.iter_mut().for_each(Vec::clear);
        self.level = 0;
    }

    #[inline(always)]
    pub fn open<'j>(&mut self) -> Object<'j> {
        self.level += 1;
        if self.last.len() < self.level {
            self.last.push(Vec::new());
        }
        Object { start: self.open.len(), as_before: Some(0), hashed: None }
    }

    /// The key that the last object of this level had at this place.
    #[inline(always)]
    pub fn expected<'j>(&self, object: &Object<'_>, text: &'j [u8]) -> Option<&'j [u8]> {
        Some(self.last.get(self.level - 1)?.get(object.as_before?)?.text(text))
    }

    /// Takes the key that was expected.
    #[inline(always)]
    pub fn take_expected(&self, object: &mut Object<'_>) {
        object.as_before = object.as_before.map(|count| count + 1);
    }

    /// Takes another key, which ends at a place of the text; false if the object has it already.
    #[inline]
    pub fn take<'j>(
        &mut self,
        object: &mut Object<'j>,
        text: &'j [u8],
        key: Quoted<'j>,
        start: usize,
    ) -> bool {
        if let Some(count) = object.as_before.take()
            && let Some(keys) = self.last.get(self.level - 1)
        {
            self.open.extend_from_slice(&keys[..count]);
        }
        let taken = self.open.get(object.start..).unwrap_or_default();
        let (Ok(start), Ok(len)) = (u32::try_from(start), u32::try_from(key.raw.len())) else {
            return false;
        };
        if taken.len() >= FEW || key.escaped || object.hashed.is_some() {
            return take_hashed(taken, object, text, key);
        }
        let head = key.head();
        let is_new = !taken.iter().any(|other| {
            other.head == head && other.len == len && starts_with(other.text(text), key.raw)
        });
        self.open.push(Key { start, len, head });
        is_new
    }

    #[inline(always)]
    pub fn close(&mut self, object: &Object<'_>) {
        self.level -= 1;
        if object.as_before.is_none() {
            self.remember(object);
        }
    }

    #[inline(never)]
    fn remember(&mut self, object: &Object<'_>) {
        if let Some(keys) = self.last.get_mut(self.level)
            && object.hashed.is_none()
        {
            keys.clear();
            keys.extend_from_slice(&self.open[object.start..]);
        }
        self.open.truncate(object.start);
    }
}

#[inline(never)]
fn take_hashed<'j>(
    taken: &[Key],
    object: &mut Object<'j>,
    text: &'j [u8],
    key: Quoted<'j>,
) -> bool {
    let all = || Box::new(taken.iter().map(|key| Cow::Borrowed(key.text(text))).collect());
    let hashed = object.hashed.get_or_insert_with(all);
    key.decoded().is_ok_and(|key| hashed.insert(key))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether the second object of a text has a key twice.
    fn repeats(objects: [&[&str]; 2]) -> bool {
        let mut repeated = false;
        let text = objects.concat().join("\"").into_bytes();
        let (mut keys, mut at) = (Keys::default(), 0);
        for object in objects {
            repeated = false;
            let mut open = keys.open();
            for key in object {
                if keys.expected(&open, &text) == Some(key.as_bytes()) {
                    keys.take_expected(&mut open);
                } else {
                    let raw = &text[at..at + key.len()];
                    let key = Quoted { raw, ahead: &text[at..], escaped: key.contains('\\') };
                    repeated |= !keys.take(&mut open, &text, key, at);
                }
                at += key.len() + 1;
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
