//! Compact JSON text to indented text, as Python's own writer lays it out.

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

/// The length of the indented text of a compact one.
pub fn indented_len(compact: &[u8], blanks: usize) -> Result<usize> {
    let mut length = Length(0);
    lay_out(compact, blanks, &mut length)?;
    Ok(length.0)
}

/// Writes the indented text of a compact one, with this many blanks for each level.
pub fn indent(compact: &[u8], blanks: usize, out: &mut Out<'_>) -> Result<()> {
    lay_out(compact, blanks, out)
}

/// Passes on the pieces of the indented text, none of them empty.
///
/// The text must be one that this core printed: of any other, the result has no meaning.
#[inline(always)]
fn lay_out(compact: &[u8], blanks: usize, sink: &mut impl Sink) -> Result<()> {
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
                sink.piece(&compact[start..at])?;
            }
            b':' => sink.piece(b": ")?,
            b',' => {
                sink.piece(b",")?;
                sink.line(blanks * depth)?;
            }
            b'{' | b'[' => {
                if let Some(b'}' | b']') = compact.get(at) {
                    at += 1;
                    sink.piece(&compact[start..at])?;
                } else {
                    depth += 1;
                    sink.piece(&[byte])?;
                    sink.line(blanks * depth)?;
                }
            }
            b'}' | b']' => {
                depth = depth.checked_sub(1).ok_or(Stop::Undecided)?;
                sink.line(blanks * depth)?;
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
        let len = indented_len(compact.as_bytes(), blanks).ok()?;
        let mut buffer = vec![MaybeUninit::uninit(); len];
        let mut out = Out::new(&mut buffer);
        indent(compact.as_bytes(), blanks, &mut out).ok()?;
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
    fn many_blanks() {
        for blanks in [63, 64, 65, 128, 200] {
            let expected = format!("[\n{}1\n]", " ".repeat(blanks));
            assert_eq!(indented("[1]", blanks), Some(expected));
        }
    }

    #[test]
    fn what_is_no_json_is_survived() {
        for text in ["\"", "\"\\", "}", "{\"a\":", "[[", ",,:", "{]"] {
            indented(text, 2);
        }
        assert_eq!(indented("]", 2), None);
        assert_eq!(indented("\"a", 2), None);
    }
}
