//! Messages to JSON text and to Python values.

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};

use super::calls::call_one;
use super::codec::{Codec, Decided};
use super::collector::Rest;
use super::room::transcode;
use super::values::Values;
use crate::bytes::out::Out;
use crate::print::layout::{Compact, Layout, Spaced};
use crate::print::text::Text;
use crate::print::{PrintOptions, walk, walk_field};
use crate::stop::{Result, Stop};

impl Codec {
    /// The wire format of a message.
    #[inline]
    pub(super) fn wire_of<'py>(
        &self,
        message: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        Ok(call_one(self.serialize.bind(message.py()), message)?.cast_into()?)
    }

    /// The compact text of a wire format.
    #[inline]
    pub(super) fn compact<'py>(
        &self,
        py: Python<'py>,
        wire: &[u8],
        options: PrintOptions,
    ) -> Decided<'py, PyBytes> {
        transcode(py, wire, &self.text_growth, |out, _| {
            self.walk_text(wire, Compact, options, out)?;
            check_utf8(out.written())
        })
    }

    /// The text of a wire format with blanks.
    pub(super) fn spaced<'py>(
        &self,
        py: Python<'py>,
        wire: &[u8],
        layout: Spaced,
        options: PrintOptions,
    ) -> Decided<'py, PyBytes> {
        transcode(py, wire, &self.spaced_growth, |out, _| {
            self.walk_text(wire, layout, options, out)?;
            check_utf8(out.written())
        })
    }

    /// The same as a str, whose making is the check that it is UTF-8.
    pub(super) fn spaced_str<'py>(
        &self,
        py: Python<'py>,
        wire: &[u8],
        layout: Spaced,
        options: PrintOptions,
    ) -> Decided<'py, PyString> {
        transcode(py, wire, &self.spaced_growth, |out, _| {
            self.walk_text(wire, layout, options, out)
        })
    }

    /// A message as Python values.
    pub(super) fn values<'py>(
        &self,
        message: &Bound<'py, PyAny>,
        options: PrintOptions,
    ) -> Decided<'py> {
        let (py, wire) = (message.py(), self.wire_of(message)?);
        let _rest = Rest::new(py);
        let names = self.names.get(py, &self.schema, options.proto_names);
        let wire = wire.as_bytes();
        let values = Values::new(py, names, options.like_json_format, wire.len());
        let walked = walk(&self.schema, wire, values, options);
        Ok(walked.ok().and_then(Values::finish))
    }

    /// One field of a message as Python values, or `absent` if it is not set.
    pub(super) fn field_values<'py>(
        &self,
        message: &Bound<'py, PyAny>,
        field: &str,
        absent: Bound<'py, PyAny>,
    ) -> Decided<'py> {
        let (py, wire) = (message.py(), self.wire_of(message)?);
        let _rest = Rest::new(py);
        let options = PrintOptions::default();
        let names = self.names.get(py, &self.schema, options.proto_names);
        let wire = wire.as_bytes();
        let values = Values::new(py, names, options.like_json_format, wire.len());
        let walked = walk_field(&self.schema, wire, field.as_bytes(), values, options);
        Ok(walked.ok().map(|values| values.finish().unwrap_or(absent)))
    }

    #[inline]
    pub(super) fn walk_text<L: Layout>(
        &self,
        wire: &[u8],
        layout: L,
        options: PrintOptions,
        out: &mut Out<'_>,
    ) -> Result<()> {
        let text = Text { out: std::mem::take(out), layout };
        *out = walk(&self.schema, wire, text, options)?.out;
        Ok(())
    }
}

/// Messages may hold strings that are not UTF-8.
pub(super) fn check_utf8(text: &[u8]) -> Result<()> {
    simdutf8::basic::from_utf8(text).map(drop).map_err(|_| Stop::Undecided)
}
