//! Strings between quotes, with escapes.

use crate::bytes::out::Out;
use crate::bytes::search::{is_plain, to_escape};
use crate::stop::{Result, Stop};

/// Writes a string in quotes, escaping only what must be; for ASCII text, DEL and all beyond it too.
///
/// Only with `ASCII` is it certain that the string is UTF-8.
#[inline(always)]
pub fn write_string<const ASCII: bool>(out: &mut Out<'_>, text: &[u8]) -> Result<()> {
    if is_plain::<ASCII>(text) {
        out.between(b'"', text, b'"')
    } else {
        write_escaped::<ASCII>(out, text)
    }
}

#[inline(never)]
fn write_escaped<const ASCII: bool>(out: &mut Out<'_>, text: &[u8]) -> Result<()> {
    out.byte(b'"')?;
    let mut start = 0;
    loop {
        let end = to_escape::<ASCII>(text, start);
        out.short(&text[start..end])?;
        let Some(&byte) = text.get(end) else { break };
        start = end + 1;
        if byte.is_ascii() {
            write_escape(out, byte)?;
        } else {
            let beyond = text[end..].iter().take_while(|byte| !byte.is_ascii()).count();
            start = end + beyond;
            write_units(out, &text[end..start])?;
        }
    }
    out.byte(b'"')
}

#[inline(never)]
fn write_escape(out: &mut Out<'_>, byte: u8) -> Result<()> {
    let short = match byte {
        b'\n' => b'n',
        b'\r' => b'r',
        b'\t' => b't',
        0x08 => b'b',
        0x0C => b'f',
        b'"' | b'\\' => byte,
        _ => return write_unit(out, byte.into()),
    };
    out.array([b'\\', short])
}

/// Writes the escapes of characters by their units of UTF-16.
#[inline(never)]
fn write_units(out: &mut Out<'_>, text: &[u8]) -> Result<()> {
    let text = std::str::from_utf8(text).map_err(|_| Stop::Undecided)?;
    text.encode_utf16().try_for_each(|unit| write_unit(out, unit))
}

fn write_unit(out: &mut Out<'_>, unit: u16) -> Result<()> {
    let digit = |nibble: u16| b"0123456789abcdef"[usize::from(nibble & 15)];
    out.array([b'\\', b'u', digit(unit >> 12), digit(unit >> 8), digit(unit >> 4), digit(unit)])
}

#[cfg(test)]
mod tests {
    use std::mem::MaybeUninit;

    use super::*;

    fn written<const ASCII: bool>(text: &[u8]) -> Option<String> {
        let mut buffer = vec![MaybeUninit::uninit(); 200];
        let mut out = Out::new(&mut buffer);
        write_string::<ASCII>(&mut out, text).ok()?;
        String::from_utf8(out.written().to_vec()).ok()
    }

    #[test]
    fn escapes() {
        for (text, expected, ascii) in [
            ("", r#""""#, r#""""#),
            ("a\n\"\\\0\u{1f}", r#""a\n\"\\\u0000\u001f""#, r#""a\n\"\\\u0000\u001f""#),
            ("é\u{7f}😀z", "\"é\u{7f}😀z\"", r#""\u00e9\u007f\ud83d\ude00z""#),
        ] {
            let long = format!("{text}{text}a longer text, which is searched in blocks");
            assert_eq!(written::<false>(text.as_bytes()).as_deref(), Some(expected));
            assert_eq!(written::<true>(text.as_bytes()).as_deref(), Some(ascii));
            let read: String =
                serde_json::from_str(&written::<true>(long.as_bytes()).unwrap()).unwrap();
            assert_eq!(read, long);
        }
        assert_eq!(written::<true>(b"a\xFFb"), None);
        assert_eq!(written::<true>(b"\xC3"), None);
    }
}
