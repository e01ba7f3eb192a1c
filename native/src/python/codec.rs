//! The codec of one message class.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList, PyString, PyType};

use super::keys::FieldNames;
use super::lengths::Lengths;
use super::options::{blanks_of, print_options};
use super::room::Growth;
use super::rows::{Column, print_rows};
use crate::parse::ParseOptions;
use crate::print::layout::Spaced;
use crate::schema::{Schema, descriptor};

/// An object that Python passes.
type Object<'a, 'py> = &'a Bound<'py, PyAny>;
/// A result; None where only the pure backend can decide.
pub type Decided<'py, T = PyAny> = PyResult<Option<Bound<'py, T>>>;

/// Transcodes one message class: JSON text to wire format and back.
///
/// Every method returns None where only the pure backend can decide, be the input valid or not.
#[pyclass(frozen, module = "turnwire_native")]
pub struct Codec {
    pub(super) schema: Schema,
    pub(super) message_class: Py<PyType>,
    pub(super) from_string: Py<PyAny>,
    pub(super) merge_from_string: Py<PyAny>,
    /// Unbound, because a look-up in a message first looks for a field of that name.
    pub(super) serialize: Py<PyAny>,
    pub(super) names: FieldNames,
    pub(super) lengths: Lengths,
    /// The growth from an input to each kind of output.
    pub(super) wire_growth: Growth,
    pub(super) text_growth: Growth,
    pub(super) spaced_growth: Growth,
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
        let schema = schema_of(file_descriptor_set, message_name)?;
        Ok(Self {
            lengths: Lengths::new(&schema),
            schema,
            message_class: message_class.clone().unbind(),
            from_string: message_class.getattr("FromString")?.unbind(),
            merge_from_string: message_class.getattr("MergeFromString")?.unbind(),
            serialize: message_class.getattr("SerializePartialToString")?.unbind(),
            names: FieldNames::default(),
            wire_growth: Growth::default(),
            text_growth: Growth::default(),
            spaced_growth: Growth::default(),
        })
    }

    #[pyo3(signature = (data, unknown, lossy_numbers, /))]
    fn parse<'py>(
        &self,
        data: Object<'_, 'py>,
        unknown: Object<'_, 'py>,
        lossy_numbers: Object<'_, 'py>,
    ) -> Decided<'py> {
        self.read(None, data, unknown, lossy_numbers)
    }

    /// Like `parse`, into a message that is empty. It is empty again where the result is None.
    #[pyo3(signature = (message, data, unknown, lossy_numbers, /))]
    fn parse_into<'py>(
        &self,
        message: Object<'_, 'py>,
        data: Object<'_, 'py>,
        unknown: Object<'_, 'py>,
        lossy_numbers: Object<'_, 'py>,
    ) -> Decided<'py> {
        self.read(Some(message), data, unknown, lossy_numbers)
    }

    #[pyo3(signature = (value, unknown, lossy_numbers, /))]
    fn parse_values<'py>(
        &self,
        value: Object<'_, 'py>,
        unknown: Object<'_, 'py>,
        lossy_numbers: Object<'_, 'py>,
    ) -> Decided<'py> {
        self.read_values(None, value, unknown, lossy_numbers)
    }

    /// Like `parse_values`, into a message that is empty, as `parse_into` does.
    #[pyo3(signature = (message, value, unknown, lossy_numbers, /))]
    fn parse_values_into<'py>(
        &self,
        message: Object<'_, 'py>,
        value: Object<'_, 'py>,
        unknown: Object<'_, 'py>,
        lossy_numbers: Object<'_, 'py>,
    ) -> Decided<'py> {
        self.read_values(Some(message), value, unknown, lossy_numbers)
    }

    #[pyo3(signature = (data, ignore_unknown=false, refuse_lossy=false, /))]
    fn json_to_wire<'py>(
        &self,
        data: Object<'_, 'py>,
        ignore_unknown: bool,
        refuse_lossy: bool,
    ) -> Decided<'py, PyBytes> {
        self.wire_of_text(data, ParseOptions { ignore_unknown, refuse_lossy, note_unknown: false })
    }

    #[pyo3(signature = (message, proto_names=None, enum_numbers=None, defaults=None, /))]
    fn print<'py>(
        &self,
        message: Object<'_, 'py>,
        proto_names: Option<Object<'_, 'py>>,
        enum_numbers: Option<Object<'_, 'py>>,
        defaults: Option<Object<'_, 'py>>,
    ) -> Decided<'py, PyBytes> {
        let wire = self.wire_of(message)?;
        let options = print_options(proto_names, enum_numbers, defaults)?;
        self.compact(message.py(), wire.as_bytes(), options)
    }

    #[pyo3(signature = (message, blanks, proto_names=None, enum_numbers=None, defaults=None, /))]
    fn print_indented<'py>(
        &self,
        message: Object<'_, 'py>,
        blanks: Object<'_, 'py>,
        proto_names: Option<Object<'_, 'py>>,
        enum_numbers: Option<Object<'_, 'py>>,
        defaults: Option<Object<'_, 'py>>,
    ) -> Decided<'py, PyBytes> {
        let Some(blanks) = blanks_of(blanks) else { return Ok(None) };
        let options = print_options(proto_names, enum_numbers, defaults)?;
        let layout = Spaced::new(Some(blanks), false, false);
        self.spaced(message.py(), self.wire_of(message)?.as_bytes(), layout, options)
    }

    /// The text of `json.dumps` for the values of `json_format.MessageToDict`.
    #[pyo3(signature = (message, blanks, proto_names, enum_numbers, defaults, ascii, /))]
    fn print_like_json_format<'py>(
        &self,
        message: Object<'_, 'py>,
        blanks: Option<Object<'_, 'py>>,
        proto_names: Object<'_, 'py>,
        enum_numbers: Object<'_, 'py>,
        defaults: Object<'_, 'py>,
        ascii: bool,
    ) -> Decided<'py, PyString> {
        let blanks = match blanks {
            None => None,
            Some(blanks) => match blanks_of(blanks) {
                None => return Ok(None),
                blanks => blanks,
            },
        };
        let mut options = print_options(Some(proto_names), Some(enum_numbers), Some(defaults))?;
        options.like_json_format = true;
        let layout = Spaced::new(blanks, ascii, true);
        self.spaced_str(message.py(), self.wire_of(message)?.as_bytes(), layout, options)
    }

    #[pyo3(signature = (
        message, proto_names=None, enum_numbers=None, defaults=None, like_json_format=false, /
    ))]
    fn print_values<'py>(
        &self,
        message: Object<'_, 'py>,
        proto_names: Option<Object<'_, 'py>>,
        enum_numbers: Option<Object<'_, 'py>>,
        defaults: Option<Object<'_, 'py>>,
        like_json_format: bool,
    ) -> Decided<'py> {
        let mut options = print_options(proto_names, enum_numbers, defaults)?;
        options.like_json_format = like_json_format;
        self.values(message, options)
    }

    #[pyo3(signature = (message, name, absent, /))]
    fn print_field<'py>(
        &self,
        message: Object<'_, 'py>,
        name: &str,
        absent: Bound<'py, PyAny>,
    ) -> Decided<'py> {
        self.field_values(message, name, absent)
    }

    #[pyo3(signature = (message, name, columns, /))]
    fn print_rows<'py>(
        &self,
        message: Object<'_, 'py>,
        name: &str,
        columns: Vec<Column<'py>>,
    ) -> Decided<'py, PyList> {
        let wire = self.wire_of(message)?;
        print_rows(message.py(), &self.schema, wire.as_bytes(), name, columns)
    }

    #[pyo3(signature = (wire, proto_names=None, enum_numbers=None, defaults=None, /))]
    fn wire_to_json<'py>(
        &self,
        wire: &Bound<'py, PyBytes>,
        proto_names: Option<Object<'_, 'py>>,
        enum_numbers: Option<Object<'_, 'py>>,
        defaults: Option<Object<'_, 'py>>,
    ) -> Decided<'py, PyBytes> {
        let options = print_options(proto_names, enum_numbers, defaults)?;
        self.compact(wire.py(), wire.as_bytes(), options)
    }
}

/// The tables of a message and of all that it refers to, or a ValueError.
fn schema_of(file_descriptor_set: &[u8], message_name: &str) -> PyResult<Schema> {
    descriptor::schema(file_descriptor_set, message_name).ok_or_else(|| {
        let reason = format!("the descriptor set does not define all of {message_name}");
        PyValueError::new_err(reason)
    })
}
