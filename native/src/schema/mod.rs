//! The messages that can be reached from one message, as tables made from their descriptors.

pub mod descriptor;
pub mod names;
mod serialized;
mod tables;

pub use tables::{Cardinality, DELIMITED, Field, Kind, Message, Schema, Shape};
