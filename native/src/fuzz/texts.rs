//! JSON texts and bytes to try: messages of a schema, whole and damaged.

use arbtest::arbitrary::{Result, Unstructured};

use crate::schema::{Cardinality, Field, Kind, Message, Schema, Shape};

/// Values that are read by some fields, or by none.
const ODD: [&str; 62] = [
    "null",
    "true",
    "false",
    "{}",
    "[]",
    "[null]",
    "{\"a\":1}",
    "{\"a\":1,\"a\":2}",
    "[[[]]]",
    "0",
    "-0",
    "-0.0",
    "1",
    "-1",
    "1.0",
    "1.5",
    "1e2",
    "1.50e1",
    "0e99999999999",
    "1e400",
    "1e-400",
    "3.5e38",
    "3.4028235e38",
    "1e23",
    "5e-324",
    "9007199254740993",
    "2147483648",
    "-2147483649",
    "4294967296",
    "9223372036854775808",
    "18446744073709551615",
    "18446744073709551616",
    "123456789012345678901234567890",
    "01",
    "+1",
    ".5",
    "1.",
    "NaN",
    "\"\"",
    "\"1\"",
    "\"1.0\"",
    "\" 1\"",
    "\"01\"",
    "\"NaN\"",
    "\"Infinity\"",
    "\"-Infinity\"",
    "\"RED\"",
    "\"MAUVE\"",
    "\"AQID\"",
    "\"_-8=\"",
    "\"QUI=\"",
    "\"1970-01-01T00:00:00.5+01:30\"",
    "\"9999-12-31T23:59:59.999999999Z\"",
    "\"1.5s\"",
    "\"-0.000000001s\"",
    "\"a.b,cD\"",
    "\"\\u00e9\"",
    "\"\\ud83d\\ude00\"",
    "\"\\ud83d\"",
    "\"\\/\\n\"",
    "\"\u{0}\"",
    "\"sixteen chars ok\"",
];
/// Pieces of texts that have a meaning, or stand in a wrong place.
const PIECES: [&[u8]; 22] = [
    b"\"",
    b"\\",
    b"{",
    b"}",
    b"[",
    b"]",
    b",",
    b":",
    b" ",
    b"\n\t\r        ",
    b"null",
    b"1e5",
    b"\\u",
    b"\\\"",
    b"\0",
    b"\x1f",
    b"\xff",
    b"\xc3",
    b"\xed\xa0\x80",
    "é".as_bytes(),
    "😀".as_bytes(),
    b"=",
];
/// The largest depth of the messages that are made here.
const MAX_DEPTH: u32 = 5;

/// The JSON text of some message of a schema's first type: mostly a good one.
pub fn json(u: &mut Unstructured<'_>, schema: &Schema) -> Result<Vec<u8>> {
    let mut writer = Writer { schema, text: Vec::new(), is_odd: u.ratio(1, 3)? };
    writer.message(u, &schema.messages[0], 0)?;
    let mut text = writer.text;
    if u.ratio(1, 3)? {
        damage(u, &mut text)?;
    }
    Ok(text)
}

/// Changes a few bytes, or puts something in, or takes some away.
pub fn damage(u: &mut Unstructured<'_>, text: &mut Vec<u8>) -> Result<()> {
    for _ in 0..u.int_in_range(1..=3)? {
        let at = u.choose_index(text.len() + 1)?;
        let end = (at + u.choose_index(9)?).min(text.len());
        match u.int_in_range(0..=5)? {
            0 => text.truncate(at),
            1 => drop(text.drain(at..end)),
            2 => drop(text.splice(at..end, u.choose(&PIECES)?.iter().copied())),
            3 => drop(text.splice(at..end, u.choose(&ODD)?.bytes())),
            4 => {
                let again = text[at..end].repeat(u.int_in_range(1..=20)?);
                drop(text.splice(at..at, again));
            }
            _ => text[at..end].iter_mut().try_for_each(|byte| {
                *byte = u.arbitrary()?;
                Ok(())
            })?,
        }
    }
    Ok(())
}

struct Writer<'s> {
    schema: &'s Schema,
    text: Vec<u8>,
    /// Whether some values and keys may be of a kind that does not belong there.
    is_odd: bool,
}

impl Writer<'_> {
    fn odd(&self, u: &mut Unstructured<'_>) -> Result<bool> {
        Ok(self.is_odd && u.ratio(1, 16)?)
    }

    fn push(&mut self, text: &str) {
        self.text.extend_from_slice(text.as_bytes());
    }

    fn blanks(&mut self, u: &mut Unstructured<'_>) -> Result<()> {
        if u.ratio(1, 16)? {
            self.push(u.choose(&[" ", "\n  ", "\t", "\r\n                 "])?);
        }
        Ok(())
    }

    fn message(&mut self, u: &mut Unstructured<'_>, message: &Message, depth: u32) -> Result<()> {
        match message.shape {
            Shape::Timestamp => {
                let nanos = *u.choose(&["", ".5", ".000000001", ".120", ".999999999"])?;
                let (year, month) = (u.int_in_range(0..=9999)?, u.int_in_range(1..=12)?);
                let (day, zone) = (u.int_in_range(1..=31)?, *u.choose(&["Z", "+05:30", "-23:59"])?);
                self.push(&format!("\"{year:04}-{month:02}-{day:02}T23:59:58{nanos}{zone}\""));
            }
            Shape::Duration => {
                let seconds = u.int_in_range(-400_000_000_000i64..=400_000_000_000)?;
                let nanos = *u.choose(&["", ".5", ".000000001", ".120"])?;
                self.push(&format!("\"{seconds}{nanos}s\""));
            }
            Shape::FieldMask => self.push(u.choose(&["\"\"", "\"a\"", "\"aB,c.dE\""])?),
            Shape::Struct => self.object(u, depth)?,
            Shape::ListValue => self.list(u, depth)?,
            Shape::Value => self.value(u, depth)?,
            Shape::Wrapper => self.single(u, &message.fields[0], depth)?,
            Shape::Any | Shape::Foreign => self.push("{}"),
            Shape::Fields => self.fields(u, message, depth)?,
        }
        Ok(())
    }

    fn fields(&mut self, u: &mut Unstructured<'_>, message: &Message, depth: u32) -> Result<()> {
        let most = if depth < MAX_DEPTH { message.fields.len().min(6) } else { 0 };
        let mut names = Vec::new();
        self.push("{");
        for _ in 0..u.int_in_range(0..=most)? {
            let index = u.choose_index(message.fields.len())?;
            if names.contains(&index) && !self.odd(u)? {
                continue;
            }
            if !names.is_empty() {
                self.push(",");
            }
            names.push(index);
            let field = &message.fields[index];
            self.blanks(u)?;
            if self.odd(u)? {
                self.push("\"none of its fields\":");
                self.value(u, depth)?;
                self.push(",");
            }
            let key = if u.ratio(1, 4)? { &field.proto_key } else { &field.json_key };
            self.text.extend_from_slice(&key[1..]);
            self.blanks(u)?;
            self.field(u, field, depth)?;
        }
        self.push("}");
        Ok(())
    }

    fn field(&mut self, u: &mut Unstructured<'_>, field: &Field, depth: u32) -> Result<()> {
        if self.odd(u)? {
            self.push(u.choose(&ODD)?);
            return Ok(());
        }
        match field.cardinality {
            Cardinality::Singular => self.single(u, field, depth),
            Cardinality::Repeated => {
                self.push("[");
                for index in 0..u.int_in_range(0..=5)? {
                    self.push(if index > 0 { "," } else { "" });
                    self.single(u, field, depth)?;
                }
                self.push("]");
                Ok(())
            }
            Cardinality::Map => {
                let [key, value] = &self.schema.messages[field.target as usize].fields[..] else {
                    unreachable!("a map's entry has a key and a value")
                };
                self.push("{");
                for index in 0..u.int_in_range(0..=5)? {
                    self.push(if index > 0 { "," } else { "" });
                    let start = self.text.len();
                    self.single(u, key, depth)?;
                    if self.text[start] != b'"' {
                        self.text.insert(start, b'"');
                        self.push("\"");
                    }
                    self.push(":");
                    self.blanks(u)?;
                    self.single(u, value, depth)?;
                }
                self.push("}");
                Ok(())
            }
        }
    }

    fn single(&mut self, u: &mut Unstructured<'_>, field: &Field, depth: u32) -> Result<()> {
        if self.odd(u)? {
            self.push(u.choose(&ODD)?);
            return Ok(());
        }
        let is_quoted = u.ratio(1, 8)?;
        let quote = if is_quoted { "\"" } else { "" };
        let text = match field.kind {
            Kind::Message | Kind::Group => {
                let schema = self.schema;
                return self.message(u, &schema.messages[field.target as usize], depth + 1);
            }
            Kind::String => return self.string(u),
            Kind::Bytes => {
                let bytes: Vec<u8> = u.arbitrary()?;
                let engine = base64_turbo::STANDARD;
                let text = engine.encode(&bytes);
                match u.int_in_range(0..=2)? {
                    0 => format!("\"{}\"", text.replace('+', "-").replace('/', "_")),
                    1 => format!("\"{}\"", text.trim_end_matches('=')),
                    _ => format!("\"{text}\""),
                }
            }
            Kind::Enum => {
                let names = &self.schema.enums[field.target as usize].numbers;
                let mut names: Vec<_> = names.iter().collect();
                names.sort();
                let (name, number) = *u.choose(&names)?;
                match u.int_in_range(0..=3)? {
                    0 => number.to_string(),
                    1 => u.arbitrary::<i32>()?.to_string(),
                    _ => format!("\"{}\"", String::from_utf8_lossy(name)),
                }
            }
            Kind::Bool => u.choose(&["true", "false"])?.to_string(),
            Kind::Double => {
                let value = f64::from_bits(u.arbitrary()?);
                if value.is_finite() {
                    format!("{quote}{value:?}{quote}")
                } else {
                    "\"NaN\"".into()
                }
            }
            Kind::Float => {
                let value = f32::from_bits(u.arbitrary()?);
                if value.is_finite() {
                    format!("{quote}{value:?}{quote}")
                } else {
                    "\"NaN\"".into()
                }
            }
            Kind::Int32 | Kind::Sint32 | Kind::Sfixed32 => {
                format!("{quote}{}{quote}", u.arbitrary::<i32>()? >> u.int_in_range(0..=31)?)
            }
            Kind::Uint32 | Kind::Fixed32 => {
                format!("{quote}{}{quote}", u.arbitrary::<u32>()? >> u.int_in_range(0..=31)?)
            }
            Kind::Int64 | Kind::Sint64 | Kind::Sfixed64 => {
                format!("{quote}{}{quote}", u.arbitrary::<i64>()? >> u.int_in_range(0..=63)?)
            }
            Kind::Uint64 | Kind::Fixed64 => {
                format!("{quote}{}{quote}", u.arbitrary::<u64>()? >> u.int_in_range(0..=63)?)
            }
        };
        self.push(&text);
        Ok(())
    }

    /// A string with any characters, some of them escaped.
    fn string(&mut self, u: &mut Unstructured<'_>) -> Result<()> {
        self.push("\"");
        for _ in 0..u.int_in_range(0..=20)? {
            match u.int_in_range(0..=7)? {
                0 => {
                    let character: char = u.arbitrary()?;
                    if character >= ' ' && !"\"\\".contains(character) {
                        self.push(character.encode_utf8(&mut [0; 4]));
                    }
                }
                1 => self.push(u.choose(&["\\n", "\\\"", "\\\\", "\\/", "\\u0000", "\\u00E9"])?),
                2 => {
                    let mut units = [0; 2];
                    for unit in u.arbitrary::<char>()?.encode_utf16(&mut units) {
                        self.push(&format!("\\u{unit:04x}"));
                    }
                }
                _ => self.push(&"abc".repeat(u.int_in_range(1..=5)?)),
            }
        }
        self.push("\"");
        Ok(())
    }

    /// Any JSON value, as a Struct holds it.
    fn value(&mut self, u: &mut Unstructured<'_>, depth: u32) -> Result<()> {
        match u.int_in_range(0..=if depth < MAX_DEPTH { 6 } else { 4 })? {
            0 => self.push(u.choose(&["null", "true", "false"])?),
            1 => self.push(u.choose(&ODD)?),
            2 => self.push(&u.arbitrary::<i16>()?.to_string()),
            3 => {
                let value = f64::from_bits(u.arbitrary()?);
                self.push(&if value.is_finite() { format!("{value:e}") } else { "1.25".into() });
            }
            4 => self.string(u)?,
            5 => self.list(u, depth + 1)?,
            _ => self.object(u, depth + 1)?,
        }
        Ok(())
    }

    fn list(&mut self, u: &mut Unstructured<'_>, depth: u32) -> Result<()> {
        self.push("[");
        for index in 0..u.int_in_range(0..=4)? {
            self.push(if index > 0 { "," } else { "" });
            self.blanks(u)?;
            self.value(u, depth)?;
        }
        self.push("]");
        Ok(())
    }

    /// Rows have the same keys, so there are mostly few different ones.
    fn object(&mut self, u: &mut Unstructured<'_>, depth: u32) -> Result<()> {
        self.push("{");
        for index in 0..u.int_in_range(0..=4)? {
            self.push(if index > 0 { "," } else { "" });
            self.push(u.choose(&["\"a", "\"\\u0061", "\"a longer key ", "\"é"])?);
            self.push(&format!("{}\"", if u.ratio(15, 16)? { index } else { 0 }));
            self.blanks(u)?;
            self.push(":");
            self.value(u, depth)?;
        }
        self.push("}");
        Ok(())
    }
}
