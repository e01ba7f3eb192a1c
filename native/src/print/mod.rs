//! Wire format to JSON: one walk, which tells a sink the JSON that it finds.

mod entries;
pub mod escape;
pub mod layout;
mod messages;
mod order;
pub mod payload;
mod scalar;
mod sink;
mod structs;
pub mod text;
mod walker;

pub use entries::{map_entries, signed_key};
pub use messages::{walk, walk_field, walk_message, walk_value};
pub use order::Entry;
pub use scalar::Scalar;
pub use sink::Sink;
pub use structs::{each_entry, each_struct};
pub use walker::PrintOptions;
