//! What Python sees.

use std::cell::RefCell;
use std::mem::MaybeUninit;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList, PyString, PyType};
use pyo3::{PyTypeInfo, intern};

use super::bytes::{copied_bytes, written_bytes};
use super::dump;
use super::merging;
use super::rows::{Column, print_rows};
use super::values::Values;
use crate::bytes::out::Out;
use crate::parse::keys::Keys;
use crate::parse::{ParseOptions, parse};
use crate::print::indent::{MAX_BLANKS, indent, indented_len};
use crate::print::text::Text;
use crate::print::{PrintOptions, walk, walk_field};
use crate::schema::{Schema, descriptor};
use crate::stop::Stop;

/// Up to here, letting other threads run would cost more than the work does.
const KEEP_LOCK: usize = 4096;
/// Outputs up to this size are first written into memory that each thread keeps.
const SCRATCH: usize = 1 << 14;

/// What each thread keeps from one call to the next.
#[derive(Default)]
struct Kept {
    buffer: Vec<MaybeUninit<u8>>,
    keys: Keys,
}

thread_local! {
    static KEPT: RefCell<Kept> = RefCell::default();
}

/// Transcodes one message class: JSON text to wire format and back.
///
/// Every method gives None for what only the pure backend can decide; that is no error.
#[pyclass(frozen, module = "turnwire_native")]
struct Codec {
    schema: Schema,
    message_class: Py<PyType>,
    from_string: Py<PyAny>,
    merge_from_string: Py<PyAny>,
    /// Unbound: looking a method up in a message first looks for a field of that name.
    serialize: Py<PyAny>,
    /// How much larger than its input an output was at most, in 1/16: the next one's likely size.
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
        // Literals of a program are one object with the same literals here.
        let (error, round) = (intern!(py, "error"), intern!(py, "round"));
        let ignore_unknown = !unknown.is(error)
            && match word(unknown) {
                Some("ignore") => true,
                Some("error") => false,
                // It wants to be told: whatever is unknown is handed back.
                None if unknown.is_callable() => false,
                _ => return Ok(None),
            };
        let refuse_lossy = !lossy_numbers.is(round)
            && match word(lossy_numbers) {
                Some("error") => true,
                Some("round") => false,
                _ => return Ok(None),
            };
        if let Some((text, is_utf8)) = text_of(data)
            && text.len() >= merging::LARGE
        {
            let message = self.message_class.bind(py).call0()?;
            let reader = (&message, &self.merge_from_string);
            let options = ParseOptions { ignore_unknown, refuse_lossy };
            match merging::merge(py, reader, &self.schema, (text, is_utf8), options)? {
                Ok(()) => return Ok(Some(message)),
                Err(Stop::Undecided) => return Ok(None),
                // It must be written as a whole.
                Err(Stop::Full) => {}
            }
        }
        let Some(wire) = self.json_to_wire(py, data, ignore_unknown, refuse_lossy)? else {
            return Ok(None);
        };
        // What protobuf's own parser refuses (a depth, say) is for the pure backend to tell.
        merging::unless_refused(py, self.from_string.bind(py).call1((wire,)))
    }

    #[pyo3(signature = (data, ignore_unknown=false, refuse_lossy=false, /))]
    fn json_to_wire<'py>(
        &self,
        py: Python<'py>,
        data: &Bound<'py, PyAny>,
        ignore_unknown: bool,
        refuse_lossy: bool,
    ) -> PyResult<Option<Bound<'py, PyBytes>>> {
        let options = ParseOptions { ignore_unknown, refuse_lossy };
        let Some((text, is_utf8)) = text_of(data) else { return Ok(None) };
        transcode(py, text, &self.wire_growth, |out, keys| {
            parse(&self.schema, text, is_utf8, out, keys, options)
        })
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
        let compact = compact.as_bytes();
        let Ok(len) = unlocked(py, compact.len(), || indented_len(compact, blanks)) else {
            return Ok(None);
        };
        Ok(filled(py, compact.len(), len, |out, _| indent(compact, blanks, out))?.ok())
    }

    #[pyo3(signature = (message, proto_names=None, enum_numbers=None, defaults=None, /))]
    fn print_values<'py>(
        &self,
        py: Python<'py>,
        message: &Bound<'py, PyAny>,
        proto_names: Option<&Bound<'py, PyAny>>,
        enum_numbers: Option<&Bound<'py, PyAny>>,
        defaults: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        let options = self.print_options(proto_names, enum_numbers, defaults)?;
        let wire = self.serialize.bind(py).call1((message,))?;
        let wire = wire.cast::<PyBytes>()?.as_bytes();
        let walked = walk(&self.schema, wire, Values::new(py, wire.len()), options);
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
        let values = Values::new(py, wire.len());
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
        columns: Option<Vec<Column<'py>>>,
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
        match dumped(py, value)? {
            Some(text) => self.parse(py, text.as_any(), unknown, lossy_numbers),
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
        let options = self.print_options(proto_names, enum_numbers, defaults)?;
        transcode(py, wire, &self.text_growth, |out, _| {
            *out = walk(&self.schema, wire, Text(std::mem::take(out)), options)?.0;
            simdutf8::basic::from_utf8(out.written()).map(drop).map_err(|_| Stop::Undecided)
        })
    }
}

impl Codec {
    /// Options by their truth, as Python's own functions take them.
    fn print_options(
        &self,
        proto_names: Option<&Bound<'_, PyAny>>,
        enum_numbers: Option<&Bound<'_, PyAny>>,
        defaults: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<PrintOptions> {
        let is_set =
            |option: Option<&Bound<'_, PyAny>>| option.map_or(Ok(false), PyAnyMethods::is_truthy);
        Ok(PrintOptions {
            proto_names: is_set(proto_names)?,
            enum_numbers: is_set(enum_numbers)?,
            defaults: is_set(defaults)?,
        })
    }
}

/// The tables of a message and of all that it refers to, or a ValueError.
fn schema_of(file_descriptor_set: &[u8], message_name: &str) -> PyResult<Schema> {
    descriptor::schema(file_descriptor_set, message_name).ok_or_else(|| {
        let reason = format!("the descriptor set does not define all of {message_name}");
        PyValueError::new_err(reason)
    })
}

/// The text of an option, if it is a str.
fn word<'a>(option: &'a Bound<'_, PyAny>) -> Option<&'a str> {
    option.cast::<PyString>().ok()?.to_str().ok()
}

/// UTF-8 text, and whether it is known to be that; None for other objects and lone surrogates.
fn text_of<'a>(data: &'a Bound<'_, PyAny>) -> Option<(&'a [u8], bool)> {
    if PyBytes::is_exact_type_of(data) {
        return Some((data.cast::<PyBytes>().ok()?.as_bytes(), false));
    }
    Some((data.cast::<PyString>().ok()?.to_str().ok()?.as_bytes(), true))
}

/// The JSON text of a Python value, or None where only the pure backend can decide.
fn dumped<'py>(
    py: Python<'py>,
    value: &Bound<'py, PyAny>,
) -> PyResult<Option<Bound<'py, PyBytes>>> {
    let mut buffer = vec![MaybeUninit::uninit(); KEEP_LOCK];
    loop {
        match copied_bytes(py, &mut buffer, |out| dump::dump(value, out)) {
            Ok(text) => return Ok(Some(text)),
            Err(Stop::Undecided) => return Ok(None),
            Err(Stop::Full) => buffer = vec![MaybeUninit::uninit(); buffer.len() * 4],
        }
    }
}

/// Runs `write` with enough room for its output and gives that as bytes, or None if it hands back.
fn transcode<'py>(
    py: Python<'py>,
    input: &[u8],
    growth: &AtomicU32,
    write: impl Fn(&mut Out<'_>, &mut Keys) -> Result<(), Stop> + Sync,
) -> PyResult<Option<Bound<'py, PyBytes>>> {
    // Sixteenths; a third more than ever seen, and room for what a writer asks for at once.
    let sixteenths = growth.load(Relaxed) as usize;
    let mut capacity = input.len() / 16 * (sixteenths + sixteenths / 3 + 1) + 512;
    loop {
        let written = filled(py, input.len(), capacity, &write)?;
        match written {
            Ok(bytes) => {
                let seen = (bytes.as_bytes().len() * 16).div_ceil(input.len().max(512)) as u32;
                if seen > growth.load(Relaxed) {
                    growth.store(seen, Relaxed);
                }
                return Ok(Some(bytes));
            }
            Err(Stop::Undecided) => return Ok(None),
            Err(Stop::Full) => capacity *= 4,
        }
    }
}

/// Runs `write` with room for `capacity` bytes and gives what it wrote as bytes.
fn filled<'py>(
    py: Python<'py>,
    input_len: usize,
    capacity: usize,
    write: impl FnOnce(&mut Out<'_>, &mut Keys) -> Result<(), Stop> + Send,
) -> PyResult<Result<Bound<'py, PyBytes>, Stop>> {
    KEPT.with_borrow_mut(|Kept { buffer, keys }| {
        let run = |out: &mut Out<'_>| unlocked(py, input_len, || write(out, keys));
        if capacity > SCRATCH {
            return written_bytes(py, capacity, run);
        }
        if buffer.len() < capacity {
            buffer.resize(capacity.next_power_of_two(), MaybeUninit::uninit());
        }
        Ok(copied_bytes(py, buffer, run))
    })
}

/// Does some work, and lets other threads run meanwhile if its input is large.
#[inline(always)]
fn unlocked<T: Send>(py: Python<'_>, input_len: usize, work: impl FnOnce() -> T + Send) -> T {
    if input_len <= KEEP_LOCK { work() } else { py.detach(work) }
}

/// The fast core of Turnwire.
#[pymodule]
mod turnwire_native {
    #[pymodule_export]
    use super::Codec;
    #[pymodule_export]
    use crate::python::scanner::{Scanner, take_events, take_lines};
    #[pymodule_export]
    #[expect(non_upper_case_globals, reason = "the name that Python gives it")]
    const __version__: &str = env!("CARGO_PKG_VERSION");
    /// Goes up with every change of what Python sees here.
    #[pymodule_export]
    const INTERFACE: u32 = 2;
}
