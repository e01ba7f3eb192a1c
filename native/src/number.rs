//! JSON numbers: reading them exactly, and writing them in their shortest form.

use crate::Stop;
use crate::out::Out;

type Result<T> = std::result::Result<T, Stop>;

/// A number as it was read.
#[derive(Clone, Copy, Debug)]
pub struct Number<'j> {
    text: &'j [u8],
    negative: bool,
    /// All digits as one integer, if `exact`.
    mantissa: u64,
    /// The power of ten that `mantissa` is to be multiplied with.
    exponent: i32,
    /// Whether `mantissa` holds all digits.
    exact: bool,
}

const POWERS: [f64; 23] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
    1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
];
/// The largest integer up to which every integer is a double.
const EXACT_DOUBLE: u64 = 1 << 53;

/// Reads the JSON number at the start of `text`; also gives its length.
#[inline(always)]
pub fn read_number(text: &[u8]) -> Result<(Number<'_>, usize)> {
    let negative = text.first() == Some(&b'-');
    let start = usize::from(negative);
    let mut at = start;
    let mut mantissa = 0u64;
    let mut digits = |at: &mut usize| {
        if let Some(eight) = text.get(*at..).and_then(<[u8]>::first_chunk) {
            let (value, count) = leading_digits(u64::from_le_bytes(*eight));
            if count < 8 {
                mantissa = mantissa.wrapping_mul(INTEGER_POWERS[count]).wrapping_add(value);
                *at += count;
                return;
            }
        }
        while let Some(digit @ b'0'..=b'9') = text.get(*at) {
            mantissa = mantissa.wrapping_mul(10).wrapping_add(u64::from(digit - b'0'));
            *at += 1;
        }
    };
    digits(&mut at);
    let whole = at - start;
    if whole == 0 || (whole > 1 && text[start] == b'0') {
        return Err(Stop::HandBack);
    }
    let mut count = whole;
    let mut exponent = 0i32;
    if text.get(at) == Some(&b'.') {
        at += 1;
        let fraction = at;
        digits(&mut at);
        let len = at - fraction;
        if len == 0 {
            return Err(Stop::HandBack);
        }
        count += len;
        exponent = -i32::try_from(len).map_err(|_| Stop::HandBack)?;
    }
    if matches!(text.get(at), Some(b'e' | b'E')) {
        exponent = exponent.saturating_add(read_exponent(text, &mut at)?);
    }
    let number = Number { text: &text[..at], negative, mantissa, exponent, exact: count <= 19 };
    Ok((number, at))
}

const INTEGER_POWERS: [u64; 8] = [1, 10, 100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000];

/// The number that the first bytes of eight are as digits, and how many are; no branch for each.
#[inline(always)]
fn leading_digits(eight: u64) -> (u64, usize) {
    const EACH: u64 = 0x0101_0101_0101_0101;

    let values = eight ^ (EACH * 0x30);
    // A byte below ten stays below 0x80 when 0x76 is added; no carry leaves its byte.
    let others = (((values & (EACH * 0x7F)) + EACH * 0x76) | values) & (EACH * 0x80);
    let count = (others.trailing_zeros() / 8) as usize;
    if count == 0 {
        return (0, 0);
    }
    // As many zeros in front as digits are missing; then pairs, fours and all eight are joined.
    let padded = values << (64 - 8 * count);
    let pairs = padded.wrapping_mul(10).wrapping_add(padded >> 8);
    let high = (pairs & 0x0000_00FF_0000_00FF).wrapping_mul(0x000F_4240_0000_0064);
    let low = (pairs >> 16 & 0x0000_00FF_0000_00FF).wrapping_mul(0x0000_2710_0000_0001);
    (high.wrapping_add(low) >> 32, count)
}

#[inline(never)]
fn read_exponent(text: &[u8], at: &mut usize) -> Result<i32> {
    *at += 1;
    let negative = text.get(*at) == Some(&b'-');
    *at += usize::from(matches!(text.get(*at), Some(b'-' | b'+')));
    let start = *at;
    let mut exponent = 0i32;
    while let Some(digit @ b'0'..=b'9') = text.get(*at) {
        exponent = exponent.saturating_mul(10).saturating_add(i32::from(digit - b'0'));
        *at += 1;
    }
    if *at == start {
        return Err(Stop::HandBack);
    }
    Ok(if negative { -exponent } else { exponent })
}

impl Number<'_> {
    /// The nearest double; one that is too large for any is handed back.
    #[inline(always)]
    pub fn double(&self) -> Result<f64> {
        if self.exact && self.mantissa <= EXACT_DOUBLE && self.exponent.unsigned_abs() <= 22 {
            // Both operands are exact, so that the one rounding of the result is the right one.
            let power = POWERS[self.exponent.unsigned_abs() as usize];
            let mantissa = self.mantissa as f64;
            let value = if self.exponent < 0 { mantissa / power } else { mantissa * power };
            return Ok(if self.negative { -value } else { value });
        }
        self.slow_double()
    }

    #[inline(never)]
    fn slow_double(&self) -> Result<f64> {
        let value: f64 = fast_float2::parse(self.text).map_err(|_| Stop::HandBack)?;
        if value.is_finite() { Ok(value) } else { Err(Stop::HandBack) }
    }

    /// The sign and the absolute value of an integer, however it is written (`100`, `1e2`, `1.0`).
    #[inline(always)]
    pub fn integer(&self) -> Result<(bool, u64)> {
        if self.exponent == 0 && self.exact {
            return Ok((self.negative, self.mantissa));
        }
        self.slow_integer()
    }

    #[inline(never)]
    fn slow_integer(&self) -> Result<(bool, u64)> {
        if !self.exact {
            // Twenty digits can still be an unsigned integer of 64 bits.
            let digits = &self.text[usize::from(self.negative)..];
            let digits = std::str::from_utf8(digits).map_err(|_| Stop::HandBack)?;
            return Ok((self.negative, digits.parse().map_err(|_| Stop::HandBack)?));
        }
        let power = 10u64.checked_pow(self.exponent.unsigned_abs());
        let value = match power {
            _ if self.mantissa == 0 => 0,
            Some(power) if self.exponent > 0 => {
                self.mantissa.checked_mul(power).ok_or(Stop::HandBack)?
            }
            Some(power) if self.mantissa.is_multiple_of(power) => self.mantissa / power,
            _ => return Err(Stop::HandBack),
        };
        Ok((self.negative, value))
    }

    #[inline(always)]
    pub fn signed(&self) -> Result<i64> {
        let (negative, value) = self.integer()?;
        if negative {
            0i64.checked_sub_unsigned(value).ok_or(Stop::HandBack)
        } else {
            i64::try_from(value).map_err(|_| Stop::HandBack)
        }
    }

    #[inline(always)]
    pub fn unsigned(&self) -> Result<u64> {
        match self.integer()? {
            (true, value) if value != 0 => Err(Stop::HandBack),
            (_, value) => Ok(value),
        }
    }
}

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
/// pure backend rounds to ever more digits, from six on, until they read back; so does this.
#[inline(never)]
fn write_uneven(out: &mut Out<'_>, value: f32) -> Result<()> {
    let mut texts = (5..=8).map(|digits| format!("{value:.digits$e}"));
    let text = texts.find(|text| text.parse() == Ok(value)).ok_or(Stop::HandBack)?;
    write_digits(out, &text, true)
}

/// Brings the crate's form (`1e-5`, `1.5e16`, `0.00012`, `123.0`) into Python's.
fn write_digits(out: &mut Out<'_>, text: &str, small: bool) -> Result<()> {
    let (mantissa, exponent) = text.split_once('e').unwrap_or((text, "0"));
    let exponent: i32 = exponent.parse().map_err(|_| Stop::HandBack)?;
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
    use std::mem::MaybeUninit;

    use super::*;

    fn read(text: &str) -> Option<Number<'_>> {
        read_number(text.as_bytes())
            .ok()
            .filter(|(_, len)| *len == text.len())
            .map(|(number, _)| number)
    }

    fn written(write: impl FnOnce(&mut Out<'_>) -> Result<()>) -> String {
        let mut buffer = [MaybeUninit::new(0u8); 64];
        let mut out = Out::new(&mut buffer);
        write(&mut out).unwrap();
        let len = out.len();
        // SAFETY: The buffer was made of initialised bytes.
        buffer[..len].iter().map(|byte| char::from(unsafe { byte.assume_init() })).collect()
    }

    #[test]
    fn the_grammar_is_that_of_json() {
        for good in
            ["0", "-0", "1", "-1.5", "1e2", "1E+2", "1e-2", "0.5", "123456789012345678901234567890"]
        {
            assert!(read(good).is_some(), "{good}");
        }
        for bad in
            ["", "-", "+1", "01", "-01", ".5", "1.", "1.e1", "1e", "1e+", "0x1", "NaN", "1_0", "１"]
        {
            assert!(read(bad).is_none(), "{bad}");
        }
    }

    #[test]
    fn digits_are_counted_and_read() {
        for number in [0u64, 7, 10, 99, 123, 4096, 65_536, 999_999, 1_234_567, 12_345_678] {
            for end in ["", ".5", "e1", ",", "\u{ff}", ":", "/", "\0"] {
                let text = format!("{number}{end}         ");
                let eight = u64::from_le_bytes(*text.as_bytes().first_chunk().unwrap());
                let digits = number.to_string().len();
                assert_eq!(leading_digits(eight), (number, digits), "{text}");
            }
        }
    }

    #[test]
    fn doubles_are_the_nearest_ones() {
        for text in [
            "0",
            "-0.0",
            "1",
            "0.1",
            "-1.5",
            "9007199254740993",
            "1e22",
            "1e23",
            "123456789.123456789",
            "1.7976931348623157e308",
            "5e-324",
            "2.2250738585072011e-308",
            "0.30000000000000004",
            "1e-400",
            "179769313486231570000000000000000000000",
        ] {
            let expected: f64 = text.parse().unwrap();
            assert_eq!(
                read(text).unwrap().double().unwrap().to_bits(),
                expected.to_bits(),
                "{text}"
            );
        }
        assert!(read("1e400").unwrap().double().is_err());
    }

    #[test]
    fn integers_are_exact() {
        for (text, expected) in [
            ("0", Some(0)),
            ("-0", Some(0)),
            ("1e2", Some(100)),
            ("1.0", Some(1)),
            ("1.50e1", Some(15)),
            ("9223372036854775807", Some(i64::MAX)),
            ("-9223372036854775808", Some(i64::MIN)),
            ("9223372036854775808", None),
            ("1.5", None),
            ("1e400", None),
            ("0e400", Some(0)),
            ("1e-1", None),
            ("0e99999999999", Some(0)),
            ("1000e-3", Some(1)),
        ] {
            assert_eq!(read(text).unwrap().signed().ok(), expected, "{text}");
        }
        assert_eq!(read("18446744073709551615").unwrap().unsigned().ok(), Some(u64::MAX));
        assert_eq!(read("18446744073709551616").unwrap().unsigned().ok(), None);
        assert_eq!(read("-1").unwrap().unsigned().ok(), None);
        assert_eq!(read("-0").unwrap().unsigned().ok(), Some(0));
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
            (1e-45, "1.4013e-45"),
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
