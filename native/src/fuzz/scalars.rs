//! Base64, numbers and times, each against another way to read or write them.

use arbtest::arbitrary::{Result, Unstructured};
use arbtest::arbtest;

use super::{is_json, texts, written};
use crate::scalars::base64;
use crate::scalars::digits;
use crate::scalars::number::read_number;
use crate::scalars::time;

/// The bytes of a base64 text by its definition.
fn bytes_of(text: &[u8]) -> Option<Vec<u8>> {
    const LETTERS: &[u8; 62] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
    let padding = text.iter().rev().take_while(|byte| **byte == b'=').count();
    let letters = &text[..text.len() - padding];
    if padding > 2 || (padding > 0 && !text.len().is_multiple_of(4)) || letters.len() % 4 == 1 {
        return None;
    }
    if letters.iter().any(|byte| b"+/".contains(byte))
        && letters.iter().any(|byte| b"-_".contains(byte))
    {
        return None;
    }
    let (mut bits, mut count, mut bytes) = (0u32, 0, Vec::new());
    for letter in letters {
        let value = match letter {
            b'+' | b'-' => 62,
            b'/' | b'_' => 63,
            _ => LETTERS.iter().position(|other| other == letter)? as u32,
        };
        (bits, count) = (bits << 6 | value, count + 6);
        if count >= 8 {
            count -= 8;
            bytes.push((bits >> count) as u8);
            bits &= (1 << count) - 1;
        }
    }
    (bits == 0).then_some(bytes)
}

#[test]
fn base64_by_its_definition() {
    arbtest(|u| {
        let bytes = some_bytes(u)?;
        let mut text = written(0, |out| base64::write(&bytes, out)).unwrap();
        assert_eq!(bytes_of(&text), Some(bytes.clone()));
        match u.int_in_range(0..=3)? {
            0 => text.retain(|byte| *byte != b'='),
            1 => text.iter_mut().for_each(|byte| match byte {
                b'+' => *byte = b'-',
                b'/' => *byte = b'_',
                _ => {}
            }),
            _ => {}
        }
        if u.arbitrary()? {
            texts::damage(u, &mut text)?;
        }
        let room = u.int_in_range(0..=300)?;
        let read = written(room, |out| base64::read(&text, out));
        assert_eq!(read, bytes_of(&text), "{:?}", String::from_utf8_lossy(&text));

        // With a quote behind it, the end is looked for on the way.
        let quoted = [&text[..], b"\", and more"].concat();
        let mut end = None;
        let read = written(room, |out| {
            end = base64::read_quoted(&quoted, out)?;
            Ok(())
        });
        if let Some(end) = end {
            assert_eq!(quoted[end], b'"');
            assert_eq!(read, bytes_of(&quoted[..end]));
        }
        Ok(())
    });
}

/// A few bytes, or some more than are read at once.
fn some_bytes(u: &mut Unstructured<'_>) -> Result<Vec<u8>> {
    let bytes: Vec<u8> = u.arbitrary()?;
    Ok(if u.ratio(1, 16)? { bytes.repeat(1 + 60_000 / bytes.len().max(1)) } else { bytes })
}

/// A number's text, or something like it.
fn some_number(u: &mut Unstructured<'_>) -> Result<Vec<u8>> {
    let digits = |u: &mut Unstructured<'_>, most: usize| -> Result<String> {
        let count = u.int_in_range(0..=most)?;
        (0..count).map(|_| Ok(char::from(*u.choose(b"0123456789")?))).collect()
    };
    let mut text = String::new();
    match u.int_in_range(0..=3)? {
        0 => text = format!("{:e}", f64::from_bits(u.arbitrary()?)),
        1 => text = u.arbitrary::<u64>()?.to_string(),
        _ => {
            text += u.choose(&["", "-"])?;
            text += &digits(u, 24)?;
            if u.arbitrary()? {
                text += ".";
                text += &digits(u, 24)?;
            }
            if u.arbitrary()? {
                text += u.choose(&["e", "E", "e-", "e+"])?;
                text += &digits(u, 4)?;
            }
        }
    }
    let mut text = text.into_bytes();
    if u.ratio(1, 8)? {
        texts::damage(u, &mut text)?;
    }
    Ok(text)
}

/// The integer that a JSON number is, if it is one of less than 39 digits.
fn integer_of(text: &str) -> Option<i128> {
    let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    let (sign, mantissa) = mantissa.strip_prefix('-').map_or((1, mantissa), |rest| (-1, rest));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = [whole, fraction].concat();
    let significant = digits.trim_end_matches('0');
    if significant.is_empty() {
        return Some(0);
    }
    let dropped = digits.len() - significant.len();
    let zeros = exponent.parse::<i128>().ok()? + dropped as i128 - fraction.len() as i128;
    let zeros = u32::try_from(zeros).ok()?;
    let value: i128 = significant.parse().ok()?;
    Some(sign * value.checked_mul(10i128.checked_pow(zeros)?)?)
}

#[test]
fn numbers_by_the_standard_library() {
    arbtest(|u| {
        let text = some_number(u)?;
        let ahead = [&text[..], u.choose(&["", ",", "]      ", "        1"])?.as_bytes()].concat();
        let is_number = text.first().is_some_and(|byte| b"-0123456789".contains(byte))
            && text.last().is_some_and(u8::is_ascii_digit)
            && is_json(&text);
        let read = read_number(&ahead).ok().filter(|(_, len)| *len == text.len());
        assert_eq!(read.is_some(), is_number, "{:?}", String::from_utf8_lossy(&text));
        let Some((number, _)) = read else { return Ok(()) };
        let text = String::from_utf8(text).unwrap();
        let expected: f64 = text.parse().unwrap();
        let expected = expected.is_finite().then_some(expected.to_bits());
        assert_eq!(number.double().ok().map(f64::to_bits), expected, "{text}");
        let integer = integer_of(&text);
        if let Ok(value) = number.signed() {
            assert_eq!(Some(value.into()), integer, "{text}");
        }
        if let Ok(value) = number.unsigned() {
            assert_eq!(Some(value.into()), integer, "{text}");
        }
        // A plain integer is always decided.
        if text.bytes().all(|byte| byte.is_ascii_digit()) {
            let expected = integer.and_then(|value| u64::try_from(value).ok());
            assert_eq!(number.unsigned().ok(), expected, "{text}");
        }
        Ok(())
    });
}

/// The number of digits without the zeros at both ends.
fn digits_in(text: &str) -> usize {
    let mantissa = text.split('e').next().unwrap_or_default().replace(['-', '.'], "");
    mantissa.trim_matches('0').len()
}

#[test]
fn doubles_and_floats_in_their_shortest_form() {
    arbtest(|u| {
        let value = match u.int_in_range(0..=2)? {
            0 => f64::from_bits(u.arbitrary()?),
            1 => f64::from(u.arbitrary::<i32>()?) / 100.0,
            _ => u.arbitrary::<i64>()? as f64 / 10f64.powi(u.int_in_range(-5..=20)?),
        };
        if value.is_finite() {
            let text = written(64, |out| digits::write_double(out, value)).unwrap();
            let text = String::from_utf8(text).unwrap();
            assert_eq!(text.parse().map(f64::to_bits), Ok(value.to_bits()), "{text}");
            assert_eq!(digits_in(&text), digits_in(&format!("{value:e}")), "{text}");
            assert!(is_json(text.as_bytes()));
        }
        let value = f32::from_bits(u.arbitrary()?);
        if value.is_finite() {
            let text = written(64, |out| digits::write_float(out, value)).unwrap();
            let text = String::from_utf8(text).unwrap();
            assert_eq!(text.parse().map(f32::to_bits), Ok(value.to_bits()), "{text}");
            assert_eq!(text.parse().map(|wide: f64| wide as f32), Ok(value), "{text}");
            assert!(is_json(text.as_bytes()));
        }
        Ok(())
    });
}

/// The nanoseconds of a decimal number of seconds.
fn nanos_of(text: &str) -> i128 {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let sign = if whole.starts_with('-') { -1 } else { 1 };
    let whole: i128 = whole.trim_start_matches('-').parse().unwrap();
    let fraction: i128 = format!("{fraction:0<9}").parse().unwrap();
    sign * (whole * 1_000_000_000 + fraction)
}

#[test]
fn times() {
    arbtest(|u| {
        let mut text = match u.int_in_range(0..=2)? {
            0 => written(64, |out| {
                time::write_timestamp(out, u.arbitrary::<i64>().unwrap_or(0) >> 26, 5_000_000)
            }),
            1 => written(64, |out| {
                time::write_duration(out, u.arbitrary::<i64>().unwrap_or(0) >> 25, 0)
            }),
            _ => Some(u.choose(&["2025-01-02T03:04:05.25+05:30", "-1.500s"])?.as_bytes().to_vec()),
        }
        .unwrap_or_default();
        if u.ratio(3, 4)? {
            texts::damage(u, &mut text)?;
        }
        if let Some((seconds, nanos)) = time::read_timestamp(&text) {
            // The date and time as they are in UTC, less the offset.
            let rest = std::str::from_utf8(&text[19..]).unwrap();
            let zone = rest.trim_start_matches(|c: char| c == '.' || c.is_ascii_digit());
            let fraction = &rest[..rest.len() - zone.len()];
            let offset = match zone.split_at(1) {
                ("Z", "") => 0,
                (sign, zone) => {
                    let (hours, minutes) = zone.split_once(':').unwrap();
                    let minutes =
                        hours.parse::<i64>().unwrap() * 60 + minutes.parse::<i64>().unwrap();
                    minutes * if sign == "-" { -60 } else { 60 }
                }
            };
            assert_eq!(i128::from(nanos), nanos_of(&format!("0{fraction}")));
            let local = written(64, |out| time::write_timestamp(out, seconds + offset, 0));
            // The local date may be out of the range of a Timestamp.
            if let Some(local) = local {
                assert_eq!(local[..19], text[..19]);
            }
            let printed = written(64, |out| time::write_timestamp(out, seconds, nanos)).unwrap();
            assert_eq!(time::read_timestamp(&printed), Some((seconds, nanos)));
        }
        if let Some((seconds, nanos)) = time::read_duration(&text) {
            let number = std::str::from_utf8(&text).unwrap().trim_end_matches('s');
            assert_eq!(i128::from(seconds) * 1_000_000_000 + i128::from(nanos), nanos_of(number));
            let printed = written(64, |out| time::write_duration(out, seconds, nanos)).unwrap();
            assert_eq!(time::read_duration(&printed), Some((seconds, nanos)));
        }
        Ok(())
    });
}
