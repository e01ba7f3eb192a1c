//! The ends of values in text that comes in pieces.

use arbtest::arbitrary::{Result, Unstructured};
use arbtest::arbtest;

use super::texts;
use crate::framing::elements::take_values;
use crate::framing::outline::Outline;

/// The end of the value that begins at `start`, character by character.
fn end_of(text: &[u8], start: usize) -> Option<usize> {
    let (mut depth, mut in_string, mut escaped) = (0usize, false, false);
    for (at, byte) in text.iter().enumerate().skip(start) {
        if std::mem::take(&mut escaped) {
            continue;
        }
        match byte {
            // Outside strings too, where an escape is not JSON.
            b'\\' => escaped = true,
            b'"' => in_string = !in_string,
            b'{' | b'[' if !in_string => depth += 1,
            b'}' | b']' if !in_string => depth = depth.saturating_sub(1),
            _ => continue,
        }
        if depth == 0 && !in_string && !escaped {
            return Some(at + 1);
        }
    }
    None
}

fn some_text(u: &mut Unstructured<'_>) -> Result<Vec<u8>> {
    let mut text = Vec::new();
    for _ in 0..u.int_in_range(0..=40)? {
        let pieces = ["{", "}", "[", "]", "\"", "\\", "\\\"", ",", " ", "\"]\"", "text of a value"];
        let piece = u.choose(&pieces)?;
        text.extend(piece.repeat(u.int_in_range(1..=8)?).bytes());
    }
    texts::damage(u, &mut text)?;
    Ok(text)
}

#[test]
fn any_cuts_find_the_same_end() {
    arbtest(|u| {
        let rest = some_text(u)?;
        let text = [u.choose(&["{", "[", "\""])?.as_bytes(), &rest].concat();
        let mut outline = Outline::default();
        let mut start = 0;
        let mut end = None;
        while start < text.len() && end.is_none() {
            let len = u.int_in_range(1..=text.len() - start)?;
            let chunk = &text[start..start + len];
            end = outline.resume(chunk, 0).map(|end| start + end);
            start += len;
        }
        assert_eq!(end, end_of(&text, 0), "{:?}", String::from_utf8_lossy(&text));
        Ok(())
    });
}

#[test]
fn elements_are_whole_values() {
    arbtest(|u| {
        let text = some_text(u)?;
        let separator = *u.choose(&[&b""[..], b","])?;
        let from = u.int_in_range(0..=text.len())?;
        let (mut expected, mut stop) = (Vec::new(), from);
        let skip_blanks = |at: usize| {
            at + text.iter().skip(at).take_while(|byte| b" \t\r\n".contains(byte)).count()
        };
        loop {
            let mut start = skip_blanks(stop);
            if !text[start..].starts_with(separator) {
                break;
            }
            start = skip_blanks(start + separator.len());
            if !matches!(text.get(start), Some(b'{' | b'[')) {
                break;
            }
            let Some(end) = end_of(&text, start) else { break };
            expected.push(text[start..end].to_vec());
            stop = end;
        }
        let mut found = Vec::new();
        let stopped = take_values(&text, from, separator, usize::MAX, |element| {
            found.push(element.to_vec());
            Ok::<_, ()>(())
        });
        assert_eq!((found, stopped), (expected, Ok(stop)), "{:?}", String::from_utf8_lossy(&text));
        Ok(())
    });
}
