//! The elements of a stream that are whole in one chunk of it, in the formats of the framing.
//!
//! Each function passes on elements until the first doubt, and returns where it stopped.
//! The framer decides what stands there: an error, or the beginning of something longer.

use super::marks::BLOCK;
use super::outline::Outline;

/// Objects and arrays one after the other, each after the separator with blanks around it.
pub fn take_values<E>(
    text: &[u8],
    mut position: usize,
    separator: &[u8],
    limit: usize,
    mut take: impl FnMut(&[u8]) -> Result<(), E>,
) -> Result<usize, E> {
    while let Some(start) = after_gap(text, position, separator) {
        let Some(end) = Outline::default().resume(text, start) else { break };
        if end - start > limit {
            break;
        }
        take(&text[start..end])?;
        position = end;
    }
    Ok(position)
}

/// Lines without the blanks around them; those with nothing else are left out.
///
/// It stops before a line whose last bracket opens: it may begin a value over several lines.
pub fn take_lines<E>(
    text: &[u8],
    position: usize,
    limit: usize,
    take: impl FnMut(&[u8]) -> Result<(), E>,
) -> Result<usize, E> {
    let is_whole = |_, end: usize| !matches!(text[end - 1], b'{' | b'[');
    take_lines_if(text, position, limit, is_whole, take)
}

/// Lines, as long as each of them is one object.
pub fn take_object_lines<E>(
    text: &[u8],
    position: usize,
    limit: usize,
    take: impl FnMut(&[u8]) -> Result<(), E>,
) -> Result<usize, E> {
    let is_object = |start: usize, end: usize| {
        // The last block reaches beyond the line rather than being filled up.
        let reached = text.get(..end + BLOCK).unwrap_or(text);
        text[start] == b'{' && Outline::default().resume(reached, start) == Some(end)
    };
    take_lines_if(text, position, limit, is_object, take)
}

/// Calls `take` with the start and end of each line, without the blanks around it; they are equal
/// for a line of blanks.
pub fn each_line(text: &[u8], mut take: impl FnMut(usize, usize)) {
    let mut position = 0;
    while position < text.len() {
        let rest = text.get(position..).unwrap_or_default();
        let len = memchr::memchr(b'\n', rest).unwrap_or(rest.len());
        let line = rest.get(..len).unwrap_or_default();
        let start = position + line.iter().take_while(|byte| is_blank(**byte)).count();
        take(start, start + trimmed(line).len());
        position += len + 1;
    }
}

fn take_lines_if<E>(
    text: &[u8],
    mut position: usize,
    limit: usize,
    is_fine: impl Fn(usize, usize) -> bool,
    mut take: impl FnMut(&[u8]) -> Result<(), E>,
) -> Result<usize, E> {
    while let Some(len) = memchr::memchr(b'\n', text.get(position..).unwrap_or_default()) {
        let line = &text[position..position + len];
        // A carriage return at the end does not count.
        if len - usize::from(line.ends_with(b"\r")) > limit {
            break;
        }
        let element = trimmed(line);
        if !element.is_empty() {
            let start = position + line.iter().take_while(|byte| is_blank(**byte)).count();
            if !is_fine(start, start + element.len()) {
                break;
            }
            take(element)?;
        }
        position += len + 1;
    }
    Ok(position)
}

/// The data of server-sent events that have one line of it, which is not an array.
///
/// It stops before an event whose name is `error`.
pub fn take_events<E>(
    text: &[u8],
    mut position: usize,
    limit: usize,
    mut take: impl FnMut(&[u8]) -> Result<(), E>,
) -> Result<usize, E> {
    while let Some((data, end)) = event(text, position) {
        // The data is shorter than its event, so no limit is passed.
        if end - position > limit {
            break;
        }
        let element = trimmed(data);
        if element.starts_with(b"[") {
            break;
        }
        if !element.is_empty() {
            take(element)?;
        }
        position = end;
    }
    Ok(position)
}

/// The data of the event that begins here, and where the next one does.
fn event(text: &[u8], mut position: usize) -> Option<(&[u8], usize)> {
    let mut data: Option<&[u8]> = None;
    loop {
        let (line, next) = event_line(text, position)?;
        position = next;
        let colon = memchr::memchr(b':', line).unwrap_or(line.len());
        match &line[..colon] {
            b"data" if data.is_none() => {
                let value = line.get(colon + 1..).unwrap_or_default();
                data = Some(value.strip_prefix(b" ").unwrap_or(value));
            }
            b"" if line.is_empty() => return Some((data.unwrap_or_default(), position)),
            b"event" if line.get(colon + 1..).is_some_and(|name| trimmed(name) == b"error") => {
                return None;
            }
            b"event" | b"id" | b"retry" | b"" => (),
            _ => return None,
        }
    }
}

/// The line that stands here, and where the next one does.
fn event_line(text: &[u8], position: usize) -> Option<(&[u8], usize)> {
    let rest = text.get(position..)?;
    let len = memchr::memchr2(b'\n', b'\r', rest)?;
    let is_return = rest[len] == b'\r';
    // After a carriage return at the end a line feed may come that belongs to it.
    let is_both = is_return && *rest.get(len + 1)? == b'\n';
    Some((&rest[..len], position + len + 1 + usize::from(is_both)))
}

/// Where the bracket stands that comes after a separator with blanks around it.
#[inline]
fn after_gap(text: &[u8], position: usize, separator: &[u8]) -> Option<usize> {
    let rest = without_blanks(text.get(position..)?).strip_prefix(separator)?;
    let rest = without_blanks(rest);
    matches!(rest.first()?, b'{' | b'[').then(|| text.len() - rest.len())
}

#[inline]
fn without_blanks(mut text: &[u8]) -> &[u8] {
    while let Some((&first, rest)) = text.split_first()
        && is_blank(first)
    {
        text = rest;
    }
    text
}

#[inline]
fn trimmed(text: &[u8]) -> &[u8] {
    let mut text = without_blanks(text);
    while let Some((&last, rest)) = text.split_last()
        && is_blank(last)
    {
        text = rest;
    }
    text
}

#[inline]
fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r' | b'\n')
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The elements that a function passes on, and the rest that it leaves.
    fn taken(
        text: &str,
        function: impl Fn(&[u8], &mut dyn FnMut(&[u8]) -> Result<(), ()>) -> Result<usize, ()>,
    ) -> (Vec<String>, &str) {
        let mut found = Vec::new();
        let end = function(text.as_bytes(), &mut |element| {
            found.push(String::from_utf8(element.to_vec()).unwrap());
            Ok(())
        });
        (found, &text[end.unwrap()..])
    }

    #[test]
    fn values() {
        let take = |text: &[u8], take: &mut dyn FnMut(&[u8]) -> Result<(), ()>| {
            take_values(text, 0, b",", 9, take)
        };
        for (text, count, rest) in [
            (r#" , {"a":"]"},[[]] ,{"#, 2, " ,{"),
            (",{},1,{}", 1, ",1,{}"),
            (r#",{},"a""#, 1, r#","a""#),
            (",{}{}", 1, "{}"),
            (",{} ]", 1, " ]"),
            (",{},[1,2,3,4,5]", 1, ",[1,2,3,4,5]"),
            ("", 0, ""),
        ] {
            let (found, left) = taken(text, take);
            assert_eq!((found.len(), left), (count, rest), "{text}");
        }
        assert_eq!(taken(r#" , {"a":"]"},[[]]"#, take).0, [r#"{"a":"]"}"#, "[[]]"]);
    }

    #[test]
    fn lines() {
        let take = |text: &[u8], take: &mut dyn FnMut(&[u8]) -> Result<(), ()>| {
            take_lines(text, 0, 4, take)
        };
        let (found, left) = taken(" a\n\n \t\nbcde\r\nf\nghijk\nl", take);
        assert_eq!(found, ["a", "bcde", "f"]);
        assert_eq!(left, "ghijk\nl");
        for opening in ["{", "[", " [{ \r", "a[", "{[\t"] {
            let text = format!("{{}}\n[]\n{opening}\n}}\n");
            assert_eq!(taken(&text, take), (vec!["{}".into(), "[]".into()], &text[6..]));
        }
        let take = |text: &[u8], take: &mut dyn FnMut(&[u8]) -> Result<(), ()>| {
            take_object_lines(text, 0, 40, take)
        };
        for bad in ["null", "{", "{}{}", "{} x", "[]", r#"{"a":"#, r#"{"a":"}"#] {
            let text = format!("{{}}\n \n {{\"a\":\"}}\"}} \r\n{bad}\n}}\n");
            let (found, left) = taken(&text, take);
            assert_eq!(found, ["{}", r#"{"a":"}"}"#]);
            assert_eq!(left, format!("{bad}\n}}\n"));
        }
    }

    #[test]
    fn events() {
        let take = |text: &[u8], take: &mut dyn FnMut(&[u8]) -> Result<(), ()>| {
            take_events(text, 0, 99, take)
        };
        for (text, count, rest) in [
            ("data: {}\n\ndata:{} \r\n\r\ndata: {}\r\rdata: {}", 3, "data: {}"),
            ("data: {}\n\ndata:  [] \n\n", 1, "data:  [] \n\n"),
            ("data: {}\n\nevent: error \ndata: {}\n\n", 1, "event: error \ndata: {}\n\n"),
            ("event: errors\ndata: {}\n\nevent\n\nevent:error\n\n", 1, "event:error\n\n"),
            (": a\nid\nevent: b:c\nretry: 1\ndata: {}\nid: 2\n\n", 1, ""),
            ("data: 1\ndata: 2\n\n", 0, "data: 1\ndata: 2\n\n"),
            ("data\n\n\n\ndata: 1\r\n\r", 0, "data: 1\r\n\r"),
            ("data: 1\n\n<html>\n\n", 1, "<html>\n\n"),
        ] {
            let (found, left) = taken(text, take);
            assert_eq!((found.len(), left), (count, rest), "{text:?}");
        }
    }
}
