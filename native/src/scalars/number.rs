//! JSON numbers: reading them exactly, and writing them in their shortest form.

use crate::stop::{Result, Stop};

/// A number as it was read.
#[derive(Clone, Copy, Debug)]
pub struct Number<'j> {
    text: &'j [u8],
    negative: bool,
    /// All digits as one integer, if `exact`.
    mantissa: u64,
    /// The power of ten by which `mantissa` is multiplied.
    exponent: i32,
    /// Whether `mantissa` holds all digits.
    exact: bool,
}

// Static, because a constant would be copied for each look into it.
static POWERS: [f64; 23] = [
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
        while let Some(eight) = text.get(*at..).and_then(<[u8]>::first_chunk) {
            let (value, count) = leading_digits(u64::from_le_bytes(*eight));
            mantissa = mantissa.wrapping_mul(INTEGER_POWERS[count]).wrapping_add(value);
            *at += count;
            if count < 8 {
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
        return Err(Stop::Undecided);
    }
    let mut count = whole;
    let mut exponent = 0i32;
    if text.get(at) == Some(&b'.') {
        at += 1;
        let fraction = at;
        digits(&mut at);
        let len = at - fraction;
        if len == 0 {
            return Err(Stop::Undecided);
        }
        count += len;
        exponent = -i32::try_from(len).map_err(|_| Stop::Undecided)?;
    }
    if matches!(text.get(at), Some(b'e' | b'E')) {
        exponent = exponent.saturating_add(read_exponent(text, &mut at)?);
    }
    let number = Number { text: &text[..at], negative, mantissa, exponent, exact: count <= 19 };
    Ok((number, at))
}

static INTEGER_POWERS: [u64; 9] =
    [1, 10, 100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000];

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
    // Zeros in front replace missing digits; then pairs, fours and all eight are joined.
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
        return Err(Stop::Undecided);
    }
    Ok(if negative { -exponent } else { exponent })
}

impl Number<'_> {
    /// The nearest double; numbers beyond the largest one are undecided.
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
        let value: f64 = fast_float2::parse(self.text).map_err(|_| Stop::Undecided)?;
        if value.is_finite() { Ok(value) } else { Err(Stop::Undecided) }
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
            let digits = std::str::from_utf8(digits).map_err(|_| Stop::Undecided)?;
            return Ok((self.negative, digits.parse().map_err(|_| Stop::Undecided)?));
        }
        let power = 10u64.checked_pow(self.exponent.unsigned_abs());
        let value = match power {
            _ if self.mantissa == 0 => 0,
            Some(power) if self.exponent > 0 => {
                self.mantissa.checked_mul(power).ok_or(Stop::Undecided)?
            }
            Some(power) if self.mantissa.is_multiple_of(power) => self.mantissa / power,
            _ => return Err(Stop::Undecided),
        };
        Ok((self.negative, value))
    }

    #[inline(always)]
    pub fn signed(&self) -> Result<i64> {
        let (negative, value) = self.integer()?;
        if negative {
            0i64.checked_sub_unsigned(value).ok_or(Stop::Undecided)
        } else {
            i64::try_from(value).map_err(|_| Stop::Undecided)
        }
    }

    #[inline(always)]
    pub fn unsigned(&self) -> Result<u64> {
        match self.integer()? {
            (true, value) if value != 0 => Err(Stop::Undecided),
            (_, value) => Ok(value),
        }
    }
}

/// A text that is one number from end to end.
pub fn number_of(text: &[u8]) -> Result<Number<'_>> {
    let (number, len) = read_number(text)?;
    if len == text.len() { Ok(number) } else { Err(Stop::Undecided) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Option<Number<'_>> {
        read_number(text.as_bytes())
            .ok()
            .filter(|(_, len)| *len == text.len())
            .map(|(number, _)| number)
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
}
