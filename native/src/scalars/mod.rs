//! JSON's scalars as text: strings, numbers, base64, times and durations.

pub mod base64;
pub mod civil;
pub mod decimal;
pub mod digits;
pub mod number;
pub mod string;
pub mod time;
