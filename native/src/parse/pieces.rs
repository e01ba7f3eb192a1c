//! Large documents in pieces: what is written so far is handed over before the rest is read.
//!
//! Protobuf merges pieces of one message into it: a list grows, and a message that comes again is
//! merged into what was there. So the lists of a document, at the end of a path of single messages,
//! can be cut between any two elements, and the wire format of the whole is not held at once. What
//! is larger than the room for a piece stops with [`crate::Stop::Full`], and is written as a whole.

use super::{Parser, Result};
use crate::Stop;
use crate::out::Mark;
use crate::schema::{Field, Message};

/// Takes the next piece.
pub type Take<'t> = &'t mut (dyn FnMut(&[u8]) -> Result<()> + Send);

/// The messages that are open around what is read, each the value of a field of the one before.
pub struct Pieces<'t> {
    take: Take<'t>,
    /// From what length on a piece is handed over.
    len: usize,
    open: Vec<Open>,
}

struct Open {
    tag: [u8; 5],
    tag_len: u8,
    mark: Mark,
}

/// Room for any length, because nothing that was handed over can be moved.
const LENGTH_LEN: u8 = 5;

impl<'t> Pieces<'t> {
    pub fn new(take: Take<'t>, len: usize) -> Self {
        Self { take, len, open: Vec::new() }
    }
}

impl<'s> Parser<'s, '_, '_, '_> {
    /// Whether all that is open around this depth is known to `pieces`.
    ///
    /// What is in a list, a map, a group or an Any is deeper than the messages that are known.
    #[inline(always)]
    pub(super) fn is_on_path(&self, depth: u32) -> bool {
        self.pieces.as_ref().is_some_and(|pieces| pieces.open.len() == depth as usize)
    }

    /// A message on the path, whose tag was written.
    #[inline(never)]
    pub(super) fn path_message(
        &mut self,
        field: &Field,
        message: &'s Message,
        depth: u32,
    ) -> Result<()> {
        let mark = self.out.open(LENGTH_LEN)?;
        if let Some(pieces) = &mut self.pieces {
            pieces.open.push(Open { tag: field.tag, tag_len: field.tag_len, mark });
        }
        self.message(message, depth + 1)?;
        let open = self.pieces.as_mut().and_then(|pieces| pieces.open.pop());
        self.out.close(open.ok_or(Stop::HandBack)?.mark)
    }

    /// Hands over what was written, if that is enough, and begins all that is open anew.
    #[inline(never)]
    pub(super) fn hand_over(&mut self) -> Result<()> {
        let Some(pieces) = &mut self.pieces else { return Ok(()) };
        if self.out.len() < pieces.len {
            return Ok(());
        }
        for open in pieces.open.iter().rev() {
            self.out.close(open.mark)?;
        }
        (pieces.take)(self.out.written())?;
        self.out.truncate(0);
        for open in &mut pieces.open {
            self.out.prefix(open.tag, open.tag_len.into())?;
            open.mark = self.out.open(LENGTH_LEN)?;
        }
        Ok(())
    }
}
