//! The fast core of Turnwire: JSON text to wire format and back, without anything in between.
//!
//! It handles only inputs that it fully understands. For anything else it returns None to Python,
//! and the pure backend decides: it alone reports errors.
//!
//! Everything that touches Python stands in `python`; the other modules are plain Rust.

mod bytes;
mod check;
mod columns;
mod framing;
#[cfg(test)]
mod fuzz;
mod limits;
mod parse;
mod print;
mod python;
mod scalars;
mod schema;
mod stop;
