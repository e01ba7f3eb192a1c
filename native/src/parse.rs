//! JSON text to wire format.

use std::borrow::Cow;

use crate::keys::Keys;
use crate::out::{Out, varint_len};
use crate::scan::Scan;
use crate::schema::{Cardinality, Field, Kind, Message, Schema, Shape};
use crate::types::Types;
use crate::{DEEPEST, Stop, time};

mod any;
mod pieces;
mod plain;
mod scalar;
mod several;

use pieces::{Pieces, Take};

type Result<T> = std::result::Result<T, Stop>;

/// How a JSON text is to be read.
#[derive(Clone, Copy, Default)]
pub struct ParseOptions<'t> {
    /// Leaves out members that the schema does not have.
    pub ignore_unknown: bool,
    /// Hands back numbers in a Struct that a double may not hold.
    pub refuse_lossy: bool,
    /// What an Any may hold.
    pub types: Option<&'t Types>,
}

/// How many fields and oneofs a message may have here; see `Seen`.
pub const MOST_BITS: usize = 256;
/// How many unknown members of one message are told apart here.
const MOST_UNKNOWN: usize = 64;
/// Down to this depth a message may hold most of the document.
const OUTER: u32 = 4;
/// How deeply a value may nest that no field reads.
const DEEPEST_IGNORED: u32 = 100;

/// Writes the wire format of the schema's first message, read from `text`.
pub fn parse(
    schema: &Schema,
    text: &[u8],
    is_utf8: bool,
    out: &mut Out<'_>,
    keys: &mut Keys,
    options: ParseOptions<'_>,
) -> Result<()> {
    parse_all(schema, text, is_utf8, out, keys, options, None)
}

/// As [`parse`], but hands over what was written whenever it is at least `len` bytes; the last
/// piece is what `out` holds at the end.
pub fn parse_in_pieces(
    schema: &Schema,
    text: &[u8],
    is_utf8: bool,
    out: &mut Out<'_>,
    keys: &mut Keys,
    options: ParseOptions<'_>,
    (take, len): (Take<'_>, usize),
) -> Result<()> {
    parse_all(schema, text, is_utf8, out, keys, options, Some(Pieces::new(take, len)))
}

fn parse_all<'o>(
    schema: &'o Schema,
    text: &[u8],
    is_utf8: bool,
    out: &'o mut Out<'_>,
    keys: &'o mut Keys,
    options: ParseOptions<'o>,
    pieces: Option<Pieces<'o>>,
) -> Result<()> {
    keys.clear(text.len());
    let checked = if is_utf8 { text.len() } else { 0 };
    let (scan, unknown) = (Scan::new(text), Vec::new());
    let mut parser = Parser { schema, scan, checked, out, options, keys, unknown, pieces };
    let root = schema.messages.first().ok_or(Stop::HandBack)?;
    parser.message(root, 0)?;
    parser.scan.end()?;
    parser.check_utf8()
}

struct Parser<'s, 'j, 'o, 'b> {
    schema: &'s Schema,
    scan: Scan<'j>,
    /// Up to where the text is known to be UTF-8.
    checked: usize,
    out: &'o mut Out<'b>,
    options: ParseOptions<'s>,
    keys: &'o mut Keys,
    /// The members of the open messages that the schema does not have.
    unknown: Vec<Cow<'j, [u8]>>,
    /// Where a large document goes piece by piece.
    pieces: Option<Pieces<'o>>,
}

/// Which fields and oneofs of one message were seen.
#[derive(Default)]
struct Seen([u64; MOST_BITS / 64]);

impl Seen {
    /// Notes a bit; false if it was noted before.
    #[inline(always)]
    fn insert(&mut self, bit: u16) -> bool {
        let word = &mut self.0[usize::from(bit) / 64 % (MOST_BITS / 64)];
        let before = *word;
        *word |= 1 << (bit % 64);
        *word != before
    }
}

impl<'s, 'j> Parser<'s, 'j, '_, '_> {
    /// The body of a message, in whatever JSON form its type has.
    #[inline]
    fn message(&mut self, message: &'s Message, depth: u32) -> Result<()> {
        if depth > DEEPEST {
            return Err(Stop::HandBack);
        }
        if message.shape == Shape::Fields {
            return self.fields(message, depth);
        }
        self.wellknown(message, depth)
    }

    /// The text must be UTF-8 up to here.
    fn check_utf8(&self) -> Result<()> {
        let (text, here) = self.scan.place();
        let unchecked = text.get(self.checked..here).unwrap_or_default();
        simdutf8::basic::from_utf8(unchecked).map(drop).map_err(|_| Stop::HandBack)
    }

    fn wellknown(&mut self, message: &'s Message, depth: u32) -> Result<()> {
        match message.shape {
            Shape::Fields | Shape::Foreign => Err(Stop::HandBack),
            Shape::Struct => self.structure(depth),
            Shape::Value => self.value(depth),
            Shape::ListValue => self.list(depth),
            Shape::Timestamp => {
                let text = self.scan.string()?.plain()?;
                let (seconds, nanos) = time::read_timestamp(text).ok_or(Stop::HandBack)?;
                self.seconds_and_nanos(seconds, nanos)
            }
            Shape::Duration => {
                let text = self.scan.string()?.plain()?;
                let (seconds, nanos) = time::read_duration(text).ok_or(Stop::HandBack)?;
                self.seconds_and_nanos(seconds, nanos)
            }
            Shape::FieldMask => self.field_mask(),
            Shape::Any => self.any(depth),
            Shape::Wrapper => self.single(message.fields.first().ok_or(Stop::HandBack)?, depth),
        }
    }

    fn fields(&mut self, message: &'s Message, depth: u32) -> Result<()> {
        self.scan.expect(b'{')?;
        if self.scan.eat(b'}') {
            return Ok(());
        }
        self.members(message, depth, self.unknown.len())
    }

    /// The members of an object whose first one comes next.
    ///
    /// The names of those that are unknown stand from `first_unknown` on.
    #[inline(always)]
    fn members(&mut self, message: &'s Message, depth: u32, first_unknown: usize) -> Result<()> {
        let mut seen = Seen::default();
        let mut next = 0;
        loop {
            if let Some(index) = self.field_name(message, &mut next)? {
                let field = message.fields.get(index).ok_or(Stop::HandBack)?;
                if !seen.insert(index as u16) {
                    return Err(Stop::HandBack);
                }
                if self.scan.peek() == b'n' && !self.takes_null(field) {
                    self.scan.word(b"null")?;
                } else {
                    if let Some(oneof) = field.oneof
                        && !seen.insert(oneof)
                    {
                        return Err(Stop::HandBack);
                    }
                    if field.cardinality != Cardinality::Singular {
                        self.several(field, depth)?;
                    } else if !self.drops(field)? {
                        self.single(field, depth)?;
                    }
                }
            } else {
                self.unknown_field(first_unknown)?;
            }
            if !self.scan.another(b'}')? {
                self.unknown.truncate(first_unknown);
                return Ok(());
            }
        }
    }

    /// Reads over a member that the message does not have.
    #[inline(never)]
    fn unknown_field(&mut self, first: usize) -> Result<()> {
        let name = self.scan.string()?.decoded()?;
        let refused = !self.options.ignore_unknown || name.first() == Some(&b'[');
        // Past a few, comparing each with all others would take too long.
        if refused
            || self.unknown.len() - first > MOST_UNKNOWN
            || self.unknown[first..].contains(&name)
        {
            return Err(Stop::HandBack);
        }
        self.unknown.push(name);
        self.scan.expect(b':')?;
        self.skip(DEEPEST_IGNORED)
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

    /// Whether `null` is a value of the field rather than its absence.
    fn takes_null(&self, field: &Field) -> bool {
        field.cardinality == Cardinality::Singular && self.has_null(field)
    }

    fn has_null(&self, field: &Field) -> bool {
        match field.kind {
            Kind::Message => self.schema.messages[field.target as usize].shape == Shape::Value,
            Kind::Enum => self.schema.enums[field.target as usize].null_value,
            _ => false,
        }
    }

    /// How many bytes to reserve for the length of a message.
    #[inline(always)]
    fn length_len(&self, small: bool, field: &Field, depth: u32) -> u8 {
        if small {
            1
        } else if depth < OUTER && field.cardinality == Cardinality::Singular {
            // What holds almost the whole of a large document should not be moved at its end.
            varint_len(2 * self.scan.remaining() as u64).clamp(2, 5)
        } else {
            2
        }
    }

    /// One value with its tag.
    #[inline(always)]
    fn single(&mut self, field: &'s Field, depth: u32) -> Result<()> {
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
}

#[cfg(test)]
mod tests {
    use std::mem::MaybeUninit;

    use super::*;

    /// What becomes of a text whose message has no fields at all.
    fn ignored(text: &str) -> Result<()> {
        let empty = Message {
            shape: Shape::Fields,
            small: false,
            fields: Box::default(),
            names: crate::names::FieldNames::default(),
            by_name: crate::schema::Table::default(),
            extendable: false,
        };
        let schema = Schema { messages: Box::new([empty]), enums: Box::default() };
        let options = ParseOptions { ignore_unknown: true, ..ParseOptions::default() };
        let mut buffer = [MaybeUninit::uninit(); 64];
        let mut out = Out::new(&mut buffer);
        // Only in a long text are keys remembered.
        let long = format!("{text}{}", " ".repeat(5000));
        let short = parse(&schema, text.as_bytes(), false, &mut out, &mut Keys::default(), options);
        assert_eq!(
            parse(&schema, long.as_bytes(), false, &mut out, &mut Keys::default(), options),
            short
        );
        short
    }

    #[test]
    fn what_is_ignored_must_be_json() {
        for good in [
            "{}",
            r#"{"a":{}}"#,
            r#"{"a":[]}"#,
            r#"{"a":{"b":{}}}"#,
            r#" { "a" : [ { } , 1 ] } "#,
            r#"{"a":1e400,"b":null}"#,
            r#"{"a":[{"x":1,"y":2,"z":3},{"x":1,"y":{"x":{"x":0},"q":1},"z":3},{"x":1,"y":2,"z":3}]}"#,
        ] {
            assert_eq!(ignored(good), Ok(()), "{good}");
        }
        for bad in [
            "",
            "{",
            "}",
            r#"{"a":{}"#,
            r#"{"a":{ }"#,
            r#"{"a":{}}}"#,
            r#"{"a":{},}"#,
            r#"{"a":[}]}"#,
            r#"{"a":[1,]}"#,
            r#"{"a":{}"b":1}"#,
            r#"{"a" 1}"#,
            r#"{"a":1,"a":1}"#,
            r#"{"a":{"b":1,"b":1}}"#,
            r#"{"a":[{"x":1,"y":2},{"x":1,"y":{"x":1,"z":2},"z":3,"y":4}]}"#,
            r#"{"a":[{"x":1,"y":2,"z":3},{"x":1,"y":{"x":1,"q":2},"q":3,"q":4}]}"#,
            r#"{"a":tru}"#,
            r#"{"[a]":1}"#,
        ] {
            assert_eq!(ignored(bad), Err(Stop::HandBack), "{bad}");
        }
    }
}
