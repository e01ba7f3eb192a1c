//! Single values: scalars, enums, and the well-known types that are strings.

use super::parser::Parser;
use crate::bytes::out::varint_len;
use crate::bytes::wire::zigzag;
use crate::scalars::base64;
use crate::scalars::number::{Number, number_of};
use crate::scalars::string::Quoted;
use crate::scalars::string::unescape;
use crate::schema::{Field, Kind};
use crate::stop::{Result, Stop};

impl<'j> Parser<'_, 'j, '_, '_> {
    /// A string with its length.
    #[inline(always)]
    pub(super) fn string(&mut self, text: Quoted<'_>) -> Result<()> {
        if text.escaped {
            return self.escaped_string(text);
        }
        self.out.varint(text.raw.len() as u64)?;
        self.out.start_of(text.ahead, text.raw.len())
    }

    #[inline(never)]
    pub(super) fn escaped_string(&mut self, text: Quoted<'_>) -> Result<()> {
        let mark = self.out.open(varint_len(text.raw.len() as u64))?;
        unescape(text.raw, |piece| self.out.slice(piece))?;
        self.out.close(mark)
    }

    #[inline(never)]
    pub(super) fn bytes(&mut self) -> Result<()> {
        if let Some(text) = self.scan.longer_than(base64::BLOCK)
            && self.long_bytes(text)?
        {
            return Ok(());
        }
        let text = self.scan.long_string()?.decoded()?;
        let mark = self.out.open(varint_len(base64::max_len(&text) as u64))?;
        base64::read(&text, self.out)?;
        self.out.close(mark)
    }

    /// Bytes with a long text that does not end the document; false if they must be read otherwise.
    #[inline(never)]
    fn long_bytes(&mut self, text: &'j [u8]) -> Result<bool> {
        let start = self.out.len();
        let mark = self.out.open(varint_len(base64::max_len(text) as u64).min(5))?;
        let Some(len) = base64::read_quoted(text, self.out)? else {
            self.out.truncate(start);
            return Ok(false);
        };
        self.check_utf8()?;
        self.scan.advance(len + 2);
        // Base64 is ASCII, so its UTF-8 needs no check.
        self.checked = self.checked.max(self.scan.place().1);
        self.out.close(mark)?;
        Ok(true)
    }

    /// A value that can be packed.
    #[inline(always)]
    pub(super) fn scalar(&mut self, field: &Field) -> Result<()> {
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
                    return Err(Stop::Undecided);
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
    pub(super) fn integer(&mut self, kind: Kind, number: Number<'_>) -> Result<()> {
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
            _ => Err(Stop::Undecided),
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
                *target.numbers.get(&*name).ok_or(Stop::Undecided)?
            }
            b'n' if target.null_value => {
                self.scan.word(b"null")?;
                0
            }
            // A number other than zero does not stand for null.
            _ if target.null_value => return Err(Stop::Undecided),
            _ => {
                let number = int32(self.scan.number()?)?;
                if target.closed && target.names.get(number).is_none() {
                    return Err(Stop::Undecided);
                }
                number
            }
        };
        self.out.varint(i64::from(number) as u64)
    }

    /// Skips an unknown name of an enum value if such names are ignored.
    #[inline(always)]
    pub(super) fn drops(&mut self, field: &Field) -> Result<bool> {
        if field.kind == Kind::Enum && self.options.ignore_unknown {
            return self.drops_name(field);
        }
        Ok(false)
    }

    #[inline(never)]
    fn drops_name(&mut self, field: &Field) -> Result<bool> {
        if self.scan.peek() != b'"' {
            return Ok(false);
        }
        let mut ahead = self.scan;
        let name = ahead.string()?;
        // A number may be quoted too; the pure backend decides about any other text.
        let is_name = !name.escaped && name.raw.first().is_some_and(u8::is_ascii_alphabetic);
        let numbers = &self.schema.enums[field.target as usize].numbers;
        if !is_name || numbers.get(name.raw).is_some() {
            return Ok(false);
        }
        self.leave_out();
        self.scan = ahead;
        Ok(true)
    }

    pub(super) fn field_mask(&mut self) -> Result<()> {
        let text = self.scan.string()?.plain()?;
        if text.is_empty() {
            return Ok(());
        }
        for path in text.split(|&byte| byte == b',') {
            let is_segment =
                |name: &[u8]| !name.is_empty() && name.iter().all(u8::is_ascii_alphanumeric);
            if !path.split(|&byte| byte == b'.').all(is_segment) {
                return Err(Stop::Undecided);
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

    pub(super) fn seconds_and_nanos(&mut self, seconds: i64, nanos: i32) -> Result<()> {
        for (tag, value) in [(0x08, seconds), (0x10, i64::from(nanos))] {
            if value != 0 {
                self.out.byte(tag)?;
                self.out.varint(value as u64)?;
            }
        }
        Ok(())
    }
}

#[inline(always)]
fn int32(number: Number<'_>) -> Result<i32> {
    i32::try_from(number.signed()?).map_err(|_| Stop::Undecided)
}

#[inline(always)]
fn uint32(number: Number<'_>) -> Result<u32> {
    u32::try_from(number.unsigned()?).map_err(|_| Stop::Undecided)
}
