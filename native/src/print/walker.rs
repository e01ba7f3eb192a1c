//! The state of one walk over the wire format.

use super::order::{Entry, Order};
use crate::schema::Schema;

/// The options of printing.
#[derive(Clone, Copy, Default)]
pub struct PrintOptions {
    pub proto_names: bool,
    pub enum_numbers: bool,
    /// Prints fields without presence though they hold their default.
    pub defaults: bool,
    /// Prints as Python's `json_format`: members of maps and Structs in the runtime's own order,
    /// defaults after the fields that are set, and null for a Value without a kind.
    pub like_json_format: bool,
    /// Reads wire format of the parser, which has fields without presence that hold their default.
    pub leave_out_defaults: bool,
}

pub(super) struct Walker<'s, 'w, S> {
    pub schema: &'s Schema,
    pub sink: S,
    pub options: PrintOptions,
    /// The entries of the maps and Structs that are being printed, innermost last.
    pub entries: Vec<Entry<'w>>,
    /// The order of the last few entries that were sorted.
    pub order: Order,
}

impl<'s, S> Walker<'s, '_, S> {
    pub fn new(schema: &'s Schema, sink: S, options: PrintOptions) -> Self {
        Self { schema, sink, options, entries: Vec::new(), order: Order::default() }
    }
}
