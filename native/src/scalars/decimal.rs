//! Decimal numbers, every digit kept.

/// A number that is `digits` times ten to the power of `exponent`, or the negative of that.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Decimal {
    pub negative: bool,
    pub digits: u128,
    pub exponent: i32,
}

/// The largest number of digits: more may not fit.
const MAX_DIGITS: usize = 38;

static POWERS: [u128; MAX_DIGITS + 1] = {
    let mut powers = [1; MAX_DIGITS + 1];
    let mut power = 1;
    while power <= MAX_DIGITS {
        powers[power] = powers[power - 1] * 10;
        power += 1;
    }
    powers
};

/// The number that a text is in JSON's grammar; None also where it has very many digits.
#[inline]
pub fn read_decimal(text: &[u8]) -> Option<Decimal> {
    let (negative, text) = match text.strip_prefix(b"-") {
        Some(rest) => (true, rest),
        None => (false, text),
    };
    let count = |text: &[u8]| text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let whole = count(text);
    let (whole, mut rest) = text.split_at(whole);
    if whole.is_empty() || (whole.len() > 1 && whole[0] == b'0') {
        return None;
    }
    let mut fraction: &[u8] = &[];
    if let Some(after) = rest.strip_prefix(b".") {
        (fraction, rest) = after.split_at(count(after));
        if fraction.is_empty() {
            return None;
        }
    }
    let whole = whole.strip_prefix(b"0").unwrap_or(whole);
    if whole.len() + fraction.len() > MAX_DIGITS {
        return None;
    }
    let mut exponent = -(fraction.len() as i32);
    if let [b'e' | b'E', after @ ..] = rest {
        let (sign, after) = match after {
            [b'-', after @ ..] => (-1, after),
            [b'+', after @ ..] => (1, after),
            _ => (1, after),
        };
        if after.is_empty() || after.len() > 4 || count(after) < after.len() {
            return None;
        }
        let power = after.iter().fold(0, |value, digit| value * 10 + i32::from(digit - b'0'));
        exponent += sign * power;
        rest = &[];
    }
    if !rest.is_empty() {
        return None;
    }
    let digits = if whole.len() + fraction.len() < 20 {
        u128::from(whole.iter().chain(fraction).fold(0u64, |value, digit| {
            value.wrapping_mul(10).wrapping_add(u64::from(digit - b'0'))
        }))
    } else {
        whole.iter().chain(fraction).fold(0, |value, digit| value * 10 + u128::from(digit - b'0'))
    };
    Some(Decimal { negative, digits, exponent })
}

impl Decimal {
    /// The number times ten to the power of `scale`, if that is an integer of 38 digits.
    #[inline]
    pub fn scaled(self, scale: i32) -> Option<i128> {
        if self.digits == 0 {
            return Some(0);
        }
        let power = self.exponent.checked_add(scale)?;
        let ten = *POWERS.get(power.unsigned_abs() as usize)?;
        let value = if power >= 0 {
            match (u64::try_from(self.digits), u64::try_from(ten)) {
                // Most numbers are short: this product needs no look at its size.
                (Ok(digits), Ok(ten)) => u128::from(digits) * u128::from(ten),
                _ => self.digits.checked_mul(ten)?,
            }
        } else if self.digits.is_multiple_of(ten) {
            self.digits / ten
        } else {
            return None;
        };
        if value >= POWERS[MAX_DIGITS] {
            return None;
        }
        let value = value as i128;
        Some(if self.negative { -value } else { value })
    }

    /// Whether the nearest double certainly has these digits as its shortest ones.
    pub fn is_double(self) -> bool {
        self.digits < 1_000_000_000_000_000 && self.exponent.unsigned_abs() < 100
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimals_are_exact() {
        for (text, scale, expected) in [
            ("1.5", 9, Some(1_500_000_000)),
            ("-0.000000001", 9, Some(-1)),
            ("-0", 9, Some(0)),
            ("1e2", 0, Some(100)),
            ("1.7463528E9", 6, Some(1_746_352_800_000_000)),
            ("1.10", 1, Some(11)),
            ("1.15", 1, None),
            ("99999999999999999999999999999.999999999", 9, Some(10i128.pow(38) - 1)),
            ("100000000000000000000000000000", 9, None),
            ("0e9999", 9, Some(0)),
            ("1e9999", 9, None),
            ("1e-9999", 9, None),
        ] {
            let read = read_decimal(text.as_bytes());
            assert_eq!(read.and_then(|number| number.scaled(scale)), expected, "{text}");
        }
        for bad in ["", "-", "+1", "01", ".5", "1.", "1e", "1e+", "1 ", "NaN", "1_0", "1e99999"] {
            assert_eq!(read_decimal(bad.as_bytes()), None, "{bad}");
        }
    }
}
