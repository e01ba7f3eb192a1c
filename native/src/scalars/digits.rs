//! Writes numbers in their shortest form, as Python's `repr` does.

use std::mem::MaybeUninit;

use crate::bytes::out::Out;
use crate::stop::{Result, Stop};

/// Writes a double the way `repr` does, but whole numbers below 1e16 without their `.0`.
#[inline]
pub fn write_double(out: &mut Out<'_>, value: f64) -> Result<()> {
    let whole = value as i64;
    if whole as f64 == value && whole.unsigned_abs() < 10_000_000_000_000_000 {
        if whole == 0 && value.is_sign_negative() {
            return out.array(*b"-0.0");
        }
        return write_integer(out, whole);
    }
    if write_hundredths(out, value)? {
        return Ok(());
    }
    write_digits(out, zmij::Buffer::new().format_finite(value), value.abs() < 1e-4)
}

/// Writes a double as `repr` does: whole numbers have their `.0`.
#[inline]
pub fn write_repr(out: &mut Out<'_>, value: f64) -> Result<()> {
    let whole = value as i64;
    if whole as f64 == value && whole.unsigned_abs() < 10_000_000_000_000_000 && whole != 0 {
        write_integer(out, whole)?;
        return out.array(*b".0");
    }
    if value == 0.0 && value.is_sign_positive() {
        return out.array(*b"0.0");
    }
    write_double(out, value)
}

/// The double whose digits are the fewest, but up to six, that tell a float from all others.
///
/// A subnormal float has fewer digits, and is undecided.
pub fn short_double(value: f32) -> Result<f64> {
    if value.is_subnormal() {
        return Err(Stop::Undecided);
    }
    let mut buffer = [MaybeUninit::uninit(); 32];
    let mut out = Out::new(&mut buffer);
    write_float(&mut out, value)?;
    fast_float2::parse(out.written()).map_err(|_| Stop::Undecided)
}

/// Writes a double that is a number of hundredths, as amounts of money are.
///
/// Below 10^15 two decimals of so few digits never have the same nearest double. So a decimal
/// whose nearest double is `value` is the only one that short, and thus the shortest.
#[inline]
fn write_hundredths(out: &mut Out<'_>, value: f64) -> Result<bool> {
    let hundredths = (value * 100.0).round_ties_even();
    if !(hundredths.abs() < 1e15 && hundredths / 100.0 == value) {
        return Ok(false);
    }
    let hundredths = hundredths as i64;
    let (whole, fraction) =
        (hundredths.unsigned_abs() / 100, (hundredths.unsigned_abs() % 100) as u8);
    if hundredths < 0 {
        out.byte(b'-')?;
    }
    write_unsigned(out, whole)?;
    let digits = [b'.', b'0' + fraction / 10, b'0' + fraction % 10];
    out.prefix(digits, if fraction % 10 == 0 { 2 } else { 3 })?;
    Ok(true)
}

/// Writes a float with the digits that tell it from all other floats.
pub fn write_float(out: &mut Out<'_>, value: f32) -> Result<()> {
    let wide = f64::from(value);
    let whole = wide as i64;
    if whole as f64 == wide && whole.unsigned_abs() < 1 << 24 {
        return write_double(out, wide);
    }
    let is_power_of_two = value.to_bits().trailing_zeros() >= f32::MANTISSA_DIGITS - 1;
    if is_power_of_two || value.is_subnormal() {
        return write_uneven(out, value);
    }
    write_digits(out, zmij::Buffer::new().format_finite(value), value.abs() < 1e-4)
}

/// Writes a float whose shortest digits need not be those that are nearest to it.
///
/// Powers of two have nearer neighbours below than above, and subnormal floats have few digits. The
/// pure backend rounds to ever more digits, from six on (from one, where a float is subnormal),
/// until they read back; so does this.
#[inline(never)]
fn write_uneven(out: &mut Out<'_>, value: f32) -> Result<()> {
    let fewest = if value.is_subnormal() { 0 } else { 5 };
    let mut texts = (fewest..=8).map(|digits| format!("{value:.digits$e}"));
    let text = texts.find(|text| text.parse() == Ok(value)).ok_or(Stop::Undecided)?;
    write_digits(out, &text, true)
}

/// Brings the crate's form (`1e-5`, `1.5e16`, `0.00012`, `123.0`) into Python's.
fn write_digits(out: &mut Out<'_>, text: &str, small: bool) -> Result<()> {
    let (mantissa, exponent) = text.split_once('e').unwrap_or((text, "0"));
    let exponent: i32 = exponent.parse().map_err(|_| Stop::Undecided)?;
    let (sign, mantissa) = match mantissa.strip_prefix('-') {
        Some(rest) => ("-", rest),
        None => ("", mantissa),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    if exponent == 0 && !small && whole.len() <= 16 {
        out.slice(sign.as_bytes())?;
        out.slice(whole.as_bytes())?;
        if fraction.is_empty() || fraction == "0" {
            return Ok(());
        }
        out.byte(b'.')?;
        return out.slice(fraction.as_bytes());
    }
    rewrite(out, sign, whole, fraction, exponent)
}

#[inline(never)]
fn rewrite(
    out: &mut Out<'_>,
    sign: &str,
    whole: &str,
    fraction: &str,
    exponent: i32,
) -> Result<()> {
    // All digits without leading and trailing zeros, and the power of ten of the first one.
    let all = [whole, fraction].concat();
    let digits = all.trim_start_matches('0');
    let leading = all.len() - digits.len();
    let digits = digits.trim_end_matches('0').as_bytes();
    let power = exponent + whole.len() as i32 - 1 - leading as i32;
    out.slice(sign.as_bytes())?;
    let Some((first, rest)) = digits.split_first() else { return out.byte(b'0') };
    match power {
        0..16 => {
            let integer = power as usize + 1;
            let (integer_digits, fraction_digits) = digits.split_at(integer.min(digits.len()));
            out.slice(integer_digits)?;
            for _ in integer_digits.len()..integer {
                out.byte(b'0')?;
            }
            if !fraction_digits.is_empty() {
                out.byte(b'.')?;
                out.slice(fraction_digits)?;
            }
            Ok(())
        }
        -4..0 => {
            out.slice(&b"0.000"[..(1 - power) as usize])?;
            out.slice(digits)
        }
        _ => {
            out.byte(*first)?;
            if !rest.is_empty() {
                out.byte(b'.')?;
                out.slice(rest)?;
            }
            out.byte(b'e')?;
            out.byte(if power < 0 { b'-' } else { b'+' })?;
            if power.unsigned_abs() < 10 {
                out.byte(b'0')?;
            }
            write_unsigned(out, u64::from(power.unsigned_abs()))
        }
    }
}

#[inline]
pub fn write_integer(out: &mut Out<'_>, value: i64) -> Result<()> {
    out.short(itoa::Buffer::new().format(value).as_bytes())
}

#[inline]
pub fn write_unsigned(out: &mut Out<'_>, value: u64) -> Result<()> {
    out.short(itoa::Buffer::new().format(value).as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(write: impl FnOnce(&mut Out<'_>) -> Result<()>) -> String {
        let mut buffer = [std::mem::MaybeUninit::uninit(); 64];
        let mut out = Out::new(&mut buffer);
        write(&mut out).unwrap();
        String::from_utf8(out.written().to_vec()).unwrap()
    }

    #[test]
    fn doubles_look_as_in_python() {
        for (value, expected) in [
            (0.0, "0"),
            (-0.0, "-0.0"),
            (3.0, "3"),
            (-3.0, "-3"),
            (0.1, "0.1"),
            (1e15, "1000000000000000"),
            (9999999999999998.0, "9999999999999998"),
            (1e16, "1e+16"),
            (1.5e16, "1.5e+16"),
            (1e22, "1e+22"),
            (1e-4, "0.0001"),
            (1.5e-4, "0.00015"),
            (1e-5, "1e-05"),
            (1.25e-5, "1.25e-05"),
            (1e100, "1e+100"),
            (5e-324, "5e-324"),
            (1.7976931348623157e308, "1.7976931348623157e+308"),
            (-123.456, "-123.456"),
            (123456789.125, "123456789.125"),
            (0.01, "0.01"),
            (-0.5, "-0.5"),
            (99.99, "99.99"),
            (1234567.1, "1234567.1"),
            (0.07, "0.07"),
            (1.005, "1.005"),
            (9999999999999.99, "9999999999999.99"),
            (0.29, "0.29"),
            (0.1 + 0.2, "0.30000000000000004"),
            (0.001, "0.001"),
            (1234567890123456.8, "1234567890123456.8"),
            (12345678901234567890.0, "1.2345678901234567e+19"),
        ] {
            assert_eq!(written(|out| write_double(out, value)), expected);
        }
    }

    #[test]
    fn floats_have_their_own_shortest_digits() {
        for (value, expected) in [
            (0.1f32, "0.1"),
            (16777216.0, "16777216"),
            (3.4028235e38, "3.4028235e+38"),
            (1e-45, "1e-45"),
            (1e-5, "1e-05"),
            (1.5, "1.5"),
            (-0.0, "-0.0"),
            (123456792.0, "123456790"),
            (1e10, "10000000000"),
            (2f32.powi(-96), "1.26217745e-29"),
            (2f32.powi(90), "1.23794004e+27"),
            (2f32.powi(-10), "0.0009765625"),
            (2f32.powi(40), "1099511600000"),
            (2f32.powi(29), "536870900"),
            (-2f32.powi(33), "-8589935000"),
        ] {
            assert_eq!(written(|out| write_float(out, value)), expected);
        }
    }
}
