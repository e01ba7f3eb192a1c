//! The text forms of Timestamp and Duration.

use crate::bytes::out::Out;
use crate::scalars::digits::write_integer;
use crate::stop::{Result, Stop};

pub(super) const DAY: i64 = 86_400;
pub(super) const MIN_TIMESTAMP: i64 = -62_135_596_800;
pub(super) const MAX_TIMESTAMP: i64 = 253_402_300_799;
const MAX_DURATION: i64 = 315_576_000_000;
const NANOS: i32 = 1_000_000_000;

/// Seconds and nanoseconds of an RFC 3339 text.
pub fn read_timestamp(text: &[u8]) -> Option<(i64, i32)> {
    let (date_time, rest) = text.split_first_chunk::<19>()?;
    let [y0, y1, y2, y3, b'-', m0, m1, b'-', d0, d1, b'T', h0, h1, b':', n0, n1, b':', s0, s1] =
        *date_time
    else {
        return None;
    };
    let year = u32::from(two(y0, y1)?) * 100 + u32::from(two(y2, y3)?);
    let (month, day) = (two(m0, m1)?, two(d0, d1)?);
    let (hour, minute, second) = (two(h0, h1)?, two(n0, n1)?, two(s0, s1)?);
    let in_range = year >= 1
        && (1..=12).contains(&month)
        && (1..=days_in_month(year, month)).contains(&day)
        && hour < 24
        && minute < 60
        && second < 60;
    if !in_range {
        return None;
    }
    let (nanos, rest) = read_fraction(rest)?;
    let offset = match *rest {
        [b'Z'] => 0,
        [sign @ (b'+' | b'-'), h0, h1, b':', m0, m1] => {
            let (hours, minutes) = (two(h0, h1)?, two(m0, m1)?);
            if hours > 23 || minutes > 59 {
                return None;
            }
            let offset = i64::from(hours) * 3600 + i64::from(minutes) * 60;
            if sign == b'+' { offset } else { -offset }
        }
        _ => return None,
    };
    let of_day = i64::from(hour) * 3600 + i64::from(minute) * 60 + i64::from(second);
    let seconds = days_from_civil(year, month.into(), day.into()) * DAY + of_day - offset;
    (MIN_TIMESTAMP..=MAX_TIMESTAMP).contains(&seconds).then_some((seconds, nanos))
}

/// Seconds and nanoseconds, of one sign, of a duration's text.
pub fn read_duration(text: &[u8]) -> Option<(i64, i32)> {
    let text = text.strip_suffix(b"s")?;
    let (negative, text) = match text.strip_prefix(b"-") {
        Some(rest) => (true, rest),
        None => (false, text),
    };
    let whole = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let (digits, rest) = text.split_at(whole);
    if whole == 0 || whole > 13 || (whole > 1 && digits[0] == b'0') {
        return None;
    }
    let seconds = digits.iter().fold(0, |value, digit| value * 10 + i64::from(digit - b'0'));
    let (nanos, rest) = read_fraction(rest)?;
    if !rest.is_empty() || seconds > MAX_DURATION {
        return None;
    }
    Some(if negative { (-seconds, -nanos) } else { (seconds, nanos) })
}

/// Reads a fraction of 1 to 9 digits, if one comes, as nanoseconds.
#[inline(always)]
fn read_fraction(text: &[u8]) -> Option<(i32, &[u8])> {
    let Some(text) = text.strip_prefix(b".") else { return Some((0, text)) };
    let (mut value, mut count) = (0, 0);
    while let Some(digit @ b'0'..=b'9') = text.get(count) {
        if count == 9 {
            return None;
        }
        value = value * 10 + u32::from(digit - b'0');
        count += 1;
    }
    if count == 0 {
        return None;
    }
    static MISSING: [u32; 10] =
        [1_000_000_000, 100_000_000, 10_000_000, 1_000_000, 100_000, 10_000, 1_000, 100, 10, 1];
    Some(((value * MISSING[count]) as i32, &text[count..]))
}

#[inline(always)]
pub(super) fn two(tens: u8, ones: u8) -> Option<u8> {
    let (tens, ones) = (tens.wrapping_sub(b'0'), ones.wrapping_sub(b'0'));
    (tens < 10 && ones < 10).then(|| tens * 10 + ones)
}

pub(super) fn days_in_month(year: u32, month: u8) -> u8 {
    match month {
        4 | 6 | 9 | 11 => 30,
        2 if year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400)) => {
            29
        }
        2 => 28,
        _ => 31,
    }
}

/// Days since 1970-01-01 in the proleptic Gregorian calendar, counted in years that begin in March.
/// The year is one of 1 to 9999.
#[inline(always)]
pub(super) fn days_from_civil(year: u32, month: u32, day: u32) -> i64 {
    let (year, month) = if month <= 2 { (year - 1, month + 9) } else { (year, month - 3) };
    let leap_days = year / 4 - year / 100 + year / 400;
    i64::from(year * 365 + leap_days + (153 * month + 2) / 5 + day) - 719_469
}

fn civil_from_days(days: i64) -> (i64, i64, i64) {
    let days = days + 719_468;
    let era = days.div_euclid(146_097);
    let of_era = days.rem_euclid(146_097);
    let year = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let shifted = (5 * of_year + 2) / 153;
    let day = of_year - (153 * shifted + 2) / 5 + 1;
    let month = if shifted < 10 { shifted + 3 } else { shifted - 9 };
    (year + era * 400 + i64::from(month <= 2), month, day)
}

/// Writes a Timestamp.
pub fn write_timestamp(out: &mut Out<'_>, seconds: i64, nanos: i32) -> Result<()> {
    if !(MIN_TIMESTAMP..=MAX_TIMESTAMP).contains(&seconds) || !(0..NANOS).contains(&nanos) {
        return Err(Stop::Undecided);
    }
    let (year, month, day) = civil_from_days(seconds.div_euclid(DAY));
    let of_day = seconds.rem_euclid(DAY);
    let mut text = *b"0000-00-00T00:00:00";
    let parts = [
        (0, year / 100),
        (2, year % 100),
        (5, month),
        (8, day),
        (11, of_day / 3600),
        (14, of_day / 60 % 60),
        (17, of_day % 60),
    ];
    for (place, value) in parts {
        text[place] += (value / 10) as u8;
        text[place + 1] += (value % 10) as u8;
    }
    out.array(text)?;
    write_fraction(out, nanos.unsigned_abs())?;
    out.byte(b'Z')
}

/// Writes a Duration.
pub fn write_duration(out: &mut Out<'_>, seconds: i64, nanos: i32) -> Result<()> {
    let in_range = seconds.unsigned_abs() <= MAX_DURATION as u64
        && nanos.unsigned_abs() < NANOS as u32
        && !(seconds < 0 && nanos > 0)
        && !(seconds > 0 && nanos < 0);
    if !in_range {
        return Err(Stop::Undecided);
    }
    if seconds < 0 || nanos < 0 {
        out.byte(b'-')?;
    }
    write_integer(out, seconds.abs())?;
    write_fraction(out, nanos.unsigned_abs())?;
    out.byte(b's')
}

/// Writes 0, 3, 6 or 9 digits behind a point.
fn write_fraction(out: &mut Out<'_>, nanos: u32) -> Result<()> {
    let (value, digits) = match nanos {
        0 => return Ok(()),
        nanos if nanos % 1_000_000 == 0 => (nanos / 1_000_000, 3),
        nanos if nanos % 1000 == 0 => (nanos / 1000, 6),
        nanos => (nanos, 9),
    };
    out.byte(b'.')?;
    let mut rest = value;
    let mut text = [b'0'; 9];
    for place in (0..digits).rev() {
        text[place] += (rest % 10) as u8;
        rest /= 10;
    }
    out.slice(&text[..digits])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_day_there_is() {
        let (mut year, mut month, mut day) = (1, 1, 1);
        for days in MIN_TIMESTAMP / DAY..=MAX_TIMESTAMP / DAY {
            assert_eq!(civil_from_days(days), (year.into(), i64::from(month), i64::from(day)));
            assert_eq!(days_from_civil(year, month.into(), day.into()), days);
            day += 1;
            if day > days_in_month(year, month) {
                (day, month) = (1, month + 1);
            }
            if month > 12 {
                (month, year) = (1, year + 1);
            }
        }
        assert_eq!(year, 10_000);
    }

    #[test]
    fn timestamps() {
        for (text, expected) in [
            ("1970-01-01T00:00:00Z", Some((0, 0))),
            ("2025-01-02T03:04:05.5-05:00", Some((1_735_805_045, 500_000_000))),
            ("0001-01-01T00:00:00Z", Some((MIN_TIMESTAMP, 0))),
            ("9999-12-31T23:59:59.999999999Z", Some((MAX_TIMESTAMP, 999_999_999))),
            ("0001-01-01T00:00:00+00:01", None),
            ("2016-12-31T23:59:60Z", None),
            ("2025-02-29T00:00:00Z", None),
            ("2025-01-02T03:04:05", None),
            ("2025-01-02t03:04:05Z", None),
            ("2025-01-02T03:04:05.Z", None),
            ("2025-01-02T03:04:05+24:00", None),
            ("2025-01-02T03:04:05+05:30Z", None),
        ] {
            assert_eq!(read_timestamp(text.as_bytes()), expected, "{text}");
        }
    }

    #[test]
    fn durations() {
        for (text, expected) in [
            ("0s", Some((0, 0))),
            ("-0.5s", Some((0, -500_000_000))),
            ("315576000000s", Some((MAX_DURATION, 0))),
            ("315576000000.1s", Some((MAX_DURATION, 100_000_000))),
            ("315576000001s", None),
            ("01s", None),
            ("1.s", None),
            ("-.5s", None),
            ("1.0000000001s", None),
            ("s", None),
        ] {
            assert_eq!(read_duration(text.as_bytes()), expected, "{text}");
        }
    }
}
