//! The names of members that the schema does not have: each may stand once in its message.

use std::borrow::Cow;
use std::collections::HashSet;

/// The largest number of names that are compared with each other; more are hashed.
const FEW: usize = 64;

/// The unknown names of the messages that are open, the innermost one's last.
#[derive(Default)]
pub struct UnknownNames<'j> {
    names: Vec<Cow<'j, [u8]>>,
    /// All names of a message that has more than a few, and the index of its first one.
    hashed: Vec<(usize, HashSet<Cow<'j, [u8]>>)>,
}

impl<'j> UnknownNames<'j> {
    /// The number of names, which is the index of the first one of the next message.
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// Adds a name to the innermost message, whose first one is at `first`.
    ///
    /// Returns false if the message has it already.
    pub fn insert(&mut self, first: usize, name: Cow<'j, [u8]>) -> bool {
        let names = self.names.get(first..).unwrap_or_default();
        if names.len() < FEW {
            let is_new = !names.contains(&name);
            self.names.push(name);
            return is_new;
        }
        if self.hashed.last().is_none_or(|(of, _)| *of != first) {
            self.hashed.push((first, names.iter().cloned().collect()));
        }
        self.hashed.last_mut().is_some_and(|(_, hashed)| hashed.insert(name))
    }

    /// Forgets the names of a message that ends, whose first one is at `first`.
    #[inline(never)]
    pub fn truncate(&mut self, first: usize) {
        self.names.truncate(first);
        self.hashed.pop_if(|(of, _)| *of == first);
    }
}
