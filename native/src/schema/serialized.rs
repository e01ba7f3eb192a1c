//! Serialized descriptors: their fields and the features that they inherit.

use crate::bytes::wire::{Payload, Wire};

pub const EDITION_PROTO3: u64 = 999;
pub const EDITION_2023: u64 = 1000;

/// The features that matter here, as they are inherited from file to message to field.
#[derive(Clone, Copy)]
pub struct Features {
    pub implicit_presence: bool,
    pub closed_enum: bool,
    pub delimited_message: bool,
}

impl Features {
    pub fn of_edition(edition: u64) -> Self {
        Self {
            implicit_presence: edition == EDITION_PROTO3,
            closed_enum: edition < EDITION_PROTO3,
            delimited_message: false,
        }
    }

    pub fn overridden(mut self, feature_set: Option<&[u8]>) -> Option<Self> {
        for (number, value) in fields(feature_set.unwrap_or_default()) {
            let Payload::Varint(value) = value? else { continue };
            match number {
                1 => self.implicit_presence = value == 2,
                2 => self.closed_enum = value == 2,
                5 => self.delimited_message = value == 2,
                _ => {}
            }
        }
        Some(self)
    }
}

/// The fields of a message, one after the other; a value is None where the bytes are malformed.
fn fields(bytes: &[u8]) -> impl Iterator<Item = (u32, Option<Payload<'_>>)> {
    let mut wire = Wire::new(bytes);
    let mut broken = false;
    std::iter::from_fn(move || {
        if broken || wire.is_empty() {
            return None;
        }
        let read = wire.tag().map(|(number, kind)| (number, wire.payload(number, kind)));
        broken = !matches!(read, Some((_, Some(_))));
        Some(read.unwrap_or((0, None)))
    })
}

/// All values of a length-delimited field.
pub fn all(bytes: &[u8], wanted: u32) -> impl Iterator<Item = &[u8]> {
    fields(bytes).filter_map(move |(number, value)| match value {
        Some(Payload::Delimited(value)) if number == wanted => Some(value),
        _ => None,
    })
}

/// The last value of a length-delimited field.
pub fn last(bytes: &[u8], wanted: u32) -> Option<&[u8]> {
    all(bytes, wanted).last()
}

/// The last value of a field of integers.
pub fn integer(bytes: &[u8], wanted: u32) -> Option<u64> {
    let values = fields(bytes).filter_map(|(number, value)| match value {
        Some(Payload::Varint(value)) if number == wanted => Some(value),
        _ => None,
    });
    values.last()
}

/// The number of the extension of `EnumValueOptions` that gives a value its JSON name.
const JSON_NAME_OPTION: u32 = 998;

/// The JSON name of an enum value, which the option `(pb.enumvalue.json).string` gives it.
pub fn json_name_of_value(value: &[u8]) -> Option<&[u8]> {
    let options = all(value, 3).flat_map(|options| all(options, JSON_NAME_OPTION));
    options.flat_map(|json| all(json, 1)).last()
}
