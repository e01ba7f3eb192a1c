//! The reasons for which a transcoding stops.

/// Why a transcoding stopped before its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// Only the pure backend can decide: an error, or something that only Python knows.
    Undecided,
    /// The output has no more room.
    Full,
}

/// The result of a step that may stop.
pub type Result<T> = std::result::Result<T, Stop>;
