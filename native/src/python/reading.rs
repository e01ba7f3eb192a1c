//! JSON text to messages.

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};
use pyo3::{PyTypeInfo, intern};

use super::codec::{Codec, Decided};
use super::dump::dump;
use super::merging;
use super::options::parse_options;
use super::paths::tell_paths;
use super::room::transcode;
use crate::parse::{ParseOptions, parse};
use crate::stop::Stop;

/// A result and the places of the members that were left out.
type Read<'py, T> = (Bound<'py, T>, Vec<usize>);

impl Codec {
    /// Reads a text into `target`, which is empty, or into a new message.
    ///
    /// The target is empty again where the result is None.
    #[inline]
    pub(super) fn read<'py>(
        &self,
        target: Option<&Bound<'py, PyAny>>,
        data: &Bound<'py, PyAny>,
        unknown: &Bound<'py, PyAny>,
        lossy_numbers: &Bound<'py, PyAny>,
    ) -> Decided<'py> {
        let Some(options) = parse_options(data.py(), unknown, lossy_numbers) else {
            return Ok(None);
        };
        let Some((text, is_utf8)) = text_of(data) else { return Ok(None) };
        self.read_text(target, text, is_utf8, options, unknown)
    }

    /// Reads Python values in the same way.
    pub(super) fn read_values<'py>(
        &self,
        target: Option<&Bound<'py, PyAny>>,
        value: &Bound<'py, PyAny>,
        unknown: &Bound<'py, PyAny>,
        lossy_numbers: &Bound<'py, PyAny>,
    ) -> Decided<'py> {
        let Some(options) = parse_options(value.py(), unknown, lossy_numbers) else {
            return Ok(None);
        };
        let Some(text) = dump(value) else { return Ok(None) };
        self.read_text(target, text.written(), true, options, unknown)
    }

    /// The wire format of a text.
    pub(super) fn wire_of_text<'py>(
        &self,
        data: &Bound<'py, PyAny>,
        options: ParseOptions,
    ) -> Decided<'py, PyBytes> {
        let Some((text, is_utf8)) = text_of(data) else { return Ok(None) };
        let wire = self.transcode(data.py(), text, is_utf8, options)?;
        Ok(wire.map(|(wire, _)| wire))
    }

    #[inline]
    fn read_text<'py>(
        &self,
        target: Option<&Bound<'py, PyAny>>,
        text: &[u8],
        is_utf8: bool,
        options: ParseOptions,
        unknown: &Bound<'py, PyAny>,
    ) -> Decided<'py> {
        let py = unknown.py();
        let read = self.read_pieces(py, target, text, is_utf8, options)?;
        let read = match read {
            // Something in it is larger than a piece.
            Err(Stop::Full) => self.read_whole(py, target, text, is_utf8, options)?,
            read => read.ok(),
        };
        let read = match read {
            Some((message, left_out)) if left_out.is_empty() => Some(message),
            Some((message, left_out)) => {
                tell_paths(py, text, &left_out, unknown)?.map(|()| message)
            }
            None => None,
        };
        if read.is_none()
            && let Some(target) = target
        {
            target.call_method0(intern!(py, "Clear"))?;
        }
        Ok(read)
    }

    /// Reads a large text piece by piece; [`Stop::Full`] if it must be read as a whole.
    #[inline]
    fn read_pieces<'py>(
        &self,
        py: Python<'py>,
        target: Option<&Bound<'py, PyAny>>,
        text: &[u8],
        is_utf8: bool,
        options: ParseOptions,
    ) -> PyResult<Result<Read<'py, PyAny>, Stop>> {
        if text.len() < merging::LARGE {
            return Ok(Err(Stop::Full));
        }
        let message = match target {
            Some(message) => message.clone(),
            None => self.message_class.bind(py).call0()?,
        };
        let reader = (&message, &self.merge_from_string);
        let merged = merging::merge(py, reader, &self.schema, (text, is_utf8), options)?;
        if target.is_some() && matches!(merged, Err(Stop::Full)) {
            // It holds the first pieces.
            message.call_method0(intern!(py, "Clear"))?;
        }
        Ok(merged.map(|left_out| (message, left_out)))
    }

    #[inline]
    fn read_whole<'py>(
        &self,
        py: Python<'py>,
        target: Option<&Bound<'py, PyAny>>,
        text: &[u8],
        is_utf8: bool,
        options: ParseOptions,
    ) -> PyResult<Option<Read<'py, PyAny>>> {
        let Some((wire, left_out)) = self.transcode(py, text, is_utf8, options)? else {
            return Ok(None);
        };
        // The pure backend reports what protobuf's own parser refuses, such as a depth.
        let read = match target {
            None => self.from_string.bind(py).call1((wire,)),
            Some(message) => {
                let merged = self.merge_from_string.bind(py).call1((message, wire));
                merged.map(|_| message.clone())
            }
        };
        Ok(merging::unless_refused(py, read)?.map(|message| (message, left_out)))
    }

    /// The wire format of a JSON text.
    #[inline]
    fn transcode<'py>(
        &self,
        py: Python<'py>,
        text: &[u8],
        is_utf8: bool,
        options: ParseOptions,
    ) -> PyResult<Option<Read<'py, PyBytes>>> {
        let mut left_out = Vec::new();
        let wire = transcode(py, text, &self.wire_growth, |out, keys| {
            left_out = parse(&self.schema, text, is_utf8, out, keys, options)?;
            Ok(())
        })?;
        Ok(wire.map(|wire| (wire, left_out)))
    }
}

/// UTF-8 text, and whether it is known to be that; None for other objects and lone surrogates.
fn text_of<'a>(data: &'a Bound<'_, PyAny>) -> Option<(&'a [u8], bool)> {
    if PyBytes::is_exact_type_of(data) {
        return Some((data.cast::<PyBytes>().ok()?.as_bytes(), false));
    }
    Some((data.cast::<PyString>().ok()?.to_str().ok()?.as_bytes(), true))
}
