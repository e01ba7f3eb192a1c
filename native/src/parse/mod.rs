//! JSON text to wire format.

pub mod keys;
mod messages;
mod parser;
pub mod paths;
pub mod pieces;
pub mod plain;
mod reader;
mod scalar;
pub mod scan;
mod several;
mod unknown;

pub use messages::{Seen, parse, parse_field, parse_in_pieces};
pub use parser::ParseOptions;
pub use reader::Reader;

#[cfg(test)]
mod tests {
    use std::mem::MaybeUninit;

    use super::keys::Keys;
    use super::{ParseOptions, parse};
    use crate::bytes::out::Out;
    use crate::schema::{Message, Schema, Shape};
    use crate::stop::{Result, Stop};

    /// The result for a text whose message has no fields at all.
    fn ignored(text: &str) -> Result<()> {
        let empty = Message {
            shape: Shape::Fields,
            small: false,
            fields: Box::default(),
            names: crate::schema::names::FieldNames::default(),
            by_name: Default::default(),
            extendable: false,
            in_order: true,
        };
        let schema = Schema { messages: Box::new([empty]), enums: Box::default() };
        let options = ParseOptions { ignore_unknown: true, ..ParseOptions::default() };
        let mut buffer = [MaybeUninit::uninit(); 64];
        let mut out = Out::new(&mut buffer);
        // Only in a long text are keys remembered.
        let long = format!("{text}{}", " ".repeat(5000));
        let short = parse(&schema, text.as_bytes(), false, &mut out, &mut Keys::default(), options);
        assert_eq!(
            parse(&schema, long.as_bytes(), false, &mut out, &mut Keys::default(), options),
            short
        );
        short.map(drop)
    }

    #[test]
    fn ignored_values_must_be_json() {
        for good in [
            "{}",
            r#"{"a":{}}"#,
            r#"{"a":[]}"#,
            r#"{"a":{"b":{}}}"#,
            r#" { "a" : [ { } , 1 ] } "#,
            r#"{"a":1e400,"b":null}"#,
            r#"{"a":[{"x":1,"y":2,"z":3},{"x":1,"y":{"x":{"x":0},"q":1},"z":3},{"x":1,"y":2,"z":3}]}"#,
        ] {
            assert_eq!(ignored(good), Ok(()), "{good}");
        }
        for bad in [
            "",
            "{",
            "}",
            r#"{"a":{}"#,
            r#"{"a":{ }"#,
            r#"{"a":{}}}"#,
            r#"{"a":{},}"#,
            r#"{"a":[}]}"#,
            r#"{"a":[1,]}"#,
            r#"{"a":{}"b":1}"#,
            r#"{"a" 1}"#,
            r#"{"a":1,"a":1}"#,
            r#"{"a":{"b":1,"b":1}}"#,
            r#"{"a":[{"x":1,"y":2},{"x":1,"y":{"x":1,"z":2},"z":3,"y":4}]}"#,
            r#"{"a":[{"x":1,"y":2,"z":3},{"x":1,"y":{"x":1,"q":2},"q":3,"q":4}]}"#,
            r#"{"a":tru}"#,
            r#"{"[a]":1}"#,
        ] {
            assert_eq!(ignored(bad), Err(Stop::Undecided), "{bad}");
        }
    }
}
