//! The options that Python gives.

use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::PyString;

use crate::parse::ParseOptions;
use crate::print::PrintOptions;
use crate::print::layout::MAX_BLANKS;

/// The options of a parsing; None where only the pure backend can decide.
pub fn parse_options(
    py: Python<'_>,
    unknown: &Bound<'_, PyAny>,
    lossy_numbers: &Bound<'_, PyAny>,
) -> Option<ParseOptions> {
    let mut options = ParseOptions::default();
    // The literals of a program are the same objects as the interned ones.
    if !unknown.is(intern!(py, "error")) {
        match word(unknown) {
            Some("error") => {}
            Some("ignore") => options.ignore_unknown = true,
            None if unknown.is_callable() => {
                (options.ignore_unknown, options.note_unknown) = (true, true);
            }
            _ => return None,
        }
    }
    if !lossy_numbers.is(intern!(py, "round")) {
        match word(lossy_numbers) {
            Some("round") => {}
            Some("error") => options.refuse_lossy = true,
            _ => return None,
        }
    }
    Some(options)
}

/// The options of a printing, by their truth.
pub fn print_options(
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
        ..PrintOptions::default()
    })
}

/// A number of blanks; None where only the pure backend can decide.
pub fn blanks_of(blanks: &Bound<'_, PyAny>) -> Option<usize> {
    blanks.extract().ok().filter(|blanks| *blanks <= MAX_BLANKS)
}

/// The text of an option, if it is a str.
fn word<'a>(option: &'a Bound<'_, PyAny>) -> Option<&'a str> {
    option.cast::<PyString>().ok()?.to_str().ok()
}
