//! Parts of values that come again and again within one message, such as the keys and cells of rows.

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};

use super::keys::new_string;
use crate::stop::{Result, Stop};

/// The number of members from which on a dict grows more than once while it is filled.
pub const WIDE: usize = 6;
/// The number of wide dicts that are remembered.
const MAX_DICTS: usize = 4;

/// A key and its value.
pub type Member<'py> = [Bound<'py, PyAny>; 2];

/// Makes dicts of many members. Those that repeat the keys of an earlier one are copies.
///
/// A copy has the keys in their order, and room for no more than it needs.
#[derive(Default)]
pub struct WideDicts<'py>([Wide<'py>; MAX_DICTS]);

#[derive(Default)]
struct Wide<'py> {
    /// The addresses of the keys, in their order.
    keys: Vec<usize>,
    /// A dict that has them all; made when they come for the second time.
    dict: Option<Bound<'py, PyDict>>,
}

impl<'py> WideDicts<'py> {
    /// A dict for some members, which are still to be set.
    pub fn dict(&mut self, py: Python<'py>, members: &[Member<'py>]) -> Result<Bound<'py, PyDict>> {
        let keys = members.iter().map(|[key, _]| key.as_ptr() as usize);
        let place = keys.clone().next().unwrap_or(0) / 16 + members.len();
        let Some(wide) = self.0.get_mut(place % MAX_DICTS) else { return Ok(PyDict::new(py)) };
        let is_repeated =
            wide.keys.len() == members.len() && keys.clone().eq(wide.keys.iter().copied());
        match &wide.dict {
            Some(dict) if is_repeated => dict.copy(),
            _ if is_repeated => remember(py, wide, members),
            _ => {
                *wide = Wide { keys: keys.collect(), dict: None };
                Ok(PyDict::new(py))
            }
        }
        .map_err(|_| Stop::Undecided)
    }
}

#[inline(never)]
fn remember<'py>(
    py: Python<'py>,
    wide: &mut Wide<'py>,
    members: &[Member<'py>],
) -> PyResult<Bound<'py, PyDict>> {
    let grown = PyDict::new(py);
    for [key, _] in members {
        grown.set_item(key, py.None())?;
    }
    let dict = PyDict::new(py);
    dict.update(grown.as_mapping())?;
    let copy = dict.copy();
    // A key that comes twice has one place in the dict, the first one.
    wide.dict = (dict.len() == members.len()).then_some(dict);
    copy
}

/// The number of texts that are remembered.
const MAX_TEXTS: usize = 256;
/// The length of a message from which on texts are remembered.
const MANY: usize = 4096;

/// Makes strings. Short ones of a long message are remembered until its end.
#[derive(Default)]
pub struct Texts<'py>(Vec<Option<(Short, Bound<'py, PyString>)>>);

/// The length of a text of up to 16 bytes, and its first and last bytes, which may overlap.
type Short = (usize, u64, u64);

impl<'py> Texts<'py> {
    /// Makes one for a message of this many bytes.
    pub fn new(message_len: usize) -> Self {
        if message_len < MANY { Self::default() } else { Self(vec![const { None }; MAX_TEXTS]) }
    }

    #[inline(always)]
    pub fn get(&mut self, py: Python<'py>, text: &[u8]) -> Result<Bound<'py, PyString>> {
        if let Some(short) = short(text)
            && let Some(kept) = self.0.get_mut(place_of(short))
        {
            if let Some((same, object)) = kept
                && *same == short
            {
                return Ok(object.clone());
            }
            let object = new_string(py, text)?;
            *kept = Some((short, object.clone()));
            return Ok(object);
        }
        new_string(py, text)
    }
}

/// Python itself has one object for each text of one byte, and for the empty one.
#[inline(always)]
fn short(text: &[u8]) -> Option<Short> {
    let len = text.len();
    if !(2..=16).contains(&len) {
        return None;
    }
    Some(match (text.first_chunk(), text.last_chunk()) {
        (Some(first), Some(last)) => (len, u64::from_le_bytes(*first), u64::from_le_bytes(*last)),
        _ => match (text.first_chunk(), text.last_chunk()) {
            (Some(first), Some(last)) => {
                (len, u32::from_le_bytes(*first).into(), u32::from_le_bytes(*last).into())
            }
            _ => (len, text.iter().fold(0, |bytes, byte| bytes << 8 | u64::from(*byte)), 0),
        },
    })
}

#[inline(always)]
fn place_of((len, first, last): Short) -> usize {
    let mixed = first ^ last.rotate_left(25) ^ len as u64;
    (mixed.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 56) as usize % MAX_TEXTS
}
