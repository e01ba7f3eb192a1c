//! Wire format to JSON: one walk, which tells a sink the JSON that it finds.

mod entries;
pub mod escape;
pub mod layout;
mod messages;
mod order;
mod payload;
mod scalar;
mod sink;
mod structs;
pub mod text;
mod walker;

pub use messages::{walk, walk_field, walk_value};
pub use scalar::Scalar;
pub use sink::Sink;
pub use structs::{each_entry, each_struct};
pub use walker::PrintOptions;
