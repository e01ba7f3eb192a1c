//! The paths of places in a JSON text, for reports of what was left out.

use std::borrow::Cow;

use super::scan::Scan;
use crate::framing::outline::Outline;
use crate::stop::{Result, Stop};

/// One step of a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step<'j> {
    /// A member's name.
    Key(Cow<'j, [u8]>),
    /// An element's index.
    Index(usize),
}

/// Passes the path of each place in `text` to `tell`.
///
/// The text is one object or list that was read before. A place is where a member's key begins, or
/// a value that is a string; the places are in ascending order. Containers without a place are
/// skipped 64 bytes at a time.
pub fn each_path<'j>(
    text: &'j [u8],
    places: &[usize],
    tell: &mut impl FnMut(&[Step<'j>]) -> Result<()>,
) -> Result<()> {
    let mut paths = Paths { scan: Scan::new(text), places, steps: Vec::new() };
    paths.container(tell)?;
    if paths.places.is_empty() { Ok(()) } else { Err(Stop::Undecided) }
}

struct Paths<'p, 'j> {
    scan: Scan<'j>,
    /// The places that were not reached yet.
    places: &'p [usize],
    /// The path of the open container.
    steps: Vec<Step<'j>>,
}

impl<'j> Paths<'_, 'j> {
    /// Goes through the object or the list that comes next, as long as there are places.
    fn container(&mut self, tell: &mut impl FnMut(&[Step<'j>]) -> Result<()>) -> Result<()> {
        let is_object = self.scan.eat(b'{');
        if !is_object {
            self.scan.expect(b'[')?;
        }
        let end = if is_object { b'}' } else { b']' };
        let mut index = 0;
        while !self.places.is_empty() {
            self.scan.peek();
            let start = self.scan.place().1;
            let mut step = Step::Index(index);
            if is_object {
                step = Step::Key(self.scan.string()?.decoded()?);
                self.scan.expect(b':')?;
            }
            let is_container = matches!(self.scan.peek(), b'{' | b'[');
            let value = self.scan.place().1;
            let end_of_value = end_of_value(self.scan)?;
            self.steps.push(step);
            if let Some((place, rest)) = self.places.split_first()
                && (*place == start || *place == value)
            {
                self.places = rest;
                tell(&self.steps)?;
            } else if is_container && self.places.first().is_some_and(|place| *place < end_of_value)
            {
                self.container(tell)?;
            }
            self.steps.pop();
            self.scan.advance(end_of_value - self.scan.place().1);
            if self.places.is_empty() || !self.scan.another(end)? {
                break;
            }
            index += 1;
        }
        Ok(())
    }
}

/// The end of the value that comes next.
fn end_of_value(mut scan: Scan<'_>) -> Result<usize> {
    let (text, value) = scan.place();
    match text.get(value).ok_or(Stop::Undecided)? {
        b'{' | b'[' => return Outline::default().resume(text, value).ok_or(Stop::Undecided),
        b'"' => scan.string().map(drop)?,
        b't' | b'n' => scan.advance(4),
        b'f' => scan.advance(5),
        _ => scan.number().map(drop)?,
    }
    Ok(scan.place().1)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The paths of the places that are marked by a `~` before them.
    fn paths(marked: &str) -> Result<Vec<String>> {
        let mut places = Vec::new();
        let mut text = Vec::new();
        for byte in marked.bytes() {
            match byte {
                b'~' => places.push(text.len()),
                _ => text.push(byte),
            }
        }
        let mut found = Vec::new();
        each_path(&text, &places, &mut |steps| {
            let written = steps.iter().map(|step| match step {
                Step::Key(key) => format!(".{}", String::from_utf8_lossy(key)),
                Step::Index(index) => format!("[{index}]"),
            });
            found.push(written.collect());
            Ok(())
        })?;
        Ok(found)
    }

    #[test]
    fn places_are_found_at_any_depth() {
        for (marked, expected) in [
            ("{}", &[][..]),
            (r#"{~"a":1}"#, &[".a"]),
            (r#"{"a":~"RED", ~"b" : [{"c":1}] }"#, &[".a", ".b"]),
            (
                r#"[ {"a":[1,~"X",-2.5e3,~"Y"]}, [[{~"\u00e9\n":{}}]] ]"#,
                &["[0].a[1]", "[0].a[3]", "[1][0][0].é\n"],
            ),
            (r#"{"}{":["]",{"a":"\"","b":true}],"z":{"y":{"x":null,~"w":"~"}}}"#, &[".z.y.w"]),
        ] {
            let marked = marked.replace("\"~\"", "\"\"");
            assert_eq!(paths(&marked).unwrap(), expected, "{marked}");
        }
    }

    #[test]
    fn other_places_are_not_decided() {
        assert_eq!(paths(r#"{"a":1~}"#), Err(Stop::Undecided));
        assert_eq!(paths(r#"{"a"~:1,"b":2}"#), Err(Stop::Undecided));
    }
}
