//! Base64, strictly: one alphabet, padding complete or absent, unused bits zero.

use base64_turbo::{Engine, STANDARD, STANDARD_NO_PAD, URL_SAFE, URL_SAFE_NO_PAD};

use crate::bytes::out::Out;
use crate::stop::{Result, Stop};

/// The length of text that is written or read at once: it fits into the caches.
pub const BLOCK: usize = 16 * 1024;

/// An upper bound of the number of bytes that a text encodes.
pub fn max_len(text: &[u8]) -> usize {
    text.len() / 4 * 3 + 2
}

/// Writes the bytes that the text encodes.
pub fn read(text: &[u8], out: &mut Out<'_>) -> Result<()> {
    let (standard, url_safe) =
        if is_padded(text) { (STANDARD, URL_SAFE) } else { (STANDARD_NO_PAD, URL_SAFE_NO_PAD) };
    let start = out.len();
    let blocks = read_blocks(text, out)?;
    if decode(&standard, text.get(blocks..).unwrap_or_default(), out)? {
        return Ok(());
    }
    out.truncate(start);
    if decode(&url_safe, text, out)? { Ok(()) } else { Err(Stop::Undecided) }
}

/// Writes the bytes of the whole blocks that `text` begins with, and returns their length.
///
/// The first block with anything but the standard alphabet ends them.
fn read_blocks(text: &[u8], out: &mut Out<'_>) -> Result<usize> {
    let mut len = 0;
    for block in text.as_chunks::<BLOCK>().0 {
        if !decode(&STANDARD_NO_PAD, block, out)? {
            break;
        }
        len += BLOCK;
    }
    Ok(len)
}

/// Writes the bytes of a long text that ends with a quote, and returns the length of the text.
///
/// The text is decoded without a search for its end first, so it is read only once. None if
/// it has another alphabet, escapes or faults; then some of it may have been written.
pub fn read_quoted(text: &[u8], out: &mut Out<'_>) -> Result<Option<usize>> {
    let len = read_blocks(text, out)?;
    let rest = text.get(len..).unwrap_or_default();
    let Some(end) = memchr::memchr(b'"', rest) else { return Ok(None) };
    let rest = rest.get(..end).unwrap_or_default();
    let alphabet = if is_padded(rest) { STANDARD } else { STANDARD_NO_PAD };
    Ok(decode(&alphabet, rest, out)?.then_some(len + end))
}

fn is_padded(text: &[u8]) -> bool {
    text.last() == Some(&b'=')
}

/// Writes the bytes of a text in one alphabet; false, and nothing written, if it is not in that.
fn decode(alphabet: &Engine, text: &[u8], out: &mut Out<'_>) -> Result<bool> {
    let len = alphabet.decoded_len_estimate(text.len());
    Ok(out.fill(len, |room| alphabet.decode_slice(text, room).ok())?.is_some())
}

/// The length of the base64 of some bytes.
pub fn written_len(bytes: &[u8]) -> usize {
    STANDARD.encoded_len(bytes.len())
}

/// Writes the base64 of some bytes, padded.
pub fn write(bytes: &[u8], out: &mut Out<'_>) -> Result<()> {
    for block in bytes.chunks(BLOCK / 4 * 3) {
        out.fill(written_len(block), |room| STANDARD.encode_slice(block, room).ok())?
            .ok_or(Stop::Undecided)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::mem::MaybeUninit;

    use super::*;

    fn decoded_len(text: &str) -> Option<usize> {
        let mut buffer = vec![MaybeUninit::uninit(); 200];
        let mut out = Out::new(&mut buffer);
        read(text.as_bytes(), &mut out).ok().map(|()| out.len())
    }

    #[test]
    fn a_long_text_ends_with_its_quote() {
        let mut buffer = vec![MaybeUninit::uninit(); 3 * BLOCK];
        for (len, end, valid) in [
            (5, "==", false),
            (6, "==", true),
            (BLOCK, "", true),
            (BLOCK + 2, "", true),
            (BLOCK + 3, "=", true),
            (BLOCK + 4, "====", false),
            (3 * BLOCK - 1, "", true),
            (3 * BLOCK, "-", false),
            (2 * BLOCK, "\\n", false),
            (2 * BLOCK, "é", false),
        ] {
            let text = ["A".repeat(len).as_bytes(), end.as_bytes()].concat();
            let quoted = [&text, &b"\"}"[..]].concat();
            let mut out = Out::new(&mut buffer);
            let read_len = read_quoted(&quoted, &mut out).unwrap();
            assert_eq!(read_len, valid.then_some(text.len()), "{len} {end}");
            if valid {
                assert_eq!(out.written(), vec![0; len * 3 / 4]);
            }
            assert_eq!(read_quoted(&text, &mut Out::new(&mut buffer)), Ok(None));
        }
    }

    #[test]
    fn strictness() {
        for (good, len) in [
            ("", 0),
            ("AQID", 3),
            ("AQ==", 1),
            ("AQ", 1),
            ("AQI=", 2),
            ("AQI", 2),
            ("_-8=", 2),
            ("_-8", 2),
        ] {
            assert_eq!(decoded_len(good), Some(len), "{good}");
        }
        for bad in [
            "A", "AQ=", "AQ===", "AQID=", "AQID====", "=", "==", "AR==", "AR", "AQJ=", "_+8=",
            "AQ\nID", " AQID", "AQID ", "A=ID", "AQ==AQ==", "é", "data:,",
        ] {
            assert_eq!(decoded_len(bad), None, "{bad}");
        }
    }
}
