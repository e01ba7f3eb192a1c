//! Names that meet other names, and extensions: only Python decides about them.

use arbtest::arbitrary::{Result, Unstructured};
use arbtest::arbtest;

use super::descriptors::{EXTENSION, SCHEMAS, bytes, varint};
use super::transcoding::{parse_options, print_options, text_of, wire_of};
use crate::print::PrintOptions;
use crate::schema::Schema;

/// The ways to hold messages: the end of the field's name, its place behind the single one, and
/// the JSON around a message.
const HOLDERS: [(&str, u64, &str, &str); 3] =
    [("", 0, "", ""), ("List", 1, "[{},", "]"), ("to", 2, "{\"k\":", "}")];
/// The names of the fields, and their numbers where they hold one message.
const PAGE: (&str, &str, u64) = ("page", "toPage", 1);
const EXTENDED: (&str, &str, u64) = ("extended", "toExtended", 4);

fn schema() -> &'static Schema {
    let found = SCHEMAS.iter().find(|(name, _)| *name == "fuzz.names.All");
    &found.expect("one of the schemas").1
}

/// The text of an object in one of the fields, beside another member or not.
fn text_around(
    u: &mut Unstructured<'_>,
    (name, in_map, _): (&str, &str, u64),
    inner: &str,
) -> Result<Vec<u8>> {
    let (end, _, open, close) = *u.choose(&HOLDERS)?;
    let name = if end == "to" { in_map.into() } else { format!("{name}{end}") };
    let (before, after) = (u.choose(&["", "\"text\":\"a\","])?, u.choose(&["", ",\"mood\":3"])?);
    Ok(format!("{{{before}\"{name}\":{open}{inner}{close}{after}}}").into())
}

/// The wire format of a message in one of the fields, beside another field or not.
fn wire_around(
    u: &mut Unstructured<'_>,
    (_, _, number): (&str, &str, u64),
    inner: &[u8],
) -> Result<Vec<u8>> {
    let (end, place, ..) = *u.choose(&HOLDERS)?;
    let value =
        if end == "to" { [bytes(1, b"k"), bytes(2, inner)].concat() } else { inner.to_vec() };
    let after = if u.arbitrary()? { bytes(9, b"a") } else { vec![] };
    Ok([bytes(number + place, &value), after].concat())
}

#[test]
fn names_that_meet_others_are_left_to_python() {
    arbtest(|u| {
        let name = u.choose(&["title", "heading", "name", "none of them"])?;
        let text = text_around(u, PAGE, &format!("{{\"{name}\":\"x\"}}"))?;
        assert_eq!(wire_of(schema(), &text, u.arbitrary()?, parse_options(u)?), None);

        let page = bytes(u.int_in_range(1..=2)?, b"x");
        let wire = wire_around(u, PAGE, &page)?;
        assert_eq!(text_of(schema(), &wire, print_options(u)?, u.int_in_range(0..=300)?), None);
        Ok(())
    });
}

#[test]
fn extensions_are_left_to_python() {
    arbtest(|u| {
        let before = *u.choose(&["", "\"text\":\"a\","])?;
        let name = u.choose(&["[fuzz.names.more]", "[a]", "[", "[]"])?;
        let value = u.choose(&["1", "null", "{}", "[{\"a\":1}]", "\"x\""])?;
        let text = text_around(u, EXTENDED, &format!("{{{before}\"{name}\":{value}}}"))?;
        assert_eq!(wire_of(schema(), &text, u.arbitrary()?, parse_options(u)?), None);

        let number = EXTENSION + u.int_in_range(0..=99)?;
        let extension = match u.int_in_range(0..=2)? {
            0 => [varint(number << 3), varint(u.arbitrary()?)].concat(),
            1 => [varint(number << 3 | 5), u.arbitrary::<[u8; 4]>()?.into()].concat(),
            _ => bytes(number, u.arbitrary::<&str>()?.as_bytes()),
        };
        let known = if before.is_empty() { vec![] } else { bytes(1, b"a") };
        let wire = wire_around(u, EXTENDED, &[known, extension].concat())?;
        assert_eq!(text_of(schema(), &wire, print_options(u)?, u.int_in_range(0..=300)?), None);
        Ok(())
    });
}

/// Other messages of these types are decided about; else the searches above would mean nothing.
#[test]
fn messages_without_extensions_are_read_and_printed() {
    arbtest(|u| {
        let text = text_around(u, EXTENDED, "{\"text\":\"a\"}")?;
        assert!(wire_of(schema(), &text, true, parse_options(u)?).is_some());
        let wire = wire_around(u, EXTENDED, &bytes(1, b"a"))?;
        // The name of the enum's default would be read as another value's.
        let options = PrintOptions { defaults: false, ..print_options(u)? };
        assert!(text_of(schema(), &wire, options, u.int_in_range(0..=300)?).is_some());
        Ok(())
    });
}
