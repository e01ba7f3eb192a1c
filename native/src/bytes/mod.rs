//! Bytes: reading the wire format, writing into memory of a fixed size, and searching.

pub mod growing;
pub mod out;
pub mod search;
pub mod wire;
