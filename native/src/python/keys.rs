//! The keys of dicts, which come again and again: one object for each.

use std::cell::Cell;

use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyString;

use crate::bytes::search::starts_with;
use crate::schema::{Field, Schema};
use crate::stop::{Result, Stop};

/// The names of a schema's fields, in both spellings, made when they are first asked for.
#[derive(Default)]
pub struct FieldNames {
    json: PyOnceLock<Vec<Py<PyString>>>,
    proto: PyOnceLock<Vec<Py<PyString>>>,
}

impl FieldNames {
    /// The names in one spelling, by the places of the fields.
    pub fn get(&self, py: Python<'_>, schema: &Schema, proto_names: bool) -> &[Py<PyString>] {
        let (names, name): (_, fn(&Field) -> &[u8]) = if proto_names {
            (&self.proto, Field::proto_name)
        } else {
            (&self.json, Field::json_name)
        };
        names.get_or_init(py, || {
            // A message with a name that is not UTF-8 has no form that is known here.
            let name = |field| std::str::from_utf8(name(field)).unwrap_or_default();
            schema.fields().map(|field| PyString::intern(py, name(field)).unbind()).collect()
        })
    }
}

/// Other keys, by their text: rows repeat them, within a message and from one to the next.
///
/// Each thread keeps them from one call to the next. The number and the length of them are limited.
#[derive(Default)]
pub struct Keys(Vec<Option<Key>>);

type Key = (Box<[u8]>, Py<PyString>);

const MAX_KEYS: usize = 256;
const MAX_LEN: usize = 64;

thread_local! {
    static KEPT: Cell<Vec<Option<Key>>> = const { Cell::new(Vec::new()) };
}

impl Keys {
    /// Takes those that the thread kept; dropping them gives them back.
    pub fn take() -> Self {
        Self(KEPT.take())
    }

    #[inline(always)]
    pub fn get<'py>(&mut self, py: Python<'py>, key: &[u8]) -> Result<Bound<'py, PyString>> {
        if key.len() > MAX_LEN {
            return new_string(py, key);
        }
        let place = place_of(key);
        match self.0.get(place) {
            Some(Some((text, object))) if text.len() == key.len() && starts_with(key, text) => {
                Ok(object.bind(py).clone())
            }
            _ => self.keep(py, key, place),
        }
    }

    #[inline(never)]
    fn keep<'py>(
        &mut self,
        py: Python<'py>,
        key: &[u8],
        place: usize,
    ) -> Result<Bound<'py, PyString>> {
        let object = new_string(py, key)?;
        if self.0.is_empty() {
            self.0.resize_with(MAX_KEYS, || None);
        }
        if let Some(kept) = self.0.get_mut(place) {
            *kept = Some((key.into(), object.clone().unbind()));
        }
        Ok(object)
    }
}

impl Drop for Keys {
    fn drop(&mut self) {
        if !self.0.is_empty() {
            KEPT.set(std::mem::take(&mut self.0));
        }
    }
}

#[inline(always)]
fn place_of(key: &[u8]) -> usize {
    let ends = (key.first_chunk::<4>(), key.last_chunk::<4>());
    let hash = match ends {
        (Some(first), Some(last)) => {
            u32::from_le_bytes(*first) ^ u32::from_le_bytes(*last).rotate_left(7)
        }
        _ => key.iter().fold(0, |hash, byte| hash << 8 | u32::from(*byte)),
    };
    ((hash ^ key.len() as u32).wrapping_mul(0x9E37_79B1) >> 24) as usize % MAX_KEYS
}

/// A new str; undecided if the text is not UTF-8.
pub fn new_string<'py>(py: Python<'py>, text: &[u8]) -> Result<Bound<'py, PyString>> {
    PyString::from_bytes(py, text).map_err(|_| Stop::Undecided)
}
