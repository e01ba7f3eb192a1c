//! Large documents in pieces: the output so far is passed on before the rest is read.
//!
//! Protobuf merges pieces of one message: a list grows, and a message that comes again is merged
//! into the earlier one. So the lists of a document, at the end of a path of single messages, can
//! be cut between any two elements, and the wire format is never held as a whole. A value larger than
//! the room for a piece stops with [`Stop::Full`], and the document is then written as a whole.

use crate::bytes::out::{Mark, Out};
use crate::schema::Field;
use crate::stop::{Result, Stop};

/// Takes the next piece.
pub type Take<'t> = &'t mut (dyn FnMut(&[u8]) -> Result<()> + Send);

/// The messages that are open around the next value, each in a field of the one before.
pub struct Pieces<'t> {
    take: Take<'t>,
    /// The length from which on a piece is passed on.
    len: usize,
    open: Vec<Open>,
    /// The number of pieces that were passed on.
    pub passed: usize,
}

struct Open {
    tag: [u8; 5],
    tag_len: u8,
    mark: Mark,
}

/// Room for any length: what was passed on cannot be moved any more.
const LENGTH_LEN: u8 = 5;

impl<'t> Pieces<'t> {
    pub fn new(take: Take<'t>, len: usize) -> Self {
        Self { take, len, open: Vec::new(), passed: 0 }
    }

    /// The number of open messages.
    #[inline(always)]
    pub fn depth(&self) -> usize {
        self.open.len()
    }

    /// Begins the message of a field whose tag was written.
    pub fn open(&mut self, field: &Field, out: &mut Out<'_>) -> Result<()> {
        let mark = out.open(LENGTH_LEN)?;
        self.open.push(Open { tag: field.tag, tag_len: field.tag_len, mark });
        Ok(())
    }

    /// Ends the message that was begun last.
    pub fn close(&mut self, out: &mut Out<'_>) -> Result<()> {
        out.close(self.open.pop().ok_or(Stop::Undecided)?.mark)
    }

    /// Passes the output on if it is long enough, and begins all open messages again.
    #[inline(never)]
    pub fn pass_on(&mut self, out: &mut Out<'_>) -> Result<()> {
        if out.len() < self.len {
            return Ok(());
        }
        for open in self.open.iter().rev() {
            out.close(open.mark)?;
        }
        (self.take)(out.written())?;
        out.truncate(0);
        self.passed += 1;
        for open in &mut self.open {
            out.prefix(open.tag, open.tag_len.into())?;
            open.mark = out.open(LENGTH_LEN)?;
        }
        Ok(())
    }
}
