//! A reader of the wire format.

/// A reader of one message's bytes. Every method returns None where the bytes are malformed.
#[derive(Clone, Copy)]
pub struct Wire<'w> {
    bytes: &'w [u8],
}

/// One value, by wire type.
#[derive(Clone, Copy, Debug)]
pub enum Payload<'w> {
    Varint(u64),
    Fixed,
    Delimited(&'w [u8]),
    /// The bytes between a group's tags.
    Group(&'w [u8]),
}

const MAX_GROUP_DEPTH: u32 = 100;

impl<'w> Wire<'w> {
    #[inline(always)]
    pub fn new(bytes: &'w [u8]) -> Self {
        Self { bytes }
    }

    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    #[inline(always)]
    pub fn take(&mut self, len: usize) -> Option<&'w [u8]> {
        let (taken, rest) = self.bytes.split_at_checked(len)?;
        self.bytes = rest;
        Some(taken)
    }

    #[inline(always)]
    pub fn array<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (taken, rest) = self.bytes.split_first_chunk()?;
        self.bytes = rest;
        Some(*taken)
    }

    #[inline(always)]
    pub fn varint(&mut self) -> Option<u64> {
        let (&first, rest) = self.bytes.split_first()?;
        if first < 0x80 {
            self.bytes = rest;
            return Some(u64::from(first));
        }
        self.long_varint()
    }

    #[inline]
    fn long_varint(&mut self) -> Option<u64> {
        let mut value = 0;
        for (index, &byte) in self.bytes.iter().take(10).enumerate() {
            if index == 9 && byte > 1 {
                return None;
            }
            value |= u64::from(byte & 0x7F) << (7 * index);
            if byte < 0x80 {
                self.bytes = &self.bytes[index + 1..];
                return Some(value);
            }
        }
        None
    }

    #[inline(always)]
    pub fn delimited(&mut self) -> Option<&'w [u8]> {
        let len = self.varint()?;
        self.take(usize::try_from(len).ok()?)
    }

    /// The number and the wire type of the next field.
    #[inline(always)]
    pub fn tag(&mut self) -> Option<(u32, u8)> {
        let tag = u32::try_from(self.varint()?).ok()?;
        (tag >= 8).then_some((tag >> 3, (tag & 7) as u8))
    }

    /// The bytes that were not read yet.
    #[inline(always)]
    pub fn rest(self) -> &'w [u8] {
        self.bytes
    }

    /// Consumes `tag` if that is what comes next.
    #[inline(always)]
    pub fn eat(&mut self, tag: &[u8]) -> bool {
        match self.bytes.strip_prefix(tag) {
            Some(rest) => {
                self.bytes = rest;
                true
            }
            None => false,
        }
    }

    /// The value of a field whose tag was read.
    #[inline]
    pub fn payload(&mut self, number: u32, wire_type: u8) -> Option<Payload<'w>> {
        Some(match wire_type {
            0 => Payload::Varint(self.varint()?),
            1 => self.array::<8>().map(|_| Payload::Fixed)?,
            2 => Payload::Delimited(self.delimited()?),
            3 => Payload::Group(self.group(number, MAX_GROUP_DEPTH)?),
            5 => self.array::<4>().map(|_| Payload::Fixed)?,
            _ => return None,
        })
    }

    fn group(&mut self, number: u32, depth: u32) -> Option<&'w [u8]> {
        let start = self.bytes;
        loop {
            let before = start.len() - self.bytes.len();
            match self.tag()? {
                (end, 4) => return (end == number).then(|| &start[..before]),
                (inner, 3) => {
                    self.group(inner, depth.checked_sub(1)?)?;
                }
                (inner, wire_type) => {
                    self.payload(inner, wire_type)?;
                }
            }
        }
    }
}

/// The signed number of a zigzag-encoded one.
#[inline(always)]
pub fn unzigzag(value: u64) -> i64 {
    (value >> 1) as i64 ^ -((value & 1) as i64)
}

/// The zigzag encoding of a signed number.
#[inline(always)]
pub fn zigzag(value: i64) -> u64 {
    ((value << 1) ^ (value >> 63)) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn varints() {
        assert_eq!(Wire::new(&[0x96, 0x01]).varint(), Some(150));
        assert_eq!(Wire::new(&[0xFF; 10]).varint(), None);
        assert_eq!(Wire::new(&[0x80]).varint(), None);
        let mut longest = [0xFF; 10];
        longest[9] = 1;
        assert_eq!(Wire::new(&longest).varint(), Some(u64::MAX));
    }

    #[test]
    fn groups_end_with_their_own_number() {
        // Field 1 is a group that holds field 2, a varint.
        assert!(matches!(
            Wire::new(&[0x10, 0x05, 0x0C]).payload(1, 3),
            Some(Payload::Group([0x10, 0x05]))
        ));
        assert!(Wire::new(&[0x10, 0x05, 0x14]).payload(1, 3).is_none());
        assert!(Wire::new(&[0x0B; 100_000]).payload(1, 3).is_none());
    }

    #[test]
    fn zigzags() {
        for value in [0, 1, -1, i64::MIN, i64::MAX] {
            assert_eq!(unzigzag(zigzag(value)), value);
        }
    }
}
