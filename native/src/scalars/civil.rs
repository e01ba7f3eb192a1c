//! Dates and times as data sources write them in the cells of tables.

use super::time::{DAY, MAX_TIMESTAMP, MIN_TIMESTAMP, days_from_civil, days_in_month, two};

const MICROS: i64 = 1_000_000;

/// A day of the calendar, in the years 1 to 9999.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Day {
    pub year: u16,
    pub month: u8,
    pub day: u8,
}

/// A time of day.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clock {
    pub hour: u8,
    pub minute: u8,
    pub second: u8,
    pub micros: u32,
}

/// The zone of a time, in minutes east of Greenwich.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Zone {
    /// None, `Z` or `UTC`.
    Utc,
    Offset(i16),
}

impl Day {
    /// The days since 1970-01-01.
    pub fn number(self) -> i64 {
        days_from_civil(self.year.into(), self.month.into(), self.day.into())
    }
}

impl Clock {
    /// The microseconds since midnight.
    pub fn of_day(self) -> i64 {
        let seconds = (i64::from(self.hour) * 60 + i64::from(self.minute)) * 60;
        (seconds + i64::from(self.second)) * MICROS + i64::from(self.micros)
    }
}

/// The day that `2025-05-04` is.
#[inline]
pub fn read_day(text: &[u8]) -> Option<Day> {
    let [y0, y1, y2, y3, b'-', m0, m1, b'-', d0, d1] = *text else { return None };
    let year = u16::from(two(y0, y1)?) * 100 + u16::from(two(y2, y3)?);
    let (month, day) = (two(m0, m1)?, two(d0, d1)?);
    let valid = year >= 1
        && (1..=12).contains(&month)
        && (1..=days_in_month(year.into(), month)).contains(&day);
    valid.then_some(Day { year, month, day })
}

/// The time that a text such as `10:00:00.25` begins with, and the rest of the text.
#[inline]
fn split_clock(text: &[u8]) -> Option<(Clock, &[u8])> {
    let (clock, mut rest) = text.split_first_chunk::<8>()?;
    let [h0, h1, b':', m0, m1, b':', s0, s1] = *clock else { return None };
    let (hour, minute, second) = (two(h0, h1)?, two(m0, m1)?, two(s0, s1)?);
    if hour > 23 || minute > 59 || second > 59 {
        return None;
    }
    let mut micros = 0;
    if let Some(fraction) = rest.strip_prefix(b".") {
        let count = fraction.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let (digits, after) = fraction.split_at(count);
        let (kept, cut) = digits.split_at(count.min(6));
        if kept.is_empty() || cut.iter().any(|digit| *digit != b'0') {
            return None;
        }
        micros = kept.iter().fold(0, |value, digit| value * 10 + u32::from(digit - b'0'));
        micros *= 10u32.pow(6 - kept.len() as u32);
        rest = after;
    }
    Some((Clock { hour, minute, second, micros }, rest))
}

/// The time of day that a text is.
pub fn read_clock(text: &[u8]) -> Option<Clock> {
    split_clock(text).and_then(|(clock, rest)| rest.is_empty().then_some(clock))
}

/// The day and time that a text without a zone is.
#[inline]
pub fn read_local(text: &[u8]) -> Option<(Day, Clock)> {
    split_local(text).and_then(|(day, clock, rest)| rest.is_empty().then_some((day, clock)))
}

#[inline]
fn split_local(text: &[u8]) -> Option<(Day, Clock, &[u8])> {
    let (day, rest) = text.split_at_checked(10)?;
    let day = read_day(day)?;
    let (b'T' | b' ', rest) = rest.split_first()? else { return None };
    let (clock, rest) = split_clock(rest)?;
    Some((day, clock, rest))
}

/// The day, time and zone that a text is.
#[inline]
pub fn read_zoned(text: &[u8]) -> Option<(Day, Clock, Zone)> {
    let (day, clock, rest) = split_local(text)?;
    let zone = match *rest.strip_prefix(b" ").unwrap_or(rest) {
        [] if rest.is_empty() => Zone::Utc,
        [b'Z'] | [b'U', b'T', b'C'] => Zone::Utc,
        [sign @ (b'+' | b'-'), h0, h1, ref minutes @ ..] => {
            let minutes = match *minutes {
                [] => 0,
                [m0, m1] | [b':', m0, m1] => two(m0, m1)?,
                _ => return None,
            };
            let hours = two(h0, h1)?;
            if hours > 23 || minutes > 59 {
                return None;
            }
            let offset = i16::from(hours) * 60 + i16::from(minutes);
            Zone::Offset(if sign == b'-' { -offset } else { offset })
        }
        _ => return None,
    };
    Some((day, clock, zone))
}

/// The microseconds since 1970 of a day and time, whatever their zone.
pub fn local_micros(day: Day, clock: Clock) -> i64 {
    day.number() * DAY * MICROS + clock.of_day()
}

/// The microseconds since 1970 of a time in a zone; None outside of the years 1 to 9999 in UTC.
pub fn instant_micros(day: Day, clock: Clock, zone: Zone) -> Option<i64> {
    let offset = match zone {
        Zone::Utc => 0,
        Zone::Offset(minutes) => i64::from(minutes) * 60 * MICROS,
    };
    in_years(local_micros(day, clock) - offset)
}

/// The microseconds since 1970, if they are in the years 1 to 9999.
pub fn in_years(micros: i64) -> Option<i64> {
    (MIN_TIMESTAMP..=MAX_TIMESTAMP).contains(&micros.div_euclid(MICROS)).then_some(micros)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days() {
        for (text, expected) in [
            ("1970-01-01", Some(0)),
            ("0001-01-01", Some(-719_162)),
            ("9999-12-31", Some(2_932_896)),
            ("2024-02-29", Some(19_782)),
            ("2025-02-29", None),
            ("0000-01-01", None),
            ("2025-1-01", None),
            ("2025-01-01 ", None),
            ("2025-13-01", None),
        ] {
            assert_eq!(read_day(text.as_bytes()).map(Day::number), expected, "{text}");
        }
    }

    #[test]
    fn instants() {
        for (text, expected) in [
            ("1970-01-01 00:00:00", Some(0)),
            ("1970-01-01T00:00:01.5Z", Some(1_500_000)),
            ("1970-01-01 00:00:00 UTC", Some(0)),
            ("1970-01-01T02:00:00+02", Some(0)),
            ("1970-01-01T02:00:00 +02:00", Some(0)),
            ("1969-12-31T22:00:00-0200", Some(0)),
            ("1970-01-01T00:00:00.1234560000Z", Some(123_456)),
            ("0001-01-01T00:00:00+00:01", None),
            ("1970-01-01T00:00:00.1234567Z", None),
            ("1970-01-01T00:00:00 ", None),
            ("1970-01-01T00:00:00.Z", None),
            ("1970-01-01T24:00:00Z", None),
            ("1970-01-01T00:00:00+24:00", None),
            ("1970-01-01T00:00:00+02:", None),
            ("1970-01-01T00:00:00  Z", None),
            ("1970-01-01", None),
        ] {
            let read = read_zoned(text.as_bytes());
            let micros = read.and_then(|(day, clock, zone)| instant_micros(day, clock, zone));
            assert_eq!(micros, expected, "{text}");
        }
    }
}
