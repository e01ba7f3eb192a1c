//! Finds a key that comes twice in one object.

use std::borrow::Cow;
use std::collections::HashSet;

/// The keys of the objects that are open, innermost last.
///
/// Rows have the same keys in the same order. So each level remembers the keys of its last object,
/// which are known to differ; as long as an object repeats them, nothing needs to be compared.
#[derive(Default)]
pub struct Keys<'j> {
    open: Vec<Cow<'j, [u8]>>,
    last: Vec<Vec<Cow<'j, [u8]>>>,
    level: usize,
}

/// One object whose keys are being read.
pub struct Object<'j> {
    start: usize,
    /// How many keys were as in the last object; None after the first that was not.
    as_before: Option<usize>,
    hashed: Option<HashSet<Cow<'j, [u8]>>>,
}

/// Up to here keys are compared with each other, beyond they are hashed.
const FEW: usize = 12;
/// Longer objects are not remembered.
const MOST_REMEMBERED: usize = 64;

impl<'j> Keys<'j> {
    #[inline]
    pub fn open(&mut self) -> Object<'j> {
        self.level += 1;
        if self.last.len() < self.level {
            self.last.push(Vec::new());
        }
        Object { start: self.open.len(), as_before: Some(0), hashed: None }
    }

    /// The key that the last object of this level had at this place.
    #[inline(always)]
    pub fn expected(&self, object: &Object<'j>) -> Option<&Cow<'j, [u8]>> {
        self.last.get(self.level - 1)?.get(object.as_before?)
    }

    /// Takes the key that was expected.
    #[inline(always)]
    pub fn take_expected(&self, object: &mut Object<'j>) {
        object.as_before = object.as_before.map(|count| count + 1);
    }

    /// Takes any key; false if the object has it already.
    #[inline(never)]
    pub fn take(&mut self, object: &mut Object<'j>, key: Cow<'j, [u8]>) -> bool {
        if self.expected(object).is_some_and(|expected| **expected == *key) {
            self.take_expected(object);
            return true;
        }
        if let Some(count) = object.as_before.take()
            && let Some(keys) = self.last.get(self.level - 1)
        {
            self.open.extend_from_slice(&keys[..count]);
        }
        let taken = self.open.get(object.start..).unwrap_or_default();
        let is_new = if taken.len() < FEW {
            !taken.contains(&key)
        } else {
            let hashed = object.hashed.get_or_insert_with(|| taken.iter().cloned().collect());
            hashed.insert(key.clone())
        };
        self.open.push(key);
        is_new
    }

    #[inline(always)]
    pub fn close(&mut self, object: &Object<'j>) {
        self.level -= 1;
        if object.as_before.is_none() {
            self.remember(object.start);
        }
    }

    #[inline(never)]
    fn remember(&mut self, start: usize) {
        if let Some(keys) = self.last.get_mut(self.level)
            && self.open.len() - start <= MOST_REMEMBERED
        {
            keys.clear();
            keys.extend_from_slice(&self.open[start..]);
        }
        self.open.truncate(start);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn repeats(keys: &mut Keys<'static>, object: &[&'static str]) -> bool {
        let mut open = keys.open();
        let mut repeated = false;
        for key in object {
            repeated |= !keys.take(&mut open, Cow::Borrowed(key.as_bytes()));
        }
        keys.close(&open);
        repeated
    }

    #[test]
    fn repeated_keys_are_found() {
        let mut keys = Keys::default();
        assert!(!repeats(&mut keys, &["a", "b", "c"]));
        assert!(!repeats(&mut keys, &["a", "b", "c"]));
        assert!(!repeats(&mut keys, &["a", "b"]));
        assert!(repeats(&mut keys, &["a", "b", "a"]));
        assert!(repeats(&mut keys, &["a", "b", "c", "c"]));
        let many: Vec<&'static str> =
            (0..100).map(|n| &*Box::leak(n.to_string().into_boxed_str())).collect();
        assert!(!repeats(&mut keys, &many));
        for first in [0, 5, 50, 98] {
            let mut again = many.clone();
            again.push(many[first]);
            assert!(repeats(&mut keys, &again));
        }
    }
}
