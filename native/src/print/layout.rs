//! The layouts of JSON text: its blanks, its escapes and the form of its numbers.

use super::escape::write_string;
use crate::bytes::out::Out;
use crate::stop::Result;

/// The most blanks for each level; the pure backend decides about more, which need much memory.
pub const MAX_BLANKS: usize = 256;

/// The beginning of a line.
const LINE: [u8; 65] = {
    let mut line = [b' '; 65];
    line[0] = b'\n';
    line
};

/// Writes what the layout decides on.
pub trait Layout: Copy {
    /// Whether numbers of floating point are written as Python's `repr` does.
    fn as_repr(&self) -> bool;
    /// Writes the bracket that begins an object or a list.
    fn begin(&mut self, bracket: u8, out: &mut Out<'_>) -> Result<()>;
    /// Writes what stands between two members or elements.
    fn comma(&self, out: &mut Out<'_>) -> Result<()>;
    /// Writes what stands between a name and its value.
    fn colon(&self, out: &mut Out<'_>) -> Result<()>;
    /// Writes the bracket that ends an object or a list.
    fn end(&mut self, bracket: u8, out: &mut Out<'_>) -> Result<()>;
    /// Writes the name of a field, which is given as `,"name":`, with all that stands around it.
    fn field(&self, key: &[u8], is_first: bool, out: &mut Out<'_>) -> Result<()>;
    /// Writes a string between quotes.
    fn string(&self, text: &[u8], out: &mut Out<'_>) -> Result<()>;
}

/// No blanks at all.
#[derive(Clone, Copy, Default)]
pub struct Compact;

impl Layout for Compact {
    #[inline(always)]
    fn as_repr(&self) -> bool {
        false
    }

    #[inline(always)]
    fn begin(&mut self, bracket: u8, out: &mut Out<'_>) -> Result<()> {
        out.byte(bracket)
    }

    #[inline(always)]
    fn comma(&self, out: &mut Out<'_>) -> Result<()> {
        out.byte(b',')
    }

    #[inline(always)]
    fn colon(&self, out: &mut Out<'_>) -> Result<()> {
        out.byte(b':')
    }

    #[inline(always)]
    fn end(&mut self, bracket: u8, out: &mut Out<'_>) -> Result<()> {
        out.byte(bracket)
    }

    #[inline(always)]
    fn field(&self, key: &[u8], is_first: bool, out: &mut Out<'_>) -> Result<()> {
        // The first member has no comma.
        out.short(&key[usize::from(is_first)..])
    }

    #[inline(always)]
    fn string(&self, text: &[u8], out: &mut Out<'_>) -> Result<()> {
        write_string::<false>(out, text)
    }
}

/// The layout of Python's own writer of JSON.
#[derive(Clone, Copy)]
pub struct Spaced {
    /// The blanks for each level; without them, all stands in one line with a blank after `,` and `:`.
    blanks: Option<usize>,
    ascii: bool,
    as_repr: bool,
    /// The blanks that begin the current line.
    indent: usize,
}

impl Spaced {
    /// Makes one for the outermost level; with `ascii`, characters beyond ASCII are escaped.
    pub fn new(blanks: Option<usize>, ascii: bool, as_repr: bool) -> Self {
        Self { blanks, ascii, as_repr, indent: 0 }
    }

    #[inline(always)]
    fn line(&self, out: &mut Out<'_>) -> Result<()> {
        match LINE.get(..=self.indent) {
            Some(line) => out.short(line),
            None => self.long_line(out),
        }
    }

    #[inline(never)]
    fn long_line(&self, out: &mut Out<'_>) -> Result<()> {
        out.byte(b'\n')?;
        let blanks = &LINE[1..];
        for _ in 0..self.indent / blanks.len() {
            out.slice(blanks)?;
        }
        out.slice(&blanks[..self.indent % blanks.len()])
    }
}

impl Layout for Spaced {
    #[inline(always)]
    fn as_repr(&self) -> bool {
        self.as_repr
    }

    #[inline(always)]
    fn begin(&mut self, bracket: u8, out: &mut Out<'_>) -> Result<()> {
        out.byte(bracket)?;
        let Some(blanks) = self.blanks else { return Ok(()) };
        self.indent += blanks;
        self.line(out)
    }

    #[inline(always)]
    fn comma(&self, out: &mut Out<'_>) -> Result<()> {
        if self.blanks.is_none() {
            return out.array(*b", ");
        }
        out.byte(b',')?;
        self.line(out)
    }

    #[inline(always)]
    fn colon(&self, out: &mut Out<'_>) -> Result<()> {
        out.array(*b": ")
    }

    #[inline(always)]
    fn end(&mut self, bracket: u8, out: &mut Out<'_>) -> Result<()> {
        if let Some(blanks) = self.blanks {
            let is_empty = matches!(out.written().last(), Some(b'\n' | b' '));
            if is_empty {
                // No value ends with a blank: this is the line that began with the first bracket.
                out.truncate(out.len() - self.indent - 1);
            }
            self.indent -= blanks;
            if !is_empty {
                self.line(out)?;
            }
        }
        out.byte(bracket)
    }

    #[inline(always)]
    fn field(&self, key: &[u8], is_first: bool, out: &mut Out<'_>) -> Result<()> {
        if !is_first {
            self.comma(out)?;
        }
        out.short(&key[1..])?;
        out.byte(b' ')
    }

    #[inline(always)]
    fn string(&self, text: &[u8], out: &mut Out<'_>) -> Result<()> {
        if self.ascii { write_string::<true>(out, text) } else { write_string::<false>(out, text) }
    }
}

#[cfg(test)]
mod tests {
    use std::mem::MaybeUninit;

    use super::*;

    /// Lays out brackets, commas, colons and the text between them.
    fn laid_out(tokens: &str, mut layout: impl Layout) -> String {
        let mut buffer = vec![MaybeUninit::uninit(); 2000];
        let mut out = Out::new(&mut buffer);
        for token in tokens.bytes() {
            match token {
                b'{' | b'[' => layout.begin(token, &mut out),
                b'}' | b']' => layout.end(token, &mut out),
                b',' => layout.comma(&mut out),
                b':' => layout.colon(&mut out),
                _ => out.byte(token),
            }
            .unwrap();
        }
        String::from_utf8(out.written().to_vec()).unwrap()
    }

    fn indented(tokens: &str, blanks: usize) -> String {
        laid_out(tokens, Spaced::new(Some(blanks), false, false))
    }

    #[test]
    fn every_kind_of_container() {
        for (tokens, blanks, expected) in [
            ("{}", 2, "{}"),
            ("[]", 2, "[]"),
            ("1", 2, "1"),
            ("{a:{},b:[]}", 1, "{\n a: {},\n b: []\n}"),
            ("{a:[1,0,[t,[],{}]]}", 0, "{\na: [\n1,\n0,\n[\nt,\n[],\n{}\n]\n]\n}"),
            ("[[[]]]", 3, "[\n   [\n      []\n   ]\n]"),
        ] {
            assert_eq!(indented(tokens, blanks), expected);
        }
        assert_eq!(laid_out("{a:[1,{}]}", Compact), "{a:[1,{}]}");
        assert_eq!(laid_out("{a:[1,{}]}", Spaced::new(None, false, false)), "{a: [1, {}]}");
    }

    #[test]
    fn many_blanks() {
        for blanks in [63, 64, 65, 128, 200] {
            let (outer, inner) = (" ".repeat(blanks), " ".repeat(2 * blanks));
            assert_eq!(
                indented("[[1],[]]", blanks),
                format!("[\n{outer}[\n{inner}1\n{outer}],\n{outer}[]\n]")
            );
        }
    }
}
