//! The types that an `Any` may hold, as Python found them.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, RwLock};

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::canonical::MapOrder;
use crate::schema::Schema;
use crate::{Stop, descriptor};

/// The types by the names in type URLs, for all codecs of one descriptor pool.
///
/// Only Python knows what a name means. It adds a type here when the pure backend has found it, so
/// that the next `Any` of that type is not handed back.
#[pyclass(frozen, module = "turnwire_native")]
pub struct Types {
    known: RwLock<HashMap<Box<[u8]>, Arc<Schema>>>,
    /// The last name that was looked for and is not known.
    missed: Mutex<Option<String>>,
    map_order: MapOrder,
}

/// Nobody's message has a longer name.
const LONGEST_NAME: usize = 1024;

#[pymethods]
impl Types {
    #[new]
    #[pyo3(signature = (shorter_first, /))]
    fn new(shorter_first: Option<bool>) -> Self {
        let map_order = match shorter_first {
            Some(true) => MapOrder::ShorterFirst,
            Some(false) => MapOrder::LongerFirst,
            None => MapOrder::Unknown,
        };
        Self { known: RwLock::default(), missed: Mutex::default(), map_order }
    }

    #[pyo3(signature = (name, file_descriptor_set, message_name, /))]
    fn add(&self, name: &str, file_descriptor_set: &[u8], message_name: &str) -> PyResult<()> {
        let schema = Arc::new(schema_of(file_descriptor_set, message_name)?);
        if let Ok(mut known) = self.known.write() {
            known.insert(name.as_bytes().into(), schema);
        }
        Ok(())
    }

    fn take_missed(&self) -> Option<String> {
        self.missed.lock().ok()?.take()
    }
}

impl Types {
    /// How protobuf itself sorts maps.
    pub(crate) fn map_order(&self) -> MapOrder {
        self.map_order
    }

    /// The type that a URL names; its root is the message.
    pub(crate) fn find(&self, url: &[u8]) -> Result<Arc<Schema>, Stop> {
        let slash = memchr::memrchr(b'/', url).ok_or(Stop::HandBack)?;
        let name = &url[slash + 1..];
        let known = self.known.read().map_err(|_| Stop::HandBack)?;
        if let Some(schema) = known.get(name) {
            return Ok(Arc::clone(schema));
        }
        if let Ok(name) = str::from_utf8(name)
            && name.len() <= LONGEST_NAME
            && let Ok(mut missed) = self.missed.lock()
        {
            *missed = Some(name.into());
        }
        Err(Stop::HandBack)
    }
}

/// The tables of a message and of all that it refers to, or a ValueError.
pub fn schema_of(file_descriptor_set: &[u8], message_name: &str) -> PyResult<Schema> {
    descriptor::schema(file_descriptor_set, message_name).ok_or_else(|| {
        let reason = format!("the descriptor set does not define all of {message_name}");
        PyValueError::new_err(reason)
    })
}
