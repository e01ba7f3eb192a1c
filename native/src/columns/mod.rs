//! Columns: Arrow buffers made from wire format, without an object for a row.
//!
//! A column is filled row by row. A row that is undecided is taken back, and the pure backend makes
//! it; so the core never holds half a row.

pub mod cells;
mod column;
mod finished;
mod messages;
mod places;
mod plan;
mod rows;

pub use messages::Messages;
pub use places::Places;
pub use rows::{Cells, Request, columns_of_rows};
