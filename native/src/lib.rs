//! The fast core of Turnwire: JSON text to wire format and back, without anything in between.
//!
//! It only does what it is certain about. Everything else it hands back to the pure backend, which
//! alone decides what is an error and what it says.

mod base64;
mod bytes;
mod canonical;
mod descriptor;
mod digits;
mod dump;
mod elements;
#[cfg(test)]
mod fuzz;
mod indent;
mod keys;
mod marks;
mod merging;
mod names;
mod number;
mod out;
mod outline;
mod parse;
mod python;
mod rows;
mod scan;
mod scanner;
mod schema;
mod string;
mod text;
mod time;
mod types;
mod values;
mod walk;
mod wire;

/// Why a transcoding stopped before its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stop {
    /// Something that the pure backend must look at: an error, or what only Python knows.
    HandBack,
    /// The output has no more room.
    Full,
}

/// How deeply messages may nest. The runtime allows 100; at the very edge the pure backend decides.
const DEEPEST: u32 = 96;
