//! The codec of one message class.

use std::sync::atomic::AtomicU32;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList, PyString, PyType};
use pyo3::{PyTypeInfo, intern};

use super::dump::dump;
use super::merging;
use super::options::{parse_options, print_options};
use super::paths::paths_of;
use super::room::{filled, transcode, unlocked};
use super::rows::{Column, print_rows};
use super::values::Values;
use crate::parse::{ParseOptions, parse};
use crate::print::layout::{self, Layout, MAX_BLANKS};
use crate::print::text::Text;
use crate::print::{PrintOptions, walk, walk_field};
use crate::schema::{Schema, descriptor};
use crate::stop::Stop;

/// Transcodes one message class: JSON text to wire format and back.
///
/// Every method returns None where only the pure backend can decide, be the input valid or not.
#[pyclass(frozen, module = "turnwire_native")]
pub struct Codec {
    schema: Schema,
    message_class: Py<PyType>,
    from_string: Py<PyAny>,
    merge_from_string: Py<PyAny>,
    /// Unbound, because a look-up in a message first looks for a field of that name.
    serialize: Py<PyAny>,
    /// The largest growth from an input to its output so far, in sixteenths, up to [`MAX_GROWTH`].
    wire_growth: AtomicU32,
    text_growth: AtomicU32,
}

#[pymethods]
impl Codec {
    #[new]
    #[pyo3(signature = (message_class, file_descriptor_set, message_name, /))]
    fn new(
        message_class: &Bound<'_, PyType>,
        file_descriptor_set: &[u8],
        message_name: &str,
    ) -> PyResult<Self> {
        let growth = || AtomicU32::new(24);
        Ok(Self {
            schema: schema_of(file_descriptor_set, message_name)?,
            message_class: message_class.clone().unbind(),
            from_string: message_class.getattr("FromString")?.unbind(),
            merge_from_string: message_class.getattr("MergeFromString")?.unbind(),
            serialize: message_class.getattr("SerializePartialToString")?.unbind(),
            wire_growth: growth(),
            text_growth: growth(),
        })
    }

    #[pyo3(signature = (data, unknown, lossy_numbers, /))]
    fn parse<'py>(
        &self,
        py: Python<'py>,
        data: &Bound<'py, PyAny>,
        unknown: &Bound<'py, PyAny>,
        lossy_numbers: &Bound<'py, PyAny>,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        self.read(py, None, data, unknown, lossy_numbers)
    }

    /// Like `parse`, into a message that is empty. It is empty again where the result is None.
    #[pyo3(signature = (message, data, unknown, lossy_numbers, /))]
    fn parse_into<'py>(
        &self,
        py: Python<'py>,
        message: &Bound<'py, PyAny>,
        data: &Bound<'py, PyAny>,
        unknown: &Bound<'py, PyAny>,
        lossy_numbers: &Bound<'py, PyAny>,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        let read = self.read(py, Some(message), data, unknown, lossy_numbers)?;
        if read.is_none() {
            message.call_method0(intern!(py, "Clear"))?;
        }
        Ok(read)
    }

    #[pyo3(signature = (data, ignore_unknown=false, refuse_lossy=false, /))]
    fn json_to_wire<'py>(
        &self,
        py: Python<'py>,
        data: &Bound<'py, PyAny>,
        ignore_unknown: bool,
        refuse_lossy: bool,
    ) -> PyResult<Option<Bound<'py, PyBytes>>> {
        let options = ParseOptions { ignore_unknown, refuse_lossy, note_unknown: false };
        let Some((text, is_utf8)) = text_of(data) else { return Ok(None) };
        let wire = self.transcode(py, text, is_utf8, options)?;
        Ok(wire.map(|(wire, _)| wire))
    }

    #[pyo3(signature = (message, proto_names=None, enum_numbers=None, defaults=None, /))]
    fn print<'py>(
        &self,
        py: Python<'py>,
        message: &Bound<'py, PyAny>,
        proto_names: Option<&Bound<'py, PyAny>>,
        enum_numbers: Option<&Bound<'py, PyAny>>,
        defaults: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Option<Bound<'py, PyBytes>>> {
        let wire = self.serialize.bind(py).call1((message,))?;
        self.wire_to_json(
            py,
            wire.cast::<PyBytes>()?.as_bytes(),
            proto_names,
            enum_numbers,
            defaults,
        )
    }

    #[pyo3(signature = (message, blanks, proto_names=None, enum_numbers=None, defaults=None, /))]
    fn print_indented<'py>(
        &self,
        py: Python<'py>,
        message: &Bound<'py, PyAny>,
        blanks: &Bound<'py, PyAny>,
        proto_names: Option<&Bound<'py, PyAny>>,
        enum_numbers: Option<&Bound<'py, PyAny>>,
        defaults: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Option<Bound<'py, PyBytes>>> {
        let blanks = blanks.extract().ok().filter(|blanks| *blanks <= MAX_BLANKS);
        let Some(blanks) = blanks else { return Ok(None) };
        let compact = self.print(py, message, proto_names, enum_numbers, defaults)?;
        let Some(compact) = compact else { return Ok(None) };
        laid_out(py, compact.as_bytes(), Layout { blanks: Some(blanks), ascii: false })
    }

    /// The text of `json.dumps` for the values of `json_format.MessageToDict`.
    #[pyo3(signature = (message, blanks, proto_names, enum_numbers, defaults, ascii, /))]
    #[expect(clippy::too_many_arguments, reason = "they are the options of json_format")]
    fn print_like_json_format<'py>(
        &self,
        py: Python<'py>,
        message: &Bound<'py, PyAny>,
        blanks: Option<&Bound<'py, PyAny>>,
        proto_names: &Bound<'py, PyAny>,
        enum_numbers: &Bound<'py, PyAny>,
        defaults: &Bound<'py, PyAny>,
        ascii: bool,
    ) -> PyResult<Option<Bound<'py, PyString>>> {
        let blanks =
            blanks.map(|blanks| blanks.extract().ok().filter(|count| *count <= MAX_BLANKS));
        // Given, and not a number of blanks.
        if blanks == Some(None) {
            return Ok(None);
        }
        let mut options = print_options(Some(proto_names), Some(enum_numbers), Some(defaults))?;
        options.like_json_format = true;
        let wire = self.serialize.bind(py).call1((message,))?;
        let Some(compact) = self.text_of_wire(py, wire.cast::<PyBytes>()?.as_bytes(), options)?
        else {
            return Ok(None);
        };
        let text = laid_out(py, compact.as_bytes(), Layout { blanks: blanks.flatten(), ascii })?;
        text.map(|text| PyString::from_bytes(py, text.as_bytes())).transpose()
    }

    #[pyo3(signature = (
        message, proto_names=None, enum_numbers=None, defaults=None, like_json_format=false, /
    ))]
    fn print_values<'py>(
        &self,
        py: Python<'py>,
        message: &Bound<'py, PyAny>,
        proto_names: Option<&Bound<'py, PyAny>>,
        enum_numbers: Option<&Bound<'py, PyAny>>,
        defaults: Option<&Bound<'py, PyAny>>,
        like_json_format: bool,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        let mut options = print_options(proto_names, enum_numbers, defaults)?;
        options.like_json_format = like_json_format;
        let wire = self.serialize.bind(py).call1((message,))?;
        let wire = wire.cast::<PyBytes>()?.as_bytes();
        let walked =
            walk(&self.schema, wire, Values::new(py, wire.len(), like_json_format), options);
        Ok(walked.ok().and_then(Values::finish))
    }

    #[pyo3(signature = (message, name, absent, /))]
    fn print_field<'py>(
        &self,
        py: Python<'py>,
        message: &Bound<'py, PyAny>,
        name: &str,
        absent: Bound<'py, PyAny>,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        let wire = self.serialize.bind(py).call1((message,))?;
        let wire = wire.cast::<PyBytes>()?.as_bytes();
        let values = Values::new(py, wire.len(), false);
        let walked =
            walk_field(&self.schema, wire, name.as_bytes(), values, PrintOptions::default());
        Ok(walked.ok().map(|values| values.finish().unwrap_or(absent)))
    }

    #[pyo3(signature = (message, name, columns, /))]
    fn print_rows<'py>(
        &self,
        py: Python<'py>,
        message: &Bound<'py, PyAny>,
        name: &str,
        columns: Vec<Column<'py>>,
    ) -> PyResult<Option<Bound<'py, PyList>>> {
        let wire = self.serialize.bind(py).call1((message,))?;
        print_rows(py, &self.schema, wire.cast::<PyBytes>()?.as_bytes(), name, columns)
    }

    #[pyo3(signature = (value, unknown, lossy_numbers, /))]
    fn parse_values<'py>(
        &self,
        py: Python<'py>,
        value: &Bound<'py, PyAny>,
        unknown: &Bound<'py, PyAny>,
        lossy_numbers: &Bound<'py, PyAny>,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        match dump(py, value)? {
            Some(text) => self.parse(py, text.as_any(), unknown, lossy_numbers),
            None => Ok(None),
        }
    }

    /// Like `parse_values`, into a message that is empty, as `parse_into` does.
    #[pyo3(signature = (message, value, unknown, lossy_numbers, /))]
    fn parse_values_into<'py>(
        &self,
        py: Python<'py>,
        message: &Bound<'py, PyAny>,
        value: &Bound<'py, PyAny>,
        unknown: &Bound<'py, PyAny>,
        lossy_numbers: &Bound<'py, PyAny>,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        match dump(py, value)? {
            Some(text) => self.parse_into(py, message, text.as_any(), unknown, lossy_numbers),
            None => Ok(None),
        }
    }

    #[pyo3(signature = (wire, proto_names=None, enum_numbers=None, defaults=None, /))]
    fn wire_to_json<'py>(
        &self,
        py: Python<'py>,
        wire: &[u8],
        proto_names: Option<&Bound<'py, PyAny>>,
        enum_numbers: Option<&Bound<'py, PyAny>>,
        defaults: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Option<Bound<'py, PyBytes>>> {
        self.text_of_wire(py, wire, print_options(proto_names, enum_numbers, defaults)?)
    }
}

/// A result and the places of the members that were left out.
type Read<'py, T> = (Bound<'py, T>, Vec<usize>);

impl Codec {
    /// Reads a text into `target`, or into a new message.
    #[inline]
    fn read<'py>(
        &self,
        py: Python<'py>,
        target: Option<&Bound<'py, PyAny>>,
        data: &Bound<'py, PyAny>,
        unknown: &Bound<'py, PyAny>,
        lossy_numbers: &Bound<'py, PyAny>,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        let Some(options) = parse_options(py, unknown, lossy_numbers) else { return Ok(None) };
        let Some((text, is_utf8)) = text_of(data) else { return Ok(None) };
        let read = self.read_pieces(py, target, text, is_utf8, options)?;
        let read = match read {
            // Something in it is larger than a piece.
            Err(Stop::Full) => self.read_whole(py, target, text, is_utf8, options)?,
            read => read.ok(),
        };
        let Some((message, left_out)) = read else { return Ok(None) };
        if !left_out.is_empty() {
            let Some(paths) = paths_of(py, text, &left_out)? else { return Ok(None) };
            for path in paths {
                unknown.call1((path,))?;
            }
        }
        Ok(Some(message))
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

    /// The compact JSON text of a message's wire format.
    #[inline]
    fn text_of_wire<'py>(
        &self,
        py: Python<'py>,
        wire: &[u8],
        options: PrintOptions,
    ) -> PyResult<Option<Bound<'py, PyBytes>>> {
        transcode(py, wire, &self.text_growth, |out, _| {
            let text = Text { out: std::mem::take(out), as_repr: options.like_json_format };
            *out = walk(&self.schema, wire, text, options)?.out;
            simdutf8::basic::from_utf8(out.written()).map(drop).map_err(|_| Stop::Undecided)
        })
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

/// The tables of a message and of all that it refers to, or a ValueError.
fn schema_of(file_descriptor_set: &[u8], message_name: &str) -> PyResult<Schema> {
    descriptor::schema(file_descriptor_set, message_name).ok_or_else(|| {
        let reason = format!("the descriptor set does not define all of {message_name}");
        PyValueError::new_err(reason)
    })
}

/// UTF-8 text, and whether it is known to be that; None for other objects and lone surrogates.
fn text_of<'a>(data: &'a Bound<'_, PyAny>) -> Option<(&'a [u8], bool)> {
    if PyBytes::is_exact_type_of(data) {
        return Some((data.cast::<PyBytes>().ok()?.as_bytes(), false));
    }
    Some((data.cast::<PyString>().ok()?.to_str().ok()?.as_bytes(), true))
}

/// A compact text with another layout.
fn laid_out<'py>(
    py: Python<'py>,
    compact: &[u8],
    layout: Layout,
) -> PyResult<Option<Bound<'py, PyBytes>>> {
    let Ok(len) = unlocked(py, compact.len(), || layout::len_of(compact, layout)) else {
        return Ok(None);
    };
    Ok(filled(py, compact.len(), len, |out, _| layout::write(compact, layout, out))?.ok())
}
