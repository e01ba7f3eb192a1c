//! Checks many lines in one call, and makes no message of them.

use std::collections::HashSet;
use std::mem::MaybeUninit;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use super::room::unlocked;
use crate::bytes::out::Out;
use crate::framing::elements;
use crate::parse::keys::Keys;
use crate::parse::{ParseOptions, check};
use crate::schema::{Schema, descriptor};
use crate::stop::{Result, Stop};

/// The largest room for one line's wire format that is kept from one call to the next.
const MAX_KEPT: usize = 1 << 20;

/// A line that needs a second look: its start, its end, its number among all lines of the text
/// and among those with content, and whether it is certainly such a message.
type Doubtful = (usize, usize, usize, usize, bool);

/// Checks the lines of NDJSON against one message class.
#[pyclass(module = "turnwire_native")]
pub struct LineChecker {
    schema: Schema,
    keys: Keys,
    room: Vec<MaybeUninit<u8>>,
}

#[pymethods]
impl LineChecker {
    #[new]
    #[pyo3(signature = (file_descriptor_set, message_name, watched, /))]
    fn new(file_descriptor_set: &[u8], message_name: &str, watched: Vec<String>) -> PyResult<Self> {
        let watched: HashSet<_> = watched.into_iter().map(String::into_bytes).collect();
        let schema = descriptor::schema_watching(file_descriptor_set, message_name, &watched)
            .ok_or_else(|| {
                let reason = format!("the descriptor set does not define all of {message_name}");
                PyValueError::new_err(reason)
            })?;
        Ok(Self { schema, keys: Keys::default(), room: Vec::new() })
    }

    /// The number of lines, of those with content, and the lines that need a second look.
    #[pyo3(signature = (text, ignore_unknown, limit, /))]
    fn check(
        &mut self,
        py: Python<'_>,
        text: &[u8],
        ignore_unknown: bool,
        limit: usize,
    ) -> (usize, usize, Vec<Doubtful>) {
        let options = ParseOptions { ignore_unknown, ..ParseOptions::default() };
        unlocked(py, text.len(), || self.check_lines(text, options, limit))
    }
}

impl LineChecker {
    fn check_lines(
        &mut self,
        text: &[u8],
        options: ParseOptions,
        limit: usize,
    ) -> (usize, usize, Vec<Doubtful>) {
        let (mut lines, mut with_content) = (0, 0);
        let mut doubtful = Vec::new();
        elements::each_line(text, |start, end| {
            if start < end {
                let saw_watched = match text.get(start..end) {
                    Some(line) if line.len() <= limit => self.check_line(line, options),
                    _ => Err(Stop::Undecided),
                };
                if saw_watched != Ok(false) {
                    doubtful.push((start, end, lines, with_content, saw_watched.is_ok()));
                }
                with_content += 1;
            }
            lines += 1;
        });
        if self.room.len() > MAX_KEPT {
            self.room = Vec::new();
        }
        (lines, with_content, doubtful)
    }

    /// Whether a line sets a watched field; undecided where only Python knows if it is valid.
    fn check_line(&mut self, line: &[u8], options: ParseOptions) -> Result<bool> {
        let mut capacity = line.len() + line.len() / 2 + 512;
        loop {
            if self.room.len() < capacity {
                self.room.resize(capacity, MaybeUninit::uninit());
            }
            let mut out = Out::new(&mut self.room);
            match check(&self.schema, line, &mut out, &mut self.keys, options) {
                Err(Stop::Full) => capacity = 2 * self.room.len(),
                checked => return checked,
            }
        }
    }
}
