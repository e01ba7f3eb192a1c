//! Python values to wire format, without a JSON text between.

use pyo3::PyTypeInfo;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt, PyList, PyString, PyTuple};

use super::dump::dump;
use super::exact::{each_element, each_member, exact, text_of, utf8_of};
use super::lengths::Lengths;
use super::merging::PIECE;
use crate::bytes::entry::{string_entry, write_entry};
use crate::bytes::growing::Growing;
use crate::bytes::out::{Out, varint_len};
use crate::limits::MAX_DEPTH;
use crate::parse::keys::Keys;
use crate::parse::pieces::{Pieces, Take};
use crate::parse::plain::{LOSSY, number_value};
use crate::parse::{ParseOptions, Seen, parse_field};
use crate::scalars::base64;
use crate::schema::{Cardinality, Field, Kind, Message, Schema, Shape};
use crate::stop::{Result, Stop};

/// The bytes of a length from which on a message may be passed on in pieces.
const LONG: u8 = 3;

/// Room for a tag, a length or a number, and more than what is written beyond it.
const SHORT: usize = 64;

/// The wire format of the schema's first message, which must have fields.
///
/// Passes long output to `take` in pieces; the last one is the result. Values of other types than
/// JSON's exact ones are undecided. Nothing here runs code of Python, nor may `take`, so that no
/// dict changes meanwhile.
pub fn wire_of(
    schema: &Schema,
    lengths: &Lengths,
    value: &Bound<'_, PyAny>,
    options: ParseOptions,
    take: Take<'_>,
) -> Result<Growing> {
    let root = schema.messages.first().ok_or(Stop::Undecided)?;
    let (out, keys, pieces) = (Growing::default(), Keys::default(), Pieces::new(take, PIECE));
    let mut writer = Writer { schema, lengths, options, out, keys, pieces };
    writer.fields(root, value, 0)?;
    Ok(writer.out)
}

struct Writer<'s, 't> {
    schema: &'s Schema,
    lengths: &'s Lengths,
    options: ParseOptions,
    out: Growing,
    keys: Keys,
    pieces: Pieces<'t>,
}

impl<'s> Writer<'s, '_> {
    /// Writes at most `SHORT` bytes.
    #[inline(always)]
    fn short<T>(&mut self, write: impl FnOnce(&mut Out<'_>) -> Result<T>) -> Result<T> {
        self.out.write(SHORT, write)
    }

    fn fields(&mut self, message: &'s Message, value: &Bound<'_, PyAny>, depth: u32) -> Result<()> {
        let mut seen = Seen::default();
        each_member(exact(value)?, |key, value| {
            let key = text_of(key)?;
            let Some(index) = message.by_name.get(key) else { return self.unknown(key, value) };
            let field = message.fields.get(usize::from(*index)).ok_or(Stop::Undecided)?;
            if !seen.insert(*index) {
                return Err(Stop::Undecided);
            }
            if value.is_none() && !self.schema.takes_null(field) {
                return Ok(());
            }
            if let Some(oneof) = field.oneof
                && !seen.insert(oneof)
            {
                return Err(Stop::Undecided);
            }
            match field.cardinality {
                Cardinality::Singular => self.single(field, value, depth),
                Cardinality::Map => self.map(field, value, depth),
                Cardinality::Repeated if field.kind.packs() => {
                    self.other(field, false, value, depth)
                }
                Cardinality::Repeated => each_element(value, |element| {
                    self.single(field, element, depth)?;
                    if self.pieces.depth() == depth as usize {
                        let pieces = &mut self.pieces;
                        self.out.write(0, |out| pieces.pass_on(out))?;
                    }
                    Ok(())
                }),
            }
        })
    }

    /// Checks a member that the message does not have: it must be JSON all the same.
    #[inline(never)]
    fn unknown(&self, key: &[u8], value: &Bound<'_, PyAny>) -> Result<()> {
        if !self.options.ignore_unknown || key.first() == Some(&b'[') {
            return Err(Stop::Undecided);
        }
        dump(value).map(drop).ok_or(Stop::Undecided)
    }

    /// One value with its tag.
    fn single(&mut self, field: &'s Field, value: &Bound<'_, PyAny>, depth: u32) -> Result<()> {
        match field.kind {
            Kind::Message if depth + 1 > MAX_DEPTH => Err(Stop::Undecided),
            Kind::Message => {
                let message = &self.schema.messages[field.target as usize];
                match message.shape {
                    Shape::Fields if self.is_long(field, depth) => {
                        self.path_message(field, |writer| writer.fields(message, value, depth + 1))
                    }
                    Shape::Fields => {
                        self.message(field, |writer| writer.fields(message, value, depth + 1))
                    }
                    Shape::Struct => {
                        self.message(field, |writer| writer.structure(exact(value)?, depth + 1))
                    }
                    _ => self.other(field, true, value, depth),
                }
            }
            Kind::String => {
                let text = text_of(value)?;
                self.out.write(SHORT + text.len(), |out| {
                    out.prefix(field.tag, field.tag_len.into())?;
                    out.varint(text.len() as u64)?;
                    out.short(text)
                })
            }
            Kind::Bytes => {
                let text = text_of(value)?;
                let len = base64::max_len(text);
                self.out.write(SHORT + text.len(), |out| {
                    out.prefix(field.tag, field.tag_len.into())?;
                    let mark = out.open(varint_len(len as u64).min(5))?;
                    base64::read(text, out)?;
                    out.close(mark)
                })
            }
            Kind::Bool if PyBool::is_exact_type_of(value) => {
                let value = u8::from(exact::<PyBool>(value)?.is_true());
                self.short(|out| {
                    out.prefix(field.tag, field.tag_len.into())?;
                    out.byte(value)
                })
            }
            Kind::Enum if PyString::is_exact_type_of(value) => {
                let numbers = &self.schema.enums[field.target as usize].numbers;
                let Some(&number) = numbers.get(text_of(value)?) else {
                    return self.other(field, false, value, depth);
                };
                self.short(|out| {
                    out.prefix(field.tag, field.tag_len.into())?;
                    out.varint(i64::from(number) as u64)
                })
            }
            // Only an enum name may be left out, and such fields with several values are packed.
            _ => self.other(field, field.cardinality != Cardinality::Singular, value, depth),
        }
    }

    /// Whether a message, which is in no list, may be long enough to be passed on in pieces.
    #[inline(always)]
    fn is_long(&self, field: &Field, depth: u32) -> bool {
        self.lengths.reserved(field) >= LONG
            && field.cardinality == Cardinality::Singular
            && self.pieces.depth() == depth as usize
    }

    /// A message of the path along which a large document is cut.
    #[inline(never)]
    fn path_message(
        &mut self,
        field: &Field,
        write: impl FnOnce(&mut Self) -> Result<()>,
    ) -> Result<()> {
        let (start, passed) = (self.out.written().len(), self.pieces.passed);
        let pieces = &mut self.pieces;
        self.out.write(SHORT, |out| {
            out.prefix(field.tag, field.tag_len.into())?;
            pieces.open(field, out)
        })?;
        write(self)?;
        if self.pieces.passed == passed {
            let len = self.out.written().len() - start;
            self.lengths.note(field, self.lengths.reserved(field), len);
        }
        let pieces = &mut self.pieces;
        self.out.write(SHORT, |out| pieces.close(out))
    }

    /// A message with its tag and its length.
    #[inline(always)]
    fn message(
        &mut self,
        field: &Field,
        write: impl FnOnce(&mut Self) -> Result<()>,
    ) -> Result<()> {
        let reserved = self.lengths.reserved(field);
        let mark = self.short(|out| {
            out.prefix(field.tag, field.tag_len.into())?;
            out.open(reserved)
        })?;
        let start = self.out.written().len();
        write(self)?;
        self.lengths.note(field, reserved, self.out.written().len() - start);
        self.short(|out| out.close(mark))
    }

    /// The value of a field of any kind, by way of its JSON text.
    #[inline(never)]
    fn other(
        &mut self,
        field: &'s Field,
        is_element: bool,
        value: &Bound<'_, PyAny>,
        depth: u32,
    ) -> Result<()> {
        let text = dump(value).ok_or(Stop::Undecided)?;
        let text = text.written();
        let mut room = SHORT + 2 * text.len();
        loop {
            let (schema, keys, options) = (self.schema, &mut self.keys, self.options);
            let written = self.out.write(room, |out| {
                parse_field(schema, (field, is_element, depth), text, out, keys, options)
            });
            match written {
                Err(Stop::Full) => room *= 2,
                written => return written,
            }
        }
    }

    fn map(&mut self, field: &'s Field, value: &Bound<'_, PyAny>, depth: u32) -> Result<()> {
        let entry = &self.schema.messages[field.target as usize];
        let [key_field, value_field] = &entry.fields[..] else { return Err(Stop::Undecided) };
        if key_field.kind != Kind::String || value_field.kind == Kind::Enum {
            return self.other(field, false, value, depth);
        }
        if depth + 1 > MAX_DEPTH {
            return Err(Stop::Undecided);
        }
        each_member(exact(value)?, |key, value| {
            if value.is_none() && !self.schema.has_null(value_field) {
                return Err(Stop::Undecided);
            }
            self.message(field, |writer| {
                writer.single(key_field, key, depth)?;
                writer.single(value_field, value, depth + 1)
            })
        })
    }

    /// The body of a Struct.
    fn structure(&mut self, dict: &Bound<'_, PyDict>, depth: u32) -> Result<()> {
        if depth + 2 > MAX_DEPTH && !dict.is_empty() {
            return Err(Stop::Undecided);
        }
        each_member(dict, |key, value| {
            let key = text_of(key)?;
            let plain = self.plain(value)?;
            let room = SHORT + key.len();
            match plain {
                Plain::Text(text) => self.out.write(room + text.len(), |out| {
                    string_entry(out, key, text.len())?;
                    out.short(text)
                }),
                Plain::Number(number) => self.out.write(room, |out| {
                    write_entry(out, key, 11)?;
                    out.array(number_value(number))
                }),
                Plain::Word(word) => self.out.write(room, |out| {
                    write_entry(out, key, 4)?;
                    let [tag, value] = word;
                    out.array([0x12, 2, tag, value])
                }),
                Plain::Container => {
                    let entry = self.out.write(room, |out| {
                        out.byte(0x0A)?;
                        let entry = out.open(2)?;
                        out.byte(0x0A)?;
                        out.varint(key.len() as u64)?;
                        out.short(key)?;
                        out.byte(0x12)?;
                        Ok(entry)
                    })?;
                    self.container(value, depth + 2)?;
                    self.short(|out| out.close(entry))
                }
            }
        })
    }

    /// A Value, with its length, that is a Struct or a ListValue.
    fn container(&mut self, value: &Bound<'_, PyAny>, depth: u32) -> Result<()> {
        if depth > MAX_DEPTH {
            return Err(Stop::Undecided);
        }
        let is_dict = PyDict::is_exact_type_of(value);
        let (outer, inner) = self.short(|out| {
            let outer = out.open(2)?;
            out.byte(if is_dict { 0x2A } else { 0x32 })?;
            Ok((outer, out.open(2)?))
        })?;
        if is_dict {
            self.structure(exact(value)?, depth + 1)?;
        } else {
            self.list(value, depth + 1)?;
        }
        self.short(|out| {
            out.close(inner)?;
            out.close(outer)
        })
    }

    /// The body of a ListValue.
    fn list(&mut self, value: &Bound<'_, PyAny>, depth: u32) -> Result<()> {
        each_element(value, |element| match self.plain(element)? {
            Plain::Text(text) => self.out.write(SHORT + text.len(), |out| {
                let len = text.len() as u64;
                out.byte(0x0A)?;
                out.varint(1 + u64::from(varint_len(len)) + len)?;
                out.byte(0x1A)?;
                out.varint(len)?;
                out.short(text)
            }),
            Plain::Number(number) => self.short(|out| {
                let [a, b, c, d, e, f, g, h] = number.to_le_bytes();
                out.array([0x0A, 9, 0x11, a, b, c, d, e, f, g, h])
            }),
            Plain::Word([tag, value]) => self.short(|out| out.array([0x0A, 2, tag, value])),
            Plain::Container => {
                self.short(|out| out.byte(0x0A))?;
                self.container(element, depth + 1)
            }
        })
    }

    #[inline(always)]
    fn plain<'v>(&self, value: &'v Bound<'_, PyAny>) -> Result<Plain<'v>> {
        if let Ok(text) = exact::<PyString>(value) {
            return Ok(Plain::Text(utf8_of(text)?));
        }
        if let Ok(number) = exact::<PyFloat>(value) {
            return self.number(number.value());
        }
        if value.is_none() {
            return Ok(Plain::Word([0x08, 0]));
        }
        if let Ok(value) = exact::<PyBool>(value) {
            return Ok(Plain::Word([0x20, value.is_true().into()]));
        }
        if let Ok(number) = exact::<PyInt>(value) {
            let number = match number.extract::<i64>() {
                Ok(number) => number as f64,
                Err(_) => number.extract::<u64>().map_err(|_| Stop::Undecided)? as f64,
            };
            return self.number(number);
        }
        let is_container = PyDict::is_exact_type_of(value)
            || PyList::is_exact_type_of(value)
            || PyTuple::is_exact_type_of(value);
        if is_container { Ok(Plain::Container) } else { Err(Stop::Undecided) }
    }

    #[inline(always)]
    fn number(&self, number: f64) -> Result<Plain<'static>> {
        let is_lossy = self.options.refuse_lossy && number.abs() >= LOSSY;
        if is_lossy || !number.is_finite() {
            return Err(Stop::Undecided);
        }
        Ok(Plain::Number(number))
    }
}

/// A value of plain JSON.
enum Plain<'v> {
    Text(&'v [u8]),
    Number(f64),
    /// The body of the Value for `true`, `false` or `null`.
    Word([u8; 2]),
    Container,
}
