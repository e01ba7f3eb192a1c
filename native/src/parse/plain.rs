//! Plain JSON: the values of Struct, Value and ListValue, and those that no field takes.

use std::borrow::Cow;

use super::{Parser, Result};
use crate::keys::Object;
use crate::out::varint_len;
use crate::string::Quoted;
use crate::{DEEPEST, Stop};

/// The first integer that a double may not tell from its neighbours.
const LOSSY: f64 = 9_007_199_254_740_992.0;

impl<'j> Parser<'_, 'j, '_, '_> {
    /// The next key of an object that is no message, read with its colon.
    ///
    /// One that came before is handed back.
    #[inline(always)]
    pub(super) fn key(&mut self, object: &mut Object<'j>) -> Result<Cow<'j, [u8]>> {
        self.scan.peek();
        if let Some(expected) = self.keys.expected(object)
            && let Some(key) = self.scan.eat_key(expected)
        {
            self.keys.take_expected(object);
            return Ok(Cow::Borrowed(key));
        }
        let (text, start) = self.scan.place();
        let key = self.scan.string()?;
        self.scan.expect(b':')?;
        self.scan.peek();
        if !self.keys.take(object, text, key, (start, self.scan.place().1)) {
            return Err(Stop::HandBack);
        }
        key.decoded()
    }

    /// The body of a Struct.
    pub(super) fn structure(&mut self, depth: u32) -> Result<()> {
        self.scan.expect(b'{')?;
        if self.scan.eat(b'}') {
            return Ok(());
        }
        if depth + 2 > DEEPEST {
            return Err(Stop::HandBack);
        }
        self.scan.peek();
        let mut object = self.keys.open(self.scan.next_eight());
        loop {
            let key = self.key(&mut object)?;
            match self.scan.peek() {
                b'"' => {
                    let text = self.scan.string()?;
                    self.string_entry(&key, text)?;
                }
                byte @ (b'{' | b'[') => self.container_entry(&key, byte, depth + 2)?,
                b't' => {
                    self.scan.word(b"true")?;
                    self.entry(&key, 4)?;
                    self.out.array([0x12, 2, 0x20, 1])?;
                }
                b'f' => {
                    self.scan.word(b"false")?;
                    self.entry(&key, 4)?;
                    self.out.array([0x12, 2, 0x20, 0])?;
                }
                b'n' => {
                    self.scan.word(b"null")?;
                    self.entry(&key, 4)?;
                    self.out.array([0x12, 2, 0x08, 0])?;
                }
                _ => {
                    let value = self.struct_number()?;
                    self.entry(&key, 11)?;
                    let [a, b, c, d, e, f, g, h] = value.to_le_bytes();
                    self.out.array([0x12, 9, 0x11, a, b, c, d, e, f, g, h])?;
                }
            }
            if !self.scan.another(b'}')? {
                break;
            }
        }
        self.keys.close(&object);
        Ok(())
    }

    /// The beginning of an entry whose value, with its tag and length, takes `value_len` bytes.
    #[inline(always)]
    fn entry(&mut self, key: &[u8], value_len: u64) -> Result<()> {
        let key_len = key.len() as u64;
        let len = 1 + u64::from(varint_len(key_len)) + key_len + value_len;
        if len < 0x80 {
            self.out.array([0x0A, len as u8, 0x0A, key_len as u8])?;
        } else {
            self.out.byte(0x0A)?;
            self.out.varint(len)?;
            self.out.byte(0x0A)?;
            self.out.varint(key_len)?;
        }
        self.out.short(key)
    }

    #[inline(always)]
    fn string_entry(&mut self, key: &[u8], text: Quoted<'_>) -> Result<()> {
        if text.escaped {
            return self.escaped_entry(key, text);
        }
        let len = text.raw.len() as u64;
        if len < 0x7E {
            self.entry(key, 4 + len)?;
            self.out.array([0x12, len as u8 + 2, 0x1A, len as u8])?;
        } else {
            let value_len = 1 + u64::from(varint_len(len)) + len;
            self.entry(key, 1 + u64::from(varint_len(value_len)) + value_len)?;
            self.out.byte(0x12)?;
            self.out.varint(value_len)?;
            self.out.byte(0x1A)?;
            self.out.varint(len)?;
        }
        self.out.start_of(text.ahead, text.raw.len())
    }

    #[inline(never)]
    fn escaped_entry(&mut self, key: &[u8], text: Quoted<'_>) -> Result<()> {
        let decoded = text.decoded()?;
        self.string_entry(key, Quoted { raw: &decoded, ahead: &decoded, escaped: false })
    }

    fn container_entry(&mut self, key: &[u8], byte: u8, depth: u32) -> Result<()> {
        if depth > DEEPEST {
            return Err(Stop::HandBack);
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
                if depth > DEEPEST {
                    return Err(Stop::HandBack);
                }
                self.container(byte, depth)
            }
            b't' | b'f' | b'n' => {
                self.out.byte(2)?;
                self.value(depth)
            }
            _ => {
                let value = self.struct_number()?;
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
                let value = self.struct_number()?;
                self.out.byte(0x11)?;
                self.out.array(value.to_le_bytes())
            }
        }
    }

    #[inline(always)]
    fn struct_number(&mut self) -> Result<f64> {
        let value = self.scan.number()?.double()?;
        if self.options.refuse_lossy && value.abs() >= LOSSY {
            return Err(Stop::HandBack);
        }
        Ok(value)
    }

    /// Reads over a value that no field takes; it must be JSON all the same.
    pub(super) fn skip(&mut self, deepest: u32) -> Result<()> {
        let deeper = || deepest.checked_sub(1).ok_or(Stop::HandBack);
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
