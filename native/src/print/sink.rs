//! The receiver of the JSON that a walk finds.

use crate::schema::Field;
use crate::stop::Result;

/// A receiver of JSON values, one after the other.
pub trait Sink: Sized {
    /// Takes the sink itself for a while: behind a reference it cannot stay in registers.
    fn take(&mut self) -> Self;
    fn begin_object(&mut self) -> Result<()>;
    /// The name of the next member, which is a field's.
    fn field(&mut self, field: &Field, proto_name: bool, is_first: bool) -> Result<()>;
    /// The name of the next member.
    fn key(&mut self, key: &[u8], is_first: bool) -> Result<()>;
    fn end_object(&mut self) -> Result<()>;
    fn begin_list(&mut self) -> Result<()>;
    /// Another element follows.
    fn next_element(&mut self) -> Result<()>;
    fn end_list(&mut self) -> Result<()>;
    fn null(&mut self) -> Result<()>;
    fn boolean(&mut self, value: bool) -> Result<()>;
    fn integer(&mut self, value: i64) -> Result<()>;
    /// A double, or its name if it is not finite.
    fn double(&mut self, value: f64) -> Result<()>;
    fn float(&mut self, value: f32) -> Result<()>;
    /// A string, which may be invalid UTF-8.
    fn string(&mut self, text: &[u8]) -> Result<()>;
    /// A string without anything to escape, as it stands between quotes.
    fn quoted(&mut self, text: &[u8]) -> Result<()>;
    /// The base64 of some bytes.
    fn base64(&mut self, bytes: &[u8]) -> Result<()>;
    fn timestamp(&mut self, seconds: i64, nanos: i32) -> Result<()>;
    fn duration(&mut self, seconds: i64, nanos: i32) -> Result<()>;
}
