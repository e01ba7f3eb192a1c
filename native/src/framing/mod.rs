//! The ends of JSON values and lines in text that arrives in chunks.

pub mod elements;
mod marks;
pub mod outline;
