//! JSON text to wire format.

use std::borrow::Cow;
use std::collections::HashSet;

use crate::keys::{Keys, Object};
use crate::number::{Number, read_number};
use crate::out::{Out, varint_len};
use crate::scan::{Quoted, Scan, unescape};
use crate::schema::{Cardinality, Field, Kind, Message, Schema, Shape};
use crate::wire::zigzag;
use crate::{DEEPEST, Stop, base64, time};

type Result<T> = std::result::Result<T, Stop>;

/// How a JSON text is to be read.
#[derive(Clone, Copy, Default)]
pub struct ParseOptions {
    /// Leaves out members that the schema does not have.
    pub ignore_unknown: bool,
    /// Hands back numbers in a Struct that a double may not hold.
    pub refuse_lossy: bool,
}

/// The first integer that a double may not tell from its neighbours.
const LOSSY: f64 = 9_007_199_254_740_992.0;
/// How many fields and oneofs a message may have here; see `Seen`.
pub const MOST_BITS: usize = 256;
/// How many unknown members of one message are told apart here.
const MOST_UNKNOWN: usize = 64;
/// Down to this depth a message may hold most of the document.
const OUTER: u32 = 4;
/// How many fields are compared with a name before it is looked up.
const MOST_GUESSES: usize = 16;
/// How deeply a value may nest that no field reads.
const DEEPEST_IGNORED: u32 = 100;

/// Writes the wire format of the schema's first message, read from `text`, which is UTF-8.
pub fn parse(
    schema: &Schema,
    text: &[u8],
    out: &mut Out<'_>,
    keys: &mut Keys,
    options: ParseOptions,
) -> Result<()> {
    keys.clear();
    let mut parser =
        Parser { schema, scan: Scan::new(text), out, options, keys, unknown: Vec::new() };
    let root = schema.messages.first().ok_or(Stop::HandBack)?;
    parser.message(root, 0)?;
    parser.scan.end()
}

struct Parser<'s, 'j, 'o, 'b> {
    schema: &'s Schema,
    scan: Scan<'j>,
    out: &'o mut Out<'b>,
    options: ParseOptions,
    keys: &'o mut Keys,
    /// The members of the open messages that the schema does not have.
    unknown: Vec<Cow<'j, [u8]>>,
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
            Shape::Wrapper => self.single(message.fields.first().ok_or(Stop::HandBack)?, depth),
        }
    }

    fn fields(&mut self, message: &'s Message, depth: u32) -> Result<()> {
        self.scan.expect(b'{')?;
        if self.scan.eat(b'}') {
            return Ok(());
        }
        let mut seen = Seen::default();
        let first_unknown = self.unknown.len();
        let mut next = 0;
        loop {
            if let Some(index) = self.field_name(message, next)? {
                let field = &message.fields[index];
                next = index + 1;
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
                    self.field(field, depth)?;
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
    fn field_name(&mut self, message: &'s Message, next: usize) -> Result<Option<usize>> {
        self.scan.peek();
        let eight = self.scan.next_eight();
        // Writers mostly keep to one order, and few messages have many fields.
        let (before, after) = message.heads.split_at(next.min(message.heads.len()));
        for (offset, (head, mask)) in after.iter().take(MOST_GUESSES).enumerate() {
            let index = before.len() + offset;
            if (eight ^ head) & mask == 0 && self.scan.eat_exactly(message.fields[index].named()) {
                return Ok(Some(index));
            }
        }
        for (index, (head, mask)) in before.iter().take(MOST_GUESSES).enumerate() {
            if (eight ^ head) & mask == 0 && self.scan.eat_exactly(message.fields[index].named()) {
                return Ok(Some(index));
            }
        }
        self.find_field_name(message)
    }

    #[inline(never)]
    fn find_field_name(&mut self, message: &'s Message) -> Result<Option<usize>> {
        let mut ahead = self.scan.clone();
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

    #[inline(always)]
    fn field(&mut self, field: &'s Field, depth: u32) -> Result<()> {
        if field.cardinality == Cardinality::Singular {
            return self.single(field, depth);
        }
        self.several(field, depth)
    }

    fn several(&mut self, field: &'s Field, depth: u32) -> Result<()> {
        match field.cardinality {
            Cardinality::Singular => self.single(field, depth),
            Cardinality::Map => self.map(field, depth),
            Cardinality::Repeated if field.kind.packs() => self.packed(field),
            Cardinality::Repeated => {
                self.scan.expect(b'[')?;
                if self.scan.eat(b']') {
                    return Ok(());
                }
                loop {
                    self.single(field, depth)?;
                    if !self.scan.another(b']')? {
                        return Ok(());
                    }
                }
            }
        }
    }

    fn packed(&mut self, field: &'s Field) -> Result<()> {
        self.scan.expect(b'[')?;
        if self.scan.eat(b']') {
            return Ok(());
        }
        self.out.prefix(field.other_tag, field.tag_len.into())?;
        let mark = self.out.open(2)?;
        loop {
            self.scalar(field)?;
            if !self.scan.another(b']')? {
                return self.out.close(mark);
            }
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
    fn single(&mut self, field: &'s Field, depth: u32) -> Result<()> {
        self.out.prefix(field.tag, field.tag_len.into())?;
        match field.kind {
            Kind::Message => {
                let message = &self.schema.messages[field.target as usize];
                let mark = self.out.open(self.length_len(message.small, field, depth))?;
                self.message(message, depth + 1)?;
                self.out.close(mark)
            }
            Kind::Group => {
                self.message(&self.schema.messages[field.target as usize], depth + 1)?;
                self.out.prefix(field.other_tag, field.tag_len.into())
            }
            Kind::String => {
                let text = self.scan.string()?;
                self.string(text)
            }
            Kind::Bytes => self.bytes(),
            _ => self.scalar(field),
        }
    }

    /// A string with its length.
    #[inline(always)]
    fn string(&mut self, text: Quoted<'_>) -> Result<()> {
        if text.escaped {
            return self.escaped_string(text);
        }
        self.out.varint(text.raw.len() as u64)?;
        self.out.start_of(text.ahead, text.raw.len())
    }

    #[inline(never)]
    fn escaped_string(&mut self, text: Quoted<'_>) -> Result<()> {
        let mark = self.out.open(varint_len(text.raw.len() as u64))?;
        unescape(text.raw, |piece| self.out.slice(piece))?;
        self.out.close(mark)
    }

    fn bytes(&mut self) -> Result<()> {
        let text = self.scan.long_string()?.decoded()?;
        let mark = self.out.open(varint_len(base64::most_bytes(&text) as u64))?;
        base64::read(&text, self.out)?;
        self.out.close(mark)
    }

    /// A value that can be packed.
    #[inline(always)]
    fn scalar(&mut self, field: &Field) -> Result<()> {
        match field.kind {
            Kind::Bool => match self.scan.peek() {
                b't' => self.scan.word(b"true").and_then(|()| self.out.byte(1)),
                _ => self.scan.word(b"false").and_then(|()| self.out.byte(0)),
            },
            Kind::Enum => self.enumeration(field),
            Kind::Double => {
                let value = self.double()?;
                self.out.array(value.to_le_bytes())
            }
            Kind::Float => {
                let value = self.double()?;
                let narrow = value as f32;
                if narrow.is_infinite() && value.is_finite() {
                    return Err(Stop::HandBack);
                }
                self.out.array(narrow.to_le_bytes())
            }
            kind => {
                let number = self.quoted_number()?;
                self.integer(kind, number)
            }
        }
    }

    #[inline(always)]
    fn integer(&mut self, kind: Kind, number: Number<'_>) -> Result<()> {
        let out = &mut *self.out;
        match kind {
            Kind::Int32 => out.varint(i64::from(int32(number)?) as u64),
            Kind::Int64 => out.varint(number.signed()? as u64),
            Kind::Uint32 => out.varint(uint32(number)?.into()),
            Kind::Uint64 => out.varint(number.unsigned()?),
            Kind::Sint32 => out.varint(zigzag(int32(number)?.into())),
            Kind::Sint64 => out.varint(zigzag(number.signed()?)),
            Kind::Fixed32 => out.array(uint32(number)?.to_le_bytes()),
            Kind::Fixed64 => out.array(number.unsigned()?.to_le_bytes()),
            Kind::Sfixed32 => out.array(int32(number)?.to_le_bytes()),
            Kind::Sfixed64 => out.array(number.signed()?.to_le_bytes()),
            _ => Err(Stop::HandBack),
        }
    }

    /// A number, bare or in quotes.
    #[inline(always)]
    fn quoted_number(&mut self) -> Result<Number<'j>> {
        if self.scan.peek() != b'"' {
            return self.scan.number();
        }
        number_of(self.scan.string()?.plain()?)
    }

    fn double(&mut self) -> Result<f64> {
        if self.scan.peek() != b'"' {
            return self.scan.number()?.double();
        }
        match self.scan.string()?.plain()? {
            b"NaN" => Ok(f64::NAN),
            b"Infinity" => Ok(f64::INFINITY),
            b"-Infinity" => Ok(f64::NEG_INFINITY),
            text => number_of(text)?.double(),
        }
    }

    fn enumeration(&mut self, field: &Field) -> Result<()> {
        let target = &self.schema.enums[field.target as usize];
        let number = match self.scan.peek() {
            b'"' => {
                let name = self.scan.string()?.decoded()?;
                *target.numbers.get(&*name).ok_or(Stop::HandBack)?
            }
            b'n' if target.null_value => {
                self.scan.word(b"null")?;
                0
            }
            _ => {
                let number = int32(self.scan.number()?)?;
                if target.closed && target.names.get(number).is_none() {
                    return Err(Stop::HandBack);
                }
                number
            }
        };
        self.out.varint(i64::from(number) as u64)
    }

    fn map(&mut self, field: &'s Field, depth: u32) -> Result<()> {
        let entry = &self.schema.messages[field.target as usize];
        let [key_field, value_field] = &entry.fields[..] else { return Err(Stop::HandBack) };
        self.scan.expect(b'{')?;
        if self.scan.eat(b'}') {
            return Ok(());
        }
        if depth + 1 > DEEPEST {
            return Err(Stop::HandBack);
        }
        self.scan.peek();
        let mut object = self.keys.open(self.scan.next_eight());
        // "1" and "1.0" are two JSON keys and one map key.
        let mut numbers = HashSet::new();
        loop {
            self.out.prefix(field.tag, field.tag_len.into())?;
            let mark = self.out.open(2)?;
            self.out.prefix(key_field.tag, key_field.tag_len.into())?;
            if key_field.kind == Kind::String {
                let key = self.key(&mut object)?;
                self.out.varint(key.len() as u64)?;
                self.out.slice(&key)?;
            } else {
                let text = self.scan.string()?.plain()?;
                let start = self.out.len();
                let number = match (key_field.kind, text) {
                    (Kind::Bool, b"true") => self.out.byte(1).map(|()| 1),
                    (Kind::Bool, b"false") => self.out.byte(0).map(|()| 0),
                    (kind, text) => {
                        let number = number_of(text)?;
                        self.integer(kind, number)?;
                        Ok(number
                            .signed()
                            .map(|signed| signed as u64)
                            .or_else(|_| number.unsigned())?)
                    }
                }?;
                debug_assert!(self.out.len() > start);
                if !numbers.insert(number) {
                    return Err(Stop::HandBack);
                }
                self.scan.expect(b':')?;
            }
            if self.scan.peek() == b'n' && !self.has_null(value_field) {
                return Err(Stop::HandBack);
            }
            self.single(value_field, depth + 1)?;
            self.out.close(mark)?;
            if !self.scan.another(b'}')? {
                break;
            }
        }
        self.keys.close(&object);
        Ok(())
    }

    fn field_mask(&mut self) -> Result<()> {
        let text = self.scan.string()?.plain()?;
        if text.is_empty() {
            return Ok(());
        }
        for path in text.split(|&byte| byte == b',') {
            let is_plain = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'.';
            if path.is_empty() || !path.iter().all(is_plain) {
                return Err(Stop::HandBack);
            }
            self.out.byte(0x0A)?;
            let mark = self.out.open(1)?;
            for &byte in path {
                if byte.is_ascii_uppercase() {
                    self.out.byte(b'_')?;
                }
                self.out.byte(byte.to_ascii_lowercase())?;
            }
            self.out.close(mark)?;
        }
        Ok(())
    }

    fn seconds_and_nanos(&mut self, seconds: i64, nanos: i32) -> Result<()> {
        for (tag, value) in [(0x08, seconds), (0x10, i64::from(nanos))] {
            if value != 0 {
                self.out.byte(tag)?;
                self.out.varint(value as u64)?;
            }
        }
        Ok(())
    }

    /// The next key of an object that is no message, read with its colon.
    ///
    /// One that came before is handed back.
    #[inline(always)]
    fn key(&mut self, object: &mut Object<'j>) -> Result<Cow<'j, [u8]>> {
        self.scan.peek();
        if let Some(expected) = self.keys.expected(object)
            && let Some(key) = self.scan.eat_key(expected)
        {
            self.keys.take_expected(object);
            return Ok(Cow::Borrowed(key));
        }
        let (text, start) = self.scan.place();
        let key = self.scan.string()?;
        self.scan.expect(b':')?;
        self.scan.peek();
        if !self.keys.take(object, text, key, (start, self.scan.place().1)) {
            return Err(Stop::HandBack);
        }
        key.decoded()
    }

    /// The body of a Struct.
    fn structure(&mut self, depth: u32) -> Result<()> {
        self.scan.expect(b'{')?;
        if self.scan.eat(b'}') {
            return Ok(());
        }
        if depth + 2 > DEEPEST {
            return Err(Stop::HandBack);
        }
        self.scan.peek();
        let mut object = self.keys.open(self.scan.next_eight());
        loop {
            let key = self.key(&mut object)?;
            match self.scan.peek() {
                b'"' => {
                    let text = self.scan.string()?;
                    self.string_entry(&key, text)?;
                }
                byte @ (b'{' | b'[') => self.container_entry(&key, byte, depth + 2)?,
                b't' => {
                    self.scan.word(b"true")?;
                    self.entry(&key, 4)?;
                    self.out.array([0x12, 2, 0x20, 1])?;
                }
                b'f' => {
                    self.scan.word(b"false")?;
                    self.entry(&key, 4)?;
                    self.out.array([0x12, 2, 0x20, 0])?;
                }
                b'n' => {
                    self.scan.word(b"null")?;
                    self.entry(&key, 4)?;
                    self.out.array([0x12, 2, 0x08, 0])?;
                }
                _ => {
                    let value = self.struct_number()?;
                    self.entry(&key, 11)?;
                    let [a, b, c, d, e, f, g, h] = value.to_le_bytes();
                    self.out.array([0x12, 9, 0x11, a, b, c, d, e, f, g, h])?;
                }
            }
            if !self.scan.another(b'}')? {
                break;
            }
        }
        self.keys.close(&object);
        Ok(())
    }

    /// The beginning of an entry whose value, with its tag and length, takes `value_len` bytes.
    #[inline(always)]
    fn entry(&mut self, key: &[u8], value_len: u64) -> Result<()> {
        let key_len = key.len() as u64;
        let len = 1 + u64::from(varint_len(key_len)) + key_len + value_len;
        if len < 0x80 {
            self.out.array([0x0A, len as u8, 0x0A, key_len as u8])?;
        } else {
            self.out.byte(0x0A)?;
            self.out.varint(len)?;
            self.out.byte(0x0A)?;
            self.out.varint(key_len)?;
        }
        self.out.short(key)
    }

    #[inline(always)]
    fn string_entry(&mut self, key: &[u8], text: Quoted<'_>) -> Result<()> {
        if text.escaped {
            return self.escaped_entry(key, text);
        }
        let len = text.raw.len() as u64;
        if len < 0x7E {
            self.entry(key, 4 + len)?;
            self.out.array([0x12, len as u8 + 2, 0x1A, len as u8])?;
        } else {
            let value_len = 1 + u64::from(varint_len(len)) + len;
            self.entry(key, 1 + u64::from(varint_len(value_len)) + value_len)?;
            self.out.byte(0x12)?;
            self.out.varint(value_len)?;
            self.out.byte(0x1A)?;
            self.out.varint(len)?;
        }
        self.out.start_of(text.ahead, text.raw.len())
    }

    #[inline(never)]
    fn escaped_entry(&mut self, key: &[u8], text: Quoted<'_>) -> Result<()> {
        let decoded = text.decoded()?;
        self.string_entry(key, Quoted { raw: &decoded, ahead: &decoded, escaped: false })
    }

    fn container_entry(&mut self, key: &[u8], byte: u8, depth: u32) -> Result<()> {
        if depth > DEEPEST {
            return Err(Stop::HandBack);
        }
        self.out.byte(0x0A)?;
        let entry = self.out.open(2)?;
        self.out.byte(0x0A)?;
        self.out.varint(key.len() as u64)?;
        self.out.slice(key)?;
        self.out.byte(0x12)?;
        self.container(byte, depth)?;
        self.out.close(entry)
    }

    /// A Value, with its length, that is a Struct or a ListValue.
    fn container(&mut self, byte: u8, depth: u32) -> Result<()> {
        let value = self.out.open(2)?;
        self.out.byte(if byte == b'{' { 0x2A } else { 0x32 })?;
        let inner = self.out.open(2)?;
        if byte == b'{' {
            self.structure(depth + 1)?
        } else {
            self.list(depth + 1)?
        };
        self.out.close(inner)?;
        self.out.close(value)
    }

    /// The body of a ListValue.
    fn list(&mut self, depth: u32) -> Result<()> {
        self.scan.expect(b'[')?;
        if self.scan.eat(b']') {
            return Ok(());
        }
        loop {
            self.out.byte(0x0A)?;
            self.delimited_value(depth + 1)?;
            if !self.scan.another(b']')? {
                return Ok(());
            }
        }
    }

    /// A Value with its length.
    #[inline(always)]
    fn delimited_value(&mut self, depth: u32) -> Result<()> {
        match self.scan.peek() {
            b'"' => {
                let text = self.scan.string()?;
                let len = text.raw.len() as u64;
                if text.escaped {
                    let mark = self.out.open(varint_len(len))?;
                    self.out.byte(0x1A)?;
                    self.escaped_string(text)?;
                    return self.out.close(mark);
                }
                self.out.varint(1 + u64::from(varint_len(len)) + len)?;
                self.out.byte(0x1A)?;
                self.string(text)
            }
            byte @ (b'{' | b'[') => {
                if depth > DEEPEST {
                    return Err(Stop::HandBack);
                }
                self.container(byte, depth)
            }
            b't' | b'f' | b'n' => {
                self.out.byte(2)?;
                self.value(depth)
            }
            _ => {
                let value = self.struct_number()?;
                let [a, b, c, d, e, f, g, h] = value.to_le_bytes();
                self.out.array([9, 0x11, a, b, c, d, e, f, g, h])
            }
        }
    }

    /// The body of a Value.
    fn value(&mut self, depth: u32) -> Result<()> {
        match self.scan.peek() {
            b'"' => {
                let text = self.scan.string()?;
                self.out.byte(0x1A)?;
                self.string(text)
            }
            b'{' => {
                self.out.byte(0x2A)?;
                let mark = self.out.open(2)?;
                self.structure(depth + 1)?;
                self.out.close(mark)
            }
            b'[' => {
                self.out.byte(0x32)?;
                let mark = self.out.open(1)?;
                self.list(depth + 1)?;
                self.out.close(mark)
            }
            b't' => self.scan.word(b"true").and_then(|()| self.out.array([0x20, 1])),
            b'f' => self.scan.word(b"false").and_then(|()| self.out.array([0x20, 0])),
            b'n' => self.scan.word(b"null").and_then(|()| self.out.array([0x08, 0])),
            _ => {
                let value = self.struct_number()?;
                self.out.byte(0x11)?;
                self.out.array(value.to_le_bytes())
            }
        }
    }

    #[inline(always)]
    fn struct_number(&mut self) -> Result<f64> {
        let value = self.scan.number()?.double()?;
        if self.options.refuse_lossy && value.abs() >= LOSSY {
            return Err(Stop::HandBack);
        }
        Ok(value)
    }

    /// Reads over a value that no field takes; it must be JSON all the same.
    fn skip(&mut self, deepest: u32) -> Result<()> {
        let deeper = || deepest.checked_sub(1).ok_or(Stop::HandBack);
        match self.scan.peek() {
            b'"' => self.scan.string()?.decoded().map(drop),
            b'{' => {
                self.scan.expect(b'{')?;
                if self.scan.eat(b'}') {
                    return Ok(());
                }
                self.scan.peek();
                let mut object = self.keys.open(self.scan.next_eight());
                loop {
                    self.key(&mut object)?;
                    self.skip(deeper()?)?;
                    if !self.scan.another(b'}')? {
                        break;
                    }
                }
                self.keys.close(&object);
                Ok(())
            }
            b'[' => {
                self.scan.expect(b'[')?;
                if self.scan.eat(b']') {
                    return Ok(());
                }
                loop {
                    self.skip(deeper()?)?;
                    if !self.scan.another(b']')? {
                        return Ok(());
                    }
                }
            }
            b't' => self.scan.word(b"true"),
            b'f' => self.scan.word(b"false"),
            b'n' => self.scan.word(b"null"),
            _ => self.scan.number().map(drop),
        }
    }
}

/// A text that is one number from end to end.
fn number_of(text: &[u8]) -> Result<Number<'_>> {
    let (number, len) = read_number(text)?;
    if len == text.len() { Ok(number) } else { Err(Stop::HandBack) }
}

#[inline(always)]
fn int32(number: Number<'_>) -> Result<i32> {
    i32::try_from(number.signed()?).map_err(|_| Stop::HandBack)
}

#[inline(always)]
fn uint32(number: Number<'_>) -> Result<u32> {
    u32::try_from(number.unsigned()?).map_err(|_| Stop::HandBack)
}
