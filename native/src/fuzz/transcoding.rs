//! JSON text to wire bytes and back.

use std::collections::HashMap;

use arbtest::arbitrary::{Result, Unstructured};
use arbtest::arbtest;

use super::descriptors::{PACKAGE, SCHEMAS, own};
use super::normal::Normal;
use super::{is_json, texts, written};
use crate::parse::keys::Keys;
use crate::parse::{ParseOptions, parse, parse_in_pieces};
use crate::print::layout::{Compact, Layout, Spaced};
use crate::print::text::Text;
use crate::print::{PrintOptions, walk};
use crate::schema::Schema;
use crate::schema::descriptor::schema;

pub fn wire_of(
    schema: &Schema,
    text: &[u8],
    is_utf8: bool,
    options: ParseOptions,
) -> Option<Vec<u8>> {
    written(1 << 16, |out| {
        parse(schema, text, is_utf8, out, &mut Keys::default(), options).map(drop)
    })
}

pub fn text_of(
    schema: &Schema,
    wire: &[u8],
    options: PrintOptions,
    room: usize,
) -> Option<Vec<u8>> {
    laid_out(schema, wire, options, room, Compact)
}

fn laid_out(
    schema: &Schema,
    wire: &[u8],
    options: PrintOptions,
    room: usize,
    layout: impl Layout,
) -> Option<Vec<u8>> {
    let text = written(room, |out| {
        let text = Text { out: std::mem::take(out), layout };
        *out = walk(schema, wire, text, options)?.out;
        Ok(())
    });
    // The codec does not decide about text that is not UTF-8 either.
    text.filter(|text| std::str::from_utf8(text).is_ok())
}

/// All pieces one after the other: protobuf reads them as if they were merged.
fn pieces_of(schema: &Schema, text: &[u8], options: ParseOptions, len: usize) -> Vec<u8> {
    let mut pieces = Vec::new();
    let last = written(1 << 16, |out| {
        pieces.clear();
        let mut take = |piece: &[u8]| {
            pieces.extend_from_slice(piece);
            Ok(())
        };
        let keys = &mut Keys::default();
        parse_in_pieces(schema, text, false, out, keys, options, (&mut take, len)).map(drop)
    });
    [pieces, last.expect("what can be read can be read in pieces")].concat()
}

fn some_schema(u: &mut Unstructured<'_>) -> Result<&'static Schema> {
    Ok(&u.choose(&SCHEMAS)?.1)
}

pub fn parse_options(u: &mut Unstructured<'_>) -> Result<ParseOptions> {
    let (ignore_unknown, refuse_lossy) = (u.arbitrary()?, u.arbitrary()?);
    Ok(ParseOptions { ignore_unknown, refuse_lossy, note_unknown: false })
}

pub fn print_options(u: &mut Unstructured<'_>) -> Result<PrintOptions> {
    Ok(PrintOptions {
        proto_names: u.arbitrary()?,
        enum_numbers: u.arbitrary()?,
        defaults: u.arbitrary()?,
        ..PrintOptions::default()
    })
}

/// Checks that a text gives the same message after any other text, and that it is printed back.
///
/// Returns whether the text was read.
fn check_text(u: &mut Unstructured<'_>, schema: &Schema, text: &[u8]) -> Result<bool> {
    let options = parse_options(u)?;
    let wire = wire_of(schema, text, false, options);

    // With little room, and with keys that are remembered from another text.
    let mut keys = Keys::default();
    let before = [text, b" "].concat();
    let _ =
        written(1 << 16, |out| parse(schema, &before, false, out, &mut keys, options).map(drop));
    let room = u.int_in_range(0..=300)?;
    let again = written(room, |out| parse(schema, text, false, out, &mut keys, options).map(drop));
    assert_eq!(wire, again);
    if std::str::from_utf8(text).is_ok() {
        assert_eq!(wire, wire_of(schema, text, true, options));
    }

    let Some(wire) = wire else { return Ok(false) };
    assert!(is_json(text));
    // Without ignoring anything, the result is the same or undecided.
    let strict = ParseOptions { refuse_lossy: true, ..ParseOptions::default() };
    assert!(wire_of(schema, text, false, strict).is_none_or(|strict| strict == wire));

    let normal = Normal { schema, drops_unknown: false };
    let wire = normal.of(&wire).expect("wire bytes of the schema");
    let pieces = pieces_of(schema, text, options, u.int_in_range(0..=100)?);
    assert_eq!(normal.of(&pieces).as_ref(), Some(&wire), "{}", String::from_utf8_lossy(text));
    let printed = text_of(schema, &wire, print_options(u)?, u.int_in_range(0..=300)?);
    let Some(printed) = printed else {
        // Near the deepest nesting, printing is undecided one level earlier.
        assert!(nesting(text) > 40, "it was read: {}", String::from_utf8_lossy(text));
        return Ok(true);
    };
    assert!(is_json(&printed));
    let back = wire_of(schema, &printed, true, ParseOptions::default());
    let back = back.expect("what was printed can be read");
    assert_eq!(normal.of(&back), Some(wire), "{}", String::from_utf8_lossy(&printed));
    Ok(true)
}

/// The largest number of open brackets.
fn nesting(text: &[u8]) -> usize {
    let depths = text.iter().scan(0usize, |depth, byte| {
        match byte {
            b'{' | b'[' => *depth += 1,
            b'}' | b']' => *depth = depth.saturating_sub(1),
            _ => {}
        }
        Some(*depth)
    });
    depths.max().unwrap_or(0)
}

/// Checks that a message is printed alike in any room, and is read back from any layout.
fn check_wire(u: &mut Unstructured<'_>, schema: &Schema, wire: &[u8]) -> Result<()> {
    let options = print_options(u)?;
    let text = text_of(schema, wire, options, 1 << 16);
    let room = u.int_in_range(0..=300)?;
    assert_eq!(text, text_of(schema, wire, options, room));
    let blanks = u.arbitrary::<Option<u8>>()?.map(|blanks| usize::from(blanks % 9));
    let (ascii, as_repr) = (u.arbitrary()?, u.arbitrary()?);
    let spaced = laid_out(schema, wire, options, room, Spaced::new(blanks, ascii, as_repr));
    // Python's digits of a subnormal float are undecided.
    assert!(spaced.is_some() == text.is_some() || as_repr);
    let normal = Normal { schema, drops_unknown: true };
    for text in text.into_iter().chain(spaced) {
        assert!(is_json(&text));
        let back = wire_of(schema, &text, true, ParseOptions::default());
        let back = back.expect("what was printed can be read");
        assert_eq!(normal.of(&back), normal.of(wire), "{}", String::from_utf8_lossy(&text));
    }
    Ok(())
}

#[test]
fn texts_of_messages() {
    let (mut tried, mut read) = (0, 0);
    arbtest(|u| {
        let schema = some_schema(u)?;
        let text = texts::json(u, schema)?;
        tried += 1;
        read += usize::from(check_text(u, schema, &text)?);
        Ok(())
    })
    .run();
    // A core that decides nothing would also pass all checks above.
    assert!(tried < 100 || read > tried / 3, "{read} of {tried}");
}

#[test]
fn texts_of_arbitrary_bytes() {
    arbtest(|u| {
        let schema = some_schema(u)?;
        let mut text = Vec::new();
        texts::damage(u, &mut text)?;
        check_text(u, schema, &text)?;
        let text: Vec<u8> = u.arbitrary()?;
        check_text(u, schema, &text)?;
        Ok(())
    });
}

#[test]
fn wire_of_messages() {
    arbtest(|u| {
        let schema = some_schema(u)?;
        let text = texts::json(u, schema)?;
        let Some(wire) = wire_of(schema, &text, false, ParseOptions::default()) else {
            return Ok(());
        };
        let normal = Normal { schema, drops_unknown: false };
        let mut wire = if u.arbitrary()? { normal.of(&wire).unwrap_or(wire) } else { wire };
        if u.arbitrary()? {
            texts::damage(u, &mut wire)?;
        }
        check_wire(u, schema, &wire)
    });
}

#[test]
fn wire_of_arbitrary_bytes() {
    arbtest(|u| {
        let schema = some_schema(u)?;
        let wire: Vec<u8> = u.arbitrary()?;
        check_wire(u, schema, &wire)
    });
}

/// The test vectors, as they are and damaged.
#[test]
fn test_vectors() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/vectors");
    let mut schemas = HashMap::new();
    let mut texts = Vec::new();
    for file in std::fs::read_dir(folder).unwrap() {
        let path = file.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "json") {
            continue;
        }
        let content: serde_json::Value =
            serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
        for vector in content["vectors"].as_array().unwrap() {
            let name = vector["type"].as_str().unwrap().to_owned();
            schemas.entry(name.clone()).or_insert_with(|| schema(PACKAGE, &name));
            let inputs = [&vector["accepted"], &vector["refused"]];
            let inputs = inputs.into_iter().filter_map(|inputs| inputs.as_array());
            // The few texts that are not UTF-8 have no member `json`.
            let inputs = inputs.flatten().chain([vector]);
            let found = inputs.filter_map(|input| input["json"].as_str());
            texts.extend(found.map(|text| (name.clone(), text.as_bytes().to_vec())));
        }
    }
    texts.sort();
    assert!(texts.len() > 500);
    arbtest(|u| {
        let (name, text) = u.choose(&texts)?;
        let mut text = text.clone();
        if u.ratio(3, 4)? {
            texts::damage(u, &mut text)?;
        }
        check_text(u, schemas[name].as_ref().expect(name), &text)?;
        Ok(())
    });
}

#[test]
fn descriptor_sets() {
    let whole = own();
    arbtest(|u| {
        let mut set = whole.clone();
        texts::damage(u, &mut set)?;
        if let Some(schema) = schema(&set, "google.protobuf.FieldMask") {
            let text = texts::json(u, &schema)?;
            let _ = wire_of(&schema, &text, true, ParseOptions::default());
        }
        // The types that it refers to are missing.
        assert!(schema(&whole, "fuzz.proto3.All").is_none());
        Ok(())
    });
}
