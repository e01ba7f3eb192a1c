//! Base64, strictly: one alphabet, padding complete or absent, unused bits zero.

use std::mem::MaybeUninit;

use base64_simd::{Base64, Out as Place, STANDARD, STANDARD_NO_PAD, URL_SAFE, URL_SAFE_NO_PAD};

use crate::Stop;
use crate::out::Out;

/// No fewer bytes than the text stands for.
pub fn most_bytes(text: &[u8]) -> usize {
    text.len() / 4 * 3 + 2
}

/// Writes the bytes that the text stands for.
pub fn read(text: &[u8], out: &mut Out<'_>) -> Result<(), Stop> {
    let padded = text.last() == Some(&b'=');
    let (standard, url_safe) =
        if padded { (STANDARD, URL_SAFE) } else { (STANDARD_NO_PAD, URL_SAFE_NO_PAD) };
    let len = standard.estimated_decoded_length(text.len());
    let decode = |alphabet: &Base64, room: &mut [MaybeUninit<u8>]| {
        alphabet.decode(text, Place::from_uninit_slice(room)).map(|bytes| bytes.len())
    };
    out.fill(len, |room| {
        decode(&standard, room).or_else(|_| decode(&url_safe, room)).map_err(|_| Stop::HandBack)
    })?;
    Ok(())
}

/// How long the base64 of some bytes is.
pub fn written_len(bytes: &[u8]) -> usize {
    STANDARD.encoded_length(bytes.len())
}

/// Writes the base64 of some bytes, padded.
pub fn write(bytes: &[u8], out: &mut Out<'_>) -> Result<(), Stop> {
    out.fill(written_len(bytes), |room| {
        Ok(STANDARD.encode(bytes, Place::from_uninit_slice(room)).len())
    })?;
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
