//! The rules about messages: those of annotations are checked here, those about references
//! become facts.
//!
//! Python describes the rules of each message type, and holds the state of a conversation. A line
//! about which nothing is certain is left to it.

pub mod facts;
pub mod plan;
mod walk;

pub use plan::{Described, Plan};
pub use walk::events_of;
