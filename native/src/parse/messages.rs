//! Messages, in the JSON forms of their types.

use super::keys::Keys;
use super::parser::{ParseOptions, Parser};
use super::pieces::{Pieces, Take};
use crate::bytes::out::{Out, varint_len};
use crate::limits::{MAX_DEPTH, MAX_SLOTS};
use crate::scalars::time;
use crate::schema::{Cardinality, Field, Kind, Message, Schema, Shape};
use crate::stop::{Result, Stop};

/// Down to this depth a message may hold most of the document.
const OUTER_DEPTH: u32 = 4;
/// The deepest nesting of an ignored value.
const MAX_IGNORED_DEPTH: u32 = 100;

/// Writes the wire format of the schema's first message, read from `text`.
///
/// Returns the places of what was left out, if the options ask for them.
pub fn parse(
    schema: &Schema,
    text: &[u8],
    is_utf8: bool,
    out: &mut Out<'_>,
    keys: &mut Keys,
    options: ParseOptions,
) -> Result<Vec<usize>> {
    parse_all(schema, text, is_utf8, out, keys, options, None)
}

/// Writes a field's value, or one element of it, for a message that stands so deep in others.
pub fn parse_field(
    schema: &Schema,
    (field, is_element, depth): (&Field, bool, u32),
    text: &[u8],
    out: &mut Out<'_>,
    keys: &mut Keys,
    options: ParseOptions,
) -> Result<()> {
    let mut parser = Parser::new(schema, (text, true), out, keys, options, None);
    if is_element {
        parser.single(field, depth)?;
    } else {
        parser.field(field, depth)?;
    }
    parser.scan.end()
}

/// Like [`parse`], but passes the output to `take` whenever it is at least `len` bytes long; the
/// last piece is what `out` holds at the end.
pub fn parse_in_pieces(
    schema: &Schema,
    text: &[u8],
    is_utf8: bool,
    out: &mut Out<'_>,
    keys: &mut Keys,
    options: ParseOptions,
    (take, len): (Take<'_>, usize),
) -> Result<Vec<usize>> {
    let pieces = Some(Pieces::new(take, len));
    parse_all(schema, text, is_utf8, out, keys, options, pieces)
}

fn parse_all<'o>(
    schema: &'o Schema,
    text: &[u8],
    is_utf8: bool,
    out: &'o mut Out<'_>,
    keys: &'o mut Keys,
    options: ParseOptions,
    pieces: Option<Pieces<'o>>,
) -> Result<Vec<usize>> {
    let mut parser = Parser::new(schema, (text, is_utf8), out, keys, options, pieces);
    let root = schema.messages.first().ok_or(Stop::Undecided)?;
    parser.message(root, 0)?;
    parser.scan.end()?;
    parser.check_utf8()?;
    Ok(parser.left_out)
}

/// The fields and oneofs of one message that were seen.
#[derive(Default)]
pub struct Seen([u64; MAX_SLOTS / 64]);

impl Seen {
    /// Notes a bit; false if it was noted before.
    #[inline(always)]
    pub fn insert(&mut self, bit: u16) -> bool {
        let word = &mut self.0[usize::from(bit) / 64 % (MAX_SLOTS / 64)];
        let before = *word;
        *word |= 1 << (bit % 64);
        *word != before
    }
}

impl<'s> Parser<'s, '_, '_, '_> {
    /// The body of a message, in the JSON form of its type.
    #[inline]
    pub(super) fn message(&mut self, message: &'s Message, depth: u32) -> Result<()> {
        if depth > MAX_DEPTH {
            return Err(Stop::Undecided);
        }
        if message.shape == Shape::Fields {
            return self.fields(message, depth);
        }
        self.wellknown(message, depth)
    }

    fn wellknown(&mut self, message: &'s Message, depth: u32) -> Result<()> {
        match message.shape {
            Shape::Fields | Shape::Foreign => Err(Stop::Undecided),
            Shape::Struct => self.structure(depth),
            Shape::Value => self.value(depth),
            Shape::ListValue => self.list(depth),
            Shape::Timestamp => {
                let text = self.scan.string()?.plain()?;
                let (seconds, nanos) = time::read_timestamp(text).ok_or(Stop::Undecided)?;
                self.seconds_and_nanos(seconds, nanos)
            }
            Shape::Duration => {
                let text = self.scan.string()?.plain()?;
                let (seconds, nanos) = time::read_duration(text).ok_or(Stop::Undecided)?;
                self.seconds_and_nanos(seconds, nanos)
            }
            Shape::FieldMask => self.field_mask(),
            Shape::Any => self.empty_any(),
            Shape::Wrapper => self.single(message.fields.first().ok_or(Stop::Undecided)?, depth),
        }
    }

    /// An Any that holds nothing. Only Python knows which types the others may have.
    fn empty_any(&mut self) -> Result<()> {
        self.scan.expect(b'{')?;
        self.scan.expect(b'}')
    }

    fn fields(&mut self, message: &'s Message, depth: u32) -> Result<()> {
        self.scan.expect(b'{')?;
        if self.scan.eat(b'}') {
            return Ok(());
        }
        let first_unknown = self.unknown.len();
        let mut seen = Seen::default();
        let mut next = 0;
        loop {
            if let Some(index) = self.field_name(message, &mut next)? {
                let field = message.fields.get(index).ok_or(Stop::Undecided)?;
                if !seen.insert(index as u16) {
                    return Err(Stop::Undecided);
                }
                if self.scan.peek() == b'n' && !self.schema.takes_null(field) {
                    self.scan.word(b"null")?;
                } else {
                    if let Some(oneof) = field.oneof
                        && !seen.insert(oneof)
                    {
                        return Err(Stop::Undecided);
                    }
                    self.field(field, depth)?;
                }
            } else {
                self.unknown_field(first_unknown)?;
            }
            if !self.scan.another(b'}')? {
                if self.unknown.len() > first_unknown {
                    self.unknown.truncate(first_unknown);
                }
                return Ok(());
            }
        }
    }

    /// The value or the values of a field, with their tags.
    #[inline(always)]
    fn field(&mut self, field: &'s Field, depth: u32) -> Result<()> {
        if field.cardinality != Cardinality::Singular {
            self.several(field, depth)
        } else if self.drops(field)? {
            Ok(())
        } else {
            self.single(field, depth)
        }
    }

    /// Skips a member that the message does not have.
    #[inline(never)]
    fn unknown_field(&mut self, first: usize) -> Result<()> {
        self.leave_out();
        let name = self.scan.string()?.decoded()?;
        if !self.options.ignore_unknown || name.first() == Some(&b'[') {
            return Err(Stop::Undecided);
        }
        if !self.unknown.insert(first, name) {
            return Err(Stop::Undecided);
        }
        self.scan.expect(b':')?;
        self.skip(MAX_IGNORED_DEPTH)
    }

    /// The index of the field whose name comes next, which is read with its colon.
    ///
    /// A name that is not known is not read.
    #[inline(always)]
    fn field_name(&mut self, message: &'s Message, next: &mut usize) -> Result<Option<usize>> {
        self.scan.peek();
        if let Some(window) = self.scan.window()
            && let Some(found) = message.names.find(window, *next)
        {
            self.scan.advance(found.len);
            *next = found.next;
            return Ok(Some(found.field));
        }
        self.find_field_name(message)
    }

    #[inline(never)]
    fn find_field_name(&mut self, message: &'s Message) -> Result<Option<usize>> {
        let mut ahead = self.scan;
        let name = ahead.string()?.decoded()?;
        let index = message.by_name.get(&*name);
        if index.is_some() {
            ahead.expect(b':')?;
            self.scan = ahead;
        }
        Ok(index.map(|index| usize::from(*index)))
    }

    /// The number of bytes to reserve for the length of a message.
    #[inline(always)]
    fn length_len(&self, small: bool, field: &Field, depth: u32) -> u8 {
        if small {
            1
        } else if depth < OUTER_DEPTH && field.cardinality == Cardinality::Singular {
            // A message with almost all of a large document should not be moved at its end.
            varint_len(2 * self.scan.remaining() as u64).clamp(2, 5)
        } else {
            2
        }
    }

    /// One value with its tag.
    #[inline(always)]
    pub(super) fn single(&mut self, field: &'s Field, depth: u32) -> Result<()> {
        self.out.prefix(field.tag, field.tag_len.into())?;
        match field.kind {
            Kind::Message => {
                let message = &self.schema.messages[field.target as usize];
                if self.is_on_path(depth) {
                    return self.path_message(field, message, depth);
                }
                let mark = self.out.open(self.length_len(message.small, field, depth))?;
                self.message(message, depth + 1)?;
                self.out.close(mark)
            }
            Kind::Group => {
                self.message(&self.schema.messages[field.target as usize], depth + 1)?;
                self.out.prefix(field.other_tag, field.tag_len.into())
            }
            Kind::String => {
                let start = self.out.len();
                if let Some(text) = self.scan.after_quote()
                    && let Some(len) = self.out.quoted([0], text)
                {
                    self.out.set(start, len as u8);
                    self.scan.advance(len + 2);
                    return Ok(());
                }
                self.other_string()
            }
            Kind::Bytes => self.bytes(),
            _ => self.one_scalar(field),
        }
    }

    /// A string that is long, has escapes or stands near the end of the text.
    #[inline(never)]
    fn other_string(&mut self) -> Result<()> {
        let text = self.scan.string()?;
        self.string(text)
    }

    #[inline(never)]
    fn one_scalar(&mut self, field: &Field) -> Result<()> {
        self.scalar(field)
    }

    /// A message of the path along which a large document is cut; its tag was written.
    #[inline(never)]
    fn path_message(&mut self, field: &Field, message: &'s Message, depth: u32) -> Result<()> {
        let Some(pieces) = &mut self.pieces else { return Err(Stop::Undecided) };
        pieces.open(field, self.out)?;
        self.message(message, depth + 1)?;
        let Some(pieces) = &mut self.pieces else { return Err(Stop::Undecided) };
        pieces.close(self.out)
    }
}
