//! Checks many lines in one call, and makes no message of them.

use std::collections::HashMap;
use std::mem::MaybeUninit;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList, PyString, PyTuple};

use super::room::unlocked;
use crate::bytes::out::Out;
use crate::check::facts::{Facts, Line, Parent, Step};
use crate::check::{Described, Plan, events_of};
use crate::framing::elements;
use crate::parse::keys::Keys;
use crate::parse::{ParseOptions, parse};
use crate::schema::{Schema, descriptor};
use crate::stop::{Result, Stop};

/// The largest room for one line's wire format that is kept from one call to the next.
const MAX_KEPT: usize = 1 << 20;

/// The rules of a message type: required fields, resource names, doubtful fields, event, slots.
type Rules = (Vec<String>, Vec<(String, Vec<Vec<String>>)>, Vec<String>, String, Vec<String>);

/// The number of line feeds in a text.
#[pyfunction]
#[pyo3(signature = (text, /))]
pub fn count_lines(py: Python<'_>, text: &[u8]) -> usize {
    unlocked(py, text.len(), || memchr::memchr_iter(b'\n', text).count())
}

/// Checks the lines of NDJSON against one message class.
#[pyclass(module = "turnwire_native")]
pub struct LineChecker {
    schema: Schema,
    plan: Option<Plan>,
    keys: Keys,
    room: Vec<MaybeUninit<u8>>,
}

/// Something that Python looks at: a line, or the facts of lines that it need not read.
enum Entry {
    Doubtful(Line),
    Facts(Box<Facts>),
}

/// The entries of a text, and the numbers of its lines and of those with content.
#[derive(Default)]
struct Checked {
    entries: Vec<Entry>,
    facts: Box<Facts>,
    lines: usize,
    with_content: usize,
}

#[pymethods]
impl LineChecker {
    #[new]
    #[pyo3(signature = (file_descriptor_set, message_name, rules, /))]
    fn new(
        file_descriptor_set: &[u8],
        message_name: &str,
        rules: Option<HashMap<String, Rules>>,
    ) -> PyResult<Self> {
        let (schema, names) = descriptor::named_schema(file_descriptor_set, message_name)
            .ok_or_else(|| {
                let reason = format!("the descriptor set does not define all of {message_name}");
                PyValueError::new_err(reason)
            })?;
        let plan = rules.map(|rules| {
            let rules = rules.into_iter().map(|(name, rules)| (name, described(rules))).collect();
            Plan::new(&schema, &names, &rules)
                .ok_or_else(|| PyValueError::new_err("the rules do not fit the messages"))
        });
        let plan = plan.transpose()?;
        Ok(Self { schema, plan, keys: Keys::default(), room: Vec::new() })
    }

    /// The number of lines, of those with content, and the entries that Python looks at.
    #[pyo3(signature = (text, ignore_unknown, limit, /))]
    fn check<'py>(
        &mut self,
        py: Python<'py>,
        text: &[u8],
        ignore_unknown: bool,
        limit: usize,
    ) -> PyResult<(usize, usize, Bound<'py, PyList>)> {
        let options = ParseOptions { ignore_unknown, ..ParseOptions::default() };
        let checked = unlocked(py, text.len(), || self.check_lines(text, options, limit));
        let entries = checked.entries.iter().map(|entry| match entry {
            Entry::Doubtful(line) => {
                (line.start, line.end, line.line, line.number, py.None()).into_pyobject(py)
            }
            Entry::Facts(facts) => {
                let (first, end) = (facts.first, facts.last.end);
                let facts = self.facts(py, facts)?;
                (first.start, end, first.line, first.number, facts).into_pyobject(py)
            }
        });
        let entries = entries.collect::<PyResult<Vec<_>>>()?;
        Ok((checked.lines, checked.with_content, PyList::new(py, entries)?))
    }
}

impl LineChecker {
    fn check_lines(&mut self, text: &[u8], options: ParseOptions, limit: usize) -> Checked {
        let mut checked = Checked::default();
        elements::each_line(text, |start, end| {
            let Checked { lines: line, with_content: number, .. } = checked;
            if start < end {
                let line = Line { start, end, line, number };
                let done = match text.get(start..end) {
                    Some(text) if text.len() <= limit => {
                        self.check_line(text, options, line, &mut checked)
                    }
                    _ => Err(Stop::Undecided),
                };
                if done.is_err() {
                    checked.flush();
                    checked.entries.push(Entry::Doubtful(line));
                }
                checked.with_content += 1;
            }
            checked.lines += 1;
        });
        checked.flush();
        if self.room.len() > MAX_KEPT {
            self.room = Vec::new();
        }
        checked
    }

    /// Checks a line, and adds its facts; undecided where only Python knows if it is valid.
    fn check_line(
        &mut self,
        text: &[u8],
        options: ParseOptions,
        line: Line,
        checked: &mut Checked,
    ) -> Result<()> {
        let mut capacity = text.len() + text.len() / 2 + 512;
        loop {
            if self.room.len() < capacity {
                self.room.resize(capacity, MaybeUninit::uninit());
            }
            let mut out = Out::new(&mut self.room);
            match parse(&self.schema, text, false, &mut out, &mut self.keys, options) {
                Err(Stop::Full) => capacity = 2 * self.room.len(),
                Err(stop) => return Err(stop),
                Ok(_) => {
                    let Some(plan) = &self.plan else { return Ok(()) };
                    let events = events_of(plan, out.written())?;
                    if !events.is_empty() {
                        if !checked.facts.takes(line, &events)? {
                            checked.flush();
                        }
                        checked.facts.add(line, events);
                    }
                    return Ok(());
                }
            }
        }
    }

    /// The facts as a tuple, in the order of `turnwire.check._facts.Facts`.
    fn facts<'py>(&self, py: Python<'py>, facts: &Facts) -> PyResult<Bound<'py, PyTuple>> {
        let texts = |bytes: &mut dyn Iterator<Item = &[u8]>| {
            PyList::new(py, bytes.map(|bytes| text(py, bytes)).collect::<PyResult<Vec<_>>>()?)
        };
        let tools = facts.tools.iter().map(|(name, open)| {
            (text(py, name)?, open.change, open.floor, open.needed).into_pyobject(py)
        });
        let parents = facts.parents.iter().map(|parent| {
            let Parent { id, parent, line, path } = parent;
            let (id, parent) = (text(py, id)?, text(py, parent)?);
            let path = self.path(py, path)?;
            (id, parent, line.start, line.line, line.number, path).into_pyobject(py)
        });
        let outputs = facts
            .outputs
            .iter()
            .map(|output| (output.turn, output.text_len, output.is_last).into_pyobject(py));
        let turns = [Some(&facts.first_turn), facts.last_turn.as_ref()];
        let turns = turns.into_iter().flatten().map(|turn| {
            let queries = texts(&mut turn.queries.iter().map(AsRef::as_ref))?;
            (queries, texts(&mut turn.unmatched())?, turn.is_nameless).into_pyobject(py)
        });
        (
            text(py, &facts.session)?,
            facts.calls,
            PyBytes::new(py, &facts.called_ids()),
            texts(&mut facts.unmatched())?,
            PyList::new(py, tools.collect::<PyResult<Vec<_>>>()?)?,
            PyList::new(py, parents.collect::<PyResult<Vec<_>>>()?)?,
            PyList::new(py, outputs.collect::<PyResult<Vec<_>>>()?)?,
            PyList::new(py, turns.collect::<PyResult<Vec<_>>>()?)?,
            facts.is_violated,
        )
            .into_pyobject(py)
    }

    /// A path of JSON names and indices.
    fn path<'py>(&self, py: Python<'py>, steps: &[Step]) -> PyResult<Bound<'py, PyTuple>> {
        let mut path = Vec::with_capacity(2 * steps.len());
        for step in steps {
            let field = &self.schema.messages[step.message as usize].fields[step.field as usize];
            path.push(text(py, field.json_name())?.into_any());
            if let Some(index) = step.index {
                path.push(index.into_pyobject(py)?.into_any());
            }
        }
        PyTuple::new(py, path)
    }
}

impl Checked {
    /// Ends the facts so far: others follow.
    fn flush(&mut self) {
        if !self.facts.is_empty() {
            self.entries.push(Entry::Facts(std::mem::take(&mut self.facts)));
        }
    }
}

fn described((required, names, doubtful, event, slots): Rules) -> Described {
    Described { required, names, doubtful, event, slots }
}

fn text<'py>(py: Python<'py>, bytes: &[u8]) -> PyResult<Bound<'py, PyString>> {
    PyString::from_bytes(py, bytes)
}
