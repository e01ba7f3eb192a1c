//! The cells of tables: a JSON value to the value that its column's type gives it.
//!
//! Each function gives None for values that are not ordinary: those are cast by Python.

use std::mem::MaybeUninit;

use crate::bytes::out::Out;
use crate::print::Scalar;
use crate::scalars::civil::{self, Clock, Day, Zone};
use crate::scalars::decimal::{Decimal, read_decimal};
use crate::scalars::digits::write_double;
use crate::scalars::number::read_number;

/// The result of a column's cast for ordinary values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// A whole number, or its plain digits, becomes an integer of 64 bits.
    Integer,
    /// A number, or its JSON text, becomes the nearest double, if that is finite.
    Double,
    /// The same, where the double has these digits as its shortest ones.
    ExactDouble,
    /// A boolean, or its name in any case, becomes that boolean.
    Boolean,
    /// A boolean as well, or `yes` and `no`.
    YesNo,
    /// The JSON text of a number becomes a decimal with these digits.
    Decimal,
    /// `2025-05-04` becomes that day.
    Date,
    /// `10:00:00` becomes that time of day.
    Time,
    /// A date and time without a zone.
    Datetime,
    /// A date and time in a zone, or in UTC.
    Instant,
    /// Base64 becomes bytes.
    Bytes,
    /// A string stays one.
    Text,
}

impl Form {
    /// The form that Python calls by a name.
    pub fn named(name: &str) -> Option<Self> {
        Some(match name {
            "integer" => Self::Integer,
            "double" => Self::Double,
            "exact_double" => Self::ExactDouble,
            "boolean" => Self::Boolean,
            "yes_no" => Self::YesNo,
            "decimal" => Self::Decimal,
            "date" => Self::Date,
            "time" => Self::Time,
            "datetime" => Self::Datetime,
            "instant" => Self::Instant,
            "bytes" => Self::Bytes,
            "text" => Self::Text,
            _ => return None,
        })
    }
}

#[inline(always)]
pub fn integer(cell: Scalar<'_>) -> Option<i64> {
    match cell {
        Scalar::Text(text) => plain_integer(text),
        Scalar::Number(value) => whole(value),
        _ => None,
    }
}

#[inline(always)]
pub fn double(cell: Scalar<'_>) -> Option<f64> {
    match cell {
        Scalar::Text(text) => finite(text),
        Scalar::Number(value) => Some(value),
        _ => None,
    }
}

#[inline(always)]
pub fn boolean(cell: Scalar<'_>) -> Option<bool> {
    match cell {
        Scalar::Boolean(value) => Some(value),
        Scalar::Text(text) if text.eq_ignore_ascii_case(b"true") => Some(true),
        Scalar::Text(text) if text.eq_ignore_ascii_case(b"false") => Some(false),
        _ => None,
    }
}

pub fn yes_no(cell: Scalar<'_>) -> Option<bool> {
    match cell {
        Scalar::Text(text) if text.eq_ignore_ascii_case(b"yes") => Some(true),
        Scalar::Text(text) if text.eq_ignore_ascii_case(b"no") => Some(false),
        cell => boolean(cell),
    }
}

#[inline(always)]
pub fn decimal(cell: Scalar<'_>) -> Option<Decimal> {
    match cell {
        Scalar::Text(text) => read_decimal(text),
        Scalar::Number(value) => {
            // The shortest digits that mean it: 0.1 stays 0.1.
            let mut buffer = [MaybeUninit::uninit(); 64];
            let mut out = Out::new(&mut buffer);
            write_double(&mut out, value).ok()?;
            read_decimal(out.written())
        }
        _ => None,
    }
}

/// The double of a decimal, where that has no other digits.
pub fn exact_double(cell: Scalar<'_>) -> Option<f64> {
    match cell {
        Scalar::Text(text) if read_decimal(text)?.is_double() => finite(text),
        Scalar::Number(value) => Some(value),
        _ => None,
    }
}

#[inline(always)]
pub fn date(cell: Scalar<'_>) -> Option<Day> {
    text(cell).and_then(civil::read_day)
}

pub fn time(cell: Scalar<'_>) -> Option<Clock> {
    text(cell).and_then(civil::read_clock)
}

pub fn datetime(cell: Scalar<'_>) -> Option<(Day, Clock)> {
    text(cell).and_then(civil::read_local)
}

pub fn zoned(cell: Scalar<'_>) -> Option<(Day, Clock, Zone)> {
    text(cell).and_then(civil::read_zoned)
}

/// The microseconds since 1970 of a time, or of a number of seconds.
pub fn instant(cell: Scalar<'_>) -> Option<i64> {
    match zoned(cell) {
        Some((day, clock, zone)) => civil::instant_micros(day, clock, zone),
        None => {
            let micros = decimal(cell)?.scaled(6)?;
            civil::in_years(i64::try_from(micros).ok()?)
        }
    }
}

#[inline(always)]
pub fn text<'w>(cell: Scalar<'w>) -> Option<&'w [u8]> {
    match cell {
        Scalar::Text(text) => Some(text),
        _ => None,
    }
}

/// The integer of 64 bits whose digits these are: no `+3`, no `0042`, nothing but digits.
#[inline(always)]
fn plain_integer(text: &[u8]) -> Option<i64> {
    let digits = text.strip_prefix(b"-").unwrap_or(text);
    if !matches!(digits, [b'0'] | [b'1'..=b'9', ..]) {
        return None;
    }
    let mut value = 0i64;
    for digit in digits {
        let digit = digit.wrapping_sub(b'0');
        if digit > 9 {
            return None;
        }
        value = value.checked_mul(10)?.checked_add(digit.into())?;
    }
    Some(if digits.len() < text.len() { -value } else { value })
}

/// A double that is an integer, where that and its negative have 64 bits.
#[inline(always)]
fn whole(value: f64) -> Option<i64> {
    (value.abs() < -(i64::MIN as f64) && value.trunc() == value).then_some(value as i64)
}

/// The double that a JSON number stands for.
#[inline(always)]
fn finite(text: &[u8]) -> Option<f64> {
    let (number, len) = read_number(text).ok()?;
    if len < text.len() { None } else { number.double().ok() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_are_plain_digits_of_64_bits() {
        for value in [0, 7, -7, 9_007_199_254_740_993, i64::MAX, -i64::MAX] {
            assert_eq!(plain_integer(value.to_string().as_bytes()), Some(value));
        }
        assert_eq!(plain_integer(b"-0"), Some(0));
        for text in [
            "",
            "-",
            "+3",
            "--3",
            "0042",
            "-01",
            " 3",
            "3 ",
            "1_0",
            "1e2",
            "5.0",
            "٣",
            "３",
            "9223372036854775808",
            "-9223372036854775808",
            "10000000000000000000000",
        ] {
            assert_eq!(plain_integer(text.as_bytes()), None, "{text}");
        }
    }

    #[test]
    fn whole_doubles_are_integers() {
        for (value, expected) in [
            (5.0, Some(5)),
            (-0.0, Some(0)),
            (5.5, None),
            (-0.5, None),
            (1e16, Some(10_000_000_000_000_000)),
            (9_223_372_036_854_774_784.0, Some(9_223_372_036_854_774_784)),
            (9_223_372_036_854_775_808.0, None),
            (-9_223_372_036_854_775_808.0, None),
            (1e300, None),
        ] {
            assert_eq!(whole(value), expected, "{value}");
        }
    }

    #[test]
    fn doubles_are_whole_json_numbers() {
        for (text, expected) in [
            ("1e2", Some(100.0)),
            ("-1.5", Some(-1.5)),
            ("1e-400", Some(0.0)),
            ("1e400", None),
            ("NaN", None),
            ("inf", None),
            ("1.", None),
            ("01", None),
            ("1_0", None),
            ("1 ", None),
            (" 1", None),
            ("", None),
        ] {
            assert_eq!(finite(text.as_bytes()), expected, "{text}");
        }
        assert!(finite(b"-0").is_some_and(|zero| zero.is_sign_negative()));
    }
}
