//! JSON text, the sink of printing.

use super::layout::Layout;
use super::sink::Sink;
use crate::bytes::out::Out;
use crate::scalars::base64;
use crate::scalars::digits::{short_double, write_double, write_float, write_integer, write_repr};
use crate::scalars::time;
use crate::schema::Field;
use crate::stop::Result;

/// Writes JSON text. Strings are only checked to be UTF-8 where the layout escapes all but ASCII.
pub struct Text<'b, L> {
    pub out: Out<'b>,
    pub layout: L,
}

impl<L: Layout> Sink for Text<'_, L> {
    #[inline(always)]
    fn take(&mut self) -> Self {
        Self { out: std::mem::take(&mut self.out), layout: self.layout }
    }

    #[inline(always)]
    fn begin_object(&mut self) -> Result<()> {
        self.layout.begin(b'{', &mut self.out)
    }

    #[inline(always)]
    fn field(&mut self, field: &Field, proto_name: bool, is_first: bool) -> Result<()> {
        let key = if proto_name { &field.proto_key } else { &field.json_key };
        self.layout.field(key, is_first, &mut self.out)
    }

    #[inline(always)]
    fn key(&mut self, key: &[u8], is_first: bool) -> Result<()> {
        if !is_first {
            self.layout.comma(&mut self.out)?;
        }
        self.layout.string(key, &mut self.out)?;
        self.layout.colon(&mut self.out)
    }

    #[inline(always)]
    fn end_object(&mut self) -> Result<()> {
        self.layout.end(b'}', &mut self.out)
    }

    #[inline(always)]
    fn begin_list(&mut self) -> Result<()> {
        self.layout.begin(b'[', &mut self.out)
    }

    #[inline(always)]
    fn next_element(&mut self) -> Result<()> {
        self.layout.comma(&mut self.out)
    }

    #[inline(always)]
    fn end_list(&mut self) -> Result<()> {
        self.layout.end(b']', &mut self.out)
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
        } else if self.layout.as_repr() {
            write_repr(&mut self.out, value)
        } else {
            write_double(&mut self.out, value)
        }
    }

    fn float(&mut self, value: f32) -> Result<()> {
        if !value.is_finite() {
            self.quoted(name_of(value.into()))
        } else if self.layout.as_repr() {
            write_repr(&mut self.out, short_double(value)?)
        } else {
            write_float(&mut self.out, value)
        }
    }

    #[inline(always)]
    fn string(&mut self, text: &[u8]) -> Result<()> {
        self.layout.string(text, &mut self.out)
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
