//! Bytes: reading the wire format, writing into memory of a fixed size or that grows, and searching.

pub mod entry;
pub mod growing;
pub mod out;
pub mod search;
pub mod wire;
