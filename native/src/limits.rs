//! The sizes up to which the core decides; the pure backend decides beyond them.

/// How deeply messages may nest. The runtime allows 100 levels.
pub const MAX_DEPTH: u32 = 96;
/// How many fields and oneofs a message may have.
pub const MAX_SLOTS: usize = 256;
