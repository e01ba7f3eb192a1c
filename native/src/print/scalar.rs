//! The scalar values of plain JSON.

use super::payload::well_formed;
use super::sink::Sink;
use crate::bytes::wire::Wire;
use crate::stop::{Result, Stop};

/// A Value other than a list or a Struct.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Scalar<'w> {
    Null,
    Boolean(bool),
    /// A finite one.
    Number(f64),
    /// A text, which may be invalid UTF-8.
    Text(&'w [u8]),
}

impl<'w> Scalar<'w> {
    /// Reads the wire format of a Value; None if it is another one.
    #[inline(always)]
    pub fn read(wire: &'w [u8]) -> Result<Option<Self>> {
        Ok(Some(match *wire {
            [0x1A, ref rest @ ..] => {
                let mut rest = Wire::new(rest);
                let text = well_formed(rest.delimited())?;
                if !rest.is_empty() {
                    return Err(Stop::Undecided);
                }
                Self::Text(text)
            }
            [0x11, a, b, c, d, e, f, g, h] => {
                let value = f64::from_le_bytes([a, b, c, d, e, f, g, h]);
                if !value.is_finite() {
                    return Err(Stop::Undecided);
                }
                Self::Number(value)
            }
            [0x20, value @ 0..=1] => Self::Boolean(value == 1),
            [0x08, 0] => Self::Null,
            _ => return Ok(None),
        }))
    }

    #[inline(always)]
    pub fn tell(self, sink: &mut impl Sink) -> Result<()> {
        match self {
            Self::Null => sink.null(),
            Self::Boolean(value) => sink.boolean(value),
            Self::Number(value) => sink.double(value),
            Self::Text(text) => sink.string(text),
        }
    }
}

/// Prints a scalar Value; false if it is another one.
#[inline(always)]
pub fn scalar(sink: &mut impl Sink, wire: &[u8]) -> Result<bool> {
    match Scalar::read(wire)? {
        Some(scalar) => scalar.tell(sink).map(|()| true),
        None => Ok(false),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_one_whole_scalar_is_read() {
        assert_eq!(Scalar::read(&[0x08, 0]), Ok(Some(Scalar::Null)));
        assert_eq!(Scalar::read(&[0x20, 1]), Ok(Some(Scalar::Boolean(true))));
        assert_eq!(Scalar::read(b"\x1A\x02hi"), Ok(Some(Scalar::Text(b"hi"))));
        for wire in [&b"\x1A\x02h"[..], b"\x1A\x02hi\x08\x00", b"\x11\0\0\0\0\0\0\xF0\x7F"] {
            assert_eq!(Scalar::read(wire), Err(Stop::Undecided));
        }
        // Two members of the oneof, a null other than zero, a list, nothing at all.
        for wire in [&[0x08, 0, 0x20, 1][..], &[0x08, 1], &[0x32, 0], &[]] {
            assert_eq!(Scalar::read(wire), Ok(None));
        }
    }
}
