//! Finds a key that comes twice in one object.

use std::borrow::Cow;
use std::collections::HashSet;

use crate::scan::{Quoted, starts_with};

/// The keys of the objects that are open, innermost last.
///
/// Rows have the same keys in the same order. So each level remembers the keys of its last object,
/// which are known to differ; as long as an object repeats them, nothing needs to be compared.
#[derive(Default)]
pub struct Keys<'j> {
    open: Vec<Key<'j>>,
    last: Vec<Vec<Key<'j>>>,
    level: usize,
}

/// A key without escapes.
#[derive(Clone, Copy)]
struct Key<'j> {
    /// Its first bytes, by which two keys mostly differ.
    head: u64,
    text: &'j [u8],
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

impl<'j> Keys<'j> {
    #[inline(always)]
    pub fn open(&mut self) -> Object<'j> {
        self.level += 1;
        if self.last.len() < self.level {
            self.last.push(Vec::new());
        }
        Object { start: self.open.len(), as_before: Some(0), hashed: None }
    }

    /// The key that the last object of this level had at this place.
    #[inline(always)]
    pub fn expected(&self, object: &Object<'j>) -> Option<&'j [u8]> {
        Some(self.last.get(self.level - 1)?.get(object.as_before?)?.text)
    }

    /// Takes the key that was expected.
    #[inline(always)]
    pub fn take_expected(&self, object: &mut Object<'j>) {
        object.as_before = object.as_before.map(|count| count + 1);
    }

    /// Takes another key; false if the object has it already.
    #[inline]
    pub fn take(&mut self, object: &mut Object<'j>, key: Quoted<'j>) -> bool {
        if let Some(count) = object.as_before.take()
            && let Some(keys) = self.last.get(self.level - 1)
        {
            self.open.extend_from_slice(&keys[..count]);
        }
        let taken = self.open.get(object.start..).unwrap_or_default();
        if taken.len() >= FEW || key.escaped || object.hashed.is_some() {
            return take_hashed(taken, object, key);
        }
        let key = Key { head: key.head(), text: key.raw };
        let is_new = !taken.iter().any(|other| {
            other.head == key.head
                && other.text.len() == key.text.len()
                && starts_with(other.text, key.text)
        });
        self.open.push(key);
        is_new
    }

    #[inline(always)]
    pub fn close(&mut self, object: &Object<'j>) {
        self.level -= 1;
        if object.as_before.is_none() {
            self.remember(object);
        }
    }

    #[inline(never)]
    fn remember(&mut self, object: &Object<'j>) {
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
fn take_hashed<'j>(taken: &[Key<'j>], object: &mut Object<'j>, key: Quoted<'j>) -> bool {
    let all = || Box::new(taken.iter().map(|key| Cow::Borrowed(key.text)).collect());
    let hashed = object.hashed.get_or_insert_with(all);
    key.decoded().is_ok_and(|key| hashed.insert(key))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn repeats(keys: &mut Keys<'static>, object: &[&'static str]) -> bool {
        let mut open = keys.open();
        let mut repeated = false;
        for key in object {
            if keys.expected(&open) == Some(key.as_bytes()) {
                keys.take_expected(&mut open);
            } else {
                let (raw, escaped) = (key.as_bytes(), key.contains('\\'));
                repeated |= !keys.take(&mut open, Quoted { raw, ahead: raw, escaped });
            }
        }
        keys.close(&open);
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
            let mut keys = Keys::default();
            repeats(&mut keys, &["a", "b", "c"]);
            assert_eq!(repeats(&mut keys, object), expected, "{object:?}");
        }
    }

    #[test]
    fn many_keys() {
        let many: Vec<&'static str> =
            (0..100).map(|n| &*Box::leak(n.to_string().into_boxed_str())).collect();
        let mut keys = Keys::default();
        assert!(!repeats(&mut keys, &many));
        for first in [0, 5, 50, 98] {
            let again: Vec<_> = many.iter().copied().chain([many[first]]).collect();
            assert!(repeats(&mut keys, &again));
        }
    }
}
