//! Columns, as Python asks for them.

use pyo3::buffer::PyBuffer;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList, PyString};

use super::arrow::{ArrowArray, data_type_of};
use super::codec::Codec;
use super::options::parse_options;
use super::room::unlocked;
use crate::columns::cells::Form;
use crate::columns::{Cells, Messages, Request, columns_of_rows};
use crate::parse::{ParseOptions, Reader};
use crate::stop::{Result, Stop};

/// Makes columns of messages, one row after the other.
///
/// Every method that adds rows stops at the first one that only the pure backend can decide.
#[pyclass(module = "turnwire_native")]
pub struct ColumnBuilder {
    codec: Py<Codec>,
    messages: Messages,
    options: ParseOptions,
    reader: Reader,
}

#[pymethods]
impl ColumnBuilder {
    /// A builder of columns of the codec's class; None where only Python knows how they are filled.
    #[staticmethod]
    #[pyo3(signature = (codec, columns, null_misfits, unknown, lossy_numbers, /))]
    fn make(
        codec: Py<Codec>,
        columns: &Bound<'_, PyAny>,
        null_misfits: bool,
        unknown: &Bound<'_, PyAny>,
        lossy_numbers: &Bound<'_, PyAny>,
    ) -> PyResult<Option<Self>> {
        let Some(options) = parse_options(columns.py(), unknown, lossy_numbers) else {
            return Ok(None);
        };
        let data_type = data_type_of(columns)?;
        let messages = Messages::new(&codec.get().schema, data_type, null_misfits);
        let reader = Reader::default();
        Ok(messages.map(|messages| Self { codec, messages, options, reader }))
    }

    /// Adds a message; returns the length of its wire format, or None where it is undecided.
    #[pyo3(signature = (message, /))]
    fn add_message(
        &mut self,
        py: Python<'_>,
        message: &Bound<'_, PyAny>,
    ) -> PyResult<Option<usize>> {
        let codec = self.codec.get();
        let wire = codec.wire_of(message)?;
        let wire = wire.as_bytes();
        let messages = &mut self.messages;
        let added = unlocked(py, wire.len(), || messages.add(&codec.schema, wire));
        Ok(added.is_ok().then_some(wire.len()))
    }

    /// Adds the message whose wire format is given; returns its length, or None.
    #[pyo3(signature = (wire, /))]
    fn add_wire(&mut self, py: Python<'_>, wire: &[u8]) -> Option<usize> {
        let schema = &self.codec.get().schema;
        let messages = &mut self.messages;
        let added = unlocked(py, wire.len(), || messages.add(schema, wire));
        added.is_ok().then_some(wire.len())
    }

    /// Adds the messages of JSON objects in a list, from a place on.
    ///
    /// Stops before the first one that is undecided, after `max_rows`, and when `max_bytes` of wire
    /// format are reached. Returns the number of messages, and the length of their wire format.
    #[pyo3(signature = (texts, start, max_rows, max_bytes, /))]
    fn add_jsons(
        &mut self,
        py: Python<'_>,
        texts: &Bound<'_, PyList>,
        start: usize,
        max_rows: usize,
        max_bytes: usize,
    ) -> (usize, usize) {
        let stop = texts.len().min(start.saturating_add(max_rows));
        // A subclass of bytes marks an element that is not a message.
        let texts = (start..stop).map_while(|place| {
            let text = texts.get_item(place).ok()?;
            text.cast_into_exact::<PyBytes>().ok().filter(|text| text.as_bytes().starts_with(b"{"))
        });
        let texts: Vec<_> = texts.collect();
        let texts: Vec<_> = texts.iter().map(|text| text.as_bytes()).collect();
        let schema = &self.codec.get().schema;
        let Self { messages, options, reader, .. } = self;
        py.detach(|| {
            let (mut rows, mut bytes) = (0, 0);
            for text in texts {
                let added = reader.read(schema, text, *options, |wire| {
                    messages.add(schema, wire)?;
                    Ok(wire.len())
                });
                let Ok(len) = added else { break };
                rows += 1;
                bytes += len;
                if bytes >= max_bytes {
                    break;
                }
            }
            (rows, bytes)
        })
    }

    /// Adds the rows of an Arrow column of strings or binary values.
    ///
    /// Returns the number of the first row that is undecided, or of all rows.
    #[pyo3(signature = (validity, ends, values, offset, start, stop, is_json, /))]
    #[expect(clippy::too_many_arguments, reason = "they are the parts of an Arrow array")]
    fn add_column(
        &mut self,
        py: Python<'_>,
        validity: Option<PyBuffer<i8>>,
        ends: PyBuffer<i8>,
        values: Option<PyBuffer<i8>>,
        offset: usize,
        start: usize,
        stop: usize,
        is_json: bool,
    ) -> PyResult<usize> {
        let column = TextColumn {
            validity: validity.as_ref().map(bytes_of).transpose()?,
            ends: bytes_of(&ends)?,
            values: values.as_ref().map(bytes_of).transpose()?.unwrap_or_default(),
            offset,
        };
        let schema = &self.codec.get().schema;
        let Self { messages, options, reader, .. } = self;
        Ok(py.detach(|| {
            (start..stop)
                .find(|&row| {
                    let added = match column.get(row) {
                        Ok(None) => {
                            messages.null();
                            Ok(())
                        }
                        Ok(Some(text)) if is_json => {
                            let add = |wire: &[u8]| messages.add(schema, wire);
                            reader.read(schema, text, *options, add)
                        }
                        Ok(Some(wire)) => messages.add(schema, wire),
                        Err(stop) => Err(stop),
                    };
                    added.is_err()
                })
                .unwrap_or(stop)
        }))
    }

    fn __len__(&self) -> usize {
        self.messages.len()
    }

    /// Takes the rows as a struct array; None if they are more than one can hold.
    fn take(&mut self) -> Option<ArrowArray> {
        self.reader.shrink();
        self.messages.take().map(ArrowArray::new)
    }
}

/// The parts of an Arrow column of strings or binary values with ends of 32 bits.
struct TextColumn<'a> {
    validity: Option<&'a [u8]>,
    ends: &'a [u8],
    values: &'a [u8],
    offset: usize,
}

impl<'a> TextColumn<'a> {
    /// The value of a row, or None if that is null.
    fn get(&self, row: usize) -> Result<Option<&'a [u8]>> {
        let place = self.offset + row;
        if let Some(validity) = self.validity {
            let byte = validity.get(place / 8).ok_or(Stop::Undecided)?;
            if byte >> (place % 8) & 1 == 0 {
                return Ok(None);
            }
        }
        let (ends, _) = self.ends.as_chunks::<4>();
        let end = |place: usize| {
            let end = ends.get(place).ok_or(Stop::Undecided)?;
            usize::try_from(i32::from_le_bytes(*end)).map_err(|_| Stop::Undecided)
        };
        let value = self.values.get(end(place)?..end(place + 1)?);
        value.map(Some).ok_or(Stop::Undecided)
    }
}

/// The memory of a buffer.
fn bytes_of(buffer: &PyBuffer<i8>) -> PyResult<&[u8]> {
    if !buffer.is_c_contiguous() {
        return Err(PyValueError::new_err("expected a contiguous buffer"));
    }
    if buffer.len_bytes() == 0 {
        return Ok(&[]);
    }
    // SAFETY: The buffer is contiguous, lives as long as the result, and is Arrow's, whose memory
    // nobody changes.
    Ok(unsafe { std::slice::from_raw_parts(buffer.buf_ptr().cast(), buffer.len_bytes()) })
}

/// The columns of the Structs in a field; None where only Python can decide, for all or for one.
#[pyfunction]
#[pyo3(signature = (codec, message, name, columns, strict, /))]
pub fn print_columns<'py>(
    py: Python<'py>,
    codec: &Bound<'py, Codec>,
    message: &Bound<'py, PyAny>,
    name: &str,
    columns: &Bound<'py, PyList>,
    strict: bool,
) -> PyResult<Option<Bound<'py, PyList>>> {
    let codec = codec.get();
    let wire = codec.wire_of(message)?;
    let wire = wire.as_bytes();
    let mut requests = Vec::with_capacity(columns.len());
    for column in columns {
        let (name, form, kind): (String, Bound<'_, PyAny>, Bound<'_, PyAny>) = column.extract()?;
        requests.push(Request { name, cells: cells_of(&form)?, data_type: data_type_of(&kind)? });
    }
    let made =
        unlocked(py, wire.len(), || columns_of_rows(&codec.schema, wire, name, &requests, strict));
    let Ok(made) = made else { return Ok(None) };
    let arrays = made.into_iter().map(|data| data.map(ArrowArray::new));
    PyList::new(py, arrays.collect::<Vec<_>>()).map(Some)
}

/// The shape that Python says: a form's name, None, a list of one shape, or a dict of members.
fn cells_of(form: &Bound<'_, PyAny>) -> PyResult<Cells> {
    if form.is_none() {
        return Ok(Cells::Any);
    }
    if let Ok(name) = form.cast::<PyString>() {
        return Ok(match name.to_str()? {
            "json" => Cells::Json,
            name => Form::named(name).map_or(Cells::Python, Cells::Form),
        });
    }
    if let Ok(list) = form.cast::<PyList>() {
        return Ok(Cells::List(Box::new(cells_of(&list.get_item(0)?)?)));
    }
    let mut members = Vec::new();
    for (name, member) in form.cast::<PyDict>()? {
        members.push((name.extract()?, cells_of(&member)?));
    }
    Ok(Cells::Record(members))
}
