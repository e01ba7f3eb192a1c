//! The state of one parsing.

use super::keys::Keys;
use super::pieces::Pieces;
use super::scan::Scan;
use super::unknown::UnknownNames;
use crate::bytes::out::Out;
use crate::schema::Schema;
use crate::stop::{Result, Stop};

/// The options of parsing.
#[derive(Clone, Copy, Default)]
pub struct ParseOptions {
    /// Leaves out members and names of enum values that the schema does not have.
    pub ignore_unknown: bool,
    /// Notes the places of the members and values that are left out.
    pub note_unknown: bool,
    /// Does not decide about numbers in a Struct that a double may not hold.
    pub refuse_lossy: bool,
}

pub(super) struct Parser<'s, 'j, 'o, 'b> {
    pub schema: &'s Schema,
    pub scan: Scan<'j>,
    /// The end of the text that is known to be UTF-8.
    pub checked: usize,
    pub out: &'o mut Out<'b>,
    pub options: ParseOptions,
    pub keys: &'o mut Keys,
    pub unknown: UnknownNames<'j>,
    /// The places of the members and values that were left out, in ascending order.
    pub left_out: Vec<usize>,
    /// The receiver of a large document's pieces.
    pub pieces: Option<Pieces<'o>>,
}

impl<'s, 'j, 'o, 'b> Parser<'s, 'j, 'o, 'b> {
    /// Begins with a text, which may be known to be UTF-8.
    pub fn new(
        schema: &'s Schema,
        (text, is_utf8): (&'j [u8], bool),
        out: &'o mut Out<'b>,
        keys: &'o mut Keys,
        options: ParseOptions,
        pieces: Option<Pieces<'o>>,
    ) -> Self {
        keys.clear(text.len());
        Self {
            schema,
            scan: Scan::new(text),
            checked: if is_utf8 { text.len() } else { 0 },
            out,
            options,
            keys,
            unknown: UnknownNames::default(),
            left_out: Vec::new(),
            pieces,
        }
    }

    /// Checks that the text is UTF-8 up to here.
    pub fn check_utf8(&self) -> Result<()> {
        let (text, here) = self.scan.place();
        let unchecked = text.get(self.checked..here).unwrap_or_default();
        simdutf8::basic::from_utf8(unchecked).map(drop).map_err(|_| Stop::Undecided)
    }

    /// Notes that the next member or value is left out.
    pub fn leave_out(&mut self) {
        if self.options.note_unknown {
            self.scan.peek();
            self.left_out.push(self.scan.place().1);
        }
    }

    /// Whether `pieces` knows all messages that are open around this depth.
    ///
    /// Values in a list, a map or a group are deeper than the messages that are known.
    #[inline(always)]
    pub fn is_on_path(&self, depth: u32) -> bool {
        self.pieces.as_ref().is_some_and(|pieces| pieces.depth() == depth as usize)
    }
}
