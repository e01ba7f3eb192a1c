//! JSON text to messages.

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};
use pyo3::{PyTypeInfo, intern};

use super::calls::call_one;
use super::codec::{Codec, Decided};
use super::collector::Rest;
use super::dicts::wire_of;
use super::dump::dump;
use super::merging::{self, Merger};
use super::options::parse_options;
use super::paths::tell_paths;
use super::room::transcode;
use crate::parse::{ParseOptions, parse};
use crate::schema::Shape;
use crate::stop::Stop;

/// A text, and whether it is known to be UTF-8.
type Text<'a> = (&'a [u8], bool);
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
        let Some(text) = text_of(data) else { return Ok(None) };
        or_cleared(data.py(), target, self.read_text(target, text, options, unknown))
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
        or_cleared(value.py(), target, self.read_value(target, value, options, unknown))
    }

    fn read_value<'py>(
        &self,
        target: Option<&Bound<'py, PyAny>>,
        value: &Bound<'py, PyAny>,
        options: ParseOptions,
        unknown: &Bound<'py, PyAny>,
    ) -> Decided<'py> {
        let has_fields =
            self.schema.messages.first().is_some_and(|root| root.shape == Shape::Fields);
        if options.note_unknown || !has_fields {
            // The places of unknown members are those in a text.
            let Some(text) = dump(value) else { return Ok(None) };
            return self.read_text(target, (text.written(), true), options, unknown);
        }
        let py = value.py();
        // The walk relies on nothing else running meanwhile, and the merging makes objects.
        let rest = Rest::new(py);
        let mut merger = Merger::new(self, target);
        let mut take = |piece: &[u8]| merger.take(piece);
        let wire = wire_of(&self.schema, &self.lengths, value, options, &mut take);
        let merged = merger.finish(py)?;
        drop(rest);
        match wire {
            Ok(wire) => self.message_of(merged.as_ref(), PyBytes::new(py, wire.written())),
            Err(_) => Ok(None),
        }
    }

    /// The wire format of a text.
    pub(super) fn wire_of_text<'py>(
        &self,
        data: &Bound<'py, PyAny>,
        options: ParseOptions,
    ) -> Decided<'py, PyBytes> {
        let Some(text) = text_of(data) else { return Ok(None) };
        let wire = self.transcode(data.py(), text, options)?;
        Ok(wire.map(|(wire, _)| wire))
    }

    /// Reads a text as a message and passes on the places of the members that were left out.
    #[inline]
    fn read_text<'py>(
        &self,
        target: Option<&Bound<'py, PyAny>>,
        text: Text<'_>,
        options: ParseOptions,
        unknown: &Bound<'py, PyAny>,
    ) -> Decided<'py> {
        let py = unknown.py();
        let mut read = None;
        let mut is_whole = text.0.len() < merging::LARGE;
        if !is_whole {
            match merging::merge(py, self, target, text, options)? {
                Ok(merged) => read = Some(merged),
                Err(Stop::Undecided) => {}
                // Something in it is larger than a piece, and the target holds the first pieces.
                Err(Stop::Full) => {
                    clear(py, target)?;
                    is_whole = true;
                }
            }
        }
        if is_whole && let Some((wire, left_out)) = self.transcode(py, text, options)? {
            read = self.message_of(target, wire)?.map(|message| (message, left_out));
        }
        Ok(match read {
            Some((message, left_out)) if !left_out.is_empty() => {
                tell_paths(py, text.0, &left_out, unknown)?.map(|()| message)
            }
            read => read.map(|(message, _)| message),
        })
    }

    /// The message of a wire format; None if protobuf's own parser refuses it, for a depth, say.
    #[inline]
    fn message_of<'py>(
        &self,
        target: Option<&Bound<'py, PyAny>>,
        wire: Bound<'py, PyBytes>,
    ) -> Decided<'py> {
        let py = wire.py();
        let read = match target {
            None => call_one(self.from_string.bind(py), &wire),
            Some(message) => {
                let merged = self.merge_from_string.bind(py).call1((message, wire));
                merged.map(|_| message.clone())
            }
        };
        merging::unless_refused(py, read)
    }

    /// The wire format of a JSON text.
    #[inline]
    fn transcode<'py>(
        &self,
        py: Python<'py>,
        (text, is_utf8): Text<'_>,
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

/// A result. Without one, also because of an error in Python, the target is emptied.
#[inline]
fn or_cleared<'py>(
    py: Python<'py>,
    target: Option<&Bound<'py, PyAny>>,
    read: Decided<'py>,
) -> Decided<'py> {
    if !matches!(read, Ok(Some(_))) {
        clear(py, target)?;
    }
    read
}

/// Empties a target, which may hold a part of a message.
fn clear(py: Python<'_>, target: Option<&Bound<'_, PyAny>>) -> PyResult<()> {
    target.map_or(Ok(()), |target| target.call_method0(intern!(py, "Clear")).map(drop))
}

/// The text of str or bytes; None for other objects and lone surrogates.
fn text_of<'a>(data: &'a Bound<'_, PyAny>) -> Option<Text<'a>> {
    if PyBytes::is_exact_type_of(data) {
        return Some((data.cast::<PyBytes>().ok()?.as_bytes(), false));
    }
    Some((data.cast::<PyString>().ok()?.to_str().ok()?.as_bytes(), true))
}
