//! Plain JSON: the values of Struct, Value and ListValue, and ignored values.

use std::borrow::Cow;

use super::keys::{Keys, Object};
use super::parser::{ParseOptions, Parser};
use super::scan::Scan;
use crate::bytes::entry::{string_entry, write_entry};
use crate::bytes::out::{Out, varint_len};
use crate::limits::MAX_DEPTH;
use crate::scalars::string::Quoted;
use crate::stop::{Result, Stop};

/// The first integer that a double may confuse with its neighbours.
pub const LOSSY: f64 = 9_007_199_254_740_992.0;

impl<'j> Parser<'_, 'j, '_, '_> {
    /// Reads the next key of an object other than a message, with its colon.
    ///
    /// A repeated key is undecided.
    pub(super) fn key(&mut self, object: &mut Object<'j>) -> Result<Cow<'j, [u8]>> {
        next_key(&mut self.scan, self.keys, object)?.decoded()
    }

    /// The body of a Struct.
    pub(super) fn structure(&mut self, depth: u32) -> Result<()> {
        self.scan.expect(b'{')?;
        if self.scan.eat(b'}') {
            return Ok(());
        }
        if depth + 2 > MAX_DEPTH {
            return Err(Stop::Undecided);
        }
        self.scan.peek();
        let mut object = self.keys.open(self.scan.next_eight());
        // Local variables stay in registers: writing through a reference cannot change them.
        let mut scan = self.scan;
        let mut out = std::mem::take(self.out);
        loop {
            let key = short_key(&mut scan, self.keys, &mut object);
            let is_written = key
                .is_some_and(|(key, len)| short_entry(&mut out, key, len, &mut scan, self.options));
            if !is_written {
                (self.scan, *self.out) = (scan, out);
                self.other_entry(&mut object, key, depth)?;
                (scan, out) = (self.scan, std::mem::take(self.out));
            }
            if !scan.another(b'}')? {
                break;
            }
        }
        (self.scan, *self.out) = (scan, out);
        self.keys.close(&object);
        Ok(())
    }

    /// An entry that is not short, or its value if its key was read.
    #[inline(never)]
    fn other_entry(
        &mut self,
        object: &mut Object<'j>,
        key: Option<(&'j [u8; 32], usize)>,
        depth: u32,
    ) -> Result<()> {
        match key {
            Some((key, len)) => self.entry(key.get(..len).unwrap_or_default(), depth),
            None => {
                let key = self.key(object)?;
                self.entry(&key, depth)
            }
        }
    }

    /// The entry of any value, which comes next.
    fn entry(&mut self, key: &[u8], depth: u32) -> Result<()> {
        match self.scan.peek() {
            b'"' => {
                let text = self.scan.string()?;
                if text.escaped {
                    write_escaped_entry(self.out, key, text)
                } else {
                    write_string_entry(self.out, key, text)
                }
            }
            byte @ (b'{' | b'[') => self.container_entry(key, byte, depth + 2),
            byte @ (b't' | b'f' | b'n') => {
                write_entry(self.out, key, 4)?;
                self.out.array(word(&mut self.scan, byte)?)
            }
            _ => {
                let value = struct_number(&mut self.scan, self.options)?;
                write_entry(self.out, key, 11)?;
                self.out.array(number_value(value))
            }
        }
    }

    fn container_entry(&mut self, key: &[u8], byte: u8, depth: u32) -> Result<()> {
        if depth > MAX_DEPTH {
            return Err(Stop::Undecided);
        }
        self.out.byte(0x0A)?;
        let entry = self.out.open(2)?;
        self.out.byte(0x0A)?;
        self.out.varint(key.len() as u64)?;
        self.out.slice(key)?;
        self.out.byte(0x12)?;
        self.container(byte, depth)?;
        self.out.close(entry)
    }

    /// A Value, with its length, that is a Struct or a ListValue.
    fn container(&mut self, byte: u8, depth: u32) -> Result<()> {
        let value = self.out.open(2)?;
        self.out.byte(if byte == b'{' { 0x2A } else { 0x32 })?;
        let inner = self.out.open(2)?;
        if byte == b'{' {
            self.structure(depth + 1)?
        } else {
            self.list(depth + 1)?
        };
        self.out.close(inner)?;
        self.out.close(value)
    }

    /// The body of a ListValue.
    pub(super) fn list(&mut self, depth: u32) -> Result<()> {
        self.scan.expect(b'[')?;
        if self.scan.eat(b']') {
            return Ok(());
        }
        loop {
            self.out.byte(0x0A)?;
            self.delimited_value(depth + 1)?;
            if !self.scan.another(b']')? {
                return Ok(());
            }
        }
    }

    /// A Value with its length.
    #[inline(always)]
    fn delimited_value(&mut self, depth: u32) -> Result<()> {
        match self.scan.peek() {
            b'"' => {
                let text = self.scan.string()?;
                let len = text.raw.len() as u64;
                if text.escaped {
                    let mark = self.out.open(varint_len(len))?;
                    self.out.byte(0x1A)?;
                    self.escaped_string(text)?;
                    return self.out.close(mark);
                }
                self.out.varint(1 + u64::from(varint_len(len)) + len)?;
                self.out.byte(0x1A)?;
                self.string(text)
            }
            byte @ (b'{' | b'[') => {
                if depth > MAX_DEPTH {
                    return Err(Stop::Undecided);
                }
                self.container(byte, depth)
            }
            b't' | b'f' | b'n' => {
                self.out.byte(2)?;
                self.value(depth)
            }
            _ => {
                let value = struct_number(&mut self.scan, self.options)?;
                let [a, b, c, d, e, f, g, h] = value.to_le_bytes();
                self.out.array([9, 0x11, a, b, c, d, e, f, g, h])
            }
        }
    }

    /// The body of a Value.
    pub(super) fn value(&mut self, depth: u32) -> Result<()> {
        match self.scan.peek() {
            b'"' => {
                let text = self.scan.string()?;
                self.out.byte(0x1A)?;
                self.string(text)
            }
            b'{' => {
                self.out.byte(0x2A)?;
                let mark = self.out.open(2)?;
                self.structure(depth + 1)?;
                self.out.close(mark)
            }
            b'[' => {
                self.out.byte(0x32)?;
                let mark = self.out.open(1)?;
                self.list(depth + 1)?;
                self.out.close(mark)
            }
            b't' => self.scan.word(b"true").and_then(|()| self.out.array([0x20, 1])),
            b'f' => self.scan.word(b"false").and_then(|()| self.out.array([0x20, 0])),
            b'n' => self.scan.word(b"null").and_then(|()| self.out.array([0x08, 0])),
            _ => {
                let value = struct_number(&mut self.scan, self.options)?;
                self.out.byte(0x11)?;
                self.out.array(value.to_le_bytes())
            }
        }
    }

    /// Skips a value that no field reads; it must be JSON all the same.
    pub(super) fn skip(&mut self, deepest: u32) -> Result<()> {
        let deeper = || deepest.checked_sub(1).ok_or(Stop::Undecided);
        match self.scan.peek() {
            b'"' => self.scan.string()?.decoded().map(drop),
            b'{' => {
                self.scan.expect(b'{')?;
                if self.scan.eat(b'}') {
                    return Ok(());
                }
                self.scan.peek();
                let mut object = self.keys.open(self.scan.next_eight());
                loop {
                    self.key(&mut object)?;
                    self.skip(deeper()?)?;
                    if !self.scan.another(b'}')? {
                        break;
                    }
                }
                self.keys.close(&object);
                Ok(())
            }
            b'[' => {
                self.scan.expect(b'[')?;
                if self.scan.eat(b']') {
                    return Ok(());
                }
                loop {
                    self.skip(deeper()?)?;
                    if !self.scan.another(b']')? {
                        return Ok(());
                    }
                }
            }
            b't' => self.scan.word(b"true"),
            b'f' => self.scan.word(b"false"),
            b'n' => self.scan.word(b"null"),
            _ => self.scan.number().map(drop),
        }
    }
}

#[inline(always)]
fn next_key<'j>(
    scan: &mut Scan<'j>,
    keys: &mut Keys,
    object: &mut Object<'j>,
) -> Result<Quoted<'j>> {
    scan.peek();
    if let Some(expected) = keys.expected(object)
        && let Some(key) = scan.eat_key(expected)
    {
        keys.take_expected(object);
        return Ok(key);
    }
    let (text, start) = scan.place();
    let key = scan.string()?;
    scan.expect(b':')?;
    scan.peek();
    if keys.take(object, text, key, (start, scan.place().1)) {
        Ok(key)
    } else {
        Err(Stop::Undecided)
    }
}

/// Reads the next key with its colon if it is short, plain and certainly new.
#[inline(always)]
fn short_key<'j>(
    scan: &mut Scan<'j>,
    keys: &mut Keys,
    object: &mut Object<'j>,
) -> Option<(&'j [u8; 32], usize)> {
    scan.peek();
    if let Some(expected) = keys.expected(object) {
        let key = scan.expected_key(expected)?;
        keys.take_expected(object);
        return Some(key);
    }
    let (key, len) = scan.short_key()?;
    if !keys.take_new(object, key, len, scan.place().1) {
        return None;
    }
    scan.advance(len + 3);
    Some((key, len))
}

/// Writes the entry of a short key and a short scalar value.
///
/// Otherwise nothing is read or written.
#[inline(always)]
fn short_entry(
    out: &mut Out<'_>,
    key: &[u8; 32],
    key_len: usize,
    scan: &mut Scan<'_>,
    options: ParseOptions,
) -> bool {
    match scan.peek() {
        b'"' => {
            let text = scan.after_quote().unwrap_or_default();
            let Some(len) = out.string_entry(key, key_len, text) else { return false };
            scan.advance(len + 2);
            true
        }
        b'{' | b'[' => false,
        byte @ (b't' | b'f' | b'n') => {
            let mut ahead = *scan;
            let Ok(value) = word(&mut ahead, byte) else { return false };
            if out.entry(key, key_len, value).is_none() {
                return false;
            }
            *scan = ahead;
            true
        }
        _ => {
            let mut ahead = *scan;
            let Ok(value) = struct_number(&mut ahead, options) else { return false };
            if out.entry(key, key_len, number_value(value)).is_none() {
                return false;
            }
            *scan = ahead;
            true
        }
    }
}

/// The rest of an entry whose value is `true`, `false` or `null`, which is read.
#[inline(always)]
fn word(scan: &mut Scan<'_>, first: u8) -> Result<[u8; 4]> {
    match first {
        b't' => scan.word(b"true").map(|()| [0x12, 2, 0x20, 1]),
        b'f' => scan.word(b"false").map(|()| [0x12, 2, 0x20, 0]),
        _ => scan.word(b"null").map(|()| [0x12, 2, 0x08, 0]),
    }
}

/// The rest of an entry whose value is a number.
#[inline(always)]
pub fn number_value(value: f64) -> [u8; 11] {
    let [a, b, c, d, e, f, g, h] = value.to_le_bytes();
    [0x12, 9, 0x11, a, b, c, d, e, f, g, h]
}

#[inline(always)]
fn struct_number(scan: &mut Scan<'_>, options: ParseOptions) -> Result<f64> {
    let value = scan.number()?.double()?;
    if options.refuse_lossy && value.abs() >= LOSSY {
        return Err(Stop::Undecided);
    }
    Ok(value)
}

#[inline(always)]
fn write_string_entry(out: &mut Out<'_>, key: &[u8], text: Quoted<'_>) -> Result<()> {
    string_entry(out, key, text.raw.len())?;
    out.start_of(text.ahead, text.raw.len())
}

#[inline(never)]
fn write_escaped_entry(out: &mut Out<'_>, key: &[u8], text: Quoted<'_>) -> Result<()> {
    let decoded = text.decoded()?;
    write_string_entry(out, key, Quoted { raw: &decoded, ahead: &decoded, escaped: false })
}
