//! The sizes up to which the core decides; the pure backend decides beyond them.

/// The deepest nesting of messages. The runtime allows 100 levels.
pub const MAX_DEPTH: u32 = 96;
/// The largest number of fields and oneofs in a message.
pub const MAX_SLOTS: usize = 256;
