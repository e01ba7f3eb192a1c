//! Compact JSON text with another layout, as Python's own writer has it.

use crate::bytes::out::Out;
use crate::bytes::search::special;
use crate::scalars::string::end_of_escaped;
use crate::stop::{Result, Stop};

/// The most blanks for each level; the pure backend decides about more, which need much memory.
pub const MAX_BLANKS: usize = 256;

const BLANKS: [u8; 64] = [b' '; 64];

/// A receiver of the pieces of the indented text.
trait Sink {
    fn piece(&mut self, bytes: &[u8]) -> Result<()>;
    /// A line's end, and the blanks that begin the next line.
    fn line(&mut self, blanks: usize) -> Result<()>;
}

/// Adds up the length of the text.
struct Length(usize);

impl Sink for Length {
    #[inline(always)]
    fn piece(&mut self, bytes: &[u8]) -> Result<()> {
        self.0 = self.0.checked_add(bytes.len()).ok_or(Stop::Undecided)?;
        Ok(())
    }

    #[inline(always)]
    fn line(&mut self, blanks: usize) -> Result<()> {
        self.0 = self.0.checked_add(blanks + 1).ok_or(Stop::Undecided)?;
        Ok(())
    }
}

impl Sink for Out<'_> {
    #[inline(always)]
    fn piece(&mut self, bytes: &[u8]) -> Result<()> {
        self.short(bytes)
    }

    #[inline(always)]
    fn line(&mut self, mut blanks: usize) -> Result<()> {
        self.byte(b'\n')?;
        while blanks > BLANKS.len() {
            self.slice(&BLANKS)?;
            blanks -= BLANKS.len();
        }
        self.short(&BLANKS[..blanks])
    }
}

/// The layout of a text.
#[derive(Clone, Copy)]
pub struct Layout {
    /// The blanks for each level; without them, all stands in one line with a blank after `,` and `:`.
    pub blanks: Option<usize>,
    /// Whether characters beyond ASCII are escaped.
    pub ascii: bool,
}

/// The length of the text with a layout of a compact one.
pub fn len_of(compact: &[u8], layout: Layout) -> Result<usize> {
    let mut length = Length(0);
    lay_out(compact, layout, &mut length)?;
    Ok(length.0)
}

/// Writes the text with a layout of a compact one.
pub fn write(compact: &[u8], layout: Layout, out: &mut Out<'_>) -> Result<()> {
    lay_out(compact, layout, out)
}

/// Passes on a string with escapes for all characters beyond ASCII.
#[inline(never)]
fn ascii_string(text: &[u8], sink: &mut impl Sink) -> Result<()> {
    let digit = |nibble: u16| b"0123456789abcdef"[usize::from(nibble & 15)];
    for character in std::str::from_utf8(text).map_err(|_| Stop::Undecided)?.chars() {
        let mut units = [0; 2];
        match character {
            ..'\u{7F}' => sink.piece(&[character as u8])?,
            _ => {
                for &unit in &*character.encode_utf16(&mut units) {
                    let digits = [unit >> 12, unit >> 8, unit >> 4, unit].map(digit);
                    sink.piece(&[b"\\u", &digits[..]].concat())?;
                }
            }
        }
    }
    Ok(())
}

/// Passes on the pieces of the indented text, none of them empty.
///
/// The text must be one that this core printed: of any other, the result has no meaning.
#[inline(always)]
fn lay_out(compact: &[u8], layout: Layout, sink: &mut impl Sink) -> Result<()> {
    let line = |sink: &mut _, depth: usize| match layout.blanks {
        Some(blanks) => Sink::line(sink, blanks * depth),
        None => Ok(()),
    };
    let mut depth = 0usize;
    let mut at = 0;
    while let Some(&byte) = compact.get(at) {
        let start = at;
        at += 1;
        match byte {
            b'"' => {
                at = special(compact, at);
                if compact.get(at) != Some(&b'"') {
                    at = end_of_escaped(compact, at).ok_or(Stop::Undecided)?;
                }
                at += 1;
                let text = &compact[start..at];
                // Two searches in blocks; one for both would go byte by byte.
                if layout.ascii && !(text.is_ascii() && memchr::memchr(0x7F, text).is_none()) {
                    ascii_string(text, sink)?;
                } else {
                    sink.piece(text)?;
                }
            }
            b':' => sink.piece(b": ")?,
            b',' => {
                sink.piece(if layout.blanks.is_some() { b"," } else { b", " })?;
                line(sink, depth)?;
            }
            b'{' | b'[' => {
                if let Some(b'}' | b']') = compact.get(at) {
                    at += 1;
                    sink.piece(&compact[start..at])?;
                } else {
                    depth += 1;
                    sink.piece(&[byte])?;
                    line(sink, depth)?;
                }
            }
            b'}' | b']' => {
                depth = depth.checked_sub(1).ok_or(Stop::Undecided)?;
                line(sink, depth)?;
                sink.piece(&[byte])?;
            }
            _ => {
                while let Some(byte) = compact.get(at)
                    && !matches!(byte, b',' | b'}' | b']')
                {
                    at += 1;
                }
                sink.piece(&compact[start..at])?;
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::mem::MaybeUninit;

    use super::*;

    fn indented(compact: &str, blanks: usize) -> Option<String> {
        let layout = Layout { blanks: Some(blanks), ascii: false };
        laid_out(compact, layout)
    }

    fn laid_out(compact: &str, layout: Layout) -> Option<String> {
        let len = len_of(compact.as_bytes(), layout).ok()?;
        let mut buffer = vec![MaybeUninit::uninit(); len];
        let mut out = Out::new(&mut buffer);
        write(compact.as_bytes(), layout, &mut out).ok()?;
        assert_eq!(out.len(), len, "{compact}");
        String::from_utf8(out.written().to_vec()).ok()
    }

    #[test]
    fn every_kind_of_value() {
        for (compact, blanks, expected) in [
            ("{}", 2, "{}"),
            ("[]", 2, "[]"),
            ("\"\"", 2, "\"\""),
            ("-1.5e+22", 2, "-1.5e+22"),
            (r#"{"a":{},"b":[]}"#, 1, "{\n \"a\": {},\n \"b\": []\n}"),
            (r#"{"a":[1,null,[true]]}"#, 0, "{\n\"a\": [\n1,\nnull,\n[\ntrue\n]\n]\n}"),
            (r#"["{\"a\":[","\\",":,"]"#, 3, "[\n   \"{\\\"a\\\":[\",\n   \"\\\\\",\n   \":,\"\n]"),
        ] {
            assert_eq!(indented(compact, blanks).as_deref(), Some(expected));
        }
    }

    #[test]
    fn one_line_and_ascii() {
        let compact = r#"{"é":[1,"😀\\\u007f",{}],"b":"\n"}"#;
        let compact = &compact.replace("\\u007f", "\u{7f}");
        for (ascii, expected) in [
            (false, "{\"é\": [1, \"😀\\\\\u{7f}\", {}], \"b\": \"\\n\"}"),
            (true, r#"{"\u00e9": [1, "\ud83d\ude00\\\u007f", {}], "b": "\n"}"#),
        ] {
            let layout = Layout { blanks: None, ascii };
            assert_eq!(laid_out(compact, layout).as_deref(), Some(expected));
        }
    }

    #[test]
    fn many_blanks() {
        for blanks in [63, 64, 65, 128, 200] {
            let expected = format!("[\n{}1\n]", " ".repeat(blanks));
            assert_eq!(indented("[1]", blanks), Some(expected));
        }
    }

    #[test]
    fn other_texts_do_not_panic() {
        for text in ["\"", "\"\\", "}", "{\"a\":", "[[", ",,:", "{]"] {
            indented(text, 2);
        }
        assert_eq!(indented("]", 2), None);
        assert_eq!(indented("\"a", 2), None);
    }
}
