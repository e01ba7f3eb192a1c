//! JSON text, the sink of printing.

use super::sink::Sink;
use crate::bytes::out::Out;
use crate::bytes::search::{is_plain, special};
use crate::scalars::base64;
use crate::scalars::digits::{short_double, write_double, write_float, write_integer, write_repr};
use crate::scalars::time;
use crate::schema::Field;
use crate::stop::Result;

/// Writes compact JSON text. The caller checks that strings are UTF-8.
pub struct Text<'b> {
    pub out: Out<'b>,
    /// Whether numbers of floating point are written as Python's `repr` does.
    pub as_repr: bool,
}

impl Sink for Text<'_> {
    #[inline(always)]
    fn take(&mut self) -> Self {
        Self { out: std::mem::take(&mut self.out), as_repr: self.as_repr }
    }

    #[inline(always)]
    fn begin_object(&mut self) -> Result<()> {
        self.out.byte(b'{')
    }

    #[inline(always)]
    fn field(&mut self, field: &Field, proto_name: bool, is_first: bool) -> Result<()> {
        let key = if proto_name { &field.proto_key } else { &field.json_key };
        // The key begins with a comma, which the first member does not have.
        self.out.short(&key[usize::from(is_first)..])
    }

    #[inline(always)]
    fn key(&mut self, key: &[u8], is_first: bool) -> Result<()> {
        if !is_first {
            self.out.byte(b',')?;
        }
        write_string(&mut self.out, key)?;
        self.out.byte(b':')
    }

    #[inline(always)]
    fn end_object(&mut self) -> Result<()> {
        self.out.byte(b'}')
    }

    #[inline(always)]
    fn begin_list(&mut self) -> Result<()> {
        self.out.byte(b'[')
    }

    #[inline(always)]
    fn next_element(&mut self) -> Result<()> {
        self.out.byte(b',')
    }

    #[inline(always)]
    fn end_list(&mut self) -> Result<()> {
        self.out.byte(b']')
    }

    fn null(&mut self) -> Result<()> {
        self.out.array(*b"null")
    }

    fn boolean(&mut self, value: bool) -> Result<()> {
        if value { self.out.array(*b"true") } else { self.out.array(*b"false") }
    }

    fn integer(&mut self, value: i64) -> Result<()> {
        write_integer(&mut self.out, value)
    }

    #[inline]
    fn double(&mut self, value: f64) -> Result<()> {
        if !value.is_finite() {
            self.quoted(name_of(value))
        } else if self.as_repr {
            write_repr(&mut self.out, value)
        } else {
            write_double(&mut self.out, value)
        }
    }

    fn float(&mut self, value: f32) -> Result<()> {
        if !value.is_finite() {
            self.quoted(name_of(value.into()))
        } else if self.as_repr {
            write_repr(&mut self.out, short_double(value)?)
        } else {
            write_float(&mut self.out, value)
        }
    }

    #[inline(always)]
    fn string(&mut self, text: &[u8]) -> Result<()> {
        write_string(&mut self.out, text)
    }

    #[inline(always)]
    fn quoted(&mut self, text: &[u8]) -> Result<()> {
        self.out.between(b'"', text, b'"')
    }

    fn base64(&mut self, bytes: &[u8]) -> Result<()> {
        self.out.byte(b'"')?;
        base64::write(bytes, &mut self.out)?;
        self.out.byte(b'"')
    }

    fn timestamp(&mut self, seconds: i64, nanos: i32) -> Result<()> {
        self.out.byte(b'"')?;
        time::write_timestamp(&mut self.out, seconds, nanos)?;
        self.out.byte(b'"')
    }

    fn duration(&mut self, seconds: i64, nanos: i32) -> Result<()> {
        self.out.byte(b'"')?;
        time::write_duration(&mut self.out, seconds, nanos)?;
        self.out.byte(b'"')
    }
}

/// The JSON name of a double that is not finite.
pub fn name_of(value: f64) -> &'static [u8] {
    match value {
        f64::INFINITY => b"Infinity",
        f64::NEG_INFINITY => b"-Infinity",
        _ => b"NaN",
    }
}

/// Writes a string in quotes, escaping only what must be.
#[inline(always)]
pub fn write_string(out: &mut Out<'_>, text: &[u8]) -> Result<()> {
    if is_plain(text) { out.between(b'"', text, b'"') } else { write_escaped(out, text) }
}

#[inline(never)]
fn write_escaped(out: &mut Out<'_>, text: &[u8]) -> Result<()> {
    out.byte(b'"')?;
    let mut start = 0;
    loop {
        let end = special(text, start);
        out.short(&text[start..end])?;
        let Some(&byte) = text.get(end) else { break };
        write_escape(out, byte)?;
        start = end + 1;
    }
    out.byte(b'"')
}

#[inline(never)]
fn write_escape(out: &mut Out<'_>, byte: u8) -> Result<()> {
    let short = match byte {
        b'\n' => b'n',
        b'\r' => b'r',
        b'\t' => b't',
        0x08 => b'b',
        0x0C => b'f',
        b'"' | b'\\' => byte,
        _ => {
            let digit = |nibble: u8| b"0123456789abcdef"[usize::from(nibble & 15)];
            return out.array([b'\\', b'u', b'0', b'0', digit(byte >> 4), digit(byte)]);
        }
    };
    out.array([b'\\', short])
}
